// The beginning. A cold frame's document is the surface's own, with this script
// first in its head. A spare is an empty document that is filled once, later:
// document.open keeps the window, its CSP and its sandbox, but takes away all
// listeners, so ours are set after it. From there on both are the same.

let root = document.documentElement;
let filled = !config.spare;

if (document.currentScript) call(remove, document.currentScript);
listenForPort();
if (config.spare) call(listenTo, window, "load", sayReady);
else {
  begin(config);
  sayReady();
}

// The parent knows this frame by event.source; there is no origin to name.
function sayReady() {
  host.postMessage({ namespace: namespace, type: "ready" }, "*");
}

function fill(message) {
  if (filled) return;
  filled = true;
  holding = true;
  call(openDocument, document);
  listenForPort();
  call(writeDocument, document, config.head);
  theme = freezeTheme(message.config.theme);
  locale = message.config.locale;
  begin({ instanceId: message.config.instanceId, css: message.css, js: message.js });
  call(writeDocument, document, "</head><body>" + message.html + "</body></html>");
  call(closeDocument, document);
  holding = false;
  send({ type: "filled" });
  sendWaiting();
}

// begin runs in the head, before anything of the surface is parsed.
function begin(own) {
  root = document.documentElement;
  listenForErrors();
  expose(own.instanceId);
  call(setAttribute, root, "lang", locale);
  applyTheme(theme);
  const style = call(createElement, document, "style");
  style.textContent = own.css;
  call(append, document.head, style);

  // The document is parsed and DOMContentLoaded is still to come, so both a
  // script that expects its elements and one that waits for the event work.
  call(listenTo, document, "readystatechange", function () {
    if (document.readyState !== "interactive") return;
    const script = call(createElement, document, "script");
    // Its name is in the errors that it throws: see placeIn.
    script.textContent = own.js + "\n//# sourceURL=script.js";
    call(append, document.body || root, script);
    call(remove, script);
    watchSize();
  });
}

// The one global.
function expose(instanceId) {
  const api = { __proto__: null };
  function value(name, it) {
    defineProperty(api, name, { value: it, enumerable: true });
  }
  function getter(name, get) {
    defineProperty(api, name, { get: get, enumerable: true });
  }
  value("event", event);
  value("resize", resize);
  value("onState", function (fn) {
    const off = listen(stateListeners, fn, "onState");
    if (hasState) attempt(fn, state);
    return off;
  });
  value("onTheme", function (fn) {
    return listen(themeListeners, fn, "onTheme");
  });
  value("instanceId", instanceId);
  getter("theme", function () {
    return theme;
  });
  getter("locale", function () {
    return locale;
  });
  defineProperty(window, "LineUpSurface", { value: freeze(api), enumerable: true });
}
