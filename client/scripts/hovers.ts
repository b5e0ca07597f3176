import type { JsonSchema } from '@broker-transparency/contract/openapi';

/* Builds what editors show for a field: its meaning, format, limits and an example. */

type Schemas = Readonly<Record<string, JsonSchema>>;

const formatRange = (least: unknown, most: unknown, unit = ''): string[] => {
  if (least === undefined && most === undefined) return [];
  if (most === undefined) return [`At least ${least}${unit}.`];
  return [least === undefined ? `At most ${most}${unit}.` : `${least} to ${most}${unit}.`];
};

/** Returns the limits of a field as sentences. */
export const describeLimits = (schema: JsonSchema): string[] => [
  ...formatRange(schema['minLength'], schema['maxLength'], ' characters'),
  ...formatRange(schema['minimum'], schema['maximum']),
  ...formatRange(schema['minItems'], schema['maxItems'], ' items'),
  ...(schema.default === undefined ? [] : [`Default: ${schema.default}.`]),
];

const quoteExample = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value));

/** Returns the named type of a field if it is not an object. Its format and limits also apply to the field. */
const findFormat = (schema: JsonSchema, schemas: Schemas): JsonSchema | undefined => {
  const reference = schema.$ref ?? schema.anyOf?.find(({ $ref }) => $ref !== undefined)?.$ref;
  const named = schemas[reference?.split('/').at(-1) ?? ''];
  return named?.properties === undefined ? named : undefined;
};

/** Returns the lines of a field's comment. */
export const buildHover = (field: JsonSchema, schemas: Schemas): string[] => {
  const format = findFormat(field, schemas);
  const example = [...(field.examples ?? []), ...(format?.examples ?? [])][0];
  return [
    ...(field.description === undefined ? [] : [field.description]),
    ...(format?.description === undefined ? [] : [format.description]),
    ...describeLimits({ ...format, ...field }),
    ...(example === undefined ? [] : [`@example ${quoteExample(example)}`]),
  ];
};

/** Returns a field with its whole comment as its description, and without what would add further comments. */
const describeField = (field: JsonSchema, schemas: Schemas): JsonSchema => {
  const { description: _, examples, default: __, format, ...type } = field;
  const lines = buildHover(field, schemas);
  return { ...addHovers(type, schemas), ...(lines.length === 0 ? {} : { description: lines.join('\n') }) };
};

/** Returns a schema in which the comments of all fields, at any depth, are their descriptions. */
export const addHovers = (schema: JsonSchema, schemas: Schemas): JsonSchema => ({
  ...schema,
  ...(schema.items && { items: addHovers(schema.items, schemas) }),
  ...(schema.properties && {
    properties: Object.fromEntries(
      Object.entries(schema.properties).map(([name, field]) => [name, describeField(field, schemas)]),
    ),
  }),
});
