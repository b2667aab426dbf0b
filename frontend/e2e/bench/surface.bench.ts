// How long surfaces take, beside the barest way to do the same in the same page
// in the same run. `make bench-surfaces` prints what docs/BENCHMARKS.md holds.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { root } from '../lineup.ts';
import { until } from '../stage.ts';
import { BenchStage, now } from './benchstage.ts';
import { mb, ms, ratio, spread, Table } from './stats.ts';

test.setTimeout(600_000);

const shell = () => (test.info().project.name === 'bench-web' ? 'Chromium' : 'the window');
function print(title: string, table: Table) {
  const text = `\n### ${title}, ${shell()}\n\n${table.toString()}\n`;
  console.log(text);
  appendFileSync(join(root, 'artifacts', 'bench.md'), text);
}

const filler = (bytes: number) => {
  const line = '<p>Some text of a page, with <b>bold</b> words and a <a href="#x">link</a>.</p>\n';
  return line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes - 1) + '>';
};
const html = (bytes: number) => `<h3>A surface</h3>${filler(bytes).replace(/<[^>]*>?$/, '')}`;
/** Says to the page that its own script ran, past the bridge: the page ignores it, the benchmark hears it. */
const up = (id: string) => `parent.postMessage({ benchUp: ${JSON.stringify(id)} }, '*');`;

/** Hears frames that are up, in the page. */
const listen = `
  globalThis.benchUp ??= {};
  if (!globalThis.benchHears) {
    globalThis.benchHears = true;
    addEventListener('message', (e) => {
      if (typeof e.data?.benchUp === 'string') benchUp[e.data.benchUp] ??= performance.timeOrigin + performance.now();
    });
  }`;

test('open → ready', async () => {
  const bench = new BenchStage();
  try {
    await bench.start();
    const table = new Table([
      'document',
      'bare iframe p50',
      'open → ready p50',
      'p95',
      'ratio',
      'without a spare frame p50',
      'ratio',
    ]);
    await bench.stage.evaluate(`${listen} return true`);
    for (const bytes of [5_000, 150_000]) {
      const bare: number[] = [];
      const warm: number[] = [];
      const cold: number[] = [];
      for (let round = 0; round < 25; round++) {
        const body = html(bytes);
        const id = `b${bytes}-${round}`;
        const url = await bench.issue(
          `<!doctype html><meta charset="utf-8"><body>${body}<script>${up(`bare-${id}`)}</script>`,
        );
        bare.push(
          await bench.stage.evaluate<number>(`
            const begun = performance.timeOrigin + performance.now();
            const frame = document.createElement('iframe');
            frame.setAttribute('sandbox', 'allow-scripts');
            frame.style.cssText = 'width:640px;height:240px;border:0';
            frame.src = ${JSON.stringify(url)};
            document.querySelector('[role=log]').append(frame);
            return await new Promise((done) => {
              const look = () => benchUp['bare-${id}'] ? (frame.remove(), done(benchUp['bare-${id}'] - begun)) : setTimeout(look, 5);
              look();
            });`),
        );
        await bench.rested();
        // Two at once: the first takes the spare frame, the second gets one of its own.
        for (const [kind, list] of [
          ['warm', warm],
          ['cold', cold],
        ] as const) {
          if (kind === 'cold' && round % 3) continue;
          const name = `${kind}-${id}`;
          if (kind === 'cold') bench.open(`first-${id}`, { html: '<p>x', js: '' });
          const begun = now();
          bench.open(name, { html: body, js: up(name) });
          await until('it is up', () => bench.stage.evaluate<boolean>(`return !!benchUp['${name}']`));
          list.push((await bench.stage.evaluate<number>(`return benchUp['${name}']`)) - begun);
          if (kind === 'cold') bench.close(`first-${id}`);
          await bench.answered(bench.close(name));
          await bench.rested();
        }
      }
      const [b, w, c] = [spread(bare), spread(warm), spread(cold)];
      table.row(
        `${bytes / 1000} kB`,
        ms(b.p50),
        ms(w.p50),
        ms(w.p95),
        ratio(w.p50, b.p50),
        ms(c.p50),
        ratio(c.p50, b.p50),
      );
    }
    print('From the agent’s ui.open to the surface’s own script', table);
  } finally {
    await bench.end();
  }
});

/** What a patch's way through the page takes: the port's message down until the echo's frame for the host goes up. */
const spy = `
  globalThis.benchDown ??= {}; globalThis.benchBack ??= {};
  if (!globalThis.benchSpies) {
    globalThis.benchSpies = true;
    const mark = (text) => (typeof text === 'string' ? /~(\\d+)~/.exec(text)?.[1] : undefined);
    const post = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function (message, ...rest) {
      const n = mark(message);
      if (n) benchDown[n] ??= performance.now();
      return post.call(this, message, ...rest);
    };
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (text) {
      const n = mark(text);
      if (n) benchBack[n] ??= performance.now();
      return send.call(this, text);
    };
  }`;

