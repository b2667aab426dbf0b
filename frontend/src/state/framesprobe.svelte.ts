import type { FrameWindow } from '$/bridge';
import { host, type Host, type ProbeMount } from '$/host';
import { frames, type Frames } from './frames.svelte';

/**
 * The start-up probe (SANDBOX §1): while the host says "probing", one hidden
 * frame of the host's own tries every way out and reports. The page only
 * carries it; the host decides, and treats silence as a failure.
 */
export class FramesProbe {
  /** The frame to draw, hidden but rendered; null: none. */
  mount = $state.raw<ProbeMount | null>(null);
  readonly #host: Host;
  readonly #frames: Frames;
  readonly #after: (ms: number, then: () => void) => void;
  #round = 0;

  constructor(
    from: Host = host,
    over: Frames = frames,
    after = (ms: number, then: () => void) => void setTimeout(then, ms),
  ) {
    this.#host = from;
    this.#after = after;
    this.#frames = over;
    from.onSnapshot(({ sandbox }) => this.#follow(sandbox.state, true));
    from.onUpdate(({ sandbox }) => {
      if (sandbox) this.#follow(sandbox.state, false);
    });
  }

  attach(frameId: string, window: FrameWindow): void {
    this.#frames.bridge.add(frameId, window, 'probe');
  }

  detach(frameId: string): void {
    this.#frames.bridge.remove(frameId);
  }

  /** A new socket begins a new probe; within one, the first is enough. */
  #follow(state: string, anew: boolean): void {
    if (state !== 'probing') {
      this.#round++;
      this.mount = null;
    } else if (anew || !this.mount) {
      void this.#ask();
    }
  }

  async #ask(): Promise<void> {
    const round = ++this.#round;
    this.mount = null;
    try {
      const mount = await this.#host.call('probe.mount', {});
      if (round !== this.#round) return;
      this.mount = mount;
      this.#after(mount.timeout_ms, () => this.#late(round));
    } catch {
      // The host hears no report and fails closed; a new socket asks again.
    }
  }

  /** Silence is a failure: the host is told, in case it does not count itself. */
  #late(round: number): void {
    if (round !== this.#round || !this.mount) return;
    this.mount = null;
    this.#host.notify('probe.failed', {});
  }
}

export const framesProbe = new FramesProbe();
