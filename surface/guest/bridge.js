(function lineupGuest(config) {
  "use strict";

  // This runs before any code of the surface and keeps its own copies of what
  // it uses later: a surface may replace builtins, by accident more often than
  // on purpose, and must not break its own bridge by it.
  const call = Function.prototype.call.bind(Function.prototype.call);
  const { parse, stringify } = JSON;
  const { defineProperty, freeze, keys } = Object;
  const { isFinite } = Number;
  const { min, max, ceil, abs } = Math;
  const { getPrototypeOf } = Object;
  const plainPrototype = Object.prototype;
  const now = performance.now.bind(performance);
  const later = window.setTimeout.bind(window);
  const stopNow = Event.prototype.stopImmediatePropagation;
  const portPost = MessagePort.prototype.postMessage;
  const setProperty = CSSStyleDeclaration.prototype.setProperty;
  const removeProperty = CSSStyleDeclaration.prototype.removeProperty;
  const setAttribute = Element.prototype.setAttribute;
  const getRect = Element.prototype.getBoundingClientRect;
  const test = RegExp.prototype.test;
  const encoder = new TextEncoder();
  const encode = TextEncoder.prototype.encode;
  const root = document.documentElement;
  const host = window.parent;
  const ErrorType = Error;
  const TypeErrorType = TypeError;
  const RangeErrorType = RangeError;
  const namespace = "lineup.surface.v1";
  const eventName = /^[A-Za-z][A-Za-z0-9._:-]{0,63}$/;

  if (document.currentScript) document.currentScript.remove();

  // ---- up -------------------------------------------------------------

  let port = null;
  const waiting = []; // sent before the port is there; bounded

  function send(message) {
    message.namespace = namespace;
    const text = stringify(message);
    if (port) call(portPost, port, text);
    else if (waiting.length < 64) waiting[waiting.length] = text;
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

  // ---- height ---------------------------------------------------------

  let asked = false; // the surface calls resize() itself: ours stops
  let reported = -1;
  let lastReport = -1000;
  let timer = false;

  function report(height) {
    height = ceil(min(max(height, 0), config.maxHeight));
    if (abs(height - reported) < 1) return false;
    reported = height;
    lastReport = now();
    send({ type: "resize", height: height });
    return true;
  }

  function resize(height) {
    if (typeof height !== "number" || !isFinite(height)) {
      throw new TypeErrorType("LineUpSurface.resize: the height must be a finite number of CSS pixels");
    }
    asked = true;
    report(height);
  }

  // What the content needs. The root's own box counts margins that stick out of
  // the body; its scrollHeight is never less than the frame, so it says
  // something only when it is more. Children of the body count on their own
  // because positioned ones are in nobody's box.
  function contentHeight() {
    let height = call(getRect, root).height;
    if (root.scrollHeight > root.clientHeight + 1) height = max(height, root.scrollHeight);
    const children = document.body ? document.body.children : [];
    for (let i = 0; i < children.length && i < 100; i++) {
      height = max(height, call(getRect, children[i]).bottom + window.scrollY);
    }
    return height;
  }

  // A page whose height follows its frame's (100vh and a margin, a canvas that
  // fills the window) would grow for ever: we report, the frame grows, it grows.
  // So without new content, a new state or the user's doing there are three
  // reports, then none until a second of quiet.
  let inARow = 0;

  function fresh() {
    inARow = 0;
    soon();
  }

  function looping() {
    if (now() - lastReport > 1000) inARow = 0;
    return inARow >= 3;
  }

  function measure() {
    timer = false;
    if (asked || looping()) return;
    if (report(contentHeight())) inARow++;
  }

  // At most 20 reports a second.
  function soon() {
    if (timer || asked) return;
    timer = true;
    later(measure, max(0, 50 - (now() - lastReport)));
  }

  // ---- down -----------------------------------------------------------

  let state;
  let hasState = false;
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

  function setState(next) {
    state = next;
    hasState = true;
    inARow = 0;
    tell(stateListeners, state);
  }

  function setLook(message) {
    if (message.locale) {
      locale = message.locale;
      call(setAttribute, root, "lang", locale);
    }
    applyTheme(freezeTheme(message.theme));
  }

  function receive(e) {
    if (typeof e.data !== "string") return;
    let message;
    try {
      message = parse(e.data);
    } catch {
      return;
    }
    if (message.type === "init") {
      setLook(message);
      setState(message.state);
    } else if (message.type === "state") {
      setState(message.state);
    } else if (message.type === "theme") {
      setLook(message);
      tell(themeListeners, theme);
    }
  }

  // ---- errors ---------------------------------------------------------

  let errorTokens = 10;
  let errorRefill = now();

  // 10 at once, then one a second; the rest is not worth the host's time.
  function fail(kind, what) {
    const t = now();
    errorTokens = min(10, errorTokens + (t - errorRefill) / 1000);
    errorRefill = t;
    if (errorTokens < 1) return;
    errorTokens -= 1;
    let text = "unknown error";
    try {
      text = what instanceof ErrorType ? what.name + ": " + what.message : "" + what;
      text = "" + text;
    } catch {
      // a value that cannot be turned into text
    }
    send({ type: "error", kind: kind, message: cut(text) });
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

  window.addEventListener("error", function (e) {
    if (e.target && e.target !== window) return;
    fail("script", e.message + (e.lineno ? " (line " + e.lineno + ")" : ""));
  });
  window.addEventListener("unhandledrejection", function (e) {
    fail("rejection", e.reason);
  });
  document.addEventListener("securitypolicyviolation", function (e) {
    fail("violation", e.effectiveDirective + " stopped " + e.blockedURI);
  });

  // ---- the port -------------------------------------------------------

  // Only the parent, only once. Stopped so that no listener of the surface gets
  // hold of the port: it would gain nothing by it, but could break itself.
  window.addEventListener("message", function take(e) {
    const m = e.data;
    if (e.source !== host || !m || typeof m !== "object" || m.namespace !== namespace || m.type !== "port") return;
    call(stopNow, e);
    if (port || !e.ports[0]) return;
    port = e.ports[0];
    port.onmessage = receive;
    for (let i = 0; i < waiting.length; i++) call(portPost, port, waiting[i]);
    waiting.length = 0;
  });

  // ---- the one global -------------------------------------------------

  const api = { __proto__: null };
  function expose(name, value) {
    defineProperty(api, name, { value: value, enumerable: true });
  }
  function exposeGetter(name, get) {
    defineProperty(api, name, { get: get, enumerable: true });
  }
  expose("event", event);
  expose("resize", resize);
  expose("onState", function (fn) {
    const off = listen(stateListeners, fn, "onState");
    if (hasState) attempt(fn, state);
    return off;
  });
  expose("onTheme", function (fn) {
    return listen(themeListeners, fn, "onTheme");
  });
  expose("instanceId", config.instanceId);
  exposeGetter("theme", function () {
    return theme;
  });
  exposeGetter("locale", function () {
    return locale;
  });
  defineProperty(window, "LineUpSurface", { value: freeze(api), enumerable: true });

  // ---- start ----------------------------------------------------------

  applyTheme(theme);
  const style = document.createElement("style");
  style.textContent = config.css;
  document.head.append(style);

  // The document is parsed and DOMContentLoaded is still to come, so both a
  // script that expects its elements and one that waits for the event work.
  document.addEventListener("readystatechange", function run() {
    if (document.readyState !== "interactive") return;
    const script = document.createElement("script");
    script.textContent = config.js;
    (document.body || root).append(script);
    script.remove();
    const sizes = new ResizeObserver(soon);
    sizes.observe(root);
    if (document.body) sizes.observe(document.body);
    new MutationObserver(function (list) {
      // An attribute may be the surface's answer to our own report.
      for (let i = 0; i < list.length; i++) if (list[i].type !== "attributes") return fresh();
      soon();
    }).observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    window.addEventListener("pointerup", fresh, true);
    window.addEventListener("keyup", fresh, true);
    window.addEventListener("load", soon);
    soon();
  });

  // The parent knows this frame by event.source; there is no origin to name.
  host.postMessage({ namespace: namespace, type: "ready" }, "*");
})
