import * as fc from 'fast-check';

/** The subset of JSON Schema that the OpenAPI document uses for requests. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly examples?: readonly unknown[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
}

type Schemas = Readonly<Record<string, Schema>>;

const resolve = (schema: Schema, schemas: Schemas): Schema => {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...own } = schema;
  const named = schemas[$ref.replace('#/components/schemas/', '')];
  if (named === undefined) throw new Error(`${$ref} is not in the document`);
  return resolve({ ...named, ...own }, schemas);
};

/** Texts of a number of code points, which are what JSON Schema counts. */
const text = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ unit: 'binary', minLength, maxLength }),
    fc.string({ unit: 'grapheme-ascii', minLength, maxLength, size: 'max' }),
  );

const instant = (): fc.Arbitrary<string> =>
  fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }).map((date) => date.toISOString());

const string = ({ pattern, format, minLength = 0, maxLength = 300 }: Schema): fc.Arbitrary<unknown> => {
  if (format === 'date-time') return instant();
  if (pattern === undefined) return text(minLength, maxLength);
  const whole = new RegExp(pattern, 'u');
  if (minLength > 0) return text(minLength, maxLength).filter((value) => whole.test(value));
  return fc
    .stringMatching(whole)
    .filter((value) => whole.test(value) && value.length >= minLength && value.length <= maxLength);
};

const number = ({ type, minimum = -1e9, maximum = 1e9, multipleOf }: Schema): fc.Arbitrary<unknown> => {
  if (type === 'integer') return fc.integer({ min: minimum, max: maximum });
  const parts = Math.round(1 / (multipleOf ?? 0.01));
  return fc.integer({ min: minimum * parts, max: maximum * parts }).map((value) => value / parts);
};

const object = (schema: Schema, schemas: Schemas): fc.Arbitrary<unknown> =>
  fc.record(
    Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, property]) => [name, validValue(property, schemas)]),
    ),
    { requiredKeys: [...(schema.required ?? [])] },
  );

const createArbitrary = (schema: Schema, schemas: Schemas): fc.Arbitrary<unknown> => {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((option) => validValue(option, schemas)));
  if (schema.type === 'string') return string(schema);
  if (schema.type === 'integer' || schema.type === 'number') return number(schema);
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'object') return object(schema, schemas);
  if (schema.type === 'array' && schema.items !== undefined)
    return fc.array(validValue(schema.items, schemas), { minLength: schema.minItems ?? 0, maxLength: 5 });
  if (schema.type === 'null') return fc.constant(null);
  throw new Error(`no arbitrary for ${JSON.stringify(schema)}`);
};

/** Values that a schema allows. The schema's own examples, which name things that exist, are drawn often. */
export const validValue = (given: Schema, schemas: Schemas): fc.Arbitrary<unknown> => {
  const schema = resolve(given, schemas);
  const generated = createArbitrary(schema, schemas);
  const examples = schema.examples ?? [];
  return examples.length === 0
    ? generated
    : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...examples) }, { weight: 2, arbitrary: generated });
};

/** A value that a schema refuses, with the JSON Pointer of the faulty place relative to the value. */
export interface InvalidValue {
  readonly value: unknown;
  readonly at: string;
}

const atRoot = (arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<InvalidValue> =>
  arbitrary.map((value) => ({ value, at: '' }));

const otherTypes = (...types: readonly string[]): fc.Arbitrary<unknown> =>
  fc
    .constantFrom<unknown>(null, true, 7, -1.5, 'text', '5', [], ['a'], {}, { $ne: null }, { $gt: '' })
    .filter((value) => {
      const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
      return !types.includes(type);
    });

const wrongString = ({
  pattern,
  format,
  minLength = 0,
  maxLength,
  enum: values,
}: Schema): fc.Arbitrary<InvalidValue> => {
  const anything = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme-ascii' }));
  const refused = [
    ...(pattern === undefined ? [] : [anything.filter((value) => !new RegExp(pattern, 'u').test(value))]),
    ...(format === undefined ? [] : [anything.filter((value) => Number.isNaN(Date.parse(value)))]),
    ...(values === undefined ? [] : [anything.filter((value) => !values.includes(value))]),
    ...(minLength > 0
      ? [fc.string({ maxLength: minLength - 1 }), fc.constantFrom(' '.repeat(minLength), '\ud800')]
      : []),
    ...(maxLength === undefined
      ? []
      : [fc.constantFrom('x', 'é', '\u{1f4a9}').map((one) => one.repeat(maxLength + 1))]),
  ];
  return atRoot(fc.oneof(otherTypes('string'), ...refused));
};

const wrongNumber = ({ minimum = -1e9, maximum = 1e9 }: Schema): fc.Arbitrary<InvalidValue> =>
  atRoot(
    fc.oneof(
      otherTypes('number'),
      fc.double({ max: minimum, maxExcluded: true, noNaN: true, noDefaultInfinity: true }),
      fc.double({ min: maximum, minExcluded: true, noNaN: true, noDefaultInfinity: true }),
      fc.constant(minimum + 0.001),
    ),
  );

const nestInvalid = (name: string, { value, at }: InvalidValue, whole: Record<string, unknown>): InvalidValue => ({
  value: { ...whole, [name]: value },
  at: `/${name}${at}`,
});

const wrongObject = (schema: Schema, schemas: Schemas): fc.Arbitrary<InvalidValue> => {
  const whole = validValue(schema, schemas) as fc.Arbitrary<Record<string, unknown>>;
  const { properties = {}, required = [] } = schema;
  const unknown = fc.constantFrom('extra', '$where', 'constructor', '__proto__', 'a.b');
  return fc.oneof(
    atRoot(otherTypes('object')),
    ...required.map((name) => whole.map(({ [name]: _, ...rest }) => ({ value: rest, at: `/${name}` }))),
    fc.tuple(whole, unknown).map(([value, name]) => ({
      value: Object.fromEntries([...Object.entries(value), [name, 1]]),
      at: `/${name}`,
    })),
    ...Object.entries(properties).map(([name, property]) =>
      fc.tuple(whole, wrongValue(property, schemas)).map(([value, wrong]) => nestInvalid(name, wrong, value)),
    ),
  );
};

/** Texts of a list of a query, joined by commas, with a faulty item. */
const wrongList = ({ pattern = '', maxLength }: Schema): fc.Arbitrary<InvalidValue> => {
  const item = new RegExp(pattern, 'u');
  const isValid = (text: string): boolean => item.test(text) && text.length <= (maxLength ?? Number.POSITIVE_INFINITY);
  return wrongString({ pattern, ...(maxLength === undefined ? {} : { maxLength }) }).filter(
    ({ value }) => !String(value).split(',').every(isValid),
  );
};

/** Values with exactly one fault. */
export const wrongValue = (given: Schema, schemas: Schemas): fc.Arbitrary<InvalidValue> => {
  const schema = resolve(given, schemas);
  if (schema.type === 'object') return wrongObject(schema, schemas);
  if (schema.type === 'boolean') return atRoot(otherTypes('boolean'));
  if (schema.type === 'integer' || schema.type === 'number') return wrongNumber(schema);
  if (schema.items !== undefined) return wrongList(schema.items);
  return wrongString(schema);
};
