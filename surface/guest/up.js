// What goes up to the host: events, reports, errors.

const eventName = /^[A-Za-z][A-Za-z0-9._:-]{0,63}$/;
let port = null;
let holding = false; // while a document is written: its end is told before what its scripts say
const waiting = []; // sent before it could go; bounded

function send(message) {
  message.namespace = namespace;
  const text = stringify(message);
  if (port && !holding) call(portPost, port, text);
  else if (waiting.length < 64) waiting[waiting.length] = text;
}

function sendWaiting() {
  for (let i = 0; i < waiting.length; i++) call(portPost, port, waiting[i]);
  waiting.length = 0;
}

function event(name, data) {
  if (typeof name !== "string" || !call(test, eventName, name)) {
    throw new TypeErrorType("LineUpSurface.event: the name must be a letter followed by up to 63 of A-Z a-z 0-9 . _ : -");
  }
  if (name === "close") {
    throw new TypeErrorType('LineUpSurface.event: "close" is sent by the host alone');
  }
  if (data === undefined) data = {};
  if (data === null || typeof data !== "object") {
    throw new TypeErrorType("LineUpSurface.event: the data must be a JSON object");
  }
  const text = stringify(data);
  if (text === undefined || text[0] !== "{") {
    throw new TypeErrorType("LineUpSurface.event: the data must be a JSON object");
  }
  if (text.length > config.maxData || call(encode, encoder, text).length > config.maxData) {
    throw new RangeErrorType("LineUpSurface.event: the data must be smaller than 16 KiB");
  }
  send({ type: "event", event: name, data: parse(text) });
}

// ---- errors ---------------------------------------------------------------

let errorTokens = 10;
let errorRefill = now();

// 10 at once, then one a second; the rest is not worth the host's time. place says
// where in the surface's script it happened, if that is known.
function fail(kind, what, place) {
  const t = now();
  errorTokens = min(10, errorTokens + (t - errorRefill) / 1000);
  errorRefill = t;
  if (errorTokens < 1) return;
  errorTokens -= 1;
  let text = "unknown error";
  try {
    text = what instanceof ErrorType ? what.name + ": " + what.message : "" + what;
    text = "" + text;
    if (!place && what instanceof ErrorType) place = placeIn(what);
  } catch {
    // a value that cannot be turned into text
  }
  send({ type: "error", kind: kind, message: cut(text) + (place || "") });
}

const scriptPlace = /script\.js:\d{1,7}:\d{1,7}/;

// The innermost place in script.js that an error came from: " (script.js:12:5)".
function placeIn(error) {
  const found = call(exec, scriptPlace, "" + error.stack);
  return found ? " (" + found[0] + ")" : "";
}

// 500 UTF-16 units are at most 2 KiB of UTF-8; half a surrogate pair at the
// cut would not be text.
function cut(text) {
  let out = "";
  for (let i = 0; i < text.length && i < 500; i++) {
    const c = text[i];
    const lone = c >= "\ud800" && c <= "\udfff";
    if (!lone) out += c;
    else if (c < "\udc00" && text[i + 1] >= "\udc00" && text[i + 1] <= "\udfff") out += c + text[++i];
    else out += "?";
  }
  return out;
}

function listenForErrors() {
  call(listenTo, window, "error", function (e) {
    if (e.target && e.target !== window) return;
    let place = e.lineno ? " (line " + e.lineno + ")" : "";
    try {
      place = (e.error instanceof ErrorType && placeIn(e.error)) || place;
    } catch {
      // a stack that is no text
    }
    fail("script", e.message, place);
  });
  call(listenTo, window, "unhandledrejection", function (e) {
    fail("rejection", e.reason);
  });
  call(listenTo, document, "securitypolicyviolation", function (e) {
    fail("violation", e.effectiveDirective + " stopped " + e.blockedURI);
  });
}
