import { afterEach, describe, expect, it } from 'vitest';
import { en } from './en';
import { setLanguage, t, tCode } from './index.svelte';
import { bytes, shortTime } from './time';
import { zhCN } from './zh-CN';

afterEach(() => setLanguage('en'));

const forms = (message: string | { one?: string; other: string }) =>
  typeof message === 'string' ? [message] : [message.other, ...(message.one ? [message.one] : [])];
const names = (message: string | { one?: string; other: string }) =>
  new Set(forms(message).flatMap((form) => [...form.matchAll(/\{(\w+)\}/g)].map((match) => match[1])));

describe('words', () => {
  it('have the same params in both languages, and no empty form', () => {
    for (const key of Object.keys(en) as (keyof typeof en)[]) {
      expect([key, names(zhCN[key])]).toEqual([key, names(en[key])]);
      for (const form of [...forms(en[key]), ...forms(zhCN[key])])
        expect([key, form.trim()]).not.toEqual([key, '']);
    }
  });

  it('follow the setting and mark the document', () => {
    setLanguage('zh-CN');
    expect(t('nav.new')).toBe('新建对话');
    expect(document.documentElement.lang).toBe('zh-CN');
    setLanguage('system', ['fr-FR', 'zh-TW', 'en']);
    expect(t('nav.new')).toBe('新建对话');
    setLanguage('system', ['fr-FR']);
    expect(t('nav.new')).toBe('New conversation');
  });

  it('count and fill', () => {
    expect(t('search.count', { count: 1 })).toBe('1 match');
    expect(t('search.count', { count: 1200 })).toBe('1,200 matches');
    expect(t('search.none', { query: '{count} $& x' })).toBe('Nothing found for “{count} $& x”');
  });

  it('have something for a code nobody knows', () => {
    expect(tCode('error', 'expired', 'error.internal')).toBe('It is too late: that has expired.');
    expect(tCode('error', '../../x', 'error.internal')).toBe('Something went wrong in LineUp.');
  });
});

describe('time and size', () => {
  const now = new Date(2026, 2, 20, 15, 0).getTime();
  it('are as short as they can be', () => {
    expect(shortTime(new Date(2026, 2, 20, 9, 5).getTime(), now)).toMatch(/^9:05/);
    expect(shortTime(new Date(2026, 2, 18, 9, 5).getTime(), now)).toBe('Wed');
    expect(shortTime(new Date(2026, 0, 2).getTime(), now)).toBe('Jan 2');
    expect(shortTime(new Date(2024, 0, 2).getTime(), now)).toBe('Jan 2, 2024');
    expect(shortTime(0, now)).toBe('');
  });
  it('use units people read', () => {
    expect(bytes(0)).toMatch(/^0 byte/);
    expect(bytes(1500)).toBe('1.5 kB');
    expect(bytes(2_500_000_000_000)).toBe('2,500 GB');
  });
});
