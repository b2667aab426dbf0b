// A stand-in for the Go host: speaks the UI API over sample data, so that the
// page can be worked on and looked at alone. It keeps no rules of the host.
//
// Scenes are set with GET /__fake/<scene>: see `scenes` below.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type * as api from '../src/host/api.gen';
import { prompt, sampleState, type State } from './sample.ts';
import { surfaceDocument } from './sample-surface.ts';
import { play } from './sample-script.ts';

type Handler = (params: never, socket: WebSocket) => unknown;

export class FakeHost {
  state: State = sampleState();
  #server = new WebSocketServer({ noServer: true });
  #sockets = new Set<WebSocket>();
  #seq = 0;
  #refuse = false;

  constructor(readonly surfacePort: number) {
    createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(surfaceDocument);
    }).listen(surfacePort, '127.0.0.1');
    this.state.snapshot.surface_origin = `http://127.0.0.1:${surfacePort}`;
  }

  listen(server: Server) {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (request.url !== '/ui') return; // Vite's own
      this.#server.handleUpgrade(request, socket, head, (ws) => this.#accept(ws));
    });
  }

  /** Sends a change to each open page. */
  update(change: Omit<api.Update, 'seq'>) {
    const params = { seq: ++this.#seq, ...change };
    for (const ws of this.#sockets) ws.send(JSON.stringify({ jsonrpc: '2.0', method: 'ui.update', params }));
  }

  item(conversationID: string, item: api.Item) {
    const list = (this.state.items[conversationID] ??= []);
    const at = list.findIndex((other) => other.id === item.id);
    if (at < 0) list.push(item);
    else list[at] = item;
    this.update({ conversation_id: conversationID, items: [item] });
  }

  row(id: string, change: Partial<api.Conversation>) {
    const row = this.state.snapshot.conversations.find((other) => other.id === id);
    if (!row) return;
    Object.assign(row, change);
    this.update({ conversations: [row] });
  }

  setPrompts(prompts: api.Prompt[]) {
    this.state.snapshot.prompts = prompts;
    this.update({ prompts });
    for (const row of this.state.snapshot.conversations) {
      const waiting = prompts.filter((prompt) => prompt.conversation_id === row.id).length;
      if (waiting !== row.waiting) this.row(row.id, { waiting, state: waiting ? 'waiting' : 'idle' });
    }
  }

  /** HTTP: /__fake/<scene> sets one and answers "ok". */
  control = (request: IncomingMessage, response: ServerResponse, next: () => void) => {
    const scene = /^\/__fake\/([\w-]+)/.exec(request.url ?? '')?.[1];
    if (!scene) return next();
    const change = this.scenes[scene];
    response.statusCode = change ? 200 : 404;
    change?.();
    response.end(change ? 'ok' : `one of ${Object.keys(this.scenes).join(', ')}`);
  };

  scenes: Record<string, () => void> = {
    reset: () => this.#restart(() => (this.state = sampleState())),
    first: () => this.#restart(() => (this.state = sampleState('first'))),
    desktop: () => this.#restart(() => (this.state.snapshot.shell = 'desktop')),
    en: () => this.#setting({ language: 'en' }),
    zh: () => this.#setting({ language: 'zh-CN' }),
    light: () => this.#setting({ theme: 'light' }),
    dark: () => this.#setting({ theme: 'dark' }),
    contrast: () => this.#setting({ theme: 'contrast' }),
    'text-100': () => this.#setting({ text_size: 100 }),
    'text-200': () => this.#setting({ text_size: 200 }),
    prompts: () =>
      this.setPrompts([
        prompt('one'),
        { ...prompt('two'), created_at: Date.now() + 1, warnings: ['lookalike_host'] },
      ]),
    quiet: () => this.setPrompts([{ ...prompt('three'), quiet: true }]),
    'no-prompts': () => this.setPrompts([]),
    'sandbox-failed': () => {
      this.state.snapshot.sandbox = {
        state: 'failed',
        leaks: ['fetch_host', 'ui_socket'],
        checked: 24,
        engine: 'WebKitGTK 2.50.6',
      };
      this.update({ sandbox: this.state.snapshot.sandbox });
    },
    policy: () => this.#restart(() => (this.state.snapshot.bundle_policy = 'any-sandboxed')),
    drop: () => this.#restart(() => {}),
    down: () => this.#restart(() => (this.#refuse = true)),
    up: () => (this.#refuse = false),
    used: () => this.#restart(() => (this.state.snapshot.token = 'none')),
  };

  #setting(change: Partial<api.Settings>) {
    Object.assign(this.state.snapshot.settings, change);
    this.update({ settings: this.state.snapshot.settings });
  }

  #restart(change: () => unknown) {
    change();
    for (const ws of this.#sockets) ws.close();
  }

  #accept(ws: WebSocket) {
    if (this.#refuse) return ws.close();
    ws.on('close', () => this.#sockets.delete(ws));
    ws.on('message', (data) => {
      const { id, method, params } = JSON.parse(String(data)) as {
        id?: number;
        method: string;
        params: never;
      };
      try {
        const handler = this.#handlers[method];
        if (!handler) throw new Error('not_found');
        const result = handler(params, ws) ?? {};
        if (id !== undefined) ws.send(JSON.stringify({ jsonrpc: '2.0', id, result }));
      } catch (error) {
        const code = error instanceof Error ? error.message : 'internal';
        ws.send(
          JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message: code, data: { code } } }),
        );
      }
    });
  }

  #handlers: Record<string, Handler> = {
    'ui.hello': (params: api.HelloParams, ws) => {
      const { snapshot } = this.state;
      if (snapshot.token === 'none') throw new Error('unauthorized');
      if (!params.ticket && params.token !== snapshot.token) throw new Error('unauthorized');
      this.#sockets.add(ws);
      return snapshot;
    },
    'ui.visible': () => {},
    'ui.appearance': () => {},
    'probe.failed': () => {},
    'settings.set': (settings: api.Settings) => {
      this.state.snapshot.settings = settings;
      this.update({ settings });
    },
    'conversation.create': ({ agent_id = 'demo' }: api.ConversationParams): api.Created => {
      const id = `conversation-${Date.now()}`;
      const row: api.Conversation = {
        id,
        agent_id,
        title: '',
        preview: '',
        pinned: false,
        state: 'idle',
        waiting: 0,
        unread: false,
        running: false,
        updated_at: Date.now(),
        draft: '',
      };
      this.state.snapshot.conversations.push(row);
      this.update({ conversations: [row] });
      return { conversation_id: id };
    },
    'conversation.open': ({
      conversation_id,
      before = 0,
      limit = 100,
    }: api.ConversationOpenParams): api.ConversationPage => {
      const all = this.state.items[conversation_id] ?? [];
      const older = before ? all.filter((item) => item.pos < before) : all;
      this.row(conversation_id, { unread: false });
      return { conversation_id, items: older.slice(-limit), more: older.length > limit };
    },
    'conversation.rename': ({ conversation_id, title = '' }: api.ConversationParams) =>
      this.row(conversation_id, { title }),
    'conversation.pin': ({ conversation_id, pinned = false }: api.ConversationParams) =>
      this.row(conversation_id, { pinned }),
    'conversation.delete': ({ conversation_id }: api.ConversationParams) =>
      this.row(conversation_id, { deleted: true }),
    'conversation.restore': ({ conversation_id }: api.ConversationParams) =>
      this.row(conversation_id, { deleted: false }),
    'conversation.draft': ({ conversation_id, draft = '' }: api.ConversationParams) =>
      this.row(conversation_id, { draft }),
    'message.send': ({ conversation_id, client_id, text }: api.SendParams) =>
      play(this, conversation_id, client_id, text),
    'run.stop': ({ conversation_id }: api.ConversationParams) => this.row(conversation_id, { state: 'idle' }),
    'component.answer': ({ conversation_id, component_id, status, value }: api.AnswerParams) => {
      const item = this.state.items[conversation_id]?.find((other) => other.id === component_id);
      const asked = item?.choice ?? item?.confirm ?? item?.input;
      if (!item || !asked) throw new Error('not_found');
      if (asked.answer.status) throw new Error('already_answered');
      asked.answer = { status, value };
      this.item(conversation_id, { ...item });
    },
    'prompt.shown': ({ prompt_id }: api.PromptShownParams): api.PromptShown => ({
      nonce: `nonce-${prompt_id}`,
    }),
    'prompt.answer': ({ prompt_id, decision }: api.PromptAnswerParams) => {
      const queue = this.state.snapshot.prompts;
      const busy = queue.map((prompt) => (prompt.id === prompt_id ? { ...prompt, busy: true } : prompt));
      if (decision !== 'deny') this.setPrompts(busy);
      setTimeout(
        () => this.setPrompts(queue.filter((prompt) => prompt.id !== prompt_id)),
        decision === 'deny' ? 0 : 500,
      );
    },
    'surface.show': ({ item_id, conversation_id }: api.ShowParams) =>
      this.update({ slots: [this.#slot(item_id, conversation_id)] }),
    'surface.gone': () => {},
    'surface.wake': () => {},
    'surface.spare': () => {
      throw new Error('refused');
    },
    'surface.uplink': () => {},
    'surface.unmount': () => {},
    'surface.navigated': () => {},
    'surface.close': ({ conversation_id, instance_id }: api.InstanceParams) =>
      this.#surface(conversation_id, instance_id, (s) => ({ ...s, status: 'closed', reason: 'user' })),
    'surface.restart': ({ conversation_id, instance_id }: api.InstanceParams) =>
      this.#surface(conversation_id, instance_id, (s) => ({ ...s, status: 'open' })),
    'agent.add': ({ url = '', name = '', token = '' }: api.AgentParams): api.Agent => {
      if (!/^wss?:\/\/./.test(url)) throw new Error('bad_params');
      const agent: api.Agent = {
        id: `agent-${Date.now()}`,
        name: name || url,
        url,
        demo: false,
        state: 'connecting',
        queued: 0,
        has_token: token !== '',
      };
      this.#agents([...this.state.snapshot.agents, agent]);
      setTimeout(() => this.#agent(agent.id, { state: 'offline', error: 'unreachable' }), 1500);
      return agent;
    },
    'agent.remove': ({ agent_id }: api.AgentParams) =>
      this.#agents(this.state.snapshot.agents.filter((agent) => agent.id !== agent_id)),
    'agent.reconnect': ({ agent_id }: api.AgentParams) => {
      this.#agent(agent_id, { state: 'connecting', error: undefined });
      setTimeout(() => this.#agent(agent_id, { state: 'connected', queued: 0 }), 1200);
    },
    'agent.token': ({ agent_id, token }: api.AgentParams) => this.#agent(agent_id, { has_token: !!token }),
    search: ({ query }: api.SearchParams): api.SearchHit[] => this.#search(query.toLowerCase()),
    'activity.list': ({ before = 0, limit = 100 }: api.ActivityParams): api.ActivityEntry[] =>
      this.state.activity.filter((entry) => !before || entry.seq < before).slice(0, limit),
    'grants.list': () => this.state.grants,
    'grants.revoke': ({ id }: api.GrantParams) => {
      this.state.grants = this.state.grants.filter((grant) => grant.id !== id);
    },
    'trust.list': () => this.state.trust,
    'trust.add_key': ({ name = '', key }: api.TrustKeyParams) => {
      const added = { key, key_id: '0123456789ABCDEF', name, added_at: Date.now() };
      this.state.trust = { ...this.state.trust, keys: [...this.state.trust.keys, added] };
    },
    'trust.remove_key': ({ key }: api.TrustKeyParams) => {
      const keys = this.state.trust.keys.filter((known) => known.key !== key);
      this.state.trust = { ...this.state.trust, keys };
    },
    'trust.allow': () => {},
    'trust.disallow': () => {},
    'apps.view': () => this.state.apps,
    'json.view': ({ item_id }: api.ItemParams): api.JSONView => ({
      json: JSON.stringify({ v: 1, id: item_id, type: 'ui.hologram' }, null, 2),
    }),
    'open.link': () => {},
  };

  #slot(item_id: string, conversation_id: string): api.Slot {
    const item = this.state.items[conversation_id]?.find(({ id }) => id === item_id);
    const id = item?.surface?.instance_id;
    if (item?.surface?.status !== 'open') return { item_id, phase: '' };
    return {
      item_id,
      phase: 'live',
      frame_id: `frame-${id}`,
      url: `http://127.0.0.1:${this.surfacePort}/s/${id}/`,
    };
  }

  #surface(
    conversationID: string,
    instanceID: string,
    change: (surface: api.SurfaceItem) => api.SurfaceItem,
  ) {
    const item = this.state.items[conversationID]?.find((other) => other.surface?.instance_id === instanceID);
    if (item?.surface) this.item(conversationID, { ...item, surface: change(item.surface) });
  }
  #agents(agents: api.Agent[]) {
    this.state.snapshot.agents = agents;
    this.update({ agents });
  }
  #agent(id: string | undefined, change: Partial<api.Agent>) {
    this.#agents(
      this.state.snapshot.agents.map((agent) => (agent.id === id ? { ...agent, ...change } : agent)),
    );
  }
  #search(query: string): api.SearchHit[] {
    const hits: api.SearchHit[] = [];
    for (const row of this.state.snapshot.conversations) {
      const texts = [{ id: '', text: row.title, at: row.updated_at }];
      for (const item of this.state.items[row.id] ?? []) {
        const text =
          item.message?.text ??
          item.message?.blocks.map((b) => b.html.replace(/<[^>]+>/g, '')).join(' ') ??
          '';
        texts.push({ id: item.id, text, at: item.at });
      }
      for (const { id, text, at } of texts) {
        const found = text.toLowerCase().indexOf(query);
        if (found < 0) continue;
        const start = Math.max(0, found - 30);
        hits.push({
          conversation_id: row.id,
          item_id: id,
          title: row.title,
          snippet: text.slice(start, found + 80),
          from: found - start,
          to: found - start + query.length,
          at,
        });
      }
    }
    return hits.slice(0, 50);
  }
}
