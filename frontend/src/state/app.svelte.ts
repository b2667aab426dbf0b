import { host, type Agent, type Host, type LinkState, type Sandbox, type Snapshot } from '$/host';

/**
 * What is true of the whole host: the connection to it, what it is, its agents
 * and whether surfaces may be shown. Filled by each snapshot, kept by updates.
 */
export class App {
  /** The page's link to the host process. */
  link = $state<LinkState>('connecting');
  /** When the next attempt starts (Unix ms), while link is "lost". */
  retryAt = $state(0);
  /** True from the first snapshot on. */
  ready = $state(false);
  /** Changes when the host process is a new one. */
  epoch = $state('');
  shell = $state<'desktop' | 'web'>('web');
  version = $state('');
  /** ask, any-sandboxed, allowlisted or installed-only; shown when not "ask". */
  bundlePolicy = $state('ask');
  devMode = $state(false);
  /** This is `lineup preview`, for the developer of an agent. */
  preview = $state(false);
  surfaceOrigin = $state('');
  agents = $state.raw<Agent[]>([]);
  /** Whom a new conversation is with, when the program was started for one agent. */
  defaultAgent = $state('');
  sandbox = $state.raw<Sandbox>({ state: 'probing', leaks: [], checked: 0, engine: '' });
  #host: Host;

  constructor(from: Host = host) {
    this.#host = from;
    from.onLink((state, retryAt) => {
      this.link = state;
      this.retryAt = retryAt;
    });
    from.onSnapshot((snapshot) => this.#take(snapshot));
    from.onUpdate((update) => {
      if (update.agents) this.agents = update.agents;
      if (update.sandbox) this.sandbox = update.sandbox;
      if (update.settings) this.devMode = update.settings.dev_mode;
    });
  }

  agent(id: string): Agent | undefined {
    return this.agents.find((agent) => agent.id === id);
  }

  get demoAgent(): Agent | undefined {
    return this.agents.find((agent) => agent.demo);
  }

  /** Adds an agent; the host connects at once. Throws HostError (bad_params names the field). */
  addAgent(agent: { url: string; name: string; token: string }) {
    return this.#host.call('agent.add', agent);
  }
  removeAgent(agentID: string) {
    return this.#host.call('agent.remove', { agent_id: agentID });
  }
  reconnectAgent(agentID: string) {
    return this.#host.call('agent.reconnect', { agent_id: agentID });
  }
  /** Replaces the agent's token; "" forgets it. */
  setToken(agentID: string, token: string) {
    return this.#host.call('agent.token', { agent_id: agentID, token });
  }

  /** The user clicked a link in a message: the host checks and opens it. */
  openLink(url: string) {
    return this.#host.call('open.link', { url });
  }

  /** Tells the host whether anybody can see the page (its watchdog ignores a hidden one). */
  setVisible(visible: boolean) {
    this.#host.notify('ui.visible', { visible });
  }

  /** Tells the host the look the page resolved, for surfaces to share. */
  setAppearance(theme: string, tokens: Record<string, string>) {
    this.#host.notify('ui.appearance', { theme, tokens });
  }

  reconnectNow() {
    this.#host.reconnectNow();
  }

  #take(snapshot: Snapshot) {
    this.epoch = snapshot.epoch;
    this.defaultAgent = snapshot.default_agent;
    this.shell = snapshot.shell === 'desktop' ? 'desktop' : 'web';
    this.version = snapshot.version;
    this.bundlePolicy = snapshot.bundle_policy || 'ask';
    this.devMode = snapshot.dev_mode;
    this.preview = !!snapshot.preview;
    this.surfaceOrigin = snapshot.surface_origin;
    this.agents = snapshot.agents ?? [];
    this.sandbox = snapshot.sandbox;
    this.ready = true;
  }
}

export const app = new App();
