import { SvelteMap } from 'svelte/reactivity';
import { Bridge, type FrameWindow } from '$/bridge';
import { host, HostError, type Host, type Mount, type SurfaceItem } from '$/host';

/** How many frames are live on the page at once (PROTOCOL §7); others sleep until they are asked for. */
export const LIVE_FRAMES = 8;

/**
 * What stands in a surface's place: a frame, or why there is none.
 * `mounting` waits for the host, `asleep` for a click, `navigated` was stopped
 * because it left its page, `failed` could not be mounted (code).
 */
export type Slot =
  | { state: 'mounting' }
  | { state: 'live'; frameId: string; url: string }
  | { state: 'asleep' }
  | { state: 'navigated' }
  | { state: 'failed'; code: string };

/** A surface in a conversation, at one of its generations. */
export interface Place {
  /** The item's id: one instance may have an old, closed card beside its new one. */
  key: string;
  conversationId: string;
  instanceId: string;
  generation: number;
}

interface Held {
  place: Place;
  /** Grows with each mount, so that a late reply to an earlier one is dropped. */
  round: number;
}

/**
 * The frames of the surfaces on the page. A frame is mounted anew when the
 * surface's generation changes or the page has a new socket to the host.
 */
export class Frames {
  /** By the place's key. */
  readonly slots = new SvelteMap<string, Slot>();
  readonly #held = new Map<string, Held>();
  readonly #keyOf = new Map<string, string>();
  readonly #host: Host;
  readonly bridge: Bridge;

  constructor(
    from: Host = host,
    makeBridge = (options: ConstructorParameters<typeof Bridge>[0]) => new Bridge(options),
  ) {
    this.#host = from;
    this.bridge = makeBridge({
      uplink: (frame_id, message) => from.notify('surface.uplink', { frame_id, message }),
      navigated: (frameId) => this.#navigated(frameId),
    });
    from.onUpdate((update) => {
      for (const { frame_id, message } of update.frames ?? []) this.bridge.down(frame_id, message);
    });
    from.onSnapshot(() => {
      // The host's frames belong to the socket that asked for them: after a new
      // hello it hears the old ones no more, nor sends to them. So each is mounted
      // anew and gets its state from the host; also one whose reply was lost.
      for (const [key, held] of this.#held) {
        const state = this.slots.get(key)?.state;
        if (state === 'live' || state === 'mounting') void this.#mount(key, held.place);
      }
    });
  }

  /** Listens to the page's window; once, at the start. */
  start(target: Parameters<Bridge['listen']>[0] = window): () => void {
    return this.bridge.listen(target);
  }

  /** A card is on the page. Mounts a frame, or anew if the generation changed; sleeps when too many are live. */
  show(place: Place): void {
    const { key } = place;
    const held = this.#held.get(key);
    if (held && same(held.place, place)) return;
    if (!held && this.#live() >= LIVE_FRAMES) {
      this.#held.set(key, { place, round: 0 });
      this.slots.set(key, { state: 'asleep' });
      return;
    }
    void this.#mount(key, place);
  }

  /** The user wants a sleeping or stopped one: it wakes with its state, and the oldest live one sleeps. */
  wake(key: string): void {
    const held = this.#held.get(key);
    if (!held) return;
    if (this.#live() >= LIVE_FRAMES) {
      const oldest = [...this.#held.keys()].find((one) => this.slots.get(one)?.state === 'live');
      if (oldest) {
        this.#unmount(oldest);
        this.slots.set(oldest, { state: 'asleep' });
      }
    }
    // The last to wake is the last to sleep.
    this.#held.delete(key);
    this.#held.set(key, held);
    void this.#mount(key, held.place);
  }

  /** The card left the page, or the surface is not open any more. */
  hide(key: string): void {
    this.#unmount(key);
    this.#held.delete(key);
    this.slots.delete(key);
  }

  /** The iframe of a live slot is in the document. */
  attach(frameId: string, window: FrameWindow): void {
    this.bridge.add(frameId, window);
  }

  /** The iframe is out of the document: its frame is over, whatever its slot is by now. */
  detach(frameId: string): void {
    if (!this.bridge.has(frameId)) return;
    this.bridge.remove(frameId);
    this.#host.notify('surface.unmount', { frame_id: frameId });
  }

  loaded(frameId: string): void {
    this.bridge.loaded(frameId);
  }

  #live(): number {
    let live = 0;
    for (const slot of this.slots.values()) if (slot.state === 'live' || slot.state === 'mounting') live++;
    return live;
  }

  async #mount(key: string, place: Place): Promise<void> {
    this.#unmount(key);
    const round = (this.#held.get(key)?.round ?? 0) + 1;
    this.#held.set(key, { place, round });
    this.slots.set(key, { state: 'mounting' });
    const current = () => this.#held.get(key)?.round === round;
    try {
      const { conversationId: conversation_id, instanceId: instance_id } = place;
      const mount: Mount = await this.#host.call('surface.mount', { conversation_id, instance_id });
      if (!current()) return this.#host.notify('surface.unmount', { frame_id: mount.frame_id });
      this.#keyOf.set(mount.frame_id, key);
      this.slots.set(key, { state: 'live', frameId: mount.frame_id, url: mount.url });
    } catch (error) {
      const code = error instanceof HostError ? error.code : 'internal';
      // Without a connection it stays "mounting": the next snapshot asks again.
      if (current() && code !== 'offline') this.slots.set(key, { state: 'failed', code });
    }
  }

  #unmount(key: string): void {
    const slot = this.slots.get(key);
    if (slot?.state !== 'live') return;
    this.#keyOf.delete(slot.frameId);
    this.bridge.remove(slot.frameId);
    this.#host.notify('surface.unmount', { frame_id: slot.frameId });
  }

  #navigated(frameId: string): void {
    const key = this.#keyOf.get(frameId);
    this.#keyOf.delete(frameId);
    this.#host.notify('surface.navigated', { frame_id: frameId });
    if (key !== undefined) this.slots.set(key, { state: 'navigated' });
  }
}

/** Whether a surface's card may hold a frame at all. */
export function isOpen(surface: Pick<SurfaceItem, 'status'>): boolean {
  return surface.status === 'open';
}

function same(a: Place, b: Place): boolean {
  return (
    a.conversationId === b.conversationId && a.instanceId === b.instanceId && a.generation === b.generation
  );
}

export const frames = new Frames();
