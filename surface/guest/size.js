// The height that the content needs, reported to the host.

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

function again() {
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

function watchSize() {
  const sizes = new ResizeObserverType(soon);
  sizes.observe(root);
  if (document.body) sizes.observe(document.body);
  new MutationObserverType(function (list) {
    // An attribute may be the surface's answer to our own report.
    for (let i = 0; i < list.length; i++) if (list[i].type !== "attributes") return again();
    soon();
  }).observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  call(listenTo, window, "pointerup", again, true);
  call(listenTo, window, "keyup", again, true);
  call(listenTo, window, "load", soon);
  soon();
}
