// A LineUp agent. Say "weather" to it: it opens a surface, updates it, and asks to use the clipboard.
import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { WebSocketServer } from "ws";

const { values: options } = parseArgs({ options: { port: { type: "string", default: process.env.PORT ?? "7001" } } });
const me = { kind: "agent", id: "node-example" };
const part = (ext) => readFileSync(new URL(`surface/weather.${ext}`, import.meta.url), "utf8");
const [html, css, js] = [part("html"), part("css"), part("js")];

// The digest is over each part with its length before it, as 8 bytes, big-endian.
const digest = createHash("sha256");
for (const part of [html, css, js].map((text) => Buffer.from(text))) {
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(BigInt(part.length));
  digest.update(length).update(part);
}
const integrity = "sha256-" + digest.digest("base64");
const app = { id: "com.lineup.weather.dashboard", name: "Weather dashboard", version: "1.0.0", integrity, html, css, js };
const weather = (count) => ({ city: "Beijing", temperature: 22 + [0, 2, 3, 1, -1][count % 5], updated: count });

// What is remembered of each conversation, to go on after a broken connection. A real agent keeps this in a file.
const talks = new Map();
const recall = (id) => talks.get(id) ?? talks.set(id, { id, seen: new Set(), last: "", sent: [], counts: {} }).get(id);

function send(socket, type, payload, talk) {
  const envelope = { v: 1, id: randomUUID(), type: "lineup.v1." + type, conversation_id: talk?.id, sender: me, payload };
  talk?.sent.push(envelope);
  socket.send(JSON.stringify(envelope));
}

function hello(socket, points) {
  const known = points.filter((p) => talks.has(p.conversation_id)).map((p) => ({ ...p, talk: recall(p.conversation_id) }));
  // Without a list the host sends only what is new. That is right if we forgot a conversation: we were restarted.
  const forgot = points.some((p) => p.last_id && !talks.has(p.conversation_id));
  const conversations = forgot ? undefined : known.map(({ talk }) => ({ conversation_id: talk.id, last_id: talk.last }));
  send(socket, "session.ready", { agent: { id: me.id, name: "Node example", version: "1.0.0" }, conversations });
  for (const { talk, last_id } of known) { // again whatever the host has not processed, under the same ids
    const next = talk.sent.findIndex((e) => e.id === last_id) + 1;
    for (const envelope of talk.sent.slice(next)) socket.send(JSON.stringify(envelope));
  }
}

function askToCopy(socket, talk, reason, { city, temperature, updated }) {
  const text = `${city}: ${temperature} °C, updated ${updated} ${updated === 1 ? "time" : "times"}`;
  send(socket, "app.call", { call_id: randomUUID(), capability: "clipboard.write", reason, arguments: { text } }, talk);
}

function receive(socket, { id, type, conversation_id, payload }) {
  if (type === "lineup.v1.session.hello") return hello(socket, payload.conversations);
  if (type === "lineup.v1.session.ping") return send(socket, "session.pong", {});
  if (!conversation_id || recall(conversation_id).seen.has(id)) return; // delivered twice, processed once
  const talk = recall(conversation_id);
  talk.seen.add((talk.last = id));
  const say = (text) => send(socket, "message", { text }, talk);
  const { instance_id, event, text, status } = payload;
  if (type === "lineup.v1.message" && /weather/i.test(text)) {
    say("Here is the **weather** (made up). Press **Refresh**.");
    send(socket, "ui.open", { instance_id: "weather." + randomUUID(), app, state: weather(0) }, talk);
  } else if (type === "lineup.v1.message") {
    say("I only know one word: **weather**.");
  } else if (type === "lineup.v1.ui.event" && event === "refresh") {
    const count = (talk.counts[instance_id] = (talk.counts[instance_id] ?? 0) + 1);
    send(socket, "ui.patch", { instance_id, state: weather(count) }, talk);
    if (count === 1) askToCopy(socket, talk, "Put the refreshed weather summary on your clipboard", weather(1));
  } else if (type === "lineup.v1.ui.event" && event === "copy") {
    askToCopy(socket, talk, "Copy the weather summary", weather(talk.counts[instance_id] ?? 0));
  } else if (type === "lineup.v1.app.result") say(status === "completed" ? "Copied." : `Fine, it was not copied (${status}).`);
  else if (type === "lineup.v1.ui.result" && status === "refused") say("Your LineUp refused my interface.");
}

// Every web page sends an Origin and no host does: pages are kept out.
const server = new WebSocketServer({ host: "127.0.0.1", port: Number(options.port), maxPayload: 1 << 20,
  handleProtocols: (offered) => offered.has("lineup.v1") && "lineup.v1", verifyClient: ({ origin }) => !origin });
server.on("listening", () => console.log(`ws://127.0.0.1:${server.address().port}/`));
server.on("connection", (socket) => socket.on("error", () => {}).on("message", (data) => {
  try { receive(socket, JSON.parse(data)); }
  catch { send(socket, "error", { code: "bad_envelope", message: "expected a lineup.v1 envelope" }); }
}));
