import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ActivityEntry, Conversation, Prompt, SearchHit, Settings as Values } from '$/host';
import { Activity } from './activity.svelte';
import { Conversations } from './conversations.svelte';
import { Drafts } from './drafts.svelte';
import { FakeHost } from './fake-host';
import { Prompts } from './prompts.svelte';
import { Search } from './search.svelte';
import { Settings } from './settings.svelte';

let host: FakeHost;
beforeEach(() => {
  vi.useFakeTimers();
  host = new FakeHost();
});
afterEach(() => void vi.useRealTimers());

const row = (id: string, at: number, more: Partial<Conversation> = {}) =>
  ({ id, updated_at: at, pinned: false, waiting: 0, draft: '', ...more }) as Conversation;

describe('Conversations', () => {
  it('lists the pinned first, then the newest, and counts what waits', () => {
    const list = new Conversations(host);
    host.snapshot({
      conversations: [row('old', 1), row('new', 3, { waiting: 2 }), row('pin', 0, { pinned: true })],
    });
    expect(list.list.map((r) => r.id)).toEqual(['pin', 'new', 'old']);
    host.update({ conversations: [row('old', 9, { waiting: 1 })] });
    expect(list.list.map((r) => r.id)).toEqual(['pin', 'old', 'new']);
    expect(list.waiting).toBe(3);
  });

  it('takes a deleted one off and puts a restored one back', () => {
    const list = new Conversations(host);
    host.snapshot({ conversations: [row('a', 1), row('b', 2)] });
    host.update({ conversations: [row('a', 1, { deleted: true })] });
    expect(list.list.map((r) => r.id)).toEqual(['b']);
    host.update({ conversations: [row('a', 1)] });
    expect(list.list.map((r) => r.id)).toEqual(['b', 'a']);
  });
});

describe('Drafts', () => {
  it('saves after a pause, the newest text once', () => {
    const drafts = new Drafts(host);
    drafts.set('c', 'h');
    drafts.set('c', 'hi');
    expect(host.of('conversation.draft')).toEqual([]);
    vi.advanceTimersByTime(400);
    expect(host.of('conversation.draft')).toEqual([{ conversation_id: 'c', draft: 'hi' }]);
  });

  it('saves at once when the page goes, and each conversation for itself', () => {
    const drafts = new Drafts(host);
    drafts.set('a', '1');
    drafts.set('b', '2');
    drafts.flush();
    vi.advanceTimersByTime(1000);
    expect(host.of('conversation.draft').map((p) => p.draft)).toEqual(['1', '2']);
  });

  it('shows the stored draft, and what is typed here over a later snapshot', () => {
    const drafts = new Drafts(host);
    host.snapshot({ conversations: [row('c', 1, { draft: 'stored' })] });
    expect(drafts.get('c')).toBe('stored');
    drafts.set('c', 'typed');
    host.snapshot({ conversations: [row('c', 1, { draft: 'stored' })] });
    expect(drafts.get('c')).toBe('typed');
    drafts.clear('c');
    expect(drafts.get('c')).toBe('');
  });
});

describe('Prompts', () => {
  const prompt = (id: string, at: number, more: Partial<Prompt> = {}) =>
    ({ id, created_at: at, quiet: false, ...more }) as Prompt;

  it('is the queue of the host, oldest first; quiet ones wait until they are opened', () => {
    const prompts = new Prompts(host);
    host.snapshot({ prompts: [prompt('b', 2), prompt('a', 1), prompt('q', 3, { quiet: true })] });
    expect(prompts.queue.map((p) => p.id)).toEqual(['a', 'b', 'q']);
    expect(prompts.visible.map((p) => p.id)).toEqual(['a', 'b']);
    prompts.open('q');
    expect(prompts.visible.map((p) => p.id)).toEqual(['a', 'b', 'q']);
    host.update({ prompts: [] });
    expect([prompts.queue.length, prompts.opened]).toEqual([0, '']);
  });

  it('answers with the nonce of the last showing, and with none after a new hello', async () => {
    const prompts = new Prompts(host);
    let n = 0;
    host.on('prompt.shown', () => ({ nonce: `n${++n}` }));
    host.snapshot({ prompts: [prompt('a', 1)] });
    await prompts.shown('a');
    await prompts.shown('a');
    await prompts.decide('a', 'once');
    expect(host.of('prompt.answer')[0]).toEqual({ prompt_id: 'a', decision: 'once', nonce: 'n2' });
    host.snapshot({ prompts: [prompt('a', 1)] });
    await prompts.decide('a', 'deny');
    expect(host.of('prompt.answer')[1]?.nonce).toBeUndefined();
  });

  it('changes nothing by itself when an answer is refused', async () => {
    const prompts = new Prompts(host);
    host.snapshot({ prompts: [prompt('a', 1)] });
    host.refuse('prompt.answer', 'too_soon');
    await expect(prompts.decide('a', 'once')).rejects.toMatchObject({ code: 'too_soon' });
    expect(prompts.queue.map((p) => p.id)).toEqual(['a']);
  });
});

describe('Settings', () => {
  it('shows a change at once and takes it back when it is refused', async () => {
    const settings = new Settings(host);
    host.snapshot({ settings: { theme: 'light', text_size: 100 } as Values });
    host.refuse('settings.set', 'internal');
    const change = settings.set({ theme: 'dark' });
    expect(settings.value.theme).toBe('dark');
    await expect(change).rejects.toMatchObject({ code: 'internal' });
    expect(settings.value).toMatchObject({ theme: 'light', text_size: 100 });
  });
});

describe('Search', () => {
  it('asks once after a pause and drops the answer to an older question', async () => {
    const search = new Search(host);
    const answers: Record<string, (hits: SearchHit[]) => void> = {};
    host.on('search', ({ query }: { query: string }) => new Promise((resolve) => (answers[query] = resolve)));
    search.set('a');
    search.set('ab');
    await vi.advanceTimersByTimeAsync(150);
    search.set('abc');
    await vi.advanceTimersByTimeAsync(150);
    answers.abc?.([{ conversation_id: 'right' } as SearchHit]);
    await vi.advanceTimersByTimeAsync(0);
    answers.ab?.([{ conversation_id: 'old' } as SearchHit]);
    await vi.advanceTimersByTimeAsync(0);
    expect(host.of('search').map((p) => p.query)).toEqual(['ab', 'abc']);
    expect(search.hits.map((hit) => hit.conversation_id)).toEqual(['right']);
    search.set('');
    expect(search.hits).toEqual([]);
  });
});

describe('Activity', () => {
  const entries = (from: number, to: number) =>
    Array.from({ length: from - to + 1 }, (_, i) => ({ seq: from - i }) as ActivityEntry);

  it('follows the log while it is watched and keeps older pages that join on', async () => {
    let newest = 250;
    host.on('activity.list', ({ before = newest + 1, limit = 100 }: { before?: number; limit?: number }) =>
      entries(before - 1, Math.max(1, before - limit)),
    );
    host.on('grants.list', () => []);
    const activity = new Activity(host);
    const stop = activity.watch();
    await vi.advanceTimersByTimeAsync(0);
    await activity.loadOlder();
    newest = 255;
    host.update({ activity_dirty: true });
    await vi.advanceTimersByTimeAsync(0);
    expect(activity.entries.map((e) => e.seq)).toEqual(entries(255, 51).map((e) => e.seq));
    stop();
    newest = 300;
    host.update({ activity_dirty: true });
    await vi.advanceTimersByTimeAsync(0);
    expect(activity.entries[0]?.seq).toBe(255);
  });
});
