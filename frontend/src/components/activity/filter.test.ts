import { expect, it } from 'vitest';
import type { ActivityEntry } from '$/host/api.gen';
import { byDay, matches } from './filter';

const entry = (more: Partial<ActivityEntry>) =>
  ({
    seq: 1,
    at: 0,
    agent_name: 'Demo',
    capability: 'clipboard.write',
    title: 'copy text',
    event: 'executed',
    ...more,
  }) as ActivityEntry;

it('finds rows by kind and by all words, wherever they are', () => {
  expect(matches(entry({}), '', 'all')).toBe(true);
  expect(matches(entry({}), 'COPY demo', 'allowed')).toBe(true);
  expect(matches(entry({}), 'copy nothing', 'all')).toBe(false);
  expect(matches(entry({ event: 'denied' }), '', 'allowed')).toBe(false);
  expect(matches(entry({ event: 'denied' }), '', 'refused')).toBe(true);
});

it('groups rows by local day, in their order', () => {
  const at = (day: number, hour: number) => new Date(2026, 1, day, hour).getTime();
  const days = byDay([
    entry({ seq: 3, at: at(2, 23) }),
    entry({ seq: 2, at: at(2, 0) }),
    entry({ seq: 1, at: at(1, 23) }),
  ]);
  expect(days.map((day) => day.entries.map((e) => e.seq))).toEqual([[3, 2], [1]]);
});
