// From fields to what the person typed, and from that to the answer or to what is wrong with it. Pure.

import type {
  Field,
  JsonField,
  ListField,
  MultiField,
  NumberField,
  ObjectField,
  Option,
  TextField,
} from './schema';

/** What stands in the controls, by field path: text, a tick, or the numbers of ticked options. */
export type Draft = Record<string, string | boolean | string[]>;

export type ProblemCode =
  | 'required'
  | 'too_short'
  | 'too_long'
  | 'pattern'
  | 'email'
  | 'uri'
  | 'date'
  | 'number'
  | 'integer'
  | 'min'
  | 'max'
  | 'above'
  | 'below'
  | 'multiple'
  | 'few_items'
  | 'many_items'
  | 'twice'
  | 'json';

export interface Problem {
  path: string;
  code: ProblemCode;
  /** The bound that was missed, where there is one. */
  bound?: number;
  /** The line of a list, from 1. */
  line?: number;
}

export function firstDraft(field: Field, draft: Draft = {}): Draft {
  switch (field.kind) {
    case 'object':
      for (const one of field.fields) firstDraft(one, draft);
      break;
    case 'boolean':
      draft[field.path] = field.initial ?? false;
      break;
    case 'select':
      draft[field.path] = optionOf(field.options, field.initial);
      break;
    case 'multi':
      draft[field.path] = Array.isArray(field.initial)
        ? field.initial.map((value) => optionOf(field.options, value)).filter((at) => at !== '')
        : [];
      break;
    case 'list':
      draft[field.path] = Array.isArray(field.initial) ? field.initial.map(String).join('\n') : '';
      break;
    case 'json':
      draft[field.path] = field.initial === undefined ? '' : JSON.stringify(field.initial, null, 2);
      break;
    case 'text':
      draft[field.path] = field.format === 'date-time' ? toLocal(field.initial ?? '') : (field.initial ?? '');
      break;
    default:
      draft[field.path] = field.initial === undefined ? '' : String(field.initial);
  }
  return draft;
}

/** The answer, undefined where nothing was given, and everything that is wrong with it in the order of the form. */
export function collect(
  root: ObjectField | JsonField,
  draft: Draft,
): { value: unknown; problems: Problem[] } {
  const problems: Problem[] = [];
  const value = valueOf(root, draft, (problem) => problems.push(problem));
  return { value, problems };
}

type Report = (problem: Problem) => void;

function valueOf(field: Field, draft: Draft, report: Report): unknown {
  const { path } = field;
  const given = draft[path];
  switch (field.kind) {
    case 'object':
      return objectOf(field, draft, report);
    case 'boolean':
      return given === true;
    case 'select': {
      const option = typeof given === 'string' && given !== '' ? field.options[Number(given)] : undefined;
      if (!option && field.required) report({ path, code: 'required' });
      return option?.value;
    }
    case 'multi':
      return multiOf(field, Array.isArray(given) ? given : [], report);
    default: {
      const typed = typeof given === 'string' ? given : '';
      if (typed.trim() !== '') return scalarOf(field, typed, report);
      // An empty list is a list: whether it may be empty is minItems' to say.
      if (field.kind === 'list' && field.required) return listOf(field, '', report);
      if (field.required) report({ path, code: 'required' });
      return undefined;
    }
  }
}

function scalarOf(
  field: TextField | NumberField | ListField | JsonField,
  typed: string,
  report: Report,
): unknown {
  switch (field.kind) {
    case 'text':
      return textOf(field, typed, report);
    case 'number':
      return numberOf(field, typed, report);
    case 'list':
      return listOf(field, typed, report);
    case 'json':
      try {
        return JSON.parse(typed) as unknown;
      } catch {
        report({ path: field.path, code: 'json' });
        return undefined;
      }
  }
}

function objectOf(field: ObjectField, draft: Draft, report: Report): unknown {
  const inner: Problem[] = [];
  const entries = field.fields
    .map((one) => [one.key, valueOf(one, draft, (problem) => inner.push(problem))] as const)
    .filter(([, value]) => value !== undefined);
  // An optional object in which nothing was filled in is left out, with its complaints.
  const touched = field.fields.some((one) => isTouched(one, draft));
  if (!field.required && !touched) return undefined;
  inner.forEach(report);
  // fromEntries makes own properties, also of a key named __proto__.
  return Object.fromEntries(entries);
}

function isTouched(field: Field, draft: Draft): boolean {
  if (field.kind === 'object') return field.fields.some((one) => isTouched(one, draft));
  const given = draft[field.path];
  return typeof given === 'boolean' ? given : (given?.length ?? 0) > 0;
}

