import { host, type Host, type SearchHit } from '$/host';

const pause = 150;

/** Search over titles and messages as the user types; an answer to an older question is dropped. */
export class Search {
  query = $state('');
  hits = $state.raw<SearchHit[]>([]);
  /** The question the hits answer; differs from query while an answer is on its way. */
  answered = $state('');
  failed = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #host: Host;

  constructor(from: Host = host) {
    this.#host = from;
  }

  get active() {
    return this.query.trim() !== '';
  }

  set(query: string) {
    this.query = query;
    clearTimeout(this.#timer);
    if (this.active) this.#timer = setTimeout(() => void this.#ask(query.trim()), pause);
    else this.#show('', []);
  }

  async #ask(query: string) {
    try {
      const hits = await this.#host.call('search', { query, limit: 50 });
      if (query === this.query.trim()) this.#show(query, hits ?? []);
    } catch {
      if (query === this.query.trim()) this.#show(query, [], true);
    }
  }

  #show(answered: string, hits: SearchHit[], failed = false) {
    this.answered = answered;
    this.hits = hits;
    this.failed = failed;
  }
}

export const search = new Search();
