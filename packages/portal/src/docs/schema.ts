import type { JsonSchema, OpenApiDocument } from '@broker-transparency/contract/openapi';
import { type Html, html } from '../html.ts';
import type { Texts } from '../languages.ts';
import { formatted } from './prose.ts';
import { findSchemaName, resolveSchema } from './reference.ts';

/** Context for describing fields. */
interface SchemaContext {
  readonly document: OpenApiDocument;
  readonly texts: Texts;
}

/** Separates a schema from its null type. */
const stripNull = (schema: JsonSchema): { schema: JsonSchema; isNullable: boolean } => {
  const { anyOf, ...beside } = schema;
  if (!anyOf) {
    const types = Array.isArray(schema.type) ? schema.type : [];
    if (!types.includes('null')) return { schema, isNullable: false };
    const [type = 'null', ...more] = types.filter((other) => other !== 'null');
    return { schema: { ...schema, type: more.length > 0 ? [type, ...more] : type }, isNullable: true };
  }
  const others = anyOf.filter(({ type }) => type !== 'null');
  const isNullable = others.length < anyOf.length;
  return { schema: others.length === 1 ? { ...others[0], ...beside } : { ...beside, anyOf: others }, isNullable };
};

const NUMBERS = { double: true, int64: true } as const;

/** Returns the words for the type of a schema. */
export const describeType = (given: JsonSchema, { document, texts }: SchemaContext): string => {
  const { schema } = stripNull(given);
  const whole = resolveSchema(document, schema);
  if (whole.anyOf) return whole.anyOf.map((one) => describeType(one, { document, texts })).join(texts.docs.or);
  if (whole['const'] !== undefined) return JSON.stringify(whole['const']);
  if (whole.type === 'array') return texts.docs.listOf({ type: describeType(whole.items ?? {}, { document, texts }) });
  if (whole.type === 'object') return findSchemaName(schema) ?? 'object';
  const format = String(whole['format'] ?? '');
  const name = [whole.type].flat().filter(Boolean).join(texts.docs.or) || texts.docs.anything;
  return format === '' || format in NUMBERS ? name : `${name} (${format})`;
};

/** Returns the constraints of a value, in words. */
const listConstraints = (schema: JsonSchema, { texts }: SchemaContext): string[] => {
  const { docs } = texts;
  const range = (least: unknown, most: unknown, words: (text: string) => string): string[] => {
    if (least === undefined && most === undefined) return [];
    if (least === undefined) return [words(docs.atMost({ most: String(most) }))];
    return [
      words(
        most === undefined
          ? docs.atLeast({ least: String(least) })
          : docs.between({ least: String(least), most: String(most) }),
      ),
    ];
  };
  const same = (text: string): string => text;
  return [
    ...range(schema['minimum'], schema['maximum'], same),
    ...range(schema['minLength'], schema['maxLength'], (given) => docs.characters({ range: given })),
    ...range(schema['minItems'], schema['maxItems'], (given) => docs.items({ range: given })),
    ...(schema['multipleOf'] === undefined ? [] : [docs.multipleOf({ step: String(schema['multipleOf']) })]),
    ...(schema.default === undefined ? [] : [docs.byDefault({ value: JSON.stringify(schema.default) })]),
  ];
};

const renderList = (values: readonly unknown[]): Html[] =>
  values.map((value, at) => html`${at > 0 && ', '}<code>${String(value)}</code>`);

/** Renders the values of an enumeration, closed or extensible. */
const renderValues = (schema: JsonSchema, { texts }: SchemaContext): Html | undefined => {
  const open = schema['x-extensible-enum'];
  if (Array.isArray(open)) return html`<p>${texts.docs.openValues} ${renderList(open)}</p>`;
  return schema.enum && html`<p>${texts.docs.closedValues} ${renderList(schema.enum)}</p>`;
};

/** Renders an example of a plain value, or its pattern. */
const renderExample = ({ examples, pattern }: JsonSchema, { texts }: SchemaContext): Html | undefined => {
  const [example] = examples ?? [];
  if (example !== undefined && typeof example !== 'object')
    return html`${texts.docs.example} <code>${String(example)}</code>`;
  return pattern === undefined ? undefined : html`${texts.docs.form} <code>${String(pattern)}</code>`;
};

/** Renders the description of a value besides its name and type. */
export const describeValue = (schema: JsonSchema, describing: SchemaContext): Html => {
  const whole = resolveSchema(describing.document, stripNull(schema).schema);
  const element = whole.type === 'array' ? resolveSchema(describing.document, stripNull(whole.items ?? {}).schema) : {};
  const notes = [...listConstraints(whole, describing), renderExample(whole, describing)].filter(
    (note) => note !== undefined,
  );
  return html`${whole.description !== undefined && html`<p lang="en">${formatted(whole.description)}</p>`}${
    renderValues(whole, describing) ?? renderValues(element, describing)
  }${notes.length > 0 && html`<p class="soft">${notes.map((note, at) => html`${at > 0 && '; '}${note}`)}</p>`}`;
};

/** Returns the object that a value or its items are; undefined for plain values. */
const findObject = (
  schema: JsonSchema,
  { document }: SchemaContext,
): { name?: string; object: JsonSchema } | undefined => {
  const bare = stripNull(schema).schema;
  const whole = resolveSchema(document, bare);
  if (whole.type === 'array') return findObject(whole.items ?? {}, { document } as SchemaContext);
  const more = whole.additionalProperties;
  if (whole.properties) {
    const name = findSchemaName(bare);
    return name === undefined ? { object: whole } : { name, object: whole };
  }
  return typeof more === 'object' ? findObject(more, { document } as SchemaContext) : undefined;
};

/** Renders the fields of an object, including nested objects. A recursive object is not opened again. */
const renderObject = (object: JsonSchema, describing: SchemaContext, above: readonly string[]): Html => {
  const { docs } = describing.texts;
  const required = new Set(object.required);
  const fields = Object.entries(object.properties ?? {}).map(([name, schema]) => {
    const { isNullable } = stripNull(schema);
    const marks = [
      describeType(schema, describing),
      ...(isNullable ? [docs.orNull] : []),
      ...(required.has(name) ? [] : [docs.optional]),
    ];
    const inner = findObject(schema, describing);
    const isOpen = inner && !(inner.name !== undefined && above.includes(inner.name));
    return html`<dt><code>${name}</code> <span class="soft">${marks.join(', ')}</span></dt>
<dd>${describeValue(schema, describing)}${
      isOpen &&
      html`<details><summary>${docs.fieldsOf({ name: inner.name ?? name })}</summary>
${renderObject(inner.object, describing, inner.name === undefined ? above : [...above, inner.name])}</details>`
    }</dd>
`;
  });
  return html`<dl class="fields">
${fields}</dl>`;
};

/** Renders the fields of a body: those of its object, or of its items. */
export const renderFields = (schema: JsonSchema, describing: SchemaContext): Html => {
  const found = findObject(schema, describing);
  if (!found) return html`<p><code>${describeType(schema, describing)}</code></p>${describeValue(schema, describing)}`;
  return renderObject(found.object, describing, found.name === undefined ? [] : [found.name]);
};
