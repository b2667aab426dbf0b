// Strokes are drawn from the state. What is under the pen, and what the agent has not sent back yet, is drawn on top.
const words = {
  en: {
    colours: "Pen colour", undo: "Undo", clear: "Clear", save: "Save drawing", paper: "Drawing",
    how: "Draw with the pointer, or with the arrow keys and Space for pen down and up.",
    count: (n) => (n === 1 ? "1 stroke" : `${n} strokes`),
    names: ["Black", "Teal", "Red", "Yellow", "Blue"],
  },
  zh: {
    colours: "画笔颜色", undo: "撤销", clear: "清空", save: "保存图画", paper: "图画",
    how: "用指针画，或用方向键移动、空格键落笔和抬笔。",
    count: (n) => `${n} 笔`,
    names: ["黑色", "青色", "红色", "黄色", "蓝色"],
  },
};
const colours = ["#1c211f", "#0b7068", "#c0392b", "#d19a1d", "#2f6fb3"];
const WIDTH = 1000, HEIGHT = 600, MAX_POINTS = 48, PEN = 6;

const $ = (id) => document.getElementById(id);
let state = { strokes: [] };
let colour = 0;
let waiting = []; // strokes sent and not yet in the state
let pen = null; // points under way
let cursor = null; // of the keyboard: {x, y, down}

function render(next) {
  state = next;
  if (!Array.isArray(state.strokes)) state.strokes = [];
  const known = new Set(state.strokes.map((s) => JSON.stringify(s.points)));
  waiting = waiting.filter((s) => !known.has(JSON.stringify(s.points)) && Date.now() - s.at < 5000);
  const lang = String(state.lang || LineUpSurface.locale).startsWith("zh") ? "zh" : "en";
  const t = words[lang];
  document.documentElement.lang = lang;
  $("undo").textContent = t.undo;
  $("clear").textContent = t.clear;
  $("save").textContent = t.save;
  $("undo").disabled = $("clear").disabled = $("save").disabled = state.strokes.length === 0;
  $("how").textContent = t.how;
  $("count").textContent = t.count(state.strokes.length) + (state.size ? ` · ${state.size.width} × ${state.size.height}` : "");
  $("paper").setAttribute("aria-label", t.paper);
  $("colours").setAttribute("aria-label", t.colours);
  pick(colour, t);
  $("page").hidden = false;
  draw();
}

function draw() {
  const all = [...state.strokes, ...waiting];
  if (pen) all.push({ color: colours[colour], width: PEN, points: pen });
  const parts = all.map((s) => node("polyline", {
    stroke: s.color, "stroke-width": s.width,
    // One point alone has no line: repeat it, the round cap makes the dot.
    points: (s.points.length === 1 ? [s.points[0], s.points[0]] : s.points).map((p) => p.join(",")).join(" "),
  }));
  if (cursor && document.activeElement === $("paper")) {
    const { x, y, down } = cursor;
    parts.push(node("path", { d: `M${x - 14} ${y}h28M${x} ${y - 14}v28`, class: down ? "cross down" : "cross" }));
  }
  $("paper").replaceChildren(...parts);
}

function node(name, attributes) {
  const n = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [k, v] of Object.entries(attributes)) n.setAttribute(k, v);
  return n;
}

// ---- colours: a radio group with roving focus --------------------------
colours.forEach((c, i) => {
  const b = document.createElement("button");
  b.type = "button";
  b.className = "colour";
  b.style.setProperty("--c", c);
  b.setAttribute("role", "radio");
  b.onclick = () => choose(i);
  b.onkeydown = (e) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
    if (!step) return;
    e.preventDefault();
    choose((i + step + colours.length) % colours.length);
    $("colours").children[colour].focus();
  };
  $("colours").append(b);
});
function pick(i, t) {
  [...$("colours").children].forEach((b, n) => {
    b.setAttribute("aria-checked", n === i);
    b.setAttribute("aria-label", t.names[n]);
    b.tabIndex = n === i ? 0 : -1;
  });
}
function choose(i) {
  colour = i;
  render(state);
}

