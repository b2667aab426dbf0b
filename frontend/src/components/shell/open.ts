import { tCode } from '$/i18n/index.svelte';
import { app } from '$/state/app.svelte';
import { conversation } from '$/state/conversation.svelte';
import { conversations } from '$/state/conversations.svelte';
import { errorCode } from '$/state/errors';
import { navigation } from '$/state/navigation.svelte';
import { search } from '$/state/search.svelte';
import { toast } from '$/ui';

/** Says in a toast why something did not work. */
export function complain(error: unknown) {
  toast.error(tCode('error', errorCode(error), 'error.internal'));
}

/** Shows a conversation, at an item if one is given. */
export function openConversation(id: string, itemID = '') {
  navigation.go('chat');
  void conversation.open(id, itemID);
}

/** Starts a conversation: with the agent given, else the one of the open or newest conversation, else the demo. */
export async function newConversation(agentID = preferredAgent()) {
  if (!agentID) return navigation.go('settings');
  try {
    openConversation(await conversations.create(agentID));
    search.set('');
  } catch (error) {
    complain(error);
  }
}

export function preferredAgent(): string {
  const used = conversations.get(conversation.id) ?? conversations.newest;
  return (
    app.agent(app.defaultAgent || (used?.agent_id ?? ''))?.id ?? app.demoAgent?.id ?? app.agents[0]?.id ?? ''
  );
}

/** The conversation before (-1) or after (1) the open one in the list. */
export function step(by: 1 | -1) {
  const at = conversations.list.findIndex((row) => row.id === conversation.id);
  const next = conversations.list[at < 0 ? 0 : at + by];
  if (next) openConversation(next.id);
}
