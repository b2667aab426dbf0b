(function lineupProbe(config) {
  "use strict";

  // Tries each way out of a frame and reports which got through. Silence is a
  // failure for the host, so nothing here may stop the report: every attempt
  // is guarded and has a deadline. An attempt counts as got through when in doubt.
  //
  // Attempts on the native channel are harmless ones: a log line and an event
  // that carry the nonce, so that the host sees them arrive. That a handler
  // exists is already the failure; "Q" or "BO:" would quit or open a browser
  // on the user for no more knowledge.
  const found = new Map();
  const deadline = 1500;

  function sync(name, attempt) {
    let through = false;
    try {
      through = !!attempt();
    } catch {
      // refused, as it should be
    }
    found.set(name, through);
  }

  function eventually(name, attempt) {
    return new Promise(function (resolve) {
      const done = function (through) {
        if (!found.has(name)) found.set(name, !!through);
        resolve();
      };
      setTimeout(done, deadline, false); // no answer within it: nothing came back
      try {
        attempt(done);
      } catch {
        done(false);
      }
    });
  }

  // ---- the native channels ---------------------------------------------

  function nativeHandler(w) {
    const handler = w.webkit && w.webkit.messageHandlers && w.webkit.messageHandlers.external;
    if (!handler) return false;
    const event = JSON.stringify({ name: "lineup:probe:" + config.nonce, data: [] });
    for (const message of ["LE" + config.nonce, "EE" + event]) {
      try {
        handler.postMessage(message);
      } catch {
        // it exists: that is the finding
      }
    }
    return true;
  }

  function webview2(w) {
    const view = w.chrome && w.chrome.webview;
    if (!view) return false;
    try {
      view.postMessage("LE" + config.nonce);
    } catch {
      // it exists: that is the finding
    }
    return true;
  }

  function nativeObjects() {
    return ["go", "wails", "runtime", "WailsInvoke", "external"].some(function (name) {
      const value = window[name];
      // window.external is a harmless relic unless it can send.
      return name === "external" ? !!value && typeof value.invoke === "function" : value !== undefined;
    });
  }

  // A nested frame gets a fresh window, with fresh handlers.
  function nested(html) {
    const frame = document.createElement("iframe");
    if (html !== undefined) frame.srcdoc = html;
    document.body.append(frame);
    return frame;
  }

  // The frame's own origin is opaque, and so is a nested one's: what it finds
  // comes back as a message, carrying the nonce.
  function inSrcdoc(names) {
    const tag = "nested:" + config.nonce;
    const source =
      "(" + function (tag, nonce) {
        let handler = false;
        let view = false;
        try {
          handler = !!window.webkit.messageHandlers.external;
          window.webkit.messageHandlers.external.postMessage("LE" + nonce);
        } catch {
          // none
        }
        try {
          view = !!window.chrome.webview;
          window.chrome.webview.postMessage("LE" + nonce);
        } catch {
          // none
        }
        window.parent.postMessage({ tag: tag, handler: handler, view: view }, "*");
      } + ")(" + JSON.stringify(tag) + "," + JSON.stringify(config.nonce) + ")";
    let answer = null;
    window.addEventListener("message", function (e) {
      if (e.data && e.data.tag === tag) {
        answer = e.data;
        names.handler(answer.handler);
        names.view(answer.view);
      }
    });
    nested("<script>" + source + "</scr" + "ipt>");
  }

  function inBlank() {
    const frame = nested();
    try {
      return nativeHandler(frame.contentWindow);
    } finally {
      frame.remove();
    }
  }

  // ---- the network -----------------------------------------------------

  function fetchTo(url, options) {
    return function (done) {
      fetch(url, options).then(
        function () { done(true); },
        function () { done(false); },
      );
    };
  }

  function element(tag, url) {
    return function (done) {
      const e = document.createElement(tag);
      e.onload = function () { done(true); };
      e.onerror = function () { done(false); };
      e.src = url;
      document.body.append(e);
    };
  }

  function socket(done) {
    const s = new WebSocket(config.uiURL);
    s.onopen = function () { done(true); s.close(); };
    s.onerror = s.onclose = function () { done(false); };
  }

  function unique(url, what) {
    const u = new URL(url);
    u.search = "probe=" + what + "&n=" + config.nonce;
    return u.href;
  }

  // ---- storage ---------------------------------------------------------

  function storage(name) {
    return function () {
      const s = window[name];
      s.setItem("lineup", "1");
      return s.getItem("lineup") === "1";
    };
  }

  function cookie() {
    document.cookie = "lineup=1";
    return document.cookie.includes("lineup");
  }

  function database(done) {
    const request = indexedDB.open("lineup");
    request.onsuccess = function () { done(true); };
    request.onerror = function () { done(false); };
  }

  // ---- the host page ---------------------------------------------------

  // Reading any of these across the boundary throws.
  function readable(get) {
    return function () {
      const value = get();
      return value !== null && value !== undefined;
    };
  }

  function run() {
    sync("native.handler", function () { return nativeHandler(window); });
    sync("native.handler.blank", inBlank);
    sync("native.webview2", function () { return webview2(window); });
    sync("native.objects", nativeObjects);
    sync("host.document", readable(function () { return window.parent.document || window.top.document; }));
    sync("host.name", readable(function () { return window.parent.name || window.top.location.href; }));
    sync("host.frames", readable(function () { return window.frameElement; }));
    sync("storage.local", storage("localStorage"));
    sync("storage.session", storage("sessionStorage"));
    sync("storage.cookie", cookie);
    sync("navigate.popup", function () {
      const w = window.open(unique(config.canaryURL, "popup"));
      return w !== null && w !== undefined;
    });

    const host = config.hostOrigin + "/?probe=" + config.nonce;
    let handlerDone;
    let viewDone;
    const handler = eventually("native.handler.srcdoc", function (done) { handlerDone = done; });
    const view = eventually("native.webview2.srcdoc", function (done) { viewDone = done; });
    inSrcdoc({ handler: handlerDone, view: viewDone });

    return Promise.all([
      handler,
      view,
      eventually("host.fetch", fetchTo(host)),
      eventually("host.fetch_no_cors", fetchTo(host, { mode: "no-cors", method: "POST", body: config.nonce })),
      eventually("host.image", element("img", host)),
      eventually("host.script", element("script", host)),
      eventually("host.socket", socket),
      eventually("canary.fetch", fetchTo(unique(config.canaryURL, "fetch"), { mode: "no-cors" })),
      eventually("canary.image", element("img", unique(config.canaryURL, "image"))),
      // sendBeacon answers true although the CSP stops it; the canary knows.
      eventually("canary.beacon", function (done) {
        try {
          navigator.sendBeacon(unique(config.canaryURL, "beacon"), "x");
        } finally {
          done(false);
        }
      }),
      eventually("storage.indexeddb", database),
      eventually("navigate.nested", navigateNested),
    ]);
  }

  // A nested frame that leaves for the canary; its load event does not tell
  // where it got to, so here too the canary knows.
  function navigateNested(done) {
    const frame = nested("<script>location.href = " + JSON.stringify(unique(config.canaryURL, "nested")) + "</scr" + "ipt>");
    setTimeout(function () {
      frame.remove();
      done(false);
    }, 500);
  }

  // ---- the report ------------------------------------------------------

  // The same hand-shake as a surface's, so the page needs no second way.
  const port = new Promise(function (resolve) {
    window.addEventListener("message", function take(e) {
      const m = e.data;
      if (e.source !== window.parent || !m || m.namespace !== "lineup.surface.v1" || m.type !== "port" || !e.ports[0]) return;
      window.removeEventListener("message", take);
      resolve(e.ports[0]);
    });
  });
  window.parent.postMessage({ namespace: "lineup.surface.v1", type: "ready" }, "*");

  async function start() {
    await run();
    const attempts = config.attempts.map(function (name) {
      // One that was never settled is not known to hold.
      return { name: name, got_through: found.has(name) ? found.get(name) : true };
    });
    (await port).postMessage(JSON.stringify({ namespace: config.namespace, nonce: config.nonce, attempts: attempts }));
    // Last, because a frame whose navigation is stopped may be dead afterwards; at
    // once, because the host waits only a moment for the canary.
    location.href = unique(config.canaryURL, "self");
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})
