import { describe, expect, it, vi } from 'vitest';
import { Bridge, type FrameKind, MAX_UPLINK_BYTES, longerThan } from './bridge';

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
  const pong = vi.fn<(frameId: string, n: number) => void>();
  const ports: FakePort[] = [];
  const bridge = new Bridge({
    uplink: (frameId, message) => uplinks.push([frameId, message]),
    navigated,
    pong,
    channel: () => {
      const port1 = new FakePort();
      ports.push(port1);
      return { port1, port2: new FakePort() } as unknown as MessageChannel;
    },
  });
  return { bridge, uplinks, navigated, pong, ports };
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

  it('delivers what comes down, in order, and nothing before there is a port', () => {
    const { bridge, ports } = setup();
    const frame = fakeWindow();
    bridge.add('f1', frame);
    bridge.down('f1', 'early');
    say(bridge, frame, READY);
    bridge.down('f1', 'a');
    bridge.down('f1', 'b');
    bridge.down('other', 'c');
    expect(ports[0]?.sent).toEqual(['a', 'b']);
  });
});

describe('a ping', () => {
  const pong = (n: unknown) => JSON.stringify({ type: 'pong', n, namespace: 'lineup.surface.v1' });

  function open(kind: FrameKind = 'surface') {
    const all = setup();
    const frame = fakeWindow();
    all.bridge.add('f1', frame, kind);
    expect(all.bridge.ping('f1', 1)).toBe(false);
    say(all.bridge, frame, READY);
    all.uplinks.length = 0;
    const port = all.ports[0];
    if (!port) throw new Error('no port was made');
    return { ...all, port };
  }

  it('goes down, and its answer is told to the page and not to the host', () => {
    const { bridge, port, uplinks, pong: heard } = open();
    expect(bridge.ping('f1', 7)).toBe(true);
    expect(port.sent).toEqual(['{"type":"ping","n":7}']);
    port.say(pong(7));
    expect(heard).toHaveBeenCalledExactlyOnceWith('f1', 7);
    expect(uplinks).toEqual([]);
  });

  it.each([
    ['not asked', pong(8)],
    ['in another shape', JSON.stringify({ type: 'pong', n: 7, namespace: 'lineup.surface.v1', x: 1 })],
    ['with a text', pong('7')],
    ['without a number', JSON.stringify({ type: 'pong', namespace: 'lineup.surface.v1' })],
    ['that is no JSON', '"pong"}'],
  ])('has no answer that is %s', (_name, message) => {
    const { bridge, port, uplinks, pong: heard } = open();
    bridge.ping('f1', 7);
    port.say(message);
    expect(heard).not.toHaveBeenCalled();
    expect(uplinks).toEqual([]);
    expect(bridge.refused.shape).toBe(1);
  });

  it('is answered once', () => {
    const { bridge, port, pong: heard } = open();
    bridge.ping('f1', 7);
    port.say(pong(7));
    port.say(pong(7));
    expect(heard).toHaveBeenCalledTimes(1);
  });

  it('is not mistaken for an event of that name', () => {
    const { port, uplinks } = open();
    const event = JSON.stringify({ type: 'event', event: 'pong', data: {}, namespace: 'lineup.surface.v1' });
    port.say(event);
    expect(uplinks).toEqual([['f1', event]]);
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

describe('a spare frame', () => {
  it('loads once more when it is filled, and a further load is a navigation', () => {
    const { bridge, navigated, ports } = setup();
    const frame = fakeWindow();
    bridge.add('f1', frame, 'spare');
    say(bridge, frame, READY);
    bridge.loaded('f1');
    bridge.loaded('f1');
    expect(navigated).not.toHaveBeenCalled();
    bridge.loaded('f1');
    expect(navigated).toHaveBeenCalledExactlyOnceWith('f1');
    expect(ports[0]?.closed).toBe(true);
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