const raw = `<!doctype html><script>
  addEventListener('message', (e) => {
    const port = e.ports[0];
    port.onmessage = (m) => { const state = JSON.parse(m.data); port.postMessage(JSON.stringify({ type: 'echo', n: state.n })); };
    port.postMessage('up');
  });
</script>`;

test('patch round trip', async () => {
  const bench = new BenchStage();
  try {
    await bench.start();
    const echo = `LineUpSurface.onState((s) => { if (s.n !== undefined) LineUpSurface.event('echo', { n: s.n }); });`;
    bench.open('echo', { html: '<p>echo', js: echo });
    await until('it runs', async () => (await bench.stage.inside('echo')).includes('echo'));
    const url = await bench.issue(raw);
    await bench.stage.evaluate(`${spy}
      const frame = document.createElement('iframe');
      frame.setAttribute('sandbox', 'allow-scripts');
      frame.src = ${JSON.stringify(url)};
      const loaded = new Promise((done) => (frame.onload = done));
      document.querySelector('[role=log]').append(frame);
      await loaded;
      const { port1, port2 } = new MessageChannel();
      const up = new Promise((done) => (port1.onmessage = done));
      frame.contentWindow.postMessage('port', '*', [port2]);
      await up;
      globalThis.benchPort = port1;
      return true;`);

    const content = (bytes: number, salt: number) => {
      const rows = [];
      for (let i = 0; JSON.stringify(rows).length < bytes; i++)
        rows.push({ id: i, name: `row ${salt} ${i}`, value: i * 1.5 + salt, done: i % 2 === 0 });
      return rows;
    };
    const rounds = 60;
    const measure = async (what: (mark: string) => object, first: number) => {
      const page: number[] = [];
      const whole: number[] = [];
      for (let i = 0; i < rounds; i++) {
        const mark = `~${first + i}~`;
        const echoed = new Promise<void>((done) => {
          bench.agent.onEnvelope = ({ type, payload }) => {
            if (type === 'lineup.v1.ui.event' && (payload.data as { n: string }).n === mark) done();
          };
        });
        const begun = now();
        bench.patch('echo', what(mark));
        await echoed;
        whole.push(now() - begun);
        page.push(
          await bench.stage.evaluate<number>(`return benchBack['${first + i}'] - benchDown['${first + i}']`),
        );
        await new Promise((done) => setTimeout(done, 25)); // below the rate of events
      }
      return { page: spread(page.slice(5)), whole: spread(whole.slice(5)) };
    };
    const bare = async (bytes: number) => {
      const texts = JSON.stringify(
        Array.from({ length: rounds }, (_, n) => JSON.stringify({ n, rows: content(bytes, n) })),
      );
      const values = await bench.stage.evaluate<number[]>(`
        const texts = ${texts}; const out = [];
        for (const text of texts) {
          const begun = performance.now();
          await new Promise((done) => { benchPort.onmessage = (m) => { JSON.parse(m.data); done(); }; benchPort.postMessage(text); });
          out.push(performance.now() - begun);
          await new Promise((done) => setTimeout(done, 25));
        }
        return out;`);
      return spread(values.slice(5));
    };

    const table = new Table([
      'patch',
      'raw port p50',
      'through the bridge p50',
      'p95',
      'ratio',
      'agent → surface → agent p50',
    ]);
    let n = 1000;
    let salt = 0;
    const next = () => (n += 1000);
    for (const bytes of [1_000, 100_000]) {
      const base = await bare(bytes);
      const ours = await measure((n) => ({ n, rows: content(bytes, ++salt) }), next());
      table.row(
        `${bytes / 1000} kB, all new`,
        ms(base.p50),
        ms(ours.page.p50),
        ms(ours.page.p95),
        ratio(ours.page.p50, base.p50),
        ms(ours.whole.p50),
      );
    }
    print('A patch', table);

    const small = new Table([
      'state',
      'patch',
      'through the bridge p50',
      'ratio',
      'agent → surface → agent p50',
      'ratio',
    ]);
    const figures = [];
    for (const bytes of [1_000, 100_000]) {
      bench.patch('echo', { rows: content(bytes, 1) });
      figures.push(await measure((n) => ({ n, note: 'x'.repeat(50) + n }), next()));
    }
    const [one, hundred] = figures as [(typeof figures)[0], (typeof figures)[0]];
    small.row('1 kB', '100 bytes', ms(one.page.p50), '1', ms(one.whole.p50), '1');
    small.row(
      '100 kB',
      '100 bytes',
      ms(hundred.page.p50),
      ratio(hundred.page.p50, one.page.p50),
      ms(hundred.whole.p50),
      ratio(hundred.whole.p50, one.whole.p50),
    );
    print('A small patch of a large state', small);
  } finally {
    await bench.end();
  }
});

