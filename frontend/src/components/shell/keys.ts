import { app } from '$/state/app.svelte';
import { navigation } from '$/state/navigation.svelte';
import { prompts } from '$/state/prompts.svelte';
import { newConversation, step } from './open';

/** The keys that work everywhere. None of them grants anything. */
export function globalKeys(event: KeyboardEvent) {
  if (event.defaultPrevented || event.isComposing || event.repeat) return;
  // What lies under a dialog stays as it is; its own keys go on working.
  if (document.querySelector('[role="dialog"]') && event.key !== 'F6') return;
  const action = find(event);
  if (!action) return;
  event.preventDefault();
  action();
}

function find(event: KeyboardEvent): (() => void) | undefined {
  const command = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
  const alt = event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (event.key === 'F6' && !command && !alt) return prompts.queue.length ? () => toPrompt() : undefined;
  // By the physical key, so that it works with every keyboard layout and input method.
  if (app.preview) return command && event.code === 'Period' ? () => prompts.focus() : undefined;
  if (command) {
    switch (event.code) {
      case 'KeyN':
        return () => void newConversation();
      case 'KeyK':
        return () => navigation.search();
      case 'KeyB':
        return () => navigation.toggle();
      case 'Period':
        return () => toPrompt();
      case 'Comma':
        return () => navigation.go('settings');
      case 'Slash':
        return () => (navigation.help = !navigation.help);
    }
  }
  if (alt) {
    switch (event.code) {
      case 'KeyN':
        return () => void newConversation();
      case 'ArrowUp':
        return () => step(-1);
      case 'ArrowDown':
        return () => step(1);
    }
  }
  return undefined;
}

/** The card if one is drawn, else the inbox, where the quiet ones are. */
function toPrompt() {
  if (prompts.visible.length) prompts.focus();
  else navigation.go('inbox');
}
