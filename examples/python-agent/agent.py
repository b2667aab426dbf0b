"""A LineUp agent. Say "weather" to it: it opens a surface, updates it, and asks to use the clipboard."""
import argparse, asyncio, base64, contextlib, hashlib, json, os, pathlib, uuid
import websockets

ME = {"kind": "agent", "id": "python-example"}
SURFACE = pathlib.Path(__file__).with_name("surface")
HTML, CSS, JS = [(SURFACE / f"weather.{ext}").read_text("utf-8") for ext in ("html", "css", "js")]

# The digest is over each part with its length before it, as 8 bytes, big-endian.
digest = hashlib.sha256(b"".join(len(p.encode()).to_bytes(8, "big") + p.encode() for p in (HTML, CSS, JS))).digest()
APP = {"id": "com.lineup.weather.dashboard", "name": "Weather dashboard", "version": "1.0.0",
       "integrity": "sha256-" + base64.b64encode(digest).decode(), "html": HTML, "css": CSS, "js": JS}
talks = {}  # of each conversation, to go on after a broken connection; a real agent keeps it in a file

def weather(count):
    return {"city": "Beijing", "temperature": 22 + [0, 2, 3, 1, -1][count % 5], "updated": count}

async def send(socket, kind, payload, conversation=None):
    envelope = {"v": 1, "id": str(uuid.uuid4()), "type": "lineup.v1." + kind, "sender": ME, "payload": payload}
    if conversation:
        envelope["conversation_id"] = conversation
        talks[conversation]["sent"].append(envelope)
    with contextlib.suppress(websockets.ConnectionClosed):  # then it is sent again after the next hello
        await socket.send(json.dumps(envelope))

async def ask_to_copy(socket, conversation, reason, w):
    text = f"{w['city']}: {w['temperature']} °C, updated {w['updated']} {'time' if w['updated'] == 1 else 'times'}"
    await send(socket, "app.call", {"call_id": str(uuid.uuid4()), "capability": "clipboard.write", "reason": reason,
                                    "arguments": {"text": text}}, conversation)

async def hello(socket, points):
    known = {p["conversation_id"]: p["last_id"] for p in points if p["conversation_id"] in talks}
    ready = {"agent": {"id": ME["id"], "name": "Python example", "version": "1.0.0"}}
    if all(p["conversation_id"] in talks for p in points if p["last_id"]):  # else we were restarted: only what is new
        ready["conversations"] = [{"conversation_id": c, "last_id": [*talks[c]["seen"]][-1]} for c in known]
    await send(socket, "session.ready", ready)
    for conversation, last in known.items():  # again whatever the host has not processed, under the same ids
        ids = [old["id"] for old in talks[conversation]["sent"]]
        for old in talks[conversation]["sent"][ids.index(last) + 1 if last in ids else 0:]:
            await socket.send(json.dumps(old))

async def receive(socket, e):
    kind, payload, conversation = e["type"].removeprefix("lineup.v1."), e["payload"], e.get("conversation_id")
    if kind == "session.hello": return await hello(socket, payload["conversations"])
    if kind == "session.ping": return await send(socket, "session.pong", {})
    talk = talks.setdefault(conversation, {"seen": {}, "sent": [], "counts": {}}) if conversation else None
    if not talk or e["id"] in talk["seen"]: return  # delivered twice, processed once
    talk["seen"][e["id"]], counts, instance = True, talk["counts"], payload.get("instance_id")
    say = lambda text: send(socket, "message", {"text": text}, conversation)
    if kind == "message" and "weather" in payload["text"].lower():
        await say("Here is the **weather** (made up). Press **Refresh**.")
        await send(socket, "ui.open", {"instance_id": f"weather.{uuid.uuid4()}", "app": APP, "state": weather(0)}, conversation)
    elif kind == "message": await say("I only know one word: **weather**.")
    elif kind == "ui.event" and payload["event"] == "refresh":
        counts[instance] = counts.get(instance, 0) + 1
        await send(socket, "ui.patch", {"instance_id": instance, "state": weather(counts[instance])}, conversation)
        if counts[instance] == 1:
            await ask_to_copy(socket, conversation, "Put the refreshed weather summary on your clipboard", weather(1))
    elif kind == "ui.event" and payload["event"] == "copy":
        await ask_to_copy(socket, conversation, "Copy the weather summary", weather(counts.get(instance, 0)))
    elif kind == "app.result":
        await say("Copied." if payload["status"] == "completed" else f"Fine, it was not copied ({payload['status']}).")
    elif kind == "ui.result" and payload["status"] == "refused": await say("Your LineUp refused my interface.")

async def session(socket):
    with contextlib.suppress(websockets.ConnectionClosed):
        async for frame in socket:
            try:
                await receive(socket, json.loads(frame))
            except (ValueError, KeyError, TypeError, AttributeError):
                await send(socket, "error", {"code": "bad_envelope", "message": "expected a lineup.v1 envelope"})

async def main():
    options = argparse.ArgumentParser()
    options.add_argument("--port", type=int, default=os.environ.get("PORT", "7002"))
    limits = {"subprotocols": ["lineup.v1"], "origins": [None], "max_size": 1 << 20}  # no Origin, so no web page
    async with websockets.serve(session, "127.0.0.1", options.parse_args().port, **limits) as server:
        print(f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/", flush=True)
        await asyncio.Future()
asyncio.run(main())