function multiOf(field: MultiField, given: string[], report: Report): unknown {
  if (given.length === 0 && !field.required) return undefined;
  const values = given.flatMap((at) => field.options[Number(at)] ?? []).map((option) => option.value);
  checkCount(field, values.length, report);
  return values;
}

function listOf(field: ListField, typed: string, report: Report): unknown {
  const lines = typed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const values = lines.map((line, at) =>
    scalarOf(field.item, line, (problem) => report({ ...problem, line: at + 1 })),
  );
  checkCount(field, values.length, report);
  if (field.unique && new Set(values).size < values.length) report({ path: field.path, code: 'twice' });
  return values;
}

function checkCount(field: MultiField | ListField, count: number, report: Report): void {
  const { path, minItems, maxItems } = field;
  if (minItems !== undefined && count < minItems) report({ path, code: 'few_items', bound: minItems });
  if (maxItems !== undefined && count > maxItems) report({ path, code: 'many_items', bound: maxItems });
}

function numberOf({ path, ...field }: NumberField, typed: string, report: Report): number | undefined {
  const plain = typed.trim();
  const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : Number.NaN;
  if (!Number.isFinite(value)) {
    report({ path, code: 'number' });
    return undefined;
  }
  if (field.integer && !Number.isInteger(value)) report({ path, code: 'integer' });
  else if (field.min !== undefined && value < field.min) report({ path, code: 'min', bound: field.min });
  else if (field.max !== undefined && value > field.max) report({ path, code: 'max', bound: field.max });
  else if (field.above !== undefined && value <= field.above)
    report({ path, code: 'above', bound: field.above });
  else if (field.below !== undefined && value >= field.below)
    report({ path, code: 'below', bound: field.below });
  else if (field.multipleOf && !isMultiple(value, field.multipleOf)) {
    report({ path, code: 'multiple', bound: field.multipleOf });
  }
  return value;
}

/** 0.3 is a multiple of 0.1, whatever binary fractions say. */
function isMultiple(value: number, of: number): boolean {
  const times = value / of;
  return Math.abs(times - Math.round(times)) < 1e-9 * Math.max(1, Math.abs(times));
}

function textOf({ path, ...field }: TextField, typed: string, report: Report): string | undefined {
  const value = field.format === 'plain' ? typed : typed.trim();
  // JSON Schema counts characters, not UTF-16 units.
  const length = [...value].length;
  if (field.minLength !== undefined && length < field.minLength) {
    report({ path, code: 'too_short', bound: field.minLength });
  } else if (field.maxLength !== undefined && length > field.maxLength) {
    report({ path, code: 'too_long', bound: field.maxLength });
  } else if (field.pattern && !field.pattern.test(value)) {
    report({ path, code: 'pattern' });
  }
  switch (field.format) {
    case 'email':
      if (!/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)*$/u.test(value)) report({ path, code: 'email' });
      return value;
    case 'uri':
      if (!/^[a-z][a-z0-9+.-]*:\S+$/i.test(value)) report({ path, code: 'uri' });
      return value;
    case 'date':
      if (!/^\d{4}-\d\d-\d\d$/.test(value) || Number.isNaN(Date.parse(value))) report({ path, code: 'date' });
      return value;
    case 'time': {
      // "time" is RFC 3339's: with seconds and a zone.
      const time = /^(\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/.exec(value);
      if (!time) report({ path, code: 'date' });
      return time ? `${time[1]}${time[2] ?? ':00'}${time[3] ?? zone(new Date())}` : value;
    }
    case 'date-time': {
      const at = new Date(value);
      if (Number.isNaN(at.getTime())) {
        report({ path, code: 'date' });
        return value;
      }
      return at.toISOString().replace('.000Z', 'Z');
    }
    default:
      return value;
  }
}

function optionOf(options: Option[], value: unknown): string {
  const wanted = JSON.stringify(value);
  const at = options.findIndex((option) => JSON.stringify(option.value) === wanted);
  return value === undefined || at < 0 ? '' : String(at);
}

function zone(at: Date): string {
  const minutes = -at.getTimezoneOffset();
  const two = (n: number) => String(Math.trunc(Math.abs(n))).padStart(2, '0');
  return minutes === 0 ? 'Z' : `${minutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}

/** RFC 3339 to what a datetime-local control holds. */
function toLocal(text: string): string {
  const at = new Date(text);
  if (text === '' || Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
