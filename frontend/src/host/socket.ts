import type { Snapshot, Update } from './api.gen';
import { HostError } from './errors';
import type { Method, PageMethods, Params, Result } from './methods';
import { decode, failure, notification, request, response, type Frame } from './rpc';
import type { Credentials } from './session';

/** connecting → open ⇄ lost; used: the link was used up and only the user can get a new one. */
export type LinkState = 'connecting' | 'open' | 'lost' | 'used';

export interface CallOptions {
  /**
   * What happens without a connection. "reject" (default): fails with code
   * offline, also when the connection breaks before the answer. "queue": waits
   * and is sent (again) after the next hello, in order, for methods that are
   * exactly-once by their own ids or where twice is the same as once.
   */
  offline?: 'reject' | 'queue';
}

/** What controllers need of the host; tests give their own. */
export interface Host {
  call<M extends Method>(method: M, params: Params<M>, options?: CallOptions): Promise<Result<M>>;
  /** Sent if connected, else dropped; no answer. */
  notify<M extends Method>(method: M, params: Params<M>): void;
  /** Called after each hello: everything the page knew may be stale. */
  onSnapshot(listener: (snapshot: Snapshot) => void): () => void;
  onUpdate(listener: (update: Update) => void): () => void;
  onLink(listener: (state: LinkState, retryAt: number) => void): () => void;
  /** Answers a host → page request; one handler a method. */
  handle<M extends keyof PageMethods>(
    method: M,
    handler: (params: PageMethods[M][0]) => Promise<PageMethods[M][1]>,
  ): void;
  /** Ends the wait for the next attempt. */
  reconnectNow(): void;
}

interface Pending {
  method: string;
  params: unknown;
  queue: boolean;
  resolve: (value: unknown) => void;
  reject: (error: HostError) => void;
}

export const queueLimit = 200;
const firstDelay = 250;
const longestDelay = 5000;

/** One WebSocket to the host, for ever: it comes back by itself. */
export class Socket implements Host {
  #ws: WebSocket | null = null;
  #open = false;
  #nextID = 1;
  #inFlight = new Map<number, Pending>();
  #waiting: Pending[] = [];
  #attempt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #snapshots = new Set<(snapshot: Snapshot) => void>();
  #updates = new Set<(update: Update) => void>();
  #links = new Set<(state: LinkState, retryAt: number) => void>();
  #handlers = new Map<string, (params: never) => Promise<unknown>>();
  #credentials: Credentials;
  #locale: () => string;

  constructor(credentials: Credentials, locale: () => string = () => navigator.language) {
    this.#credentials = credentials;
    this.#locale = locale;
  }

  /** Starts connecting. Call once, after the listeners are there. */
  start() {
    void this.#connect();
  }

