import { expect, it } from 'vitest';
import { cut, CUT_AT, CUT_LINES } from './cut';

it('shows short text whole, up to the limit', () => {
  const text = 'x'.repeat(CUT_AT);
  expect(cut(text)).toBe(text);
});

it('cuts long text without splitting a character', () => {
  expect(cut('x'.repeat(60_000))).toBe('x'.repeat(CUT_AT) + '…');
  expect(cut('x'.repeat(CUT_AT - 1) + '😀' + 'y')).toBe('x'.repeat(CUT_AT - 1) + '…');
});

it('cuts many short lines, too', () => {
  const lines = (n: number) => Array.from({ length: n }, (_, i) => String(i)).join('\n');
  expect(cut(lines(CUT_LINES))).toBe(lines(CUT_LINES));
  expect(cut(lines(500))).toBe(lines(CUT_LINES) + '…');
});
