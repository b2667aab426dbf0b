/**
 * Where a browser runs a frame in a process of its own, a frame that hangs leaves the
 * page running, so the host's watchdog sees nothing. Each frame in view is asked
 * once a second; one that is silent for too long while the page itself ran is told to the host.
 */

/** How often a frame is asked (ms). */
export const BEAT_MS = 1000;
/** Asked this often in vain, a frame hangs. */
export const MISSED_BEATS = 4;

export interface Pulse {
  /** The frames to watch now. */
  frames(): Iterable<string>;
  /** Asks a frame; false: it cannot be asked yet. */
  ping(frameId: string, n: number): boolean;
  /** These did not answer. Several at once may share a process, and one of them its guilt. */
  silent(frameIds: string[]): void;
}

export class Heartbeat {
  readonly #pulse: Pulse;
  readonly #missed = new Map<string, number>();
  #n = 0;
  #last = Number.NEGATIVE_INFINITY;

  constructor(pulse: Pulse) {
    this.#pulse = pulse;
  }

  /** One beat at a time `now` (ms, monotonic). One that comes late judges nobody: the page stood still. */
  beat(now: number): void {
    const late = now - this.#last > 2 * BEAT_MS;
    this.#last = now;
    if (late) this.#missed.clear();
    const watched = new Set(this.#pulse.frames());
    for (const id of this.#missed.keys()) if (!watched.has(id)) this.#missed.delete(id);
    const silent: string[] = [];
    for (const id of watched) {
      const missed = this.#missed.get(id) ?? 0;
      if (missed >= MISSED_BEATS) {
        this.#missed.delete(id);
        silent.push(id);
      } else if (this.#pulse.ping(id, ++this.#n)) {
        this.#missed.set(id, missed + 1);
      }
    }
    if (silent.length) this.#pulse.silent(silent);
  }

  answered(frameId: string): void {
    this.#missed.set(frameId, 0);
  }
}
