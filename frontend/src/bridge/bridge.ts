// The one user of window "message" events (ARCHITECTURE §2). It knows frames by
// the identity of their window, speaks the hand-shake of PROTOCOL §4, forwards
// strings as they are and decides nothing: every check of names, types and
// rates that matters is made again in Go.

/** Longest string taken from a frame, in UTF-8 bytes: 16 KiB of event data plus its wrapping. */
export const MAX_UPLINK_BYTES = 20 * 1024;

export const SURFACE_NAMESPACE = 'lineup.surface.v1';
/** The report of the start-up probe is larger than an event: one line for each attempt. */
export const MAX_PROBE_BYTES = 64 * 1024;

/** A spare frame is filled with a surface's document later, which loads once more. */
export type FrameKind = 'surface' | 'spare' | 'probe';

/** The part of a frame's window that the bridge needs. */
export interface FrameWindow {
  postMessage(message: unknown, options: { targetOrigin: string; transfer?: Transferable[] }): void;
}

/** The part of the page's window that the bridge needs. */
export interface MessageSource {
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
  removeEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}

export interface BridgeOptions {
  /** Forwards what a frame said; never throws. */
  uplink(frameId: string, message: string): void;
  /** The frame loaded a document that is not its own: it is off the bridge when this is called. */
  navigated(frameId: string): void;
  /** The frame answered the ping that carried n. */
  pong?(frameId: string, n: number): void;
  channel?: () => MessageChannel;
}

interface Frame {
  kind: FrameKind;
  window: FrameWindow;
  loads: number;
  /** Our end of the talk, from the first `ready` on. */
  port: MessagePort | null;
  /** Pings without an answer, by their numbers. */
  pings: Set<number>;
}

export class Bridge {
  readonly #frames = new Map<string, Frame>();
  readonly #byWindow = new Map<unknown, string>();
  readonly #options: BridgeOptions;
  /** What was refused since the start, by reason; for tests and diagnosis. */
  readonly refused = { source: 0, shape: 0, size: 0 };

  constructor(options: BridgeOptions) {
    this.#options = options;
  }

  /** Starts to listen; returns what stops it. */
  listen(target: MessageSource): () => void {
    const listener = (event: MessageEvent) => this.receive(event);
    target.addEventListener('message', listener);
    return () => target.removeEventListener('message', listener);
  }

  /** Makes a frame known. A frame id or a window is known once. */
  add(frameId: string, window: FrameWindow, kind: FrameKind = 'surface'): void {
    this.remove(frameId);
    this.#frames.set(frameId, { kind, window, loads: 0, port: null, pings: new Set() });
    this.#byWindow.set(window, frameId);
  }

  /** Forgets a frame and closes its port. Unknown ids are no error. */
  remove(frameId: string): void {
    const frame = this.#frames.get(frameId);
    if (!frame) return;
    frame.port?.close();
    this.#frames.delete(frameId);
    this.#byWindow.delete(frame.window);
  }

  has(frameId: string): boolean {
    return this.#frames.has(frameId);
  }

  /** Whether the frame has said ready and has its port. */
  connected(frameId: string): boolean {
    return !!this.#frames.get(frameId)?.port;
  }

  /** The iframe's load event. The first is its document, a spare's second the one that fills it, a further one a navigation. */
  loaded(frameId: string): void {
    const frame = this.#frames.get(frameId);
    // The probe tries to leave its page, on purpose; a stopped attempt may load an
    // error page. Whether one got through is for the host's own canary to say.
    if (!frame || frame.kind === 'probe') return;
    frame.loads += 1;
    if (frame.loads <= (frame.kind === 'spare' ? 2 : 1)) return;
    this.remove(frameId);
    this.#options.navigated(frameId);
  }

  /** Hands a message of the host to the frame, as it is. The host sends none before it was told of the frame's ready. */
  down(frameId: string, message: string): void {
    this.#frames.get(frameId)?.port?.postMessage(message);
  }

