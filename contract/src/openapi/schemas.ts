import * as z from 'zod';
import type { JsonSchema } from './document.ts';

const SAFE = Number.MAX_SAFE_INTEGER;

/** Keywords that stay beside a `$ref`. Zod repeats the rest of the named schema there. */
const BESIDE_REFERENCE = ['$ref', 'description', 'examples', 'default'];

/** Removes keywords that zod adds but JSON Schema does not need, and those that only describe a number as text. */
const tidySchema = (schema: Record<string, unknown>): void => {
  if (schema['$ref'] !== undefined)
    for (const key of Object.keys(schema)) if (!BESIDE_REFERENCE.includes(key)) delete schema[key];
  if (schema['type'] === 'integer' || schema['format'] === 'date') delete schema['pattern'];
  if (schema['minimum'] === -SAFE) delete schema['minimum'];
  if (schema['maximum'] === SAFE) delete schema['maximum'];
  // Without a format, generators choose 32 bits, too few for a score's last digit or a sum of squares.
  if (schema['type'] === 'number') schema['format'] = 'double';
  if (schema['type'] === 'integer' && schema['maximum'] === undefined) schema['format'] = 'int64';
  if (schema['enum'] !== undefined) delete schema['anyOf'];
  if (schema['extensible'] === true) {
    schema['x-extensible-enum'] = schema['enum'];
    delete schema['enum'];
    delete schema['extensible'];
  }
  delete schema['propertyNames'];
};

const toComponent = (key: string, value: unknown): unknown =>
  key === '$ref' ? String(value).replace('#/$defs/', '#/components/schemas/') : value;

/** Collects the named schemas that occur while schemas are converted. Their names come from `.meta({ id })`. */
export class SchemaCollection {
  readonly #named = new Map<string, JsonSchema>();

  /** Returns the JSON Schema of the value as it is sent, or a `$ref` if the schema has a name. */
  add(schema: z.ZodType): JsonSchema {
    const converted = z.toJSONSchema(schema, { io: 'input', override: ({ jsonSchema }) => tidySchema(jsonSchema) });
    const { $schema, $id, $defs = {}, ...rest } = JSON.parse(JSON.stringify(converted), toComponent);
    for (const [id, named] of Object.entries<JsonSchema>($defs)) this.#named.set(id, named);
    return rest;
  }

  /** Returns the named schema that a `$ref` points to, and any other schema unchanged. */
  resolve(schema: JsonSchema): JsonSchema {
    const id = findComponentName(schema);
    return (id === undefined ? undefined : this.#named.get(id)) ?? schema;
  }

  /** Returns all named schemas by name, in alphabetical order. */
  components(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#named].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** Returns the name of the component that a schema refers to. */
export const findComponentName = (schema: JsonSchema): string | undefined => schema.$ref?.split('/').at(-1);
