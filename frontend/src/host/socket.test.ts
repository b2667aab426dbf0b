import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HostError } from './errors';
import type { Credentials } from './session';
import { queueLimit, Socket } from './socket';

/** A WebSocket whose other side the test plays. */
class FakeWebSocket {
  static all: FakeWebSocket[] = [];
  sent: { id?: number; method: string; params: Record<string, unknown> }[] = [];
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: (() => void) | null;
  closed = false;

  constructor(readonly url: string) {
    FakeWebSocket.all.push(this);
  }
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    if (this.closed) return;
    this.closed = true;
    this.onclose?.();
  }
  receive(frame: unknown) {
    this.onmessage?.({
      data: typeof frame === 'string' ? frame : JSON.stringify({ jsonrpc: '2.0', ...(frame as object) }),
    });
  }
  /** Answers the last request of a method. */
  answer(method: string, result: unknown) {
    this.receive({ id: this.#last(method), result });
  }
  refuse(method: string, code: string, field?: string) {
    this.receive({ id: this.#last(method), error: { code: -32000, message: 'x', data: { code, field } } });
  }
  methods() {
    return this.sent.map((frame) => frame.method);
  }
  #last(method: string) {
    const found = this.sent.findLast((frame) => frame.method === method);
    if (!found) throw new Error(`${method} was not sent`);
    return found.id;
  }
}

class FakeCredentials implements Credentials {
  kept = '';
  constructor(
    public tickets: string[],
    readonly renewable = false,
  ) {}
  address = async () => 'ws://host/ui';
  takeTicket = async () => this.tickets.shift() ?? '';
  token = () => this.kept;
  keepToken = (token: string) => void (this.kept = token);
}

const settle = () => vi.advanceTimersByTimeAsync(0);
const now = () => FakeWebSocket.all.at(-1)!;

async function connect(credentials = new FakeCredentials(['t1'])) {
  const socket = new Socket(credentials, () => 'en');
  socket.start();
  await settle();
  now().onopen?.();
  await settle();
  return { socket, credentials };
}
async function connected(credentials?: FakeCredentials) {
  const all = await connect(credentials);
  now().answer('ui.hello', { token: 'k1' });
  await settle();
  return all;
}
async function comeBack() {
  await vi.advanceTimersByTimeAsync(250);
  now().onopen?.();
  await settle();
  now().answer('ui.hello', { token: 'k1' });
  await settle();
}

beforeEach(() => {
  vi.useFakeTimers();
  FakeWebSocket.all = [];
  vi.stubGlobal('WebSocket', FakeWebSocket);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('hello', () => {
  it('spends the ticket once and keeps the token for the next socket', async () => {
    const { credentials } = await connected();
    expect(now().sent[0]?.params).toEqual({ ticket: 't1', locale: 'en' });
    expect(credentials.kept).toBe('k1');
    now().close();
    await vi.advanceTimersByTimeAsync(250);
    now().onopen?.();
    await settle();
    expect(now().sent[0]?.params).toEqual({ token: 'k1', locale: 'en' });
  });

  it('gives the snapshot to listeners before what was queued is sent', async () => {
    const { socket } = await connect();
    const order: string[] = [];
    socket.onSnapshot(() => order.push(`snapshot after ${now().methods().join(',')}`));
    void socket.call(
      'message.send',
      { conversation_id: 'c', client_id: '1', text: 'a' },
      { offline: 'queue' },
    );
    now().answer('ui.hello', { token: 'k1' });
    await settle();
    expect(order).toEqual(['snapshot after ui.hello']);
    expect(now().methods()).toEqual(['ui.hello', 'message.send']);
  });

  it('says "used" in a browser tab that the host does not know, and stops trying', async () => {
    const { socket } = await connect();
    const states: string[] = [];
    socket.onLink((state) => states.push(state));
    now().refuse('ui.hello', 'unauthorized');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(states).toEqual(['used']);
    expect(FakeWebSocket.all).toHaveLength(1);
  });

  it('tries the token of the tab when the ticket of an old link was spent', async () => {
    const credentials = new FakeCredentials(['old']);
    credentials.kept = 'k0';
    await connect(credentials);
    now().refuse('ui.hello', 'unauthorized');
    await vi.advanceTimersByTimeAsync(250);
    now().onopen?.();
    await settle();
    expect(now().sent[0]?.params).toEqual({ token: 'k0', locale: 'en' });
  });

  it('asks for a fresh session in the desktop window', async () => {
    await connect(new FakeCredentials(['t1', 't2'], true));
    now().refuse('ui.hello', 'unauthorized');
    await vi.advanceTimersByTimeAsync(250);
    now().onopen?.();
    await settle();
    expect(now().sent[0]?.params).toEqual({ ticket: 't2', locale: 'en' });
  });
});

describe('a lost connection', () => {
  it('is tried again for ever, with pauses of 0.25 to 5 s', async () => {
    const { socket } = await connected();
    const pauses: number[] = [];
    socket.onLink((state, retryAt) => state === 'lost' && pauses.push(retryAt - Date.now()));
    for (let i = 0; i < 8; i++) {
      now().close();
      await vi.advanceTimersByTimeAsync(pauses.at(-1) ?? 0);
    }
    expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000, 5000]);
  });

  it('can be tried at once', async () => {
    const { socket } = await connected();
    now().close();
    socket.reconnectNow();
    await settle();
    expect(FakeWebSocket.all).toHaveLength(2);
  });

  it('rejects a call in flight, unless it may wait: then it is sent again before later ones', async () => {
    const { socket } = await connected();
    const lost = expect(socket.call('search', { query: 'a' })).rejects.toMatchObject({ code: 'offline' });
    const first = socket.call(
      'message.send',
      { conversation_id: 'c', client_id: '1', text: 'a' },
      { offline: 'queue' },
    );
    now().close();
    void socket.call(
      'message.send',
      { conversation_id: 'c', client_id: '2', text: 'b' },
      { offline: 'queue' },
    );
    await lost;
    await comeBack();
    expect(
      now()
        .sent.slice(1)
        .map((frame) => frame.params.client_id),
    ).toEqual(['1', '2']);
    now().receive({ id: now().sent[1]?.id, result: {} });
    await expect(first).resolves.toEqual({});
  });

  it('bounds what waits', async () => {
    const { socket } = await connected();
    now().close();
    const call = () => socket.call('conversation.draft', { conversation_id: 'c' }, { offline: 'queue' });
    for (let i = 0; i < queueLimit; i++) void call();
    await expect(call()).rejects.toMatchObject({ code: 'queue_full' });
    await expect(socket.call('search', { query: 'a' })).rejects.toMatchObject({ code: 'offline' });
  });

  it('ignores what a socket says after it was replaced', async () => {
    const { socket } = await connected();
    const seen = vi.fn();
    socket.onUpdate(seen);
    const old = now();
    old.close();
    await comeBack();
    old.receive({ method: 'ui.update', params: { seq: 1 } });
    expect(seen).not.toHaveBeenCalled();
  });
});

describe('what the host says', () => {
  it('answers a ping at once, with its number', async () => {
    await connected();
    now().receive({ method: 'ui.ping', params: { n: 7 } });
    expect(now().sent.at(-1)).toMatchObject({ method: 'ui.pong', params: { n: 7 } });
  });

  it('turns an error into its code and field', async () => {
    const { socket } = await connected();
    const call = socket.call('agent.add', { url: 'x' });
    now().refuse('agent.add', 'bad_params', 'url');
    await expect(call).rejects.toEqual(new HostError('bad_params', 'url'));
  });

  it('answers a request with its handler, and refuses what has none or fails', async () => {
    const { socket } = await connected();
    socket.handle('page.open_url', async ({ url }) => {
      if (url !== 'https://a.example') throw new Error('no');
      return {};
    });
    now().receive({ id: 1, method: 'page.open_url', params: { url: 'https://a.example' } });
    now().receive({ id: 2, method: 'page.open_url', params: { url: 'https://b.example' } });
    now().receive({ id: 3, method: 'page.format_disk', params: {} });
    await settle();
    const answers = now().sent.slice(1) as unknown as {
      id: number;
      result?: object;
      error?: { data: object };
    }[];
    const byID = Object.fromEntries(answers.map((a) => [a.id, a.result ?? a.error?.data]));
    expect(byID).toEqual({ 1: {}, 2: { code: 'refused' }, 3: { code: 'not_found' } });
  });

  it('drops what is no JSON-RPC frame', async () => {
    const { socket } = await connected();
    const seen = vi.fn();
    socket.onUpdate(seen);
    for (const junk of ['', 'null', '[]', '{"id":"x","result":1}', '{', '{"id":99,"result":1}'])
      now().receive(junk);
    now().receive({ method: 'ui.update', params: { seq: 1 } });
    expect(seen).toHaveBeenCalledOnce();
  });
});
