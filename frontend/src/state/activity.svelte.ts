import { host, HostError, type ActivityEntry, type Grant, type Host } from '$/host';

const pageSize = 100;

/** The audit log, newest first, and the remembered permissions. Loaded while somebody looks. */
export class Activity {
  entries = $state.raw<ActivityEntry[]>([]);
  grants = $state.raw<Grant[]>([]);
  more = $state(false);
  loading = $state(false);
  error = $state('');
  #watched = false;
  #host: Host;

  constructor(from: Host = host) {
    this.#host = from;
    from.onSnapshot(() => this.#watched && void this.load());
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
    this.loading = this.entries.length === 0;
    try {
      const [entries, grants] = await Promise.all([
        this.#host.call('activity.list', { limit: pageSize }),
        this.#host.call('grants.list', {}),
      ]);
      this.#prepend(entries ?? []);
      this.grants = grants ?? [];
      this.error = '';
    } catch (error) {
      this.error = error instanceof HostError ? error.code : 'internal';
    } finally {
      this.loading = false;
    }
  }

  async loadOlder() {
    const last = this.entries.at(-1);
    if (!last || !this.more) return;
    const page = (await this.#host.call('activity.list', { before: last.seq, limit: pageSize })) ?? [];
    this.entries = [...this.entries, ...page.filter((entry) => entry.seq < last.seq)];
    this.more = page.length === pageSize;
  }

  async revoke(id: string) {
    await this.#host.call('grants.revoke', { id });
    this.grants = this.grants.filter((grant) => grant.id !== id);
  }

  /** The newest page; older rows that join on to it stay. */
  #prepend(page: ActivityEntry[]) {
    const oldest = page.at(-1)?.seq ?? 0;
    const rest = this.entries.filter((entry) => entry.seq < oldest);
    const joins = page.length < pageSize || this.entries.some((entry) => entry.seq >= oldest);
    this.entries = joins ? [...page, ...rest] : page;
    if (!joins || rest.length === 0) this.more = page.length === pageSize;
  }
}

export const activity = new Activity();
