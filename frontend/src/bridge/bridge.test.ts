import { describe, expect, it, vi } from 'vitest';
import { Bridge, MAX_UPLINK_BYTES, MAX_WAITING_DOWN, longerThan } from './bridge';

const READY = { namespace: 'lineup.surface.v1', type: 'ready' };

class FakePort {
  onmessage: ((event: MessageEvent) => void) | null = null;
  readonly sent: unknown[] = [];
  closed = false;
  postMessage(message: unknown) {
    this.sent.push(message);
  }
  close() {
    this.closed = true;
  }
  /** What the frame says on its end. */
  say(data: unknown) {
    this.onmessage?.({ data } as MessageEvent);
  }
}

function setup() {
  const uplinks: [string, string][] = [];
  const navigated = vi.fn<(frameId: string) => void>();
  const ports: FakePort[] = [];
  const bridge = new Bridge({
    uplink: (frameId, message) => uplinks.push([frameId, message]),
    navigated,
    channel: () => {
      const port1 = new FakePort();
      ports.push(port1);
      return { port1, port2: new FakePort() } as unknown as MessageChannel;
    },
  });
  return { bridge, uplinks, navigated, ports };
}

function fakeWindow() {
  return { postMessage: vi.fn() };
}

function say(bridge: Bridge, source: unknown, data: unknown) {
  bridge.receive({ source, data } as MessageEvent);
}

describe('the hand-shake', () => {
  it('answers the first ready of a known frame with a port and forwards it', () => {
    const { bridge, uplinks } = setup();
    const frame = fakeWindow();
    bridge.add('f1', frame);
    say(bridge, frame, READY);
    expect(frame.postMessage).toHaveBeenCalledTimes(1);
    const [message, options] = frame.postMessage.mock.calls[0] as [
      unknown,
      { targetOrigin: string; transfer: unknown[] },
    ];
    expect(message).toEqual({ namespace: 'lineup.surface.v1', type: 'port' });
    expect(options.targetOrigin).toBe('*');
    expect(options.transfer).toHaveLength(1);
    expect(uplinks).toEqual([['f1', JSON.stringify(READY)]]);
  });

  it('gives no second port to a second ready', () => {
    const { bridge, uplinks } = setup();
    const frame = fakeWindow();
    bridge.add('f1', frame);
    say(bridge, frame, READY);
    say(bridge, frame, READY);
    expect(frame.postMessage).toHaveBeenCalledTimes(1);
    expect(uplinks).toHaveLength(1);
  });

  it.each([
    ['a stranger', {}],
    ['nobody', null],
  ])('hears nothing from %s', (_name, source) => {
    const { bridge, uplinks } = setup();
    const frame = fakeWindow();
    bridge.add('f1', frame);
    say(bridge, source, READY);
    expect(uplinks).toEqual([]);
    expect(frame.postMessage).not.toHaveBeenCalled();
    expect(bridge.refused.source).toBe(1);
  });

  it.each([
    ['another namespace', { namespace: 'lineup.surface.v2', type: 'ready' }],
    ['another type', { namespace: 'lineup.surface.v1', type: 'event' }],
    ['an extra field', { ...READY, frame_id: 'f2' }],
    ['a missing field', { namespace: 'lineup.surface.v1' }],
    ['a string', JSON.stringify(READY)],
    ['an array', [READY]],
    ['null', null],
    ['an inherited shape', Object.create(READY) as unknown],
  ])('refuses %s', (_name, data) => {
    const { bridge, uplinks } = setup();
    const frame = fakeWindow();
    bridge.add('f1', frame);
    say(bridge, frame, data);
    expect(uplinks).toEqual([]);
    expect(frame.postMessage).not.toHaveBeenCalled();
  });
});

