import type { Item } from '$/host/api.gen';

/** What the preview shows of a conversation: the surfaces that stand, or the last one if it was refused. */
export function standingSurfaces(items: readonly Item[]): Item[] {
  const surfaces = items.filter((item) => item.surface);
  const last = surfaces.at(-1);
  return surfaces.filter(({ id, surface }) =>
    surface?.status === 'refused' ? id === last?.id : surface?.status !== 'closed',
  );
}

/** The surface that the panels are about: the newest that is open. */
export function openInstance(items: readonly Item[]): Item | undefined {
  return items.findLast((item) => item.surface?.status === 'open' || item.surface?.status === 'stopped');
}
