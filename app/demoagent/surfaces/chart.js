// A line of state.points (0 to 100). States come ten times a second; at most one is drawn a frame.
const words = {
  en: { title: "Live chart", start: "Start", stop: "Stop", running: "Running", stopped: "Stopped", points: "points", plot: "Line chart, latest value" },
  zh: { title: "实时图表", start: "开始", stop: "停止", running: "运行中", stopped: "已停止", points: "个数据点", plot: "折线图，最新值" },
};
const HEIGHT = 220, LEFT = 34, TOP = 10, BOTTOM = 12, WINDOW = 60;

const $ = (id) => document.getElementById(id);
let state = null;
let scheduled = false;
let shown = {}; // what is in the text nodes, so that only changes are written

function soon() {
  if (scheduled || !state) return;
  scheduled = true;
  requestAnimationFrame(() => {
    scheduled = false;
    render();
  });
}

function render() {
  const lang = String(state.lang || LineUpSurface.locale).startsWith("zh") ? "zh" : "en";
  const t = words[lang];
  document.documentElement.lang = lang;
  const points = Array.isArray(state.points) ? state.points : [];
  const last = points[points.length - 1] ?? 0;
  write("title", t.title);
  write("toggle", state.running ? t.stop : t.start);
  // In steps of a hundred: a screen reader is not told ten times a second.
  const told = state.running ? Math.floor((state.tick ?? 0) / 100) * 100 : state.tick ?? 0;
  write("status", `${state.running ? t.running : t.stopped} · ${told} ${t.points}`);
  write("value", last.toFixed(1));
  $("page").hidden = false;
  draw(points, last, t);
}

function write(id, text) {
  if (shown[id] !== text) $(id).textContent = shown[id] = text;
}

function draw(points, last, t) {
  const svg = $("plot");
  const width = svg.clientWidth || 320;
  const x = (i) => LEFT + ((width - LEFT - 8) * (i + WINDOW - points.length)) / (WINDOW - 1);
  const y = (v) => TOP + ((HEIGHT - TOP - BOTTOM) * (100 - v)) / 100;
  const line = points.map((v, i) => `${i ? "L" : "M"}${x(i).toFixed(1)} ${y(v).toFixed(1)}`).join("");
  const parts = [];
  for (const v of [0, 25, 50, 75, 100]) {
    parts.push(node("line", { class: "grid", x1: LEFT, x2: width - 4, y1: y(v), y2: y(v) }));
    const label = node("text", { x: LEFT - 8, y: y(v) + 4, "text-anchor": "end" });
    label.textContent = v;
    parts.push(label);
  }
  if (points.length) {
    parts.push(node("path", { class: "area", d: `${line}L${x(points.length - 1)} ${y(0)}L${x(0)} ${y(0)}Z` }));
    parts.push(node("path", { class: "curve", d: line }));
    parts.push(node("circle", { class: "last", cx: x(points.length - 1), cy: y(last), r: 5 }));
  }
  svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
  if (!state.running || !shown.plot) svg.setAttribute("aria-label", (shown.plot = `${t.plot} ${last.toFixed(1)}`));
  svg.replaceChildren(...parts);
}

function node(name, attributes) {
  const n = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [k, v] of Object.entries(attributes)) n.setAttribute(k, v);
  return n;
}

$("toggle").onclick = () => LineUpSurface.event(state.running ? "stop" : "start", {});
new ResizeObserver(soon).observe($("plot"));
LineUpSurface.onTheme(soon);
LineUpSurface.onState((next) => {
  state = next;
  soon();
});