describe('the port', () => {
  function open() {
    const all = setup();
    const frame = fakeWindow();
    all.bridge.add('f1', frame);
    say(all.bridge, frame, READY);
    all.uplinks.length = 0;
    const port = all.ports[0];
    if (!port) throw new Error('no port was made');
    return { ...all, frame, port };
  }

  it('forwards strings as they are, well-formed or not', () => {
    const { port, uplinks } = open();
    port.say('{"namespace":"lineup.surface.v1","type":"event"}');
    port.say('not json');
    expect(uplinks.map(([, message]) => message)).toEqual([
      '{"namespace":"lineup.surface.v1","type":"event"}',
      'not json',
    ]);
  });

  it('drops what is not a string', () => {
    const { port, uplinks, bridge } = open();
    for (const data of [{}, 1, null, undefined, ['x'], new ArrayBuffer(3)]) port.say(data);
    expect(uplinks).toEqual([]);
    expect(bridge.refused.shape).toBe(6);
  });

  it('takes exactly the limit and not one byte more, counted in UTF-8', () => {
    const { port, uplinks } = open();
    port.say('x'.repeat(MAX_UPLINK_BYTES));
    expect(uplinks).toHaveLength(1);
    port.say('x'.repeat(MAX_UPLINK_BYTES + 1));
    port.say('é'.repeat(MAX_UPLINK_BYTES / 2) + 'x');
    expect(uplinks).toHaveLength(1);
  });

  it('goes silent when the frame is removed', () => {
    const { port, uplinks, bridge } = open();
    bridge.remove('f1');
    port.say('late');
    expect(port.closed).toBe(true);
    expect(uplinks).toEqual([]);
    expect(bridge.has('f1')).toBe(false);
  });

  it('does not mistake the port of a replaced frame for the new one', () => {
    const { port, uplinks, bridge } = open();
    bridge.add('f1', fakeWindow());
    port.say('late');
    expect(uplinks).toEqual([]);
  });

  it('delivers what waited, in order, then directly', () => {
    const { bridge, ports } = setup();
    const frame = fakeWindow();
    bridge.add('f1', frame);
    bridge.down('f1', 'a');
    bridge.down('f1', 'b');
    say(bridge, frame, READY);
    bridge.down('f1', 'c');
    bridge.down('other', 'd');
    expect(ports[0]?.sent).toEqual(['a', 'b', 'c']);
  });

  it('keeps the newest when too much waits', () => {
    const { bridge, ports } = setup();
    const frame = fakeWindow();
    bridge.add('f1', frame);
    for (let n = 0; n < MAX_WAITING_DOWN + 5; n++) bridge.down('f1', String(n));
    say(bridge, frame, READY);
    expect(ports[0]?.sent).toHaveLength(MAX_WAITING_DOWN);
    expect(ports[0]?.sent.at(-1)).toBe(String(MAX_WAITING_DOWN + 4));
  });
});

describe('navigation', () => {
  it('takes the first load and tears down at the second', () => {
    const { bridge, navigated, ports, uplinks } = setup();
    const frame = fakeWindow();
    bridge.add('f1', frame);
    bridge.loaded('f1');
    say(bridge, frame, READY);
    expect(navigated).not.toHaveBeenCalled();
    bridge.loaded('f1');
    expect(navigated).toHaveBeenCalledExactlyOnceWith('f1');
    expect(ports[0]?.closed).toBe(true);
    uplinks.length = 0;
    say(bridge, frame, READY);
    expect(uplinks).toEqual([]);
  });
});

describe('the probe', () => {
  it('shakes hands like a surface, and only its report goes to the host, as it is', () => {
    const { bridge, uplinks, ports } = setup();
    const frame = fakeWindow();
    bridge.add('p', frame, 'probe');
    say(bridge, {}, READY);
    expect(frame.postMessage).not.toHaveBeenCalled();
    say(bridge, frame, READY);
    expect(frame.postMessage).toHaveBeenCalledTimes(1);
    expect(uplinks).toEqual([]);
    const report = JSON.stringify({ namespace: 'lineup.probe.v1', attempts: 'x'.repeat(MAX_UPLINK_BYTES) });
    ports[0]?.say(report);
    expect(uplinks).toEqual([['p', report]]);
  });

  it("may load again: its attempt to leave is the host's to judge", () => {
    const { bridge, navigated } = setup();
    bridge.add('p', fakeWindow(), 'probe');
    bridge.loaded('p');
    bridge.loaded('p');
    expect(navigated).not.toHaveBeenCalled();
    expect(bridge.has('p')).toBe(true);
  });
});

it('counts bytes, not characters', () => {
  expect(longerThan('中'.repeat(10), 30)).toBe(false);
  expect(longerThan('中'.repeat(10), 29)).toBe(true);
  expect(longerThan('😀', 3)).toBe(true);
});
