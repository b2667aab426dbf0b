import { describe, expect, it } from 'vitest';
import type { Host, Snapshot, Update } from '$/host';
import { HostError } from '$/host/errors';
import { Frames, LIVE_FRAMES, type Place } from './frames.svelte';
import { FramesProbe } from './framesprobe.svelte';

/** A host whose calls are answered by the test. */
function fakeHost() {
  const snapshots: ((snapshot: Snapshot) => void)[] = [];
  const updates: ((update: Update) => void)[] = [];
  const calls: {
    method: string;
    params: unknown;
    resolve: (value: unknown) => void;
    reject: (error: unknown) => void;
  }[] = [];
  const notes: [string, unknown][] = [];
  const host = {
    call: (method: string, params: unknown) =>
      new Promise((resolve, reject) => calls.push({ method, params, resolve, reject })),
    notify: (method: string, params: unknown) => notes.push([method, params]),
    onSnapshot: (listener: (snapshot: Snapshot) => void) => snapshots.push(listener),
    onUpdate: (listener: (update: Update) => void) => updates.push(listener),
    onLink: () => {},
    handle: () => {},
    reconnectNow: () => {},
  } as unknown as Host;
  return {
    host,
    calls,
    notes,
    snapshot: (epoch: string, state = 'sealed') =>
      snapshots.forEach((listener) => listener({ epoch, sandbox: { state } } as Snapshot)),
    update: (update: Partial<Update>) => updates.forEach((listener) => listener(update as Update)),
    async answer(at: number, value: unknown) {
      calls[at]?.resolve(value);
      await settle();
    },
    async refuse(at: number, code: string) {
      calls[at]?.reject(new HostError(code));
      await settle();
    },
  };
}
async function settle() {
  for (let n = 0; n < 5; n++) await Promise.resolve();
}
const place = (n: number, generation = 1): Place => ({
  key: `item${n}`,
  conversationId: 'c',
  instanceId: `i${n}`,
  generation,
});
const window = () => ({ postMessage: () => {} });

async function live() {
  const fake = fakeHost();
  const frames = new Frames(fake.host);
  fake.snapshot('e1');
  frames.show(place(1));
  await fake.answer(0, { frame_id: 'f1', url: 'u1' });
  frames.attach('f1', window());
  return { ...fake, frames };
}

describe('a surface on the page', () => {
  it('is mounted once, whatever is updated beside it', async () => {
    const { frames, calls } = await live();
    frames.show(place(1));
    expect(calls.map(({ method, params }) => [method, params])).toEqual([
      ['surface.mount', { conversation_id: 'c', instance_id: 'i1' }],
    ]);
    expect(frames.slots.get('item1')).toEqual({ state: 'live', frameId: 'f1', url: 'u1' });
  });

  it('is mounted anew when its generation changes', async () => {
    const { frames, notes, answer } = await live();
    frames.show(place(1, 2));
    expect(notes).toContainEqual(['surface.unmount', { frame_id: 'f1' }]);
    expect(frames.bridge.has('f1')).toBe(false);
    await answer(1, { frame_id: 'f2', url: 'u2' });
    expect(frames.slots.get('item1')).toMatchObject({ frameId: 'f2' });
  });

  it('is mounted anew on a new socket, for the host hears the old frame no more', async () => {
    const { frames, calls, answer, snapshot } = await live();
    snapshot('e1');
    expect(calls).toHaveLength(2);
    expect(frames.bridge.has('f1')).toBe(false);
    await answer(1, { frame_id: 'f2', url: 'u2' });
    expect(frames.slots.get('item1')).toMatchObject({ state: 'live', frameId: 'f2' });
  });

  it('asks again after a mount that the socket lost', async () => {
    const fake = fakeHost();
    const frames = new Frames(fake.host);
    fake.snapshot('e1');
    frames.show(place(1));
    await fake.refuse(0, 'offline');
    expect(frames.slots.get('item1')).toEqual({ state: 'mounting' });
    fake.snapshot('e1');
    await fake.answer(1, { frame_id: 'f2', url: 'u2' });
    expect(frames.slots.get('item1')).toMatchObject({ state: 'live', frameId: 'f2' });
  });

  it('gives back a frame whose reply came too late', async () => {
    const fake = fakeHost();
    const frames = new Frames(fake.host);
    frames.show(place(1));
    frames.hide('item1');
    await fake.answer(0, { frame_id: 'late', url: 'u' });
    expect(fake.notes).toEqual([['surface.unmount', { frame_id: 'late' }]]);
    expect(frames.slots.has('item1')).toBe(false);
  });

  it('says why it could not be mounted', async () => {
    const fake = fakeHost();
    const frames = new Frames(fake.host);
    frames.show(place(1));
    await fake.refuse(0, 'refused');
    expect(frames.slots.get('item1')).toEqual({ state: 'failed', code: 'refused' });
  });

  it('is stopped when it leaves its page, and the host is told', async () => {
    const { frames, notes } = await live();
    frames.loaded('f1');
    frames.loaded('f1');
    expect(notes).toEqual([['surface.navigated', { frame_id: 'f1' }]]);
    expect(frames.slots.get('item1')).toEqual({ state: 'navigated' });
    expect(frames.bridge.has('f1')).toBe(false);
  });

  it('gets the messages of its own frame only', async () => {
    const { frames, update } = await live();
    const sent: string[] = [];
    frames.bridge.down = (id, message) => void sent.push(`${id}:${message}`);
    update({ frames: [{ frame_id: 'f1', message: '{"type":"state"}' }] });
    expect(sent).toEqual(['f1:{"type":"state"}']);
  });
});

