import { host, HostError, type Host, type Item, type Reading } from '$/host';
import { ItemLog } from './items';

const pageSize = 100;

/**
 * The one conversation that is open.
 *
 * - `items` is in order; unchanged items and message blocks keep their identity
 *   from one value to the next (compare with ===).
 * - `send` is exactly-once and survives a lost connection; `answer` is repeated
 *   after one, and a second answer is refused by the host as already_answered.
 */
export class OpenConversation {
  id = $state('');
  items = $state.raw<Item[]>([]);
  /** There are older items than the first one here. */
  more = $state(false);
  /** The first page is on its way: show a skeleton, not an empty state. */
  loading = $state(false);
  loadingOlder = $state(false);
  /** Code of why opening failed, else "". */
  error = $state('');
  /** An item to bring into view (from search); the log clears it. */
  focusItem = $state('');
  /** Where the reader was before this page was loaded anew; the log goes there once and clears it. */
  comeBack = $state.raw<Reading | null>(null);
  #log = new ItemLog();
  #host: Host;
  #newID: () => string;

  constructor(from: Host = host, newID: () => string = randomID) {
    this.#host = from;
    this.#newID = newID;
    let first = true;
    from.onSnapshot((snapshot) => {
      // A new socket is subscribed to nothing. A page that starts goes on where the last one was.
      if (this.id) void this.#load(this.id);
      else if (first && snapshot.open_conversation) {
        this.comeBack = snapshot.reading.item_id ? snapshot.reading : null;
        void this.open(snapshot.open_conversation);
      }
      first = false;
    });
    from.onUpdate((update) => {
      if (update.conversations?.some((row) => row.deleted && row.id === this.id)) void this.open('');
      if (!update.items?.length || update.conversation_id !== this.id) return;
      const whole = this.#log.apply(update.items);
      this.items = this.#log.list;
      if (!whole) void this.#load(this.id);
    });
  }

  /** Shows the conversation; "" shows none. */
  async open(id: string, focusItem = '') {
    this.focusItem = focusItem;
    if (id === this.id) return;
    if (this.comeBack?.conversation_id !== id) this.comeBack = null;
    this.id = id;
    this.#log = new ItemLog();
    this.items = [];
    this.more = false;
    this.error = '';
    this.loading = id !== '';
    if (id) await this.#load(id);
  }

  /** Tells the host where the reader is, for a page that is loaded anew. */
  rested(item_id: string, offset: number) {
    if (this.id) this.#host.notify('ui.reading', { conversation_id: this.id, item_id, offset });
  }

  /** Adds the page of items before the first one. Does nothing when there is none or one is on its way. */
  async loadOlder() {
    const first = this.items[0];
    if (!this.more || this.loadingOlder || !first) return;
    const { id } = this;
    this.loadingOlder = true;
    try {
      const params = { conversation_id: id, before: first.pos, limit: pageSize };
      const page = await this.#host.call('conversation.open', params);
      if (id !== this.id) return;
      this.#log.apply(page.items ?? []);
      this.items = this.#log.list;
      this.more = page.more;
    } catch {
      // The reader scrolls up again; a lost connection is shown by the shell.
    } finally {
      this.loadingOlder = false;
    }
  }

  /** Sends the user's words. Blank text is not sent. Resolves when the host has it (it may be offline now). */
  async send(text: string): Promise<void> {
    if (!text.trim() || !this.id) return;
    const params = { conversation_id: this.id, client_id: this.#newID(), text };
    await this.#host.call('message.send', params, { offline: 'queue' });
  }

  /** Asks the agent to stop the run; every prompt of the run is answered "cancelled". */
  async stop(): Promise<void> {
    await this.#host.call('run.stop', { conversation_id: this.id });
  }

  /** Answers a choice, confirm or input; status "cancelled" has no value. */
  async answer(componentID: string, status: 'answered' | 'cancelled', value?: unknown): Promise<void> {
    const params = { conversation_id: this.id, component_id: componentID, status, value };
    await this.#host.call('component.answer', params, { offline: 'queue' });
  }

  closeSurface(instanceID: string) {
    return this.#host.call('surface.close', { conversation_id: this.id, instance_id: instanceID });
  }
  restartSurface(instanceID: string) {
    return this.#host.call('surface.restart', { conversation_id: this.id, instance_id: instanceID });
  }

  /** The raw envelope of an item, pretty-printed. */
  async json(itemID: string): Promise<string> {
    return (await this.#host.call('json.view', { conversation_id: this.id, item_id: itemID })).json;
  }

  async #load(id: string) {
    try {
      const page = await this.#host.call('conversation.open', { conversation_id: id, limit: pageSize });
      if (id !== this.id) return;
      const hadOlder = this.items[0] && this.items[0].pos < (page.items?.[0]?.pos ?? 0);
      this.#log.open(page.items ?? [], page.more);
      this.items = this.#log.list;
      // Older items that are still here were loaded before: what lies before them is unchanged.
      if (!hadOlder || this.items[0] === page.items?.[0]) this.more = page.more;
      this.error = '';
      this.loading = false;
    } catch (error) {
      if (id !== this.id) return;
      const code = error instanceof HostError ? error.code : 'internal';
      if (code === 'offline') return; // the next snapshot loads it
      this.error = code;
      this.loading = false;
    }
  }
}

// crypto.randomUUID wants a secure context, which the desktop window's own scheme need not be.
function randomID(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export const conversation = new OpenConversation();
