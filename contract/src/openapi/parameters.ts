import * as z from 'zod';
import type { Parameter } from './document.ts';
import type { NamedRoute } from './routes.ts';
import type { SchemaCollection } from './schemas.ts';

/** Description of a parameter, by name. A description in the parameter's own schema takes precedence. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  limit: 'Most items to answer.',
  offset: 'Items to skip.',
  cursor: 'Asks for the page after another one.',
  color: 'Only brokers whose score has this color.',
  broker: 'Slug of the broker.',
  slug: 'Slug of the broker.',
  code: 'Code of the regulator.',
  'idempotency-key':
    'Names this request, so that sending it again cannot do it twice. A key is kept for 24 hours per account ' +
    'and route.',
};

const toTitleCase = (name: string): string => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

const readDefault = (schema: z.ZodType): { default?: unknown } =>
  schema instanceof z.ZodDefault ? { default: schema.def.defaultValue } : {};

const buildParameter = (
  place: Parameter['in'],
  name: string,
  schema: z.ZodType,
  schemas: SchemaCollection,
): Parameter => {
  const { description = DESCRIPTIONS[name], ...json } = schemas.add(schema);
  const example = (json.examples ??
    schemas.resolve(json).examples ??
    (schema.meta()?.['examples'] as unknown[] | undefined))?.[0];
  return {
    name: place === 'header' ? toTitleCase(name) : name,
    in: place,
    required: !schema.safeParse(undefined).success,
    ...(description === undefined ? {} : { description }),
    schema: { ...json, ...readDefault(schema) },
    ...(json.type === 'array' ? { style: 'form', explode: false } : {}),
    ...(example === undefined ? {} : { example }),
  };
};

const IF_NONE_MATCH: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'ETag of the answer you have: 304 without a body if it is still the current one.',
  schema: { type: 'string' },
};

/** Returns the parameters of a route, path parameters first. */
export const buildParameters = (route: NamedRoute, schemas: SchemaCollection): Parameter[] => [
  ...(['path', 'query', 'header'] as const).flatMap((place) =>
    Object.entries(route.parameters[place]).map(([name, schema]) => buildParameter(place, name, schema, schemas)),
  ),
  ...(route.policy.cache === 'none' ? [] : [IF_NONE_MATCH]),
];