// ---- strokes -----------------------------------------------------------
function begin(x, y) { pen = [[x, y]]; draw(); }
function extend(x, y) {
  const last = pen[pen.length - 1];
  if (Math.hypot(x - last[0], y - last[1]) < 2) return;
  if (pen.length < 4000) pen.push([x, y]);
  draw();
}
function finish() {
  if (!pen) return;
  const stroke = { color: colours[colour], width: PEN, points: simplify(pen) };
  pen = null;
  waiting.push({ ...stroke, at: Date.now() });
  LineUpSurface.event("draw", { op: "stroke", stroke });
  draw();
}

// Douglas–Peucker, coarser until it is short enough.
function simplify(points) {
  for (let e = 1; ; e *= 1.6) {
    const out = reduce(points, e);
    if (out.length <= MAX_POINTS) return out.map(([x, y]) => [Math.round(x * 10) / 10, Math.round(y * 10) / 10]);
  }
}
function reduce(points, tolerance) {
  const keep = new Uint8Array(points.length);
  const spans = [[0, points.length - 1]];
  keep[0] = keep[points.length - 1] = 1;
  while (spans.length) {
    const [from, to] = spans.pop();
    const [ax, ay] = points[from], [bx, by] = points[to];
    const length = Math.hypot(bx - ax, by - ay) || 1;
    let far = 0, at = -1;
    for (let i = from + 1; i < to; i++) {
      const [x, y] = points[i];
      const d = from === to ? 0 : Math.abs((bx - ax) * (ay - y) - (ax - x) * (by - ay)) / length || Math.hypot(x - ax, y - ay);
      if (d > far) { far = d; at = i; }
    }
    if (far > tolerance) { keep[at] = 1; spans.push([from, at], [at, to]); }
  }
  return points.filter((_, i) => keep[i]);
}

const clamp = (v, max) => Math.min(Math.max(v, 0), max);
function place(e) {
  const box = $("paper").getBoundingClientRect();
  return [clamp(((e.clientX - box.left) / box.width) * WIDTH, WIDTH), clamp(((e.clientY - box.top) / box.height) * HEIGHT, HEIGHT)];
}
const paper = $("paper");
paper.onpointerdown = (e) => {
  if (e.button !== 0 || !e.isPrimary) return;
  paper.setPointerCapture(e.pointerId);
  cursor = null;
  begin(...place(e));
};
paper.onpointermove = (e) => {
  if (!pen || cursor || !e.isPrimary) return;
  for (const c of e.getCoalescedEvents?.() ?? [e]) extend(...place(c));
};
paper.onpointerup = paper.onpointercancel = (e) => { if (!cursor && e.isPrimary) finish(); };
paper.onkeydown = (e) => {
  const step = e.shiftKey ? 5 : 20;
  const move = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[e.key];
  if (!move && e.key !== " " && e.key !== "Escape") return;
  e.preventDefault();
  cursor ??= { x: WIDTH / 2, y: HEIGHT / 2, down: false };
  if (move) {
    cursor.x = clamp(cursor.x + move[0], WIDTH);
    cursor.y = clamp(cursor.y + move[1], HEIGHT);
    if (cursor.down) extend(cursor.x, cursor.y);
  } else if (e.key === " ") {
    cursor.down = !cursor.down;
    if (cursor.down) begin(cursor.x, cursor.y);
    else finish();
  } else {
    cursor = pen = null;
  }
  draw();
};
paper.onfocus = draw;
paper.onblur = () => { if (cursor?.down) { cursor.down = false; finish(); } draw(); };

$("undo").onclick = () => LineUpSurface.event("draw", { op: "undo" });
$("clear").onclick = () => LineUpSurface.event("draw", { op: "clear" });
$("save").onclick = () => LineUpSurface.event("snapshot", { strokes: state.strokes.length });

// Told once it rests, and only when it differs: the agent's answer changes the page a little.
let told = "", later = 0;
new ResizeObserver(() => {
  clearTimeout(later);
  later = setTimeout(() => {
    const size = { width: paper.clientWidth, height: paper.clientHeight };
    if (!size.width || told === JSON.stringify(size)) return;
    told = JSON.stringify(size);
    if (state.size?.width !== size.width || state.size?.height !== size.height) LineUpSurface.event("resize", size);
  }, 400);
}).observe(paper);
LineUpSurface.onTheme(() => render(state));
LineUpSurface.onState(render);
