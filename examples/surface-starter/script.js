const words = {
  en: { title: (city) => `Packing for ${city}`, count: (done, all) => `${done} of ${all} packed`, label: "Something else", add: "Add" },
  zh: { title: (city) => `去${city}的行李`, count: (done, all) => `已装 ${done} / ${all}`, label: "还要带", add: "添加" },
};
const at = (id) => document.getElementById(id);
let state;

// The state comes from the agent alone: a click only tells it, and the agent
// answers with a new state.
function draw() {
  const { city, items } = state;
  const say = words[LineUpSurface.locale.startsWith("zh") ? "zh" : "en"];
  const done = items.filter((item) => item.done).length;
  at("title").textContent = say.title(city);
  at("count").textContent = say.count(done, items.length);
  at("progress").max = items.length || 1;
  at("progress").value = done;
  at("add-label").textContent = say.label;
  at("add").textContent = say.add;
  at("items").replaceChildren(...items.map(row));
}

function row({ id, label, done }) {
  const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: done });
  box.addEventListener("change", () => LineUpSurface.event("toggle", { id, done: box.checked }));
  const line = document.createElement("label");
  line.append(box, label);
  const item = document.createElement("li");
  item.append(line);
  return item;
}

function add() {
  const label = at("label").value.trim();
  if (label) LineUpSurface.event("add", { label });
  at("label").value = "";
}

at("add").addEventListener("click", add);
at("label").addEventListener("keydown", (key) => {
  if (key.key === "Enter" && !key.isComposing) add();
});
LineUpSurface.onState((next) => {
  state = next;
  draw();
});
LineUpSurface.onTheme(draw); // and when the language changes
