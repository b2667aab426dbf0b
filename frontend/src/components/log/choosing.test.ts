import { describe, expect, it } from 'vitest';
import type { ChoiceItem } from '$/host/api.gen';
import { answered, bounds, rule, toggle } from './choosing';

const choice = (more: Partial<ChoiceItem>): ChoiceItem => ({
  prompt: 'p',
  multiple: true,
  min: 0,
  max: 0,
  options: ['a', 'b', 'c'].map((id) => ({ id, label: id })),
  answer: { status: '' },
  ...more,
});

describe('how many', () => {
  it.each<[Partial<ChoiceItem>, { min: number; max: number }, ReturnType<typeof rule>]>([
    [{ multiple: false }, { min: 1, max: 1 }, null],
    [{}, { min: 0, max: 3 }, null],
    [{ min: 2 }, { min: 2, max: 3 }, 'least'],
    [{ max: 2 }, { min: 0, max: 2 }, 'most'],
    [{ min: 1, max: 2 }, { min: 1, max: 2 }, 'between'],
    [{ min: 2, max: 2 }, { min: 2, max: 2 }, 'exactly'],
    [{ max: 99 }, { min: 0, max: 3 }, null],
    [
      {
        options: [
          { id: 'a', label: 'a' },
          { id: 'b', label: 'b', disabled: true },
        ],
        min: 2,
      },
      { min: 1, max: 1 },
      'exactly',
    ],
  ])('%j', (more, expected, words) => {
    expect(bounds(choice(more))).toEqual(expected);
    expect(rule(choice(more))).toBe(words);
  });

  it('takes no more than allowed, and lets go again', () => {
    expect(toggle(['a'], 'b', 2)).toEqual(['a', 'b']);
    expect(toggle(['a', 'b'], 'c', 2)).toEqual(['a', 'b']);
    expect(toggle(['a', 'b'], 'a', 2)).toEqual(['b']);
  });
});

it('reads a stored answer of any shape', () => {
  expect(answered(['a', 3, 'b'])).toEqual(['a', 'b']);
  expect(answered('a')).toEqual([]);
  expect(answered(undefined)).toEqual([]);
});
