import { describe, expect, it } from 'vitest';
import { collect, firstDraft, type Draft } from './answer';
import { MAX_NESTING, readSchema } from './schema';

/** Fills a form of the schema and answers it. */
function answer(schema: unknown, typed: Draft = {}, initial?: unknown) {
  const root = readSchema(schema, initial);
  return collect(root, { ...firstDraft(root), ...typed });
}
const object = (properties: unknown, more: object = {}) => ({ type: 'object', properties, ...more });

describe('what is understood', () => {
  it('answers with the object that the schema describes', () => {
    const schema = object(
      {
        name: { type: 'string', title: 'Name' },
        age: { type: 'integer', minimum: 0 },
        news: { type: 'boolean' },
        size: { enum: ['s', 'm', 'l'] },
        days: { type: 'array', items: { enum: ['mon', 'tue'] } },
        tags: { type: 'array', items: { type: 'string' } },
        home: object({ city: { type: 'string' } }, { required: ['city'] }),
      },
      { required: ['name'] },
    );
    const typed = {
      '/name': 'Ada',
      '/age': ' 36 ',
      '/news': true,
      '/size': '1',
      '/days': ['0', '1'],
      '/tags': 'a\n\n b \n',
      '/home/city': 'London',
    };
    expect(answer(schema, typed)).toEqual({
      problems: [],
      value: {
        name: 'Ada',
        age: 36,
        news: true,
        size: 'm',
        days: ['mon', 'tue'],
        tags: ['a', 'b'],
        home: { city: 'London' },
      },
    });
  });

  it('leaves out what was left empty', () => {
    const schema = object({
      a: { type: 'string' },
      b: { type: 'number' },
      c: object({ d: { type: 'string' } }, { required: ['d'] }),
    });
    expect(answer(schema)).toEqual({ value: {}, problems: [] });
  });

  it('complains about an optional object only once something is in it', () => {
    const schema = object({
      c: object({ d: { type: 'string' }, e: { type: 'string' } }, { required: ['d'] }),
    });
    expect(answer(schema, { '/c/e': 'x' }).problems).toEqual([{ path: '/c/d', code: 'required' }]);
  });

  it('starts from the initial value, else the default', () => {
    const schema = object({
      a: { type: 'string', default: 'x' },
      b: { type: 'integer', default: 1 },
      c: { enum: [1, '1', null] },
      d: { type: 'array', items: { enum: ['p', 'q'] } },
    });
    expect(answer(schema, {}, { b: 7, c: '1', d: ['q', 'gone'] }).value).toEqual({
      a: 'x',
      b: 7,
      c: '1',
      d: ['q'],
    });
  });

  it('follows references inside the document', () => {
    const schema = { ...object({ a: { $ref: '#/$defs/size' } }), $defs: { size: { enum: ['s', 'm'] } } };
    expect(answer(schema, { '/a': '1' }).value).toEqual({ a: 'm' });
  });

  it('shows titled branches as options', () => {
    const root = readSchema(object({ a: { oneOf: [{ const: 1, title: 'One' }, { const: 2 }] } }), undefined);
    const field = root.kind === 'object' ? root.fields[0] : undefined;
    expect(field).toMatchObject({
      kind: 'select',
      options: [
        { value: 1, label: 'One' },
        { value: 2, label: '2' },
      ],
    });
  });

  it('reads "or null" as optional', () => {
    expect(answer(object({ a: { type: ['string', 'null'] } }), { '/a': 'x' }).value).toEqual({ a: 'x' });
  });
});

