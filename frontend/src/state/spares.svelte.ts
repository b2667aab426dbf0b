import type { Bridge } from '$/bridge';
import type { Host, Item } from '$/host';
import type { Standing } from './frames.svelte';

/** How long after one was used the next is made: the surface that took it comes first. */
export const REFILL_MS = 400;

/** A spare frame and the key of the row it stands in. */
export interface Spare extends Standing {
  key: string;
}

/** A row of the log: an item, or the spare frame's, which is the last. */
export interface Row {
  key: string;
  item: Item;
}

/**
 * The frame that is kept warm for the next surface. An iframe that is moved in
 * the document loads anew, so it is not moved: it stands in a row of its own at
 * the end of the log, and a surface that comes there takes over that row, by its key.
 */
export class Spares {
  /** The frame that waits; null: none. */
  current = $state.raw<Spare | null>(null);
  readonly #host: Host;
  readonly #bridge: Bridge;
  readonly #after: (ms: number, then: () => void) => () => void;
  /** Rows that were taken over: item id → the spare that stood there. */
  readonly #taken = new Map<string, Spare>();
  /** Frames of taken rows that the host has not decided about. */
  readonly #pending = new Map<string, Spare>();
  #known = new Set<string>();
  #wanted = false;
  #allowed = false;
  #asking = 0;
  #made = 0;
  #used = false;

  constructor(from: Host, bridge: Bridge, after: (ms: number, then: () => void) => () => void) {
    this.#host = from;
    this.#bridge = bridge;
    this.#after = after;
    from.onSnapshot(({ sandbox }) => {
      // Spare frames belong to the socket that asked for them.
      this.#asking = 0;
      this.#pending.clear();
      this.current = null;
      this.#follow(sandbox.state);
    });
    from.onUpdate(({ sandbox }) => {
      if (sandbox) this.#follow(sandbox.state);
    });
  }

  /** A log is on the page, or not any more. */
  want(wanted: boolean): void {
    this.#wanted = wanted;
    if (!wanted) this.#drop();
    else void this.#fetch();
  }

  /** The rows of a log. A surface that came at its end takes over the spare frame's row. */
  rows(items: Item[]): Row[] {
    let last = items.length - 1;
    while (last >= 0 && !this.#known.has(items[last]!.id)) last--;
    const spare = this.current;
    let free = spare !== null && !this.#used && this.#bridge.connected(spare.frameId);
    const rows = items.map((item, i) => {
      // Behind something known the row would have to be moved.
      if (free && i > last && item.surface && waits(item)) {
        free = false;
        this.#use(item.id, spare!);
      }
      return { key: this.#taken.get(item.id)?.key ?? item.id, item };
    });
    this.#known = new Set(items.map((item) => item.id));
    if (spare && !this.#used) rows.push({ key: spare.key, item: spareItem(spare) });
    return rows;
  }

  /** The spare frame that stands in a card and that the host has not decided about. */
  of(itemId: string): Standing | null {
    if (itemId === this.current?.key) return this.current;
    return this.#pending.get(itemId) ?? null;
  }

  owns(frameId: string): boolean {
    if (this.current?.frameId === frameId) return true;
    for (const spare of this.#taken.values()) if (spare.frameId === frameId) return true;
    return false;
  }

  /** The host has decided what stands in the card. */
  settled(itemId: string, frameId: string): void {
    const spare = this.#pending.get(itemId);
    if (!spare) return;
    this.#pending.delete(itemId);
    if (spare.frameId !== frameId) this.#host.notify('surface.unmount', { frame_id: spare.frameId });
  }

  /** The card is gone. */
  release(itemId: string): void {
    this.settled(itemId, '');
    this.#taken.delete(itemId);
  }

  /** The spare frame may share a process with one that hangs: another is made. */
  renew(): void {
    this.#drop();
    this.#after(REFILL_MS, () => void this.#fetch());
  }

  #use(itemId: string, spare: Spare): void {
    this.#used = true;
    this.#taken.set(itemId, spare);
    this.#pending.set(itemId, spare);
    // Not within the computation that asked for the rows.
    queueMicrotask(() => {
      if (this.current === spare) this.current = null;
      this.#after(REFILL_MS, () => void this.#fetch());
    });
  }

  #follow(state: string): void {
    this.#allowed = state === 'sealed' || state === 'preview';
    if (!this.#allowed) this.#drop();
    else void this.#fetch();
  }

  #drop(): void {
    this.#asking = 0;
    const spare = this.current;
    if (!spare || this.#used) return;
    this.current = null;
    this.#host.notify('surface.unmount', { frame_id: spare.frameId });
  }

  async #fetch(): Promise<void> {
    if (!this.#wanted || !this.#allowed || this.#asking || (this.current && !this.#used)) return;
    const round = ++this.#made;
    this.#asking = round;
    try {
      const { frame_id, url } = await this.#host.call('surface.spare', {});
      if (this.#asking !== round) return this.#host.notify('surface.unmount', { frame_id });
      this.#used = false;
      this.current = { key: `spare:${round}`, frameId: frame_id, url };
    } catch {
      // Surfaces then open in frames of their own, a little later.
    } finally {
      if (this.#asking === round) this.#asking = 0;
    }
  }
}

/** Whether a surface may still get a frame. */
function waits(item: Item): boolean {
  return item.surface?.status === 'asking' || item.surface?.status === 'open';
}

function spareItem(spare: Spare): Item {
  const surface = { instance_id: '', app_id: '', name: '', title: '', version: '', mark: '', checks: [] };
  return {
    id: spare.key,
    pos: Number.MAX_SAFE_INTEGER,
    kind: 'surface',
    from: 'host',
    at: 0,
    surface: { ...surface, status: 'spare', height: 0, strikes: 0, dropped: 0, errors: 0 },
  };
}
