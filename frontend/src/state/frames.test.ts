import { describe, expect, it } from 'vitest';
import type { Item, Sandbox, Slot } from '$/host';
import { FakeHost } from './fake-host';
import { Frames } from './frames.svelte';
import { FramesProbe } from './framesprobe.svelte';

const sandbox = (state: string): Sandbox => ({ state, leaks: [], checked: 1, engine: '' });
const slot = (item_id: string, phase: Slot['phase'], frame_id = '', url = ''): Slot => ({
  item_id,
  phase,
  ...(frame_id && { frame_id, url }),
});
const surface = (id: string, status = 'open'): Item => ({
  id,
  pos: Number(id.slice(1)),
  kind: 'surface',
  from: 'agent',
  at: 1,
  surface: {
    instance_id: id,
    app_id: 'com.example.x',
    name: 'X',
    title: '',
    version: '1.0.0',
    mark: 'unverified',
    checks: [],
    status,
    height: 0,
    strikes: 0,
    dropped: 0,
    errors: 0,
  },
});
const message = (id: string): Item => ({
  id,
  pos: Number(id.slice(1)),
  kind: 'status',
  from: 'agent',
  at: 1,
});

/** Time that passes when the test says so. */
function clock() {
  let timers: { then: () => void }[] = [];
  return {
    after: (_ms: number, then: () => void) => {
      const timer = { then };
      timers.push(timer);
      return () => void (timers = timers.filter((other) => other !== timer));
    },
    pass() {
      const due = timers;
      timers = [];
      for (const { then } of due) then();
    },
  };
}

async function settled() {
  for (let n = 0; n < 8; n++) await Promise.resolve();
}

function page() {
  const host = new FakeHost();
  const time = clock();
  const frames = new Frames(host, undefined, time.after);
  let n = 0;
  host.on('surface.spare', () => ({ frame_id: `spare${++n}`, url: `url${n}` }));
  host.snapshot({ sandbox: sandbox('sealed') });
  return { host, time, frames };
}

/** A frame's window that says ready and takes its port. */
function frameWindow(frames: Frames, frameId: string) {
  const window = { postMessage: () => {} };
  frames.attach(frameId, window);
  frames.bridge.receive({
    source: window,
    data: { namespace: 'lineup.surface.v1', type: 'ready' },
  } as unknown as MessageEvent);
}

describe('a card', () => {
  it('is told to the host once it is known whether it can be seen', () => {
    const { host, frames } = page();
    frames.show('i1', 'c');
    expect(host.of('surface.show')).toEqual([]);
    frames.seen('i1', false);
    expect(host.of('surface.show')).toEqual([
      { conversation_id: 'c', item_id: 'i1', in_view: false, pinned: false },
    ]);
  });

  it('tells a change of view only when it lasts', () => {
    const { host, frames, time } = page();
    frames.show('i1', 'c');
    frames.seen('i1', false);
    frames.seen('i1', true);
    frames.seen('i1', false);
    time.pass();
    expect(host.of('surface.show')).toHaveLength(1);
    frames.seen('i1', true);
    time.pass();
    expect(host.of('surface.show').at(-1)).toMatchObject({ in_view: true });
  });

  it('holds what the host says, and nothing after the card is gone', () => {
    const { host, frames } = page();
    frames.show('i1', 'c');
    frames.seen('i1', true);
    host.update({ slots: [slot('i1', 'opening', 'f1', 'u1')] });
    expect(frames.standing('i1')).toEqual({ frameId: 'f1', url: 'u1' });
    host.update({ slots: [slot('i1', 'asleep')] });
    expect(frames.standing('i1')).toBeNull();
    frames.gone('i1');
    expect(host.of('surface.gone')).toEqual([{ item_id: 'i1' }]);
    host.update({ slots: [slot('i1', 'opening', 'f2', 'u2')] });
    expect(frames.standing('i1')).toBeNull();
  });

  it('is told again on a new socket, with the frame that stands in it', () => {
    const { host, frames } = page();
    frames.show('i1', 'c');
    frames.seen('i1', true);
    host.update({ slots: [slot('i1', 'live', 'f1', 'u1')] });
    host.snapshot({ sandbox: sandbox('sealed') });
    expect(host.of('surface.show').at(-1)).toMatchObject({ item_id: 'i1', frame_id: 'f1' });
    expect(frames.standing('i1')).toEqual({ frameId: 'f1', url: 'u1' });
  });

  it('is told anew when it stands beside the conversation', () => {
    const { host, frames } = page();
    frames.show('i1', 'c');
    frames.seen('i1', true);
    frames.pin('i1', true);
    expect(host.of('surface.show').at(-1)).toMatchObject({ pinned: true });
  });

  it('gets its slot before the messages of the same update', () => {
    const { host, frames } = page();
    const heard: string[] = [];
    frames.bridge.down = (id, message) =>
      void heard.push(`${id} ${message} ${frames.slots.get('i1')?.phase}`);
    frames.show('i1', 'c');
    host.update({ slots: [slot('i1', 'opening', 'f1')], frames: [{ frame_id: 'f1', message: 'fill' }] });
    expect(heard).toEqual(['f1 fill opening']);
  });
});