describe('what is wrong, and where', () => {
  it.each([
    ['required', { type: 'string' }, '', {}],
    ['too_short', { type: 'string', minLength: 3 }, 'ab', { bound: 3 }],
    ['too_long', { type: 'string', maxLength: 2 }, '😀😀x', { bound: 2 }],
    ['pattern', { type: 'string', pattern: '^[a-z]+$' }, 'A1', {}],
    ['email', { type: 'string', format: 'email' }, 'nobody', {}],
    ['uri', { type: 'string', format: 'uri' }, 'example.com', {}],
    ['date', { type: 'string', format: 'date' }, '2026-13-01', {}],
    ['number', { type: 'number' }, '1,5', {}],
    ['number', { type: 'number' }, '0x10', {}],
    ['integer', { type: 'integer' }, '1.5', {}],
    ['min', { type: 'number', minimum: 2 }, '1.99', { bound: 2 }],
    ['max', { type: 'number', maximum: 2 }, '3', { bound: 2 }],
    ['above', { type: 'number', exclusiveMinimum: 0 }, '0', { bound: 0 }],
    ['below', { type: 'number', exclusiveMaximum: 1 }, '1', { bound: 1 }],
    ['multiple', { type: 'number', multipleOf: 0.1 }, '0.35', { bound: 0.1 }],
    ['few_items', { type: 'array', items: { type: 'string' }, minItems: 2 }, 'a', { bound: 2 }],
    ['many_items', { type: 'array', items: { type: 'string' }, maxItems: 1 }, 'a\nb', { bound: 1 }],
    ['twice', { type: 'array', items: { type: 'string' }, uniqueItems: true }, 'a\na', {}],
    ['integer', { type: 'array', items: { type: 'integer' } }, '1\n2.5', { line: 2 }],
    ['json', { type: 'array', items: object({}) }, '[1,', {}],
  ])('%s', (code, property, typed, more) => {
    const { problems } = answer(object({ a: property }, { required: ['a'] }), { '/a': typed });
    expect(problems).toEqual([{ path: '/a', code, ...more }]);
  });

  it.each([
    [{ type: 'string', maxLength: 2 }, '😀😀', '😀😀'],
    [{ type: 'number', multipleOf: 0.1 }, '0.3', 0.3],
    [{ type: 'number', minimum: 2 }, '2', 2],
    [{ type: 'number' }, '-1.5e3', -1500],
    [{ type: 'string', format: 'email' }, ' a@b.example ', 'a@b.example'],
    [{ type: 'string', format: 'time' }, '09:30Z', '09:30:00Z'],
  ])('takes %j with %j', (property, typed, value) => {
    expect(answer(object({ a: property }), { '/a': typed })).toEqual({ value: { a: value }, problems: [] });
  });

  it('requires a choice', () => {
    const schema = object({ a: { enum: ['x'] } }, { required: ['a'] });
    expect(answer(schema).problems).toEqual([{ path: '/a', code: 'required' }]);
  });

  it('keeps the order of the form', () => {
    const schema = object({ a: { type: 'string' }, b: { type: 'string' } }, { required: ['b', 'a'] });
    expect(answer(schema).problems.map(({ path }) => path)).toEqual(['/a', '/b']);
  });
});

describe('what is not understood is written as JSON', () => {
  it.each([
    ['no type', {}],
    ['a combination', { type: 'string', allOf: [{ minLength: 1 }] }],
    ['a list of objects', { type: 'array', items: object({ a: { type: 'string' } }) }],
    ['a map', { type: 'object', additionalProperties: true }],
    ['an outer reference', { $ref: 'https://a.example/schema' }],
    ['a loop', { $ref: '#/properties/a' }],
  ])('%s', (_name, property) => {
    const root = readSchema(object({ a: property }), undefined);
    expect(root.kind === 'object' && root.fields[0]?.kind).toBe('json');
    expect(answer(object({ a: property }), { '/a': '{"x":1}' }).value).toEqual({ a: { x: 1 } });
  });

  it('beyond the nesting', () => {
    let schema: unknown = { type: 'string' };
    for (let depth = 0; depth <= MAX_NESTING + 1; depth++) schema = object({ a: schema });
    const kinds: string[] = [];
    let field = readSchema(schema, undefined) as { kind: string; fields?: { kind: string }[] };
    for (;;) {
      kinds.push(field.kind);
      if (!field.fields?.[0]) break;
      field = field.fields[0];
    }
    expect(kinds).toEqual(['object', 'object', 'object', 'object', 'json']);
  });

  it.each([null, true, 3, 'x', [], { type: 'string' }])('a root that is %j', (root) => {
    expect(readSchema(root, undefined).kind).toBe('json');
  });

  it('takes a hostile property name as a name', () => {
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}') as unknown;
    const { value } = answer(schema, { '/__proto__': 'x' });
    expect(JSON.stringify(value)).toBe('{"__proto__":"x"}');
  });

  it('runs no pattern that could take forever', () => {
    const schema = object({ a: { type: 'string', pattern: '^(a+)+$' } });
    const start = performance.now();
    answer(schema, { '/a': 'a'.repeat(40) + '!' });
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
