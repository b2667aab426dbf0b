import { SvelteMap } from 'svelte/reactivity';
import { Bridge, type FrameWindow } from '$/bridge';
import { host, type Host, type Slot, type SurfaceItem } from '$/host';
import { BEAT_MS, Heartbeat } from './heartbeat';
import { Spares } from './spares.svelte';

/** A frame that stands in a card. `url` is what it loads; "" when it is there already. */
export interface Standing {
  frameId: string;
  url: string;
}

/** A surface's card on the page. */
interface Card {
  conversationId: string;
  /** Undefined until the page has looked. */
  inView: boolean | undefined;
  pinned: boolean;
}

/** How long a card must have come into or gone out of view before the host is told: not at each turn of the wheel. */
export const DWELL_MS = 200;

/**
 * The frames of the surfaces on the page. The host decides what stands in a card
 * (`slots`); the page says which cards there are and which can be seen.
 */
export class Frames {
  /** By item id. */
  readonly slots = new SvelteMap<string, Slot>();
  readonly bridge: Bridge;
  readonly spares: Spares;
  readonly #cards = new Map<string, Card>();
  readonly #dwelling = new Map<string, () => void>();
  readonly #host: Host;
  readonly #after: (ms: number, then: () => void) => () => void;
  readonly #heart: Heartbeat;

  constructor(
    from: Host = host,
    makeBridge = (options: ConstructorParameters<typeof Bridge>[0]) => new Bridge(options),
    after = later,
  ) {
    this.#host = from;
    this.#after = after;
    this.bridge = makeBridge({
      uplink: (frame_id, message) => from.notify('surface.uplink', { frame_id, message }),
      navigated: (frame_id) => from.notify('surface.navigated', { frame_id }),
      pong: (frameId) => this.#heart.answered(frameId),
    });
    this.#heart = new Heartbeat({
      frames: () => this.#inView(),
      ping: (frameId, n) => this.bridge.ping(frameId, n),
      silent: (frame_ids) => {
        from.notify('surface.silent', { frame_ids });
        this.spares.renew();
      },
    });
    this.spares = new Spares(from, this.bridge, after);
    from.onUpdate((update) => {
      for (const slot of update.slots ?? []) this.#take(slot);
      for (const { frame_id, message } of update.frames ?? []) this.bridge.down(frame_id, message);
    });
    from.onSnapshot(() => {
      // The host knows nothing of a new socket's page: it is told again, and of the
      // frames that stand, so that it can go on with them.
      for (const id of this.#cards.keys()) this.#tell(id);
    });
  }

  /** Listens to the page's window; once, at the start. */
  start(target: Parameters<Bridge['listen']>[0] = window): () => void {
    const stop = this.bridge.listen(target);
    const timer = setInterval(() => this.#heart.beat(performance.now()), BEAT_MS);
    return () => {
      clearInterval(timer);
      stop();
    };
  }

  /** A card is on the page. The host hears of it once it is known whether it can be seen. */
  show(itemId: string, conversationId: string): void {
    if (this.#cards.has(itemId)) return;
    // A spare frame is at the end of the log, where the reader looks.
    const inView = this.spares.of(itemId) ? true : undefined;
    this.#cards.set(itemId, { conversationId, inView, pinned: false });
    this.#tell(itemId);
  }

  /** Whether a card can be seen. */
  seen(itemId: string, inView: boolean): void {
    const card = this.#cards.get(itemId);
    this.#dwelling.get(itemId)?.();
    this.#dwelling.delete(itemId);
    if (!card || card.inView === inView) return;
    const tell = () => {
      this.#dwelling.delete(itemId);
      card.inView = inView;
      this.#tell(itemId);
    };
    if (card.inView === undefined) tell();
    else this.#dwelling.set(itemId, this.#after(DWELL_MS, tell));
  }

  /** Whether a card is beside the conversation or full screen: then it does not sleep. */
  pin(itemId: string, pinned: boolean): void {
    const card = this.#cards.get(itemId);
    if (!card || card.pinned === pinned) return;
    card.pinned = pinned;
    this.#tell(itemId);
  }

  /** The user wants a sleeping or late one. */
  wake(itemId: string): void {
    this.#host.notify('surface.wake', { item_id: itemId });
  }

  /** The card left the page. */
  gone(itemId: string): void {
    this.#dwelling.get(itemId)?.();
    this.#dwelling.delete(itemId);
    this.spares.release(itemId);
    if (!this.#cards.delete(itemId)) return;
    this.slots.delete(itemId);
    this.#host.notify('surface.gone', { item_id: itemId });
  }

  /** What stands in a card. */
  standing(itemId: string): Standing | null {
    const slot = this.slots.get(itemId);
    if (slot?.frame_id) return { frameId: slot.frame_id, url: slot.url ?? '' };
    // Until the host has decided, a spare frame that was put here stays.
    return slot && slot.phase !== '' ? null : this.spares.of(itemId);
  }

  /** The iframe of a card is in the document. */
  attach(frameId: string, window: FrameWindow): void {
    this.bridge.add(frameId, window, this.spares.owns(frameId) ? 'spare' : 'surface');
  }

  /** The iframe is out of the document. */
  detach(frameId: string): void {
    this.bridge.remove(frameId);
  }

  loaded(frameId: string): void {
    this.bridge.loaded(frameId);
  }

  /** The frames that run where they can be seen: others may be slowed down by the browser. */
  *#inView(): Iterable<string> {
    if (document.visibilityState === 'hidden') return;
    for (const [itemId, { inView }] of this.#cards) {
      const slot = this.slots.get(itemId);
      if (inView && slot?.phase === 'live' && slot.frame_id) yield slot.frame_id;
    }
  }

  #take(slot: Slot): void {
    if (!this.#cards.has(slot.item_id)) return;
    this.slots.set(slot.item_id, slot);
    if (slot.phase !== '') this.spares.settled(slot.item_id, slot.frame_id ?? '');
  }

  #tell(itemId: string): void {
    const card = this.#cards.get(itemId);
    if (!card || card.inView === undefined) return;
    const frame_id = this.standing(itemId)?.frameId;
    this.#host.notify('surface.show', {
      conversation_id: card.conversationId,
      item_id: itemId,
      in_view: card.inView,
      pinned: card.pinned,
      ...(frame_id && { frame_id }),
    });
  }
}

function later(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
}

/** Whether a surface's card may hold a frame at all. */
export function isOpen(surface: Pick<SurfaceItem, 'status'>): boolean {
  return surface.status === 'open';
}

export const frames = new Frames();
