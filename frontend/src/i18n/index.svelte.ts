import { en, type Words } from './en';
import type { Message, ParamsOf } from './part';
import { zhCN } from './zh-CN';

export type Locale = 'en' | 'zh-CN';
export type Key = keyof Words;
type Params<K extends Key> = ParamsOf<Words[K]>;
type Args<K extends Key> = [Params<K>] extends [never]
  ? []
  : [params: { [N in Params<K>]: N extends 'count' ? number : string | number }];

const words: Record<Locale, { readonly [K in Key]: Message }> = { en, 'zh-CN': zhCN };

class Language {
  locale = $state<Locale>('en');
  plurals = $derived(new Intl.PluralRules(this.locale));
}
export const language = new Language();

/** The words for a key in the current language; reading it in markup or $derived follows a change live. */
export function t<K extends Key>(key: K, ...[params]: Args<K>): string {
  return fill(words[language.locale][key], params);
}

/** For codes that come from the host: the words of `prefix.code`, else those of `otherwise`. */
export function tCode(
  prefix: string,
  code: string,
  otherwise: Key,
  params?: Record<string, string | number>,
): string {
  const message = (words[language.locale] as Record<string, Message>)[`${prefix}.${code}`];
  return fill(message ?? words[language.locale][otherwise], params);
}

/** Follows a setting: "system" takes the first of the browser's languages that we speak. */
export function setLanguage(setting: string, wanted: readonly string[] = navigator.languages) {
  language.locale = setting === 'en' || setting === 'zh-CN' ? setting : pick(wanted);
  document.documentElement.lang = language.locale;
}

function pick(wanted: readonly string[]): Locale {
  for (const tag of wanted) {
    if (/^zh\b/i.test(tag)) return 'zh-CN';
    if (/^en\b/i.test(tag)) return 'en';
  }
  return 'en';
}

function fill(message: Message, params: Record<string, string | number> | undefined): string {
  const text = typeof message === 'string' ? message : form(message, Number(params?.count));
  if (!params) return text;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name];
    return value === undefined ? whole : typeof value === 'number' ? number(value) : value;
  });
}

function form(message: { one?: string; other: string }, count: number): string {
  return (language.plurals.select(count) === 'one' && message.one) || message.other;
}

function number(value: number): string {
  return new Intl.NumberFormat(language.locale).format(value);
}