describe('too many at once', () => {
  async function full() {
    const fake = fakeHost();
    const frames = new Frames(fake.host);
    for (let n = 0; n < LIVE_FRAMES; n++) {
      frames.show(place(n));
      await fake.answer(n, { frame_id: `f${n}`, url: 'u' });
      frames.attach(`f${n}`, window());
    }
    return { ...fake, frames };
  }

  it('the one past the limit sleeps without a frame', async () => {
    const { frames, calls } = await full();
    frames.show(place(99));
    expect(frames.slots.get('item99')).toEqual({ state: 'asleep' });
    expect(calls).toHaveLength(LIVE_FRAMES);
  });

  it('waking one puts the oldest to sleep', async () => {
    const { frames, answer } = await full();
    frames.show(place(99));
    frames.wake('item99');
    await answer(LIVE_FRAMES, { frame_id: 'f99', url: 'u' });
    expect(frames.slots.get('item99')).toMatchObject({ state: 'live' });
    expect(frames.slots.get('item0')).toEqual({ state: 'asleep' });
    expect([...frames.slots.values()].filter(({ state }) => state === 'live')).toHaveLength(LIVE_FRAMES);
  });
});

describe('the probe', () => {
  it('is mounted while the host probes and removed when it has decided', async () => {
    const fake = fakeHost();
    const probe = new FramesProbe(fake.host, new Frames(fake.host));
    fake.snapshot('e1', 'probing');
    expect(fake.calls[0]?.method).toBe('probe.mount');
    await fake.answer(0, { frame_id: 'p', url: 'u', timeout_ms: 1 });
    expect(probe.mount?.frame_id).toBe('p');
    fake.update({ sandbox: { state: 'sealed', leaks: [], checked: 9, engine: '' } });
    expect(probe.mount).toBeNull();
  });

  it('says so when it stays silent, and only then', async () => {
    const fake = fakeHost();
    const late: (() => void)[] = [];
    new FramesProbe(fake.host, new Frames(fake.host), (_ms, then) => void late.push(then));
    fake.snapshot('e1', 'probing');
    await fake.answer(0, { frame_id: 'p', url: 'u', timeout_ms: 5000 });
    fake.snapshot('e1', 'probing');
    await fake.answer(1, { frame_id: 'p2', url: 'u', timeout_ms: 5000 });
    late[0]?.();
    expect(fake.notes).toEqual([]);
    late[1]?.();
    expect(fake.notes).toEqual([['probe.failed', {}]]);
  });

  it('is not mounted when the host has decided', () => {
    const fake = fakeHost();
    new FramesProbe(fake.host, new Frames(fake.host));
    fake.snapshot('e1', 'failed');
    expect(fake.calls).toHaveLength(0);
  });
});
