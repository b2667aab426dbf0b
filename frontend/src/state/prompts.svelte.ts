import { host, type Host, type Prompt } from '$/host';

export type Decision = 'once' | 'conversation' | 'always' | 'deny';

/**
 * The requests that wait for the user. Go owns them: the queue is what it says
 * it is, and an answer changes nothing here until Go's next update.
 */
export class Prompts {
  /** All of them, oldest first, those that wait quietly in the inbox included. */
  queue = $state.raw<Prompt[]>([]);
  /** Those to be drawn: not the quiet ones, unless the user opened one from the inbox. */
  visible = $derived(this.queue.filter((prompt) => !prompt.quiet || prompt.id === this.opened));
  /** The prompt the user asked for in the inbox; drawn first. */
  opened = $state('');
  /** Grows when the page should bring the prompt card to the keyboard (the shortcut was pressed). */
  focusRequests = $state(0);
  #nonces = new Map<string, string>();
  #host: Host;

  constructor(from: Host = host) {
    this.#host = from;
    from.onSnapshot((snapshot) => {
      this.#nonces.clear(); // nonces belong to the socket that asked
      this.#take(snapshot.prompts ?? []);
    });
    from.onUpdate((update) => {
      if (update.prompts) this.#take(update.prompts);
    });
  }

  /**
   * The prompt became visible, moved, changed or was uncovered: the host starts
   * its 500 ms anew. Call before decide; a later call replaces the earlier one.
   */
  async shown(id: string): Promise<void> {
    this.#nonces.delete(id);
    const { nonce } = await this.#host.call('prompt.shown', { prompt_id: id });
    this.#nonces.set(id, nonce);
  }

  /** Answers one request. Throws HostError (too_soon, already_answered, expired, refused). */
  async decide(id: string, decision: Decision): Promise<void> {
    const nonce = this.#nonces.get(id);
    await this.#host.call('prompt.answer', { prompt_id: id, decision, nonce });
  }

  /** From the inbox: draw this one now. */
  open(id: string) {
    this.opened = id;
    this.focus();
  }

  /** Asks the prompt layer to take the keyboard (never on its own: UX §3.3). */
  focus() {
    this.focusRequests++;
  }

  #take(queue: Prompt[]) {
    this.queue = [...queue].sort((a, b) => a.created_at - b.created_at);
    if (!queue.some((prompt) => prompt.id === this.opened)) this.opened = '';
    for (const id of this.#nonces.keys())
      if (!queue.some((prompt) => prompt.id === id)) this.#nonces.delete(id);
  }
}

export const prompts = new Prompts();
