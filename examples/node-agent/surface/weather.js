// What is shown comes from the state alone; the buttons only say what the user did.
const $ = (id) => document.getElementById(id);
LineUpSurface.onState(({ city, temperature, updated }) => {
  $("city").textContent = city;
  $("now").textContent = `${temperature} °C`;
  $("times").textContent = updated ? `Refreshed ${updated} ${updated === 1 ? "time" : "times"}` : "Not refreshed yet";
});
$("refresh").onclick = () => LineUpSurface.event("refresh", { unit: "c" });
$("copy").onclick = () => LineUpSurface.event("copy", {});
