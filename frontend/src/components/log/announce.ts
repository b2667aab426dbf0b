import type { Item } from '$/host/api.gen';

/** What was in the log when it was last looked at. */
export interface Heard {
  conversationId: string;
  lastPos: number;
  streaming: boolean;
}

export type News = { kind: 'started' } | { kind: 'ended' } | { kind: 'asks'; prompt: string };

/** What of a change in the log is worth saying aloud; the history of a conversation just opened is not. */
export function announcement(
  heard: Heard | null,
  conversationId: string,
  items: readonly Item[],
  loading: boolean,
): { heard: Heard | null; news: News | null } {
  if (loading || !conversationId) return { heard: null, news: null };
  const last = items.at(-1);
  const streaming = items.slice(-8).some((item) => item.message?.streaming === true);
  const now: Heard = { conversationId, lastPos: last?.pos ?? 0, streaming };
  if (heard?.conversationId !== conversationId) return { heard: now, news: null };
  const fresh = items.slice(-8).filter((item) => item.pos > heard.lastPos && item.from === 'agent');
  const asked = fresh.map(promptOf).findLast((prompt) => prompt !== undefined);
  if (asked !== undefined) return { heard: now, news: { kind: 'asks', prompt: asked } };
  if (streaming && !heard.streaming) return { heard: now, news: { kind: 'started' } };
  if (!streaming && (heard.streaming || fresh.some((item) => item.message))) {
    return { heard: now, news: { kind: 'ended' } };
  }
  return { heard: now, news: null };
}

function promptOf(item: Item): string | undefined {
  return item.choice?.prompt ?? item.confirm?.prompt ?? item.input?.prompt;
}
