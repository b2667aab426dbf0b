import { beforeEach, describe, expect, it } from 'vitest';
import type { Conversation, ConversationOpenParams, ConversationPage, Item } from '$/host';
import { OpenConversation } from './conversation.svelte';
import { FakeHost } from './fake-host';

const text = (n: number): Item => ({
  id: `m${n}`,
  pos: n,
  kind: 'message',
  from: 'agent',
  at: 0,
  message: { blocks: [{ html: String(n) }], blocks_from: 0, streaming: false },
});

let host: FakeHost;
let open: OpenConversation;
let log: Item[];

beforeEach(() => {
  host = new FakeHost();
  let n = 0;
  open = new OpenConversation(host, () => `id-${++n}`);
  log = Array.from({ length: 250 }, (_, i) => text(i + 1));
  host.on(
    'conversation.open',
    ({ conversation_id, before, limit = 100 }: ConversationOpenParams): ConversationPage => {
      const older = before ? log.filter((item) => item.pos < before) : log;
      return { conversation_id, items: older.slice(-limit), more: older.length > limit };
    },
  );
});

const shown = () => open.items.map((item) => item.pos);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe('OpenConversation', () => {
  it('opens at the end and loads older pages until there are none', async () => {
    await open.open('c');
    expect(shown()).toEqual(range(151, 250));
    await open.loadOlder();
    await open.loadOlder();
    expect(shown()).toEqual(range(1, 250));
    expect(open.more).toBe(false);
    await open.loadOlder();
    expect(host.of('conversation.open')).toHaveLength(3);
  });

  it('follows updates of the open conversation only', async () => {
    await open.open('c');
    host.update({ conversation_id: 'other', items: [text(900)] });
    host.update({ conversation_id: 'c', items: [text(251)] });
    expect(shown().at(-1)).toBe(251);
  });

  it('opens again when updates were lost', async () => {
    await open.open('c');
    const cut = text(250);
    cut.message = { blocks: [{ html: 'tail' }], blocks_from: 5, streaming: false };
    host.update({ conversation_id: 'c', items: [cut] });
    expect(host.of('conversation.open')).toHaveLength(2);
  });

  it('after a new hello has what came meanwhile, doubles nothing and keeps the older page', async () => {
    await open.open('c');
    await open.loadOlder();
    log.push(text(251), text(252));
    host.snapshot({});
    await expect.poll(shown).toEqual(range(51, 252));
    expect(open.more).toBe(true);
    await open.loadOlder();
    expect(shown()).toEqual(range(1, 252));
  });

  it('starts anew when more came meanwhile than a page holds: no hole is shown', async () => {
    await open.open('c');
    log.push(...range(251, 600).map(text));
    host.snapshot({});
    await expect.poll(shown).toEqual(range(501, 600));
    expect(open.more).toBe(true);
  });

  it('does not show a page that comes after the reader went elsewhere', async () => {
    let release = () => {};
    host.on('conversation.open', async ({ conversation_id }: ConversationOpenParams) => {
      if (conversation_id === 'slow') await new Promise<void>((resolve) => (release = resolve));
      return { conversation_id, items: [text(conversation_id === 'slow' ? 1 : 2)], more: false };
    });
    const slow = open.open('slow');
    await open.open('quick');
    release();
    await slow;
    expect(shown()).toEqual([2]);
  });

  it('closes when the conversation is deleted, here or on another page', async () => {
    await open.open('c');
    host.update({ conversations: [{ id: 'other', deleted: true } as Conversation] });
    expect(open.id).toBe('c');
    host.update({ conversations: [{ id: 'c', deleted: true } as Conversation] });
    expect([open.id, open.items]).toEqual(['', []]);
  });

  it('says why it could not be opened', async () => {
    host.refuse('conversation.open', 'not_found');
    await open.open('c');
    expect([open.error, open.loading]).toEqual(['not_found', false]);
  });

  it('sends each message with an id of its own, and nothing blank', async () => {
    await open.open('c');
    await open.send('hello');
    await open.send(' \n ');
    await open.send('hello');
    expect(host.of('message.send')).toEqual([
      { conversation_id: 'c', client_id: 'id-1', text: 'hello' },
      { conversation_id: 'c', client_id: 'id-2', text: 'hello' },
    ]);
  });
});
