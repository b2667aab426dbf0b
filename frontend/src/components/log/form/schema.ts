// What of JSON Schema the form understands, as fields to draw. Whatever else a
// schema says is kept as a "json" field: the person writes JSON, with words that say so.
// Go checks the whole answer against the whole schema again.

export interface Option {
  value: unknown;
  label: string;
}

interface Base {
  /** JSON pointer of the value in the answer: unique, and safe as a record key. */
  path: string;
  key: string;
  label: string;
  help: string;
  required: boolean;
}

export interface TextField extends Base {
  kind: 'text';
  format: 'plain' | 'email' | 'uri' | 'date' | 'time' | 'date-time';
  multiline: boolean;
  minLength?: number;
  maxLength?: number;
  pattern?: RegExp;
  initial?: string;
}

export interface NumberField extends Base {
  kind: 'number';
  integer: boolean;
  min?: number;
  max?: number;
  above?: number;
  below?: number;
  multipleOf?: number;
  initial?: number;
}

export interface BooleanField extends Base {
  kind: 'boolean';
  initial?: boolean;
}

export interface SelectField extends Base {
  kind: 'select';
  options: Option[];
  initial?: unknown;
}

export interface MultiField extends Base {
  kind: 'multi';
  options: Option[];
  minItems?: number;
  maxItems?: number;
  initial?: unknown;
}

/** A list of texts or numbers, one in a line. */
export interface ListField extends Base {
  kind: 'list';
  item: TextField | NumberField;
  minItems?: number;
  maxItems?: number;
  unique: boolean;
  initial?: unknown;
}

export interface ObjectField extends Base {
  kind: 'object';
  fields: Field[];
}

export interface JsonField extends Base {
  kind: 'json';
  initial?: unknown;
}

export type Field =
  TextField | NumberField | BooleanField | SelectField | MultiField | ListField | ObjectField | JsonField;

type Schema = Record<string, unknown>;

/** Objects deeper than this are written as JSON. */
export const MAX_NESTING = 3;
const MAX_FIELDS = 200;
const MAX_REFS = 8;

const FORMATS: Record<string, TextField['format']> = {
  email: 'email',
  'idn-email': 'email',
  uri: 'uri',
  url: 'uri',
  iri: 'uri',
  date: 'date',
  time: 'time',
  'date-time': 'date-time',
};

/** Words of a schema that change what is allowed and that no field shows. */
const BEYOND = [
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'dependentSchemas',
  'patternProperties',
  'prefixItems',
];

/** Reads a schema. Never throws; the root is an object's fields, or one json field. */
export function readSchema(root: unknown, initial: unknown): ObjectField | JsonField {
  const reader = new Reader(root);
  const field = reader.field('', '', root, true, initial, 0);
  if (field.kind === 'object') return field;
  return { ...base('', '', asSchema(root) ?? {}, true), kind: 'json', initial };
}

class Reader {
  #left = MAX_FIELDS;
  constructor(readonly root: unknown) {}

  field(path: string, key: string, raw: unknown, required: boolean, initial: unknown, depth: number): Field {
    const schema = this.#resolve(raw);
    if (!schema || --this.#left < 0) return { ...base(path, key, {}, required), kind: 'json', initial };
    const common = base(path, key, schema, required);
    const start = initial === undefined ? schema['default'] : initial;
    return (
      readSelect(common, schema, start) ??
      (BEYOND.some((word) => word in schema) ? null : this.#typed(common, schema, start, depth)) ?? {
        ...common,
        kind: 'json',
        initial: start,
      }
    );
  }

  #typed(common: Base, schema: Schema, start: unknown, depth: number): Field | null {
    switch (typeOf(schema)) {
      case 'string':
        return readText(common, schema, start);
      case 'number':
      case 'integer':
        return readNumber(common, schema, start);
      case 'boolean':
        return { ...common, kind: 'boolean', ...(typeof start === 'boolean' && { initial: start }) };
      case 'array':
        return this.#array(common, schema, start);
      case 'object':
        return this.#object(common, schema, start, depth);
      default:
        return null;
    }
  }

