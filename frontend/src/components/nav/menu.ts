import Pencil from '@lucide/svelte/icons/pencil';
import Pin from '@lucide/svelte/icons/pin';
import PinOff from '@lucide/svelte/icons/pin-off';
import Trash from '@lucide/svelte/icons/trash-2';
import type { Conversation } from '$/host/api.gen';
import { t } from '$/i18n/index.svelte';
import { conversation } from '$/state/conversation.svelte';
import { conversations } from '$/state/conversations.svelte';
import { toast, type MenuItem } from '$/ui';
import { complain, openConversation } from '../shell/open';

/** What one can do with a conversation, in its row and in its header. */
export function conversationMenu(row: Conversation, onrename: () => void): MenuItem[] {
  return [
    { id: 'rename', label: t('row.rename'), icon: Pencil, onselect: () => afterMenu(onrename) },
    {
      id: 'pin',
      label: row.pinned ? t('row.unpin') : t('row.pin'),
      icon: row.pinned ? PinOff : Pin,
      onselect: () => void conversations.pin(row.id, !row.pinned).catch(complain),
    },
    { id: 'delete', label: t('row.delete'), icon: Trash, danger: true, onselect: () => void remove(row) },
  ];
}

// The menu gives focus back to its button when it closes; a field that opens must take it after that.
function afterMenu(then: () => void) {
  setTimeout(then, 30);
}

async function remove(row: Conversation) {
  const wasOpen = conversation.id === row.id;
  try {
    await conversations.remove(row.id);
  } catch (error) {
    return complain(error);
  }
  if (wasOpen) void conversation.open('');
  toast.undo(t('row.deleted', { title: row.title || t('row.untitled') }), t('app.undo'), () => {
    conversations
      .restore(row.id)
      .then(() => wasOpen && openConversation(row.id))
      .catch(complain);
  });
}
