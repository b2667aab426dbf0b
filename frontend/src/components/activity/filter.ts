import type { ActivityEntry } from '$/host/api.gen';

export type Kind = 'all' | 'allowed' | 'refused' | 'failed';

const events: Record<Exclude<Kind, 'all'>, readonly string[]> = {
  allowed: ['allowed', 'executed', 'completed', 'executing', 'surface_opened', 'granted'],
  refused: ['denied', 'rejected', 'unsupported', 'surface_refused', 'cancelled', 'expired', 'grant_revoked'],
  failed: ['failed'],
};

/** Whether a row is of the kind and has all the words, wherever. */
export function matches(entry: ActivityEntry, words: string, kind: Kind): boolean {
  if (kind !== 'all' && !events[kind].includes(entry.event)) return false;
  const text = `${entry.agent_name} ${entry.title} ${entry.capability} ${entry.summary ?? ''}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

export interface Day {
  at: number;
  entries: ActivityEntry[];
}

/** Rows by local day; the order stays. */
export function byDay(entries: ActivityEntry[]): Day[] {
  const days: Day[] = [];
  for (const entry of entries) {
    const last = days.at(-1);
    if (last && new Date(last.at).toDateString() === new Date(entry.at).toDateString())
      last.entries.push(entry);
    else days.push({ at: entry.at, entries: [entry] });
  }
  return days;
}
