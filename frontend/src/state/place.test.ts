import { afterEach, expect, it } from 'vitest';
import type { Conversation } from '$/host';
import { conversation } from './conversation.svelte';
import { conversations } from './conversations.svelte';
import { navigation } from './navigation.svelte';
import { keepPlace, restorePlace } from './place.svelte';

afterEach(() => {
  sessionStorage.clear();
  conversations.list = [];
  navigation.view = 'chat';
  void conversation.open('');
});

it('comes back to the screen and the conversation', () => {
  conversations.list = [{ id: 'c' } as Conversation];
  void conversation.open('c');
  navigation.view = 'activity';
  keepPlace();
  void conversation.open('');
  navigation.view = 'chat';
  restorePlace();
  expect([navigation.view, conversation.id]).toEqual(['activity', 'c']);
});

it.each(['{"view":"chat","conversation":"gone"}', '{"view":"nowhere","conversation":7}', 'null', '{', '[]'])(
  'begins at the start with %s',
  (stored) => {
    sessionStorage.setItem('lineup.place', stored);
    restorePlace();
    expect([navigation.view, conversation.id]).toEqual(['chat', '']);
  },
);
