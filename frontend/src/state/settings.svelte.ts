import { host, type Host, type Settings as Values } from '$/host';

const defaults: Values = {
  theme: 'system',
  language: 'system',
  text_size: 100,
  dev_mode: false,
  welcomed: true,
};

/** The user's preferences. A change shows at once and is taken back if the host refuses it. */
export class Settings {
  value = $state.raw<Values>(defaults);
  #host: Host;

  constructor(from: Host = host) {
    this.#host = from;
    from.onSnapshot((snapshot) => (this.value = snapshot.settings));
    from.onUpdate((update) => {
      if (update.settings) this.value = update.settings;
    });
  }

  async set(change: Partial<Values>) {
    const before = this.value;
    this.value = { ...before, ...change };
    try {
      await this.#host.call('settings.set', this.value);
    } catch (error) {
      this.value = before;
      throw error;
    }
  }
}

export const settings = new Settings();
