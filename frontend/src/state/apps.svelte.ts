import { host, HostError, type AppsView, type Host } from '$/host';

/** What the Apps screen shows; read each time the screen opens. */
export class Apps {
  view = $state.raw<AppsView | null>(null);
  error = $state('');
  #host: Host;

  constructor(from: Host = host) {
    this.#host = from;
  }

  async load() {
    try {
      this.view = await this.#host.call('apps.view', {});
      this.error = '';
    } catch (error) {
      this.error = error instanceof HostError ? error.code : 'internal';
    }
  }
}

export const apps = new Apps();