  /** Asks the frame for a sign of life. False: it cannot be asked yet. `n` is a whole number, not negative. */
  ping(frameId: string, n: number): boolean {
    const frame = this.#frames.get(frameId);
    if (!frame?.port) return false;
    frame.pings.add(n);
    frame.port.postMessage(JSON.stringify({ type: 'ping', n }));
    return true;
  }

  /** A window message. Only a known frame's first, exactly shaped word is heard. */
  receive(event: MessageEvent): void {
    const frameId = event.source === null ? undefined : this.#byWindow.get(event.source);
    const frame = frameId === undefined ? undefined : this.#frames.get(frameId);
    if (frameId === undefined || !frame) {
      this.refused.source += 1;
      return;
    }
    this.#ready(frameId, frame, event.data);
  }

  #ready(frameId: string, frame: Frame, data: unknown): void {
    // A later `ready` is refused: whoever holds the first port keeps it.
    if (frame.port || !isExactly(data, { namespace: SURFACE_NAMESPACE, type: 'ready' })) {
      this.refused.shape += 1;
      return;
    }
    const channel = this.#options.channel?.() ?? new MessageChannel();
    const port = channel.port1;
    frame.port = port;
    port.onmessage = (event: MessageEvent) => this.#fromPort(frameId, port, event.data);
    // The frame's origin is opaque, so no origin can be named; the port goes to
    // this very window, whose document is the one we loaded.
    frame.window.postMessage(
      { namespace: SURFACE_NAMESPACE, type: 'port' },
      { targetOrigin: '*', transfer: [channel.port2] },
    );
    // The probe has one word for the host: its report.
    if (frame.kind === 'probe') return;
    this.#options.uplink(frameId, JSON.stringify({ namespace: SURFACE_NAMESPACE, type: 'ready' }));
  }

  #fromPort(frameId: string, port: MessagePort, data: unknown): void {
    // A message that was under way when the frame went away belongs to nobody.
    const frame = this.#frames.get(frameId);
    if (frame?.port !== port) {
      this.refused.source += 1;
      return;
    }
    if (typeof data !== 'string') {
      this.refused.shape += 1;
      return;
    }
    if (longerThan(data, frame.kind === 'probe' ? MAX_PROBE_BYTES : MAX_UPLINK_BYTES)) {
      this.refused.size += 1;
      return;
    }
    if (frame.kind !== 'probe' && looksLikePong(data)) this.#pong(frameId, frame, data);
    else this.#options.uplink(frameId, data);
  }

  /** A pong is the page's own affair, so the host hears of none; one that was not asked for is refused. */
  #pong(frameId: string, frame: Frame, data: string): void {
    const n = pongNumber(data);
    if (n === undefined || !frame.pings.delete(n)) this.refused.shape += 1;
    else this.#options.pong?.(frameId, n);
  }
}

/** Cheap enough to ask of every message; what the guest writes is shorter. */
function looksLikePong(data: string): boolean {
  return data.length <= 96 && data.includes('"pong"') && !data.includes('"event"');
}

function pongNumber(data: string): number | undefined {
  try {
    const message: unknown = JSON.parse(data);
    if (!isRecord(message) || typeof message.n !== 'number') return undefined;
    return isExactly(message, { namespace: SURFACE_NAMESPACE, type: 'pong', n: message.n })
      ? message.n
      : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isExactly(data: unknown, expected: Record<string, unknown>): boolean {
  if (!isRecord(data)) return false;
  const keys = Object.keys(data);
  return keys.length === Object.keys(expected).length && keys.every((key) => data[key] === expected[key]);
}

/** Whether text takes more than limit bytes in UTF-8; looks at no more than it must. */
export function longerThan(text: string, limit: number): boolean {
  if (text.length > limit) return true;
  if (text.length * 3 <= limit) return false;
  return new TextEncoder().encode(text).length > limit;
}
