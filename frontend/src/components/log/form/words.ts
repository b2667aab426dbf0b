import { t } from '$/i18n/index.svelte';
import type { Problem } from './answer';

/** A problem in the user's words. */
export function problemWords({ code, bound, line }: Problem): string {
  const problem = words(code, bound ?? 0);
  return line === undefined ? problem : t('log.problem.line', { line, problem });
}

function words(code: Problem['code'], bound: number): string {
  switch (code) {
    case 'too_short':
    case 'too_long':
    case 'min':
    case 'max':
    case 'above':
    case 'below':
    case 'multiple':
    case 'few_items':
    case 'many_items':
      return t(`log.problem.${code}`, { bound });
    default:
      return t(`log.problem.${code}`);
  }
}
