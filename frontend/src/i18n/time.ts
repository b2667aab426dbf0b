import { language } from './index.svelte';

const day = 86_400_000;

/** Short for lists: the time today, a weekday this week, else a date. */
export function shortTime(at: number, now = Date.now()): string {
  if (!at) return '';
  const then = new Date(at);
  const sameDay = then.toDateString() === new Date(now).toDateString();
  if (sameDay) return timeOfDay(at);
  if (Math.abs(now - at) < 6 * day) return format(at, { weekday: 'short' });
  if (then.getFullYear() === new Date(now).getFullYear())
    return format(at, { month: 'short', day: 'numeric' });
  return format(at, { year: 'numeric', month: 'short', day: 'numeric' });
}

export function timeOfDay(at: number): string {
  return format(at, { hour: 'numeric', minute: '2-digit' });
}

/** For what happened just now. */
export function timeWithSeconds(at: number): string {
  return format(at, { hour: 'numeric', minute: '2-digit', second: '2-digit' });
}

/** Whole, for tooltips and details. */
export function fullTime(at: number): string {
  return at ? format(at, { dateStyle: 'medium', timeStyle: 'short' }) : '';
}

/** The day, for headings of a log. */
export function dayOf(at: number): string {
  return format(at, { dateStyle: 'full' });
}

/** 12.3 kB, in the reader's own number format. */
export function bytes(size: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
  const power = Math.min(Math.floor(Math.log10(Math.max(size, 1)) / 3), units.length - 1);
  return new Intl.NumberFormat(language.locale, {
    style: 'unit',
    unit: units[power]!,
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(size / 1000 ** power);
}

function format(at: number, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(language.locale, options).format(at);
}
