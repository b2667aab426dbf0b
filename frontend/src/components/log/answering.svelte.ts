import type { Answer } from '$/host/api.gen';
import { t } from '$/i18n/index.svelte';
import { conversation } from '$/state/conversation.svelte';
import { HostError } from '$/state/errors';

/** The sending of one component's answer. The host decides: it is open until an update says otherwise. */
export class Answering {
  busy = $state(false);
  /** Words for why the answer was not taken. */
  refused = $state('');
  readonly #id: () => string;

  constructor(id: () => string) {
    this.#id = id;
  }

  async send(value: unknown): Promise<void> {
    await this.#send('answered', value);
  }

  async cancel(): Promise<void> {
    await this.#send('cancelled', undefined);
  }

  async #send(status: 'answered' | 'cancelled', value: unknown): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.refused = '';
    try {
      await conversation.answer(this.#id(), status, value);
    } catch (error) {
      this.refused = words(error);
    } finally {
      this.busy = false;
    }
  }
}

function words(error: unknown): string {
  if (!(error instanceof HostError)) return t('log.answer_failed');
  switch (error.code) {
    case 'already_answered':
      return t('log.already_answered');
    case 'expired':
      return t('log.too_late');
    case 'bad_params':
      return t('log.answer_refused', { field: error.field ?? '' });
    default:
      return t('log.answer_failed');
  }
}

/** Whether it can still be answered. */
export function isOpen(answer: Answer): boolean {
  return answer.status === '';
}
