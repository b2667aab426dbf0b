import { conversation } from './conversation.svelte';
import { conversations } from './conversations.svelte';
import { navigation, type View } from './navigation.svelte';

const key = 'lineup.place';
const views: readonly View[] = ['chat', 'inbox', 'apps', 'activity', 'settings'];

/** Where the user was before this page was loaded anew (its process may have been ended). Call once the list is there. */
export function restorePlace() {
  const place = read();
  if (views.includes(place.view as View)) navigation.view = place.view as View;
  if (typeof place.conversation === 'string' && conversations.get(place.conversation) && !conversation.id)
    void conversation.open(place.conversation);
}

/** Remembers where the user is, for this tab or window only. */
export function keepPlace() {
  try {
    sessionStorage.setItem(key, JSON.stringify({ view: navigation.view, conversation: conversation.id }));
  } catch {
    // storage switched off: a reload begins at the start
  }
}

function read(): { view?: unknown; conversation?: unknown } {
  try {
    const place: unknown = JSON.parse(sessionStorage.getItem(key) ?? '{}');
    return typeof place === 'object' && place !== null ? place : {};
  } catch {
    return {};
  }
}
