import { describe, expect, it } from 'vitest';
import type { Item } from '$/host/api.gen';
import { announcement } from './announce';

const message = (pos: number, streaming: boolean, from = 'agent') =>
  ({
    id: String(pos),
    pos,
    kind: 'message',
    from,
    at: 0,
    message: { blocks: [], blocks_from: 0, streaming },
  }) as Item;
const confirm = (pos: number) =>
  ({
    id: String(pos),
    pos,
    kind: 'confirm',
    from: 'agent',
    at: 0,
    confirm: { prompt: 'Really?', tone: 'neutral', answer: { status: '' } },
  }) as Item;

/** Everything said while the log goes through these states. */
function said(...states: Item[][]) {
  let heard: Parameters<typeof announcement>[0] = null;
  return states.map((items) => {
    const next = announcement(heard, 'c', items, false);
    heard = next.heard;
    return next.news?.kind ?? '';
  });
}

describe('what is said aloud', () => {
  it('is the start and the end of a message, not what lies between', () => {
    expect(said([], [message(1, true)], [message(1, true)], [message(1, false)])).toEqual([
      '',
      'started',
      '',
      'ended',
    ]);
  });
  it('is a whole message, once', () => {
    expect(said([], [message(1, false)], [message(1, false)])).toEqual(['', 'ended', '']);
  });
  it('is a question', () => {
    expect(said([], [confirm(1)])).toEqual(['', 'asks']);
  });
  it('is not the history, nor what the user said', () => {
    expect(said([message(1, false), confirm(2)])).toEqual(['']);
    expect(said([], [message(1, false, 'user')])).toEqual(['', '']);
  });
});
