// An agent of the tests' own: lineup.v1 over a real WebSocket, and nothing it
// does is by itself.
import { createHash } from 'node:crypto';
import { type AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';

export interface Envelope {
  id: string;
  type: string;
  conversation_id?: string;
  reply_to?: string;
  payload: Record<string, unknown>;
}

export function integrity(html: string, css: string, js: string): string {
  const hash = createHash('sha256');
  for (const part of [html, css, js].map((text) => Buffer.from(text))) {
    const length = Buffer.alloc(8);
    length.writeBigUInt64BE(BigInt(part.length));
    hash.update(length).update(part);
  }
  return 'sha256-' + hash.digest('base64');
}

export class TestAgent {
  readonly received: Envelope[] = [];
  /** Called with each envelope of a conversation that was not seen before. */
  onEnvelope: (envelope: Envelope) => void = () => {};
  #server: WebSocketServer;
  #socket: WebSocket | undefined;
  #sent: Envelope[] = [];
  #seen = new Set<string>();
  #last = new Map<string, string>();
  #n = 0;
  connections = 0;

  private constructor(server: WebSocketServer) {
    this.#server = server;
    server.on('connection', (socket) => {
      this.#socket = socket;
      this.connections++;
      socket.on('error', () => {});
      socket.on('message', (data) => this.#take(JSON.parse((data as Buffer).toString()) as Envelope));
    });
  }

  static async start(): Promise<TestAgent> {
    const server = new WebSocketServer({
      host: '127.0.0.1',
      port: 0,
      handleProtocols: (offered) => offered.has('lineup.v1') && 'lineup.v1',
    });
    await new Promise((done) => server.once('listening', done));
    return new TestAgent(server);
  }
  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  #take(envelope: Envelope) {
    if (envelope.type === 'lineup.v1.session.hello') return this.#hello(envelope);
    const { conversation_id: conversation } = envelope;
    if (conversation) {
      if (this.#seen.has(envelope.id)) return;
      this.#seen.add(envelope.id);
      this.#last.set(conversation, envelope.id);
    }
    this.received.push(envelope);
    if (conversation) this.onEnvelope(envelope);
  }

  #hello({ payload }: Envelope) {
    const points = payload.conversations as { conversation_id: string; last_id: string }[];
    this.#write('session.ready', {
      agent: { id: 'test', name: 'Test agent', version: '1.0.0' },
      conversations: [...this.#last].map(([conversation_id, last_id]) => ({ conversation_id, last_id })),
    });
    // Again whatever the host has not processed.
    const last = new Map(points.map((point) => [point.conversation_id, point.last_id]));
    for (const conversation of new Set(this.#sent.map((e) => e.conversation_id ?? ''))) {
      const all = this.#sent.filter((e) => e.conversation_id === conversation);
      const next = all.findIndex((e) => e.id === last.get(conversation)) + 1;
      for (const envelope of all.slice(next)) this.#socket?.send(JSON.stringify(envelope));
    }
  }

  #write(type: string, payload: object) {
    this.#socket?.send(JSON.stringify(this.#make(type, payload)));
  }
  #make(type: string, payload: object, conversation_id?: string): Envelope {
    const sender = { kind: 'agent', id: 'test' };
    const head = { v: 1, id: `t${++this.#n}`, type: 'lineup.v1.' + type, sender };
    return { ...head, conversation_id, payload: payload as Record<string, unknown> };
  }

  /** Sends in a conversation; what cannot be sent now is sent after the next hello. */
  send(conversation: string, type: string, payload: object): string {
    const envelope = this.#make(type, payload, conversation);
    this.#sent.push(envelope);
    if (this.#socket?.readyState === 1) this.#socket.send(JSON.stringify(envelope));
    return envelope.id;
  }
  open(
    conversation: string,
    instance_id: string,
    name: string,
    parts: { html: string; css?: string; js?: string },
  ) {
    const { html, css = '', js = '' } = parts;
    const app = { id: 'com.example.test', name, version: '1.0.0', integrity: integrity(html, css, js) };
    return this.send(conversation, 'ui.open', {
      instance_id,
      app: { ...app, html, ...(css && { css }), ...(js && { js }) },
    });
  }

  /** Forgets what went to and fro: a long benchmark does not measure this agent's memory. */
  forget() {
    this.#sent = [];
    this.received.length = 0;
  }

  /** Breaks the connection without a word. */
  drop() {
    this.#socket?.terminate();
  }
  async stop() {
    this.drop();
    await new Promise((done) => this.#server.close(done));
  }
}
