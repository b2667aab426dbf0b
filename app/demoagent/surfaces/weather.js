// Everything shown comes from the state; the buttons only send events.
const words = {
  en: {
    refresh: "Refresh", copy: "Copy summary", units: "Unit", humidity: "Humidity", wind: "Wind", hours: "Temperature by hour",
    sun: "Sunny", partly: "Partly cloudy", cloud: "Cloudy", rain: "Rain",
    updated: (n) => (n === 0 ? "Not refreshed yet" : n === 1 ? "Refreshed 1 time" : `Refreshed ${n} times`),
  },
  zh: {
    refresh: "刷新", copy: "复制摘要", units: "单位", humidity: "湿度", wind: "风速", hours: "每小时气温",
    sun: "晴", partly: "多云间晴", cloud: "多云", rain: "雨",
    updated: (n) => (n === 0 ? "尚未刷新" : `已刷新 ${n} 次`),
  },
};
const icons = {
  sun: '<circle class="sun" cx="32" cy="32" r="17"/>',
  partly: '<circle class="sun" cx="25" cy="25" r="14"/><path class="cloud" d="M22 50a10 10 0 0 1 1-20 14 14 0 0 1 26 3 9 9 0 0 1-1 17z"/>',
  cloud: '<path class="cloud" d="M18 48a11 11 0 0 1 1-22 16 16 0 0 1 30 4 9 9 0 0 1-1 18z"/>',
  rain: '<path class="cloud" d="M18 40a10 10 0 0 1 1-20 15 15 0 0 1 29 4 8 8 0 0 1-1 16z"/><path class="drop" d="M22 47l-3 8M33 47l-3 8M44 47l-3 8"/>',
};

const $ = (id) => document.getElementById(id);
let state = null;
let busy = 0;

function render(next) {
  state = next;
  const lang = String(state.lang || LineUpSurface.locale).startsWith("zh") ? "zh" : "en";
  const t = words[lang];
  document.documentElement.lang = lang;
  const unit = state.unit === "f" ? "f" : "c";
  $("city").textContent = state.city ?? "";
  $("sky").textContent = t[state.condition] ?? "";
  $("icon").innerHTML = icons[state.condition] ?? icons.sun;
  $("temperature").textContent = `${degrees(state.temperature, unit)} °${unit.toUpperCase()}`;
  $("humidity-label").textContent = t.humidity;
  $("humidity").textContent = `${state.humidity} %`;
  $("wind-label").textContent = t.wind;
  $("wind").textContent = `${state.wind} km/h`;
  $("updated").textContent = t.updated(state.updated ?? 0);
  $("refresh").textContent = t.refresh;
  $("copy").textContent = t.copy;
  $("units").setAttribute("aria-label", t.units);
  $("unit-c").setAttribute("aria-pressed", unit === "c");
  $("unit-f").setAttribute("aria-pressed", unit === "f");
  idle();
  $("page").hidden = false;
  draw(t, unit);
}

function degrees(celsius, unit) {
  return unit === "f" ? Math.round((celsius * 9) / 5 + 32) : celsius;
}

// draw makes the bars for the width there is, so that the text keeps its size.
function draw(t, unit) {
  const svg = $("hours");
  const hours = Array.isArray(state.hours) ? state.hours : [];
  const width = svg.clientWidth || 320;
  const low = Math.min(...hours.map((h) => h.t)) - 2;
  const high = Math.max(...hours.map((h) => h.t));
  const step = width / Math.max(hours.length, 1);
  svg.setAttribute("viewBox", `0 0 ${width} 128`);
  svg.setAttribute("aria-label", `${t.hours}: ` + hours.map((h) => `${h.h} ${degrees(h.t, unit)}°`).join(", "));
  svg.replaceChildren(
    ...hours.flatMap((h, i) => {
      const size = (84 * (h.t - low)) / Math.max(high - low, 1);
      const middle = step * (i + 0.5);
      const bar = node("rect", { x: middle - Math.min(step * 0.32, 22), width: Math.min(step * 0.64, 44), y: 106 - size, height: size, rx: 5 });
      if (h.t === high) bar.setAttribute("class", "top");
      const value = node("text", { x: middle, y: 100 - size, class: "value" });
      value.textContent = `${degrees(h.t, unit)}°`;
      const hour = node("text", { x: middle, y: 124 });
      hour.textContent = h.h;
      return [bar, value, hour];
    }),
  );
}

function node(name, attributes) {
  const n = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [k, v] of Object.entries(attributes)) n.setAttribute(k, v);
  return n;
}

function idle() {
  clearTimeout(busy);
  $("refresh").removeAttribute("aria-busy");
}

$("refresh").onclick = () => {
  $("refresh").setAttribute("aria-busy", "true");
  clearTimeout(busy);
  busy = setTimeout(idle, 5000); // the agent may be away
  LineUpSurface.event("refresh", { unit: state.unit === "f" ? "f" : "c" });
};
$("copy").onclick = () => LineUpSurface.event("copy", {});
$("unit-c").onclick = () => LineUpSurface.event("unit", { unit: "c" });
$("unit-f").onclick = () => LineUpSurface.event("unit", { unit: "f" });

let drawnWidth = 0;
new ResizeObserver(() => {
  const width = $("hours").clientWidth;
  if (state && width !== drawnWidth) {
    drawnWidth = width;
    render(state);
  }
}).observe($("hours"));
LineUpSurface.onTheme(() => state && render(state)); // the locale may have changed too
LineUpSurface.onState(render);