  call<M extends Method>(method: M, params: Params<M>, options: CallOptions = {}): Promise<Result<M>> {
    return new Promise<Result<M>>((resolve, reject) => {
      const pending: Pending = {
        method,
        params,
        queue: options.offline === 'queue',
        resolve: resolve as (value: unknown) => void,
        reject,
      };
      if (this.#open) this.#send(pending);
      else if (!pending.queue) reject(new HostError('offline'));
      else if (this.#waiting.length >= queueLimit) reject(new HostError('queue_full'));
      else this.#waiting.push(pending);
    });
  }

  notify<M extends Method>(method: M, params: Params<M>) {
    if (this.#open) this.#ws?.send(notification(method, params));
  }

  onSnapshot(listener: (snapshot: Snapshot) => void) {
    return add(this.#snapshots, listener);
  }
  onUpdate(listener: (update: Update) => void) {
    return add(this.#updates, listener);
  }
  onLink(listener: (state: LinkState, retryAt: number) => void) {
    return add(this.#links, listener);
  }

  handle<M extends keyof PageMethods>(
    method: M,
    handler: (params: PageMethods[M][0]) => Promise<PageMethods[M][1]>,
  ) {
    this.#handlers.set(method, handler as (params: never) => Promise<unknown>);
  }

  reconnectNow() {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    void this.#connect();
  }

  async #connect() {
    this.#say('connecting');
    try {
      const ws = new WebSocket(await this.#credentials.address());
      this.#ws = ws;
      ws.onopen = () => void this.#hello(ws);
      ws.onmessage = (event) => this.#receive(ws, String(event.data));
      ws.onclose = () => this.#lost(ws);
    } catch {
      this.#retry();
    }
  }

  async #hello(ws: WebSocket) {
    const ticket = await this.#credentials.takeTicket();
    // In the desktop window each attempt brings a fresh ticket; the token is for reloads of the web page.
    const token = ticket ? '' : this.#credentials.token();
    if (!ticket && !token) return this.#refused(ws);
    const attempt = (params: { ticket?: string; token?: string }) =>
      new Promise<unknown>((resolve, reject) => {
        const hello = { ...params, locale: this.#locale() };
        this.#send({ method: 'ui.hello', params: hello, queue: false, resolve, reject });
      });
    try {
      this.#welcome((await attempt(ticket ? { ticket } : { token })) as Snapshot);
    } catch (error) {
      if (!(error instanceof HostError) || error.code !== 'unauthorized') return ws.close();
      // An old link opened again in a tab that is already trusted: the token still counts.
      if (!ticket) this.#credentials.keepToken('');
      if (ticket && this.#credentials.token()) return ws.close();
      this.#refused(ws);
    }
  }

  #welcome(snapshot: Snapshot) {
    this.#credentials.keepToken(snapshot.token);
    this.#attempt = 0;
    this.#open = true;
    // The page learns the new state before what it had queued runs against it.
    for (const listener of this.#snapshots) listener(snapshot);
    this.#say('open');
    for (const pending of this.#waiting.splice(0)) this.#send(pending);
  }

  /** The host does not know us. The desktop window asks for a fresh session; a tab cannot. */
  #refused(ws: WebSocket) {
    if (this.#credentials.renewable) return ws.close();
    ws.onclose = null;
    ws.close();
    this.#dropInFlight();
    for (const pending of this.#waiting.splice(0)) pending.reject(new HostError('unauthorized'));
    this.#say('used');
  }

  #receive(ws: WebSocket, text: string) {
    const frame = decode(text);
    if (!frame || ws !== this.#ws) return;
    switch (frame.kind) {
      case 'notification':
        return this.#notified(ws, frame);
      case 'request':
        return void this.#answer(ws, frame);
      default: {
        const pending = this.#inFlight.get(frame.id);
        if (!pending) return;
        this.#inFlight.delete(frame.id);
        if (frame.kind === 'result') pending.resolve(frame.result);
        else pending.reject(new HostError(frame.code, frame.field));
      }
    }
  }

  #notified(ws: WebSocket, frame: Frame & { kind: 'notification' }) {
    if (frame.method === 'ui.ping') {
      // Here and not in a controller: the host takes a missing answer as a page that hangs.
      ws.send(notification('ui.pong', frame.params));
    } else if (frame.method === 'ui.update') {
      for (const listener of this.#updates) listener(frame.params as Update);
    }
  }

  async #answer(ws: WebSocket, frame: Frame & { kind: 'request' }) {
    const handler = this.#handlers.get(frame.method);
    if (!handler) return ws.send(failure(frame.id, 'not_found'));
    try {
      ws.send(response(frame.id, await handler(frame.params as never)));
    } catch {
      ws.send(failure(frame.id, 'refused'));
    }
  }

  #send(pending: Pending) {
    const id = this.#nextID++;
    this.#inFlight.set(id, pending);
    this.#ws?.send(request(id, pending.method, pending.params));
  }

  #lost(ws: WebSocket) {
    if (ws !== this.#ws) return;
    this.#ws = null;
    this.#open = false;
    this.#dropInFlight();
    this.#retry();
  }

  #dropInFlight() {
    const flying = [...this.#inFlight.values()];
    this.#inFlight.clear();
    // Queued calls keep their place before those made since.
    this.#waiting.unshift(...flying.filter((pending) => pending.queue));
    for (const pending of flying) if (!pending.queue) pending.reject(new HostError('offline'));
  }

  #retry() {
    const delay = Math.min(firstDelay * 2 ** this.#attempt++, longestDelay);
    this.#say('lost', Date.now() + delay);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#connect();
    }, delay);
  }

  #say(state: LinkState, retryAt = 0) {
    for (const listener of this.#links) listener(state, retryAt);
  }
}

function add<T>(set: Set<T>, value: T) {
  set.add(value);
  return () => void set.delete(value);
}
