import type { Prompt } from '$/host/api.gen';
import { t } from '$/i18n/index.svelte';

/** The prompt's name: Go's own words, and the page's where Go gave none. */
export function titleOf(prompt: Prompt): string {
  return prompt.title || t('prompt.surface.title', { agent: prompt.agent_name });
}
