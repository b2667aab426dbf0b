// What comes down from the host: the state, whole or as a difference, the look,
// and pings.

let theme = freezeTheme(config.theme);
let locale = config.locale;
const stateListeners = [];
const themeListeners = [];

function freezeTheme(t) {
  return freeze({ name: t.name, tokens: freeze(t.tokens) });
}

function listen(list, fn, name) {
  if (typeof fn !== "function") throw new TypeErrorType("LineUpSurface." + name + ": expected a function");
  list[list.length] = fn;
  return function () {
    for (let i = 0; i < list.length; i++) {
      if (list[i] === fn) {
        list[i] = null;
        return;
      }
    }
  };
}

// One listener that throws does not keep the state from the others.
function tell(list, value) {
  for (let i = 0; i < list.length; i++) {
    if (list[i]) attempt(list[i], value);
  }
}

function attempt(fn, value) {
  try {
    fn(value);
  } catch (error) {
    fail("script", error);
  }
}

function applyTheme(next) {
  const style = root.style;
  const before = keys(theme.tokens);
  for (let i = 0; i < before.length; i++) {
    if (!(before[i] in next.tokens)) call(removeProperty, style, before[i]);
  }
  const names = keys(next.tokens);
  for (let i = 0; i < names.length; i++) call(setProperty, style, names[i], next.tokens[names[i]]);
  call(setAttribute, root, "data-theme", next.name);
  theme = next;
}

function setLook(message) {
  if (message.locale) {
    locale = message.locale;
    call(setAttribute, root, "lang", locale);
  }
  applyTheme(freezeTheme(message.theme));
}

// ---- the state ------------------------------------------------------------

// A surface may do with its state what it likes, so differences are applied to
// a tree of the guest's own, and the surface gets a copy. As long as only whole
// states come, there is neither tree nor copy: just the text of the last one.
let source = null; // the last whole state's message
let tree = null; // the guest's own, once a difference came
let state; // what the surface was given
let hasState = false;

function takeWhole(text, message) {
  source = text;
  tree = null;
  changed(message.state);
}

function takeDiff(ops) {
  if (!tree) tree = parse(source).state;
  patch(tree, ops);
  changed();
}

// An agent may send faster than the screen can show. The first change within a
// frame is delivered at once; what follows is delivered as one with the next
// frame. A page that is not on screen has no frames, so a timer stands in.
let delivered = false; // within this frame
let fresh = null; // a whole state that waits, {value}; null when the tree is newer
let pending = false;

function changed(whole) {
  fresh = whole === undefined ? null : { value: whole };
  if (delivered) pending = true;
  else deliver();
}

function deliver() {
  pending = false;
  delivered = true;
  state = fresh ? fresh.value : clone(tree);
  fresh = null;
  hasState = true;
  inARow = 0;
  let over = false;
  const end = function () {
    if (over) return;
    over = true;
    delivered = false;
    if (pending) deliver();
  };
  nextFrame(end);
  later(end, 100);
  tell(stateListeners, state);
}

// ---- the port -------------------------------------------------------------

function receive(e) {
  if (typeof e.data !== "string") return;
  let message;
  try {
    message = parse(e.data);
  } catch {
    return;
  }
  switch (message.type) {
    case "ping":
      return send({ type: "pong", n: message.n });
    case "fill":
      return fill(message);
    case "init":
      setLook(message);
      return takeWhole(e.data, message);
    case "state":
      return takeWhole(e.data, message);
    case "diff":
      return takeDiff(message.ops);
    case "theme":
      setLook(message);
      return tell(themeListeners, theme);
  }
}

// Only the parent, only once. Stopped so that no listener of the surface gets
// hold of the port: it would gain nothing by it, but could break itself.
function listenForPort() {
  call(listenTo, window, "message", function (e) {
    const m = e.data;
    if (e.source !== host || !m || typeof m !== "object" || m.namespace !== namespace || m.type !== "port") return;
    call(stopNow, e);
    if (port || !e.ports[0]) return;
    port = e.ports[0];
    port.onmessage = receive;
    sendWaiting();
  });
}
