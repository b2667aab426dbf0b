/** What each sample surface shows. It says it is ready and listens; the buttons do nothing. */
export const surfaceDocument = `<!doctype html><meta charset="utf-8"><title>Weather</title>
<style>
:root{color-scheme:light dark}
body{margin:0;padding:18px;font:15px/1.5 system-ui,sans-serif}
.now{display:flex;align-items:baseline;gap:12px}.now b{font-size:44px;font-weight:600;letter-spacing:-1px}
.days{display:grid;grid-template-columns:repeat(5,1fr);gap:8px;margin-top:14px}
.days div{padding:10px;border-radius:10px;background:color-mix(in srgb,currentColor 7%,transparent);text-align:center}
small{opacity:.75}
</style>
<div class="now"><b>21°</b><span>Light rain until six<br><small>Feels like 20° · wind 12 km/h</small></span></div>
<div class="days"><div>Tue<br>22°</div><div>Wed<br>24°</div><div>Thu<br>19°</div><div>Fri<br>18°</div><div>Sat<br>23°</div></div>`;