test('a thousand patches a second', async () => {
  const seconds = Number(process.env.BENCH_SECONDS ?? 60);
  const bench = new BenchStage();
  try {
    await bench.start();
    const js = `let seen = 0; LineUpSurface.onState((s) => { seen++; document.querySelector('p').textContent = 'last ' + s.n + ' seen ' + seen; });`;
    bench.open('flood', { html: '<p>-', js });
    await until('it runs', async () => (await bench.stage.inside('flood')).includes('last'));
    const rest = async () => {
      await new Promise((done) => setTimeout(done, 1000));
      return bench.memory();
    };
    const send = async (count: number, from: number) => {
      const begun = now();
      for (let i = 0; i < count; i++) {
        bench.patch('flood', { n: from + i, ['k' + (i % 50)]: i });
        if (i % 10 === 9) {
          const ahead = begun + i - now();
          if (ahead > 0) await new Promise((done) => setTimeout(done, ahead));
        }
      }
      return now() - begun;
    };
    const last = (n: number) =>
      until(
        `the last state, ${n}`,
        async () => (await bench.stage.inside('flood')).includes(`last ${n} `),
        120_000,
      );
    await send(5000, 0); // what grows once, has grown
    await last(4999);
    bench.agent.forget();
    const before = await rest();
    const took = await send(1000 * seconds, 10_000);
    const sent = now();
    await last(10_000 + 1000 * seconds - 1);
    const caught = now() - sent;
    bench.agent.forget();
    const after = await rest();
    const seen = /seen (\d+)/.exec(await bench.stage.inside('flood'))?.[1];
    const table = new Table([
      'patches/s sent',
      'for',
      'last state after the last patch',
      'states drawn',
      'host heap',
      'host size',
      'web processes',
    ]);
    table.row(
      ((1000 * seconds) / (took / 1000)).toFixed(0),
      `${seconds} s`,
      ms(caught),
      String(seen),
      `${mb(before.heap)} → ${mb(after.heap)}`,
      `${mb(before.rss)} → ${mb(after.rss)}`,
      `${mb(before.web)} → ${mb(after.web)}`,
    );
    print('Sustained patches', table);
    expect(after.heap).toBeLessThan(before.heap + (16 << 20));
  } finally {
    await bench.end();
  }
});

test('many surfaces', async () => {
  const bench = new BenchStage();
  try {
    await bench.start();
    await bench.stage.evaluate(`${listen} return true`);
    const before = await bench.memory();
    const begun = now();
    const opens = Array.from({ length: 40 }, (_, i) =>
      bench.open(`s${i}`, { html: html(5000), js: up(`s${i}`) }),
    );
    for (const id of opens) await bench.answered(id);
    const took = now() - begun;
    const answers = bench.agent.received.filter((e) => opens.includes(e.reply_to ?? ''));
    const ok = answers.filter((e) => e.payload.status === 'ok').length;
    const refused = answers.filter((e) => e.payload.code === 'too_many').length;
    await until('eight run', () => bench.stage.evaluate<boolean>('return Object.keys(benchUp).length >= 8'));
    const live = now() - begun;
    await new Promise((done) => setTimeout(done, 1500));
    const full = await bench.memory();
    for (let i = 0; i < 40; i++) bench.close(`s${i}`);
    await until('all are closed', () =>
      bench.stage.evaluate<boolean>(
        'return document.querySelectorAll("[data-kind=surface] iframe").length <= 1',
      ),
    );
    // The engine gives memory back when it likes to: the least of the next seconds counts.
    let after = await bench.memory();
    for (let i = 0; i < 15; i++) {
      await new Promise((done) => setTimeout(done, 1000));
      const again = await bench.memory();
      if (again.web + again.heap < after.web + after.heap) after = again;
    }
    const table = new Table([
      'opened at once',
      'kept',
      'refused by name',
      'all answered in',
      'eight live in',
      'web processes before → open → closed',
      'host heap before → open → closed',
      'web memory per live surface',
    ]);
    table.row(
      '40',
      String(ok),
      String(refused),
      ms(took),
      ms(live),
      [before, full, after].map((m) => mb(m.web)).join(' → '),
      [before, full, after].map((m) => mb(m.heap)).join(' → '),
      mb((full.web - before.web) / 8),
    );
    print('Many surfaces', table);
    expect([ok, refused]).toEqual([32, 8]);
  } finally {
    await bench.end();
  }
});