  #object(common: Base, schema: Schema, start: unknown, depth: number): Field | null {
    const properties = asSchema(schema['properties']);
    if (!properties || depth > MAX_NESTING) return null;
    const required = Array.isArray(schema['required']) ? schema['required'] : [];
    const values = asSchema(start);
    const fields = Object.keys(properties).map((key) =>
      this.field(
        `${common.path}/${pointer(key)}`,
        key,
        properties[key],
        required.includes(key),
        values && Object.hasOwn(values, key) ? values[key] : undefined,
        depth + 1,
      ),
    );
    return { ...common, kind: 'object', fields };
  }

  #array(common: Base, schema: Schema, start: unknown): Field | null {
    const items = this.#resolve(schema['items']);
    if (!items) return null;
    const limits = {
      minItems: bound(schema, 'minItems'),
      maxItems: bound(schema, 'maxItems'),
      initial: start,
    };
    const within = base(common.path, common.key, items, true);
    const select = readSelect(within, items, undefined);
    if (select) return { ...common, kind: 'multi', options: select.options, ...limits };
    if (BEYOND.some((word) => word in items)) return null;
    const type = typeOf(items);
    const item =
      type === 'string'
        ? readText(within, items, undefined)
        : type === 'number' || type === 'integer'
          ? readNumber(within, items, undefined)
          : null;
    return item && { ...common, kind: 'list', item, unique: schema['uniqueItems'] === true, ...limits };
  }

  /** Follows references inside the document; others are not understood. */
  #resolve(raw: unknown): Schema | null {
    let schema = asSchema(raw);
    for (let hops = 0; schema && typeof schema['$ref'] === 'string'; hops++) {
      const ref = schema['$ref'];
      if (hops === MAX_REFS || !ref.startsWith('#/')) return null;
      let at: unknown = this.root;
      for (const part of ref.slice(2).split('/')) {
        const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
        const here = asSchema(at);
        at = here && Object.hasOwn(here, name) ? here[name] : undefined;
      }
      schema = asSchema(at);
    }
    return schema;
  }
}

function readSelect(common: Base, schema: Schema, start: unknown): SelectField | null {
  const options = optionsOf(schema);
  return options && { ...common, kind: 'select', options, initial: start };
}

function optionsOf(schema: Schema): Option[] | null {
  if ('const' in schema) return [{ value: schema['const'], label: labelOf(schema['const']) }];
  const values = schema['enum'];
  if (Array.isArray(values) && values.length > 0) {
    return values.map((value: unknown) => ({ value, label: labelOf(value) }));
  }
  const branches = schema['oneOf'] ?? schema['anyOf'];
  if (!Array.isArray(branches) || branches.length === 0) return null;
  const options: Option[] = [];
  for (const branch of branches) {
    const one = asSchema(branch);
    if (!one || !('const' in one)) return null;
    options.push({ value: one['const'], label: text(one['title']) || labelOf(one['const']) });
  }
  return options;
}

function readText(common: Base, schema: Schema, start: unknown): TextField {
  const format = FORMATS[text(schema['format'])] ?? 'plain';
  const maxLength = schema['maxLength'];
  const long = typeof maxLength === 'number' && maxLength > 300;
  const asked = ['multiline', 'textarea'].includes(text(schema['format']));
  const pattern = compile(schema['pattern']);
  return {
    ...common,
    kind: 'text',
    format,
    multiline: format === 'plain' && (long || asked),
    minLength: bound(schema, 'minLength'),
    maxLength: bound(schema, 'maxLength'),
    ...(pattern && { pattern }),
    ...(typeof start === 'string' && { initial: start }),
  };
}

function readNumber(common: Base, schema: Schema, start: unknown): NumberField {
  return {
    ...common,
    kind: 'number',
    integer: typeOf(schema) === 'integer',
    min: bound(schema, 'minimum'),
    max: bound(schema, 'maximum'),
    above: bound(schema, 'exclusiveMinimum'),
    below: bound(schema, 'exclusiveMaximum'),
    multipleOf: bound(schema, 'multipleOf'),
    ...(typeof start === 'number' && { initial: start }),
  };
}

function base(path: string, key: string, schema: Schema, required: boolean): Base {
  return { path, key, label: text(schema['title']) || key, help: text(schema['description']), required };
}

/** The type, where "or null" counts as leaving it empty. */
function typeOf(schema: Schema): string | null {
  const type = schema['type'];
  if (typeof type === 'string') return type;
  if (Array.isArray(type)) {
    const real = type.filter((one) => one !== 'null');
    return real.length === 1 && typeof real[0] === 'string' ? real[0] : null;
  }
  if (type === undefined && 'properties' in schema) return 'object';
  return null;
}

function asSchema(value: unknown): Schema | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : null;
}

function bound(schema: Schema, word: string): number | undefined {
  const value = schema[word];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function labelOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function pointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Go's word on a pattern is final; one that this engine cannot read, or that is long enough to be a trap, is left to it. */
function compile(pattern: unknown): RegExp | undefined {
  if (typeof pattern !== 'string' || pattern.length > 200 || /\([^)]*[+*][^)]*\)[+*{]/.test(pattern))
    return undefined;
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
}
