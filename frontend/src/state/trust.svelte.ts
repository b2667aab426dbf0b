import { host, HostError, type AllowedBundle, type Host, type TrustedKey } from '$/host';

/** The publishers and the exact interfaces that the user trusts. Loaded while somebody looks. */
export class Trust {
  keys = $state.raw<TrustedKey[]>([]);
  allowed = $state.raw<AllowedBundle[]>([]);
  error = $state('');
  #watched = false;
  #host: Host;

  constructor(from: Host = host) {
    this.#host = from;
    from.onSnapshot(() => this.#watched && void this.load());
    // Each change leaves a record in the audit log, also one made on another page.
    from.onUpdate((update) => {
      if (update.activity_dirty && this.#watched) void this.load();
    });
  }

  /** Loads, and follows changes until the returned function is called. */
  watch(): () => void {
    this.#watched = true;
    void this.load();
    return () => (this.#watched = false);
  }

  async load() {
    try {
      const trust = await this.#host.call('trust.list', {});
      this.keys = trust.keys ?? [];
      this.allowed = trust.allowed ?? [];
      this.error = '';
    } catch (error) {
      this.error = error instanceof HostError ? error.code : 'internal';
    }
  }

  async addKey(name: string, key: string) {
    await this.#host.call('trust.add_key', { name, key });
    await this.load();
  }

  async removeKey(key: string) {
    await this.#host.call('trust.remove_key', { key });
    this.keys = this.keys.filter((known) => known.key !== key);
  }

  /** Lets the agent of a conversation show exactly the open surface without asking. */
  async allow(conversation_id: string, instance_id: string) {
    await this.#host.call('trust.allow', { conversation_id, instance_id });
  }

  async disallow({ agent_id, digest }: AllowedBundle) {
    await this.#host.call('trust.disallow', { agent_id, digest });
    this.allowed = this.allowed.filter((one) => one.agent_id !== agent_id || one.digest !== digest);
  }
}

export const trust = new Trust();
