import type * as api from '../src/host/api.gen';
import { sampleItems } from './sample-items.ts';

export interface State {
  snapshot: api.Snapshot;
  items: Record<string, api.Item[]>;
  activity: api.ActivityEntry[];
  grants: api.Grant[];
  trust: api.Trust;
  apps: api.AppsView;
}

const now = Date.now();
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Everything the fake host knows. "first": nothing was ever done. */
export function sampleState(scene: 'usual' | 'first' = 'usual'): State {
  const first = scene === 'first';
  return {
    snapshot: {
      token: 'fake-token',
      epoch: `epoch-${Date.now()}`,
      shell: 'web',
      version: '0.1.0',
      bundle_policy: 'ask',
      dev_mode: false,
      surface_origin: 'http://127.0.0.1:5175',
      settings: { theme: 'system', language: 'system', text_size: 100, dev_mode: false, welcomed: !first },
      agents: first ? [demo] : [demo, docs, home],
      conversations: first ? [] : rows(),
      prompts: [],
      default_agent: '',
      reading: { conversation_id: '', item_id: '', offset: 0 },
      open_conversation: '',
      sandbox: { state: 'preview', leaks: ['preconnect', 'webrtc'], checked: 24, engine: 'Chromium' },
    },
    items: first ? {} : { weather: sampleItems(now - 40 * minute), long: longLog() },
    activity: first ? [] : activity(),
    grants: first ? [] : grants(),
    trust: { keys: [], allowed: [] },
    apps: { revision: 'catalog-3', apps: [], capabilities },
  };
}

const demo: api.Agent = {
  id: 'demo',
  name: 'Demo agent',
  url: 'ws://127.0.0.1:40111/agent',
  demo: true,
  state: 'connected',
  queued: 0,
  version: '0.1.0',
  has_token: false,
};
const docs: api.Agent = {
  id: 'docs',
  name: 'Release helper',
  url: 'wss://agents.example.org/release',
  demo: false,
  state: 'reconnecting',
  retry_at: now + 24_000,
  error: 'unreachable',
  queued: 2,
  has_token: true,
};
const home: api.Agent = {
  id: 'home',
  name: 'Home',
  url: 'ws://127.0.0.1:9000/',
  demo: false,
  state: 'offline',
  error: 'bad_token',
  queued: 0,
  has_token: true,
};

function rows(): api.Conversation[] {
  const row = (
    id: string,
    title: string,
    ago: number,
    more: Partial<api.Conversation> = {},
  ): api.Conversation => ({
    id,
    agent_id: 'demo',
    title,
    preview: '',
    pinned: false,
    state: 'idle',
    waiting: 0,
    unread: false,
    running: false,
    updated_at: now - ago,
    draft: '',
    ...more,
  });
  return [
    row('weather', 'Weather for the weekend', 12 * minute, {
      pinned: true,
      preview: 'Light rain until six, then clear.',
    }),
    row('long', 'Ten thousand lines', 30 * minute, { state: 'working', preview: 'Comparing the two files…' }),
    row('zh', '整理上周的会议记录', 2 * hour, { unread: true, preview: '已经整理成三点，你看看是否完整。' }),
    row('release', 'Release notes 0.4', 5 * hour, {
      agent_id: 'docs',
      state: 'failed',
      preview: 'The connection was lost before the end.',
    }),
    row('ar', 'تقرير المبيعات للربع الثالث', day, { preview: 'انتهى التقرير' }),
    row('de', 'Donaudampfschifffahrtsgesellschaftskapitänspatentprüfung', 2 * day, {
      draft: 'And then I would like',
    }),
    row('emoji', '👨‍👩‍👧‍👦 Family calendar', 9 * day),
    row('none', '', 40 * day, { agent_id: 'home' }),
  ];
}

function longLog(): api.Item[] {
  return Array.from({ length: 400 }, (_, i) => {
    const mine = i % 2 === 0;
    const text = `Message ${i + 1}. `.repeat(1 + (i % 7));
    return {
      id: `long-${i}`,
      pos: i + 1,
      kind: 'message',
      from: mine ? 'user' : 'agent',
      at: now - (400 - i) * minute,
      message: {
        blocks: mine ? [] : [{ html: `<p>${text}</p>` }],
        blocks_from: 0,
        streaming: false,
        text: mine ? text : undefined,
      },
    };
  });
}

const plain = (text: string, escaped = false): api.PlainText => ({ text, escaped, length: text.length });

export function prompt(id: string): api.Prompt {
  return {
    id,
    kind: 'capability',
    conversation_id: 'weather',
    agent_name: 'Demo agent',
    agent_url: demo.url,
    title: 'Demo agent wants to open a web page',
    risk: 'user_confirmation',
    reason: plain('The forecast you asked for has more detail there.'),
    arguments: [{ name: 'url', label: 'Address', value: plain('https://weather.example.org/berlin?days=5') }],
    warnings: [],
    may_remember: ['conversation', 'always'],
    remember_rule: 'Demo agent may open https pages on weather.example.org',
    created_at: Date.now(),
    busy: false,
    quiet: false,
  };
}

function activity(): api.ActivityEntry[] {
  const kinds: Partial<api.ActivityEntry>[] = [
    {
      capability: 'clipboard.write',
      title: 'copy text to the clipboard',
      event: 'executed',
      decision: 'once',
      summary: '5-day forecast, 214 characters',
    },
    {
      capability: 'clipboard.write',
      title: 'copy text to the clipboard',
      event: 'allowed',
      decision: 'once',
    },
    {
      capability: 'app.open_url',
      title: 'open a web page',
      event: 'denied',
      decision: 'deny',
      summary: 'weather.example.org',
    },
    {
      capability: 'artifact.save',
      title: 'save a file',
      event: 'failed',
      decision: 'grant',
      summary: 'report.pdf',
    },
    { capability: 'system.shell', title: 'system.shell', event: 'unsupported' },
    { capability: 'surface', title: 'Weather dashboard', event: 'surface_opened' },
    { capability: 'app.open_url', title: 'open a web page', event: 'expired', summary: 'docs.example.org' },
  ];
  return Array.from({ length: 46 }, (_, i) => ({
    seq: 1000 - i,
    at: now - i * i * 4 * minute,
    agent_name: i % 5 === 3 ? 'Release helper' : 'Demo agent',
    conversation_id: 'weather',
    capability: '',
    title: '',
    event: 'executed',
    ...kinds[i % kinds.length],
  }));
}

function grants(): api.Grant[] {
  return [
    {
      id: 'g1',
      agent_name: 'Demo agent',
      rule: 'Demo agent may copy text to the clipboard',
      scope: 'conversation',
      created_at: now - 3 * hour,
      last_used_at: now - 12 * minute,
    },
    {
      id: 'g2',
      agent_name: 'Release helper',
      rule: 'Release helper may open https pages on docs.example.org',
      scope: 'always',
      created_at: now - 20 * day,
    },
  ];
}

const capabilities: api.CapabilityRow[] = [
  { name: 'app.open_url', title: 'Open a web page', version: '1.0', risk: 'user_confirmation' },
  { name: 'artifact.save', title: 'Save a file', version: '1.0', risk: 'user_confirmation' },
  { name: 'clipboard.write', title: 'Copy text to the clipboard', version: '1.0', risk: 'user_confirmation' },
];
