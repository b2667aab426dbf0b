import { SvelteMap } from 'svelte/reactivity';
import { host, type Host } from '$/host';

/** Milliseconds of typing that a crash may cost. */
const saveEvery = 150;

/**
 * What is typed and not sent, a conversation. Typing is saved to the host while
 * it goes on, not after a pause that may never come; a draft of this page beats the host's until the page is loaded anew.
 */
export class Drafts {
  #local = new SvelteMap<string, string>();
  #stored = new SvelteMap<string, string>();
  #timers = new Map<string, ReturnType<typeof setTimeout>>();
  #host: Host;

  constructor(from: Host = host) {
    this.#host = from;
    from.onSnapshot((snapshot) => {
      for (const row of snapshot.conversations ?? []) this.#stored.set(row.id, row.draft);
    });
  }

  get(conversationID: string): string {
    return this.#local.get(conversationID) ?? this.#stored.get(conversationID) ?? '';
  }

  set(conversationID: string, text: string) {
    if (!conversationID) return;
    this.#local.set(conversationID, text);
    if (this.#timers.has(conversationID)) return;
    this.#timers.set(
      conversationID,
      setTimeout(() => this.#save(conversationID), saveEvery),
    );
  }

  /** After sending: empty at once, here and in the host. */
  clear(conversationID: string) {
    this.#local.set(conversationID, '');
    this.#save(conversationID);
  }

  /** Saves all that waits; the page calls it when it is hidden or leaves. */
  flush() {
    for (const id of [...this.#timers.keys()]) this.#save(id);
  }

  #save(conversationID: string) {
    clearTimeout(this.#timers.get(conversationID));
    this.#timers.delete(conversationID);
    const draft = this.#local.get(conversationID) ?? '';
    const params = { conversation_id: conversationID, draft };
    // Twice is the same as once, so it may wait for a connection; a lost save is repeated by the next key.
    void this.#host.call('conversation.draft', params, { offline: 'queue' }).catch(() => {});
  }
}

export const drafts = new Drafts();
