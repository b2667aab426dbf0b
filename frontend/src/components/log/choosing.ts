import type { ChoiceItem } from '$/host/api.gen';

/** How many options must and may be picked. min 0 with max 0 or absent means any number. */
export function bounds(choice: Pick<ChoiceItem, 'multiple' | 'min' | 'max' | 'options'>): {
  min: number;
  max: number;
} {
  if (!choice.multiple) return { min: 1, max: 1 };
  const all = choice.options.filter((option) => !option.disabled).length;
  const max = choice.max > 0 ? Math.min(choice.max, all) : all;
  return { min: Math.min(Math.max(choice.min, 0), max), max };
}

/** Which words say how many to pick; null when any number will do. */
export function rule(choice: ChoiceItem): 'exactly' | 'between' | 'least' | 'most' | null {
  if (!choice.multiple) return null;
  const { min, max } = bounds(choice);
  const limited = max < choice.options.filter((option) => !option.disabled).length;
  if (min === max) return 'exactly';
  if (min > 0) return limited ? 'between' : 'least';
  return limited ? 'most' : null;
}

/** The picked ids after a tick: a full set takes no more. */
export function toggle(picked: readonly string[], id: string, max: number): string[] {
  if (picked.includes(id)) return picked.filter((one) => one !== id);
  return picked.length < max ? [...picked, id] : [...picked];
}

/** The ids of a stored answer, in the order of the options. */
export function answered(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [];
}
