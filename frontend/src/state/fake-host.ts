import { HostError, type Host, type Method, type Snapshot, type Update } from '$/host';

/** A host that a test plays: it records calls and answers with what `on` says, else {}. */
export class FakeHost implements Host {
  calls: { method: Method; params: Record<string, unknown> }[] = [];
  #answers = new Map<string, (params: never) => unknown>();
  #snapshots: ((snapshot: Snapshot) => void)[] = [];
  #updates: ((update: Update) => void)[] = [];

  on(method: Method, answer: (params: never) => unknown) {
    this.#answers.set(method, answer);
  }
  refuse(method: Method, code: string) {
    this.on(method, () => {
      throw new HostError(code);
    });
  }
  snapshot(snapshot: Partial<Snapshot>) {
    for (const listener of this.#snapshots) listener(snapshot as Snapshot);
  }
  update(update: Partial<Update>) {
    for (const listener of this.#updates) listener({ seq: 1, ...update });
  }
  of(method: Method) {
    return this.calls.filter((call) => call.method === method).map((call) => call.params);
  }

  call = (async (method: Method, params: never) => {
    this.calls.push({ method, params });
    return (await this.#answers.get(method)?.(params)) ?? {};
  }) as Host['call'];
  notify: Host['notify'] = (method, params) => void this.calls.push({ method, params: { ...params } });
  onSnapshot: Host['onSnapshot'] = (listener) => (this.#snapshots.push(listener), () => {});
  onUpdate: Host['onUpdate'] = (listener) => (this.#updates.push(listener), () => {});
  onLink: Host['onLink'] = () => () => {};
  handle: Host['handle'] = () => {};
  reconnectNow() {}
}