describe('the spare frame', () => {
  async function warm() {
    const it = page();
    it.frames.spares.want(true);
    await settled();
    frameWindow(it.frames, 'spare1');
    return it;
  }
  const keys = (frames: Frames, items: Item[]) => frames.spares.rows(items).map(({ key }) => key);

  it('stands in a row of its own at the end', async () => {
    const { frames } = await warm();
    expect(keys(frames, [message('m1')])).toEqual(['m1', 'spare:1']);
    expect(frames.standing('spare:1')).toMatchObject({ frameId: 'spare1', url: 'url1' });
  });

  it('is taken over, row and frame, by a surface that comes at the end', async () => {
    const { host, frames, time } = await warm();
    keys(frames, [message('m1')]);
    const items = [message('m1'), surface('s2', 'asking'), message('m3')];
    expect(keys(frames, items)).toEqual(['m1', 'spare:1', 'm3']);
    frames.show('s2', 'c');
    expect(host.of('surface.show').at(-1)).toMatchObject({
      item_id: 's2',
      frame_id: 'spare1',
      in_view: true,
    });
    host.update({ slots: [slot('s2', '')] });
    expect(frames.standing('s2')).toMatchObject({ frameId: 'spare1' });
    host.update({ slots: [slot('s2', 'opening', 'spare1')] });
    expect(frames.standing('s2')).toMatchObject({ frameId: 'spare1' });
    await settled();
    time.pass();
    await settled();
    expect(keys(frames, items)).toEqual(['m1', 'spare:1', 'm3', 'spare:2']);
    expect(host.of('surface.unmount')).toEqual([]);
  });

  it('is not taken by two, nor by one that comes before something known', async () => {
    const { frames } = await warm();
    keys(frames, [message('m5')]);
    expect(keys(frames, [surface('s4'), message('m5'), surface('s6'), surface('s7')])).toEqual([
      's4',
      'm5',
      'spare:1',
      's7',
    ]);
  });

  it('is given back when the host decides otherwise', async () => {
    const { host, frames } = await warm();
    keys(frames, [surface('s1')]);
    frames.show('s1', 'c');
    host.update({ slots: [slot('s1', 'opening', 'other', 'u')] });
    expect(host.of('surface.unmount')).toEqual([{ frame_id: 'spare1' }]);
    expect(frames.standing('s1')).toEqual({ frameId: 'other', url: 'u' });
  });

  it('is not used before it is ready, nor made where surfaces may not be shown', async () => {
    const { host, frames } = page();
    frames.spares.want(true);
    await settled();
    expect(keys(frames, [surface('s1')])).toEqual(['s1', 'spare:1']);
    host.update({ sandbox: sandbox('failed') });
    expect(frames.spares.current).toBeNull();
    expect(host.of('surface.unmount')).toEqual([{ frame_id: 'spare1' }]);
  });
});

describe('the probe', () => {
  it('is mounted while the host probes and removed when it has decided', async () => {
    const host = new FakeHost();
    host.on('probe.mount', () => ({ frame_id: 'p', url: 'u', timeout_ms: 1 }));
    const probe = new FramesProbe(host, new Frames(host), () => {});
    host.snapshot({ sandbox: sandbox('probing') });
    await settled();
    expect(probe.mount?.frame_id).toBe('p');
    host.update({ sandbox: sandbox('sealed') });
    expect(probe.mount).toBeNull();
  });

  it('says so when it stays silent, and only then', async () => {
    const host = new FakeHost();
    const late: (() => void)[] = [];
    host.on('probe.mount', () => ({ frame_id: 'p', url: 'u', timeout_ms: 5000 }));
    new FramesProbe(host, new Frames(host), (_ms, then) => void late.push(then));
    host.snapshot({ sandbox: sandbox('probing') });
    await settled();
    host.snapshot({ sandbox: sandbox('probing') });
    await settled();
    late[0]?.();
    expect(host.of('probe.failed')).toEqual([]);
    late[1]?.();
    expect(host.of('probe.failed')).toEqual([{}]);
  });

  it('is not mounted when the host has decided', async () => {
    const host = new FakeHost();
    new FramesProbe(host, new Frames(host));
    host.snapshot({ sandbox: sandbox('failed') });
    await settled();
    expect(host.of('probe.mount')).toEqual([]);
  });
});
