import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Preview as View, PreviewEntry } from '$/host';
import { OpenConversation } from './conversation.svelte';
import { FakeHost } from './fake-host';
import { Preview } from './preview.svelte';
import { CHECK_AFTER_MS, StateEditor } from './previewstate.svelte';

let host: FakeHost;
beforeEach(() => {
  vi.useFakeTimers();
  host = new FakeHost();
});
afterEach(() => void vi.useRealTimers());
const settle = () => vi.advanceTimersByTimeAsync(0);

const view = (more: Partial<View> = {}) =>
  ({ conversation_id: 'c1', log_seq: 0, state_rev: 0, findings: [], ...more }) as unknown as View;
const entry = (seq: number) => ({ seq, what: 'event x' }) as PreviewEntry;

describe('Preview', () => {
  it('is nothing in the ordinary host', () => {
    const preview = new Preview(host, new OpenConversation(host));
    host.snapshot({});
    expect(preview.view).toBeNull();
    expect(host.calls).toEqual([]);
  });

  it('follows the host into each conversation', async () => {
    const open = new OpenConversation(host);
    const preview = new Preview(host, open);
    host.snapshot({ preview: view() });
    expect(open.id).toBe('c1');
    host.update({
      conversations: [{ id: 'c1', deleted: true } as never],
      preview: view({ conversation_id: 'c2' }),
    });
    await settle();
    expect(open.id).toBe('c2');
    expect(preview.view?.conversation_id).toBe('c2');
  });

  it('fetches what is new of the log, once, and all of it', async () => {
    let log = [entry(1), entry(2)];
    host.on('preview.log', ({ after }: { after: number }) => log.filter((e) => e.seq > after));
    const preview = new Preview(host, new OpenConversation(host));
    host.snapshot({ preview: view({ log_seq: 2 }) });
    host.update({ preview: view({ log_seq: 2 }) });
    log = [...log, entry(3)];
    host.update({ preview: view({ log_seq: 3 }) });
    await settle();
    expect(preview.entries.map((e) => e.seq)).toEqual([1, 2, 3]);
    preview.clearLog();
    log = [...log, entry(4)];
    host.update({ preview: view({ log_seq: 4 }) });
    await settle();
    expect(preview.entries.map((e) => e.seq)).toEqual([4]);
    // A new socket goes on; a new process begins anew.
    host.snapshot({ epoch: 'a', preview: view({ log_seq: 4 }) });
    await settle();
    expect(preview.entries.map((e) => e.seq)).toEqual([1, 2, 3, 4]);
    host.snapshot({ epoch: 'a', preview: view({ log_seq: 4 }) });
    log = [entry(1)];
    host.snapshot({ epoch: 'b', preview: view({ log_seq: 1 }) });
    await settle();
    expect(preview.entries.map((e) => e.seq)).toEqual([1]);
  });

  it('counts what must be mended', () => {
    const preview = new Preview(host, new OpenConversation(host));
    const findings = ['error', 'warning', 'note'].map((severity) => ({ severity })) as View['findings'];
    host.snapshot({ preview: view({ findings }) });
    expect(preview.problems).toBe(2);
  });
});

describe('StateEditor', () => {
  let state: string;
  let editor: StateEditor;
  beforeEach(() => {
    state = '{"a": 1}';
    host.on('preview.state', () => ({ text: state, problems: [] }));
    host.on('preview.set_state', ({ text, apply }: { text: string; apply: boolean }) => {
      const bad = !text.startsWith('{');
      if (apply && !bad) state = text;
      return { applied: apply && !bad, problems: bad ? [{ severity: 'error' }] : [] };
    });
    editor = new StateEditor(host);
  });

  it('follows the surface until somebody types', async () => {
    await editor.follow('i');
    expect(editor.text).toBe('{"a": 1}');
    state = '{"a": 2}';
    await editor.follow('i');
    expect(editor.text).toBe('{"a": 2}');
    editor.edit('{"a": 9}');
    state = '{"a": 3}';
    await editor.follow('i');
    expect([editor.text, editor.dirty, editor.overtaken]).toEqual(['{"a": 9}', true, true]);
    editor.discard();
    expect([editor.text, editor.dirty, editor.overtaken]).toEqual(['{"a": 3}', false, false]);
  });

  it('asks the validator after a moment of quiet', async () => {
    await editor.follow('i');
    editor.edit('[');
    editor.edit('[]');
    await vi.advanceTimersByTimeAsync(CHECK_AFTER_MS);
    expect(host.of('preview.set_state')).toEqual([{ instance_id: 'i', text: '[]', apply: false }]);
    expect(editor.problems).toHaveLength(1);
  });

  it('applies, and keeps what was refused', async () => {
    await editor.follow('i');
    editor.edit('[]');
    await editor.apply();
    expect([editor.dirty, editor.problems.length, state]).toEqual([true, 1, '{"a": 1}']);
    editor.edit('{"a": 5}');
    await editor.apply();
    expect([editor.dirty, state]).toEqual([false, '{"a": 5}']);
    host.refuse('preview.state', 'not_found');
    await editor.follow('i');
    expect(editor.error).toBe('not_found');
  });
});
