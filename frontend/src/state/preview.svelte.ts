import { host, type Host, type Preview as View, type PreviewEntry } from '$/host';
import { conversation, type OpenConversation } from './conversation.svelte';

export type Action = 'restart' | 'play' | 'pause' | 'step';

/** How many entries of the log the page keeps; the host keeps no more. */
const keep = 500;

/**
 * `lineup preview`: what is shown in place of the chat. The host decides; the
 * page follows it into each new conversation and fetches what is new of the log.
 */
export class Preview {
  /** Null: this is the ordinary host. */
  view = $state.raw<View | null>(null);
  /** What went between the agent and the host, oldest first. */
  entries = $state.raw<PreviewEntry[]>([]);
  /** The width that the surface is shown at, CSS px; 0 = all there is. The page's own. */
  width = $state(720);
  /** Errors and warnings of the last save. */
  problems = $derived(this.view?.findings.filter((finding) => finding.severity !== 'note').length ?? 0);
  readonly #host: Host;
  readonly #conversation: OpenConversation;
  #fetching = false;
  #epoch = '';
  /** The seq of the last entry that was fetched. */
  #last = 0;

  constructor(from: Host = host, open: OpenConversation = conversation) {
    this.#host = from;
    this.#conversation = open;
    from.onSnapshot(({ preview, epoch }) => {
      if (epoch !== this.#epoch) {
        this.entries = []; // of another host process
        this.#last = 0;
        this.#epoch = epoch;
      }
      this.#take(preview);
    });
    from.onUpdate(({ preview }) => {
      if (preview) this.#take(preview);
    });
  }

  async do(action: Action): Promise<void> {
    await this.#host.call('preview.do', { action });
  }
  /** How fast a recording plays: 1 = as it was recorded, 0 = at once. */
  async setSpeed(speed: number): Promise<void> {
    await this.#host.call('preview.do', { action: 'speed', speed });
  }

  clearLog() {
    this.entries = [];
  }

  #take(view: View | undefined) {
    this.view = view ?? null;
    if (!view) return;
    if (view.conversation_id) void this.#conversation.open(view.conversation_id);
    void this.#fetch(view.log_seq);
  }

  async #fetch(upTo: number): Promise<void> {
    if (this.#fetching || upTo <= this.#last) return;
    this.#fetching = true;
    try {
      const epoch = this.#epoch;
      const fresh = (await this.#host.call('preview.log', { after: this.#last })) ?? [];
      if (epoch === this.#epoch) {
        this.#last = Math.max(this.#last, upTo, fresh.at(-1)?.seq ?? 0);
        this.entries = [...this.entries, ...fresh].slice(-keep);
      }
    } catch {
      return; // the next update or socket asks again
    } finally {
      this.#fetching = false;
    }
    const newest = this.view?.log_seq ?? 0;
    if (newest > this.#last) await this.#fetch(newest);
  }
}

export const preview = new Preview();
