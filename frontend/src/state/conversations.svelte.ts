import { host, type Conversation, type Host } from '$/host';

/** The list of conversations: pinned first, then the newest change first. */
export class Conversations {
  list = $state.raw<Conversation[]>([]);
  /** How many things wait for the user, over all conversations. */
  waiting = $derived(this.list.reduce((sum, row) => sum + row.waiting, 0));
  /** The conversations in which something waits for the user. */
  waitingRows = $derived(this.list.filter((row) => row.waiting > 0));
  newest = $derived(this.list.reduce<Conversation | undefined>(later, undefined));
  #host: Host;

  constructor(from: Host = host) {
    this.#host = from;
    from.onSnapshot((snapshot) => (this.list = inOrder(snapshot.conversations ?? [])));
    from.onUpdate((update) => {
      if (update.conversations) this.list = merge(this.list, update.conversations);
    });
  }

  get(id: string): Conversation | undefined {
    return this.list.find((row) => row.id === id);
  }

  /** Makes a conversation with the agent and returns its id. */
  async create(agentID: string): Promise<string> {
    return (await this.#host.call('conversation.create', { agent_id: agentID })).conversation_id;
  }
  rename(id: string, title: string) {
    return this.#host.call('conversation.rename', { conversation_id: id, title });
  }
  pin(id: string, pinned: boolean) {
    return this.#host.call('conversation.pin', { conversation_id: id, pinned });
  }
  /** Takes it off the list; restore brings it back. */
  remove(id: string) {
    return this.#host.call('conversation.delete', { conversation_id: id });
  }
  restore(id: string) {
    return this.#host.call('conversation.restore', { conversation_id: id });
  }
}

/** Rows of `changed` replace those with the same id; deleted ones go. */
export function merge(list: Conversation[], changed: Conversation[]): Conversation[] {
  const ids = new Set(changed.map((row) => row.id));
  return inOrder([...list.filter((row) => !ids.has(row.id)), ...changed.filter((row) => !row.deleted)]);
}

function inOrder(rows: Conversation[]): Conversation[] {
  return rows
    .filter((row) => !row.deleted)
    .sort(
      (a, b) => Number(b.pinned) - Number(a.pinned) || b.updated_at - a.updated_at || (a.id < b.id ? 1 : -1),
    );
}

const later = (a: Conversation | undefined, b: Conversation) => (a && a.updated_at >= b.updated_at ? a : b);

export const conversations = new Conversations();
