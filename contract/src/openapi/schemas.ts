import * as z from 'zod';
import type { JsonSchema } from './document.ts';

const SAFE = Number.MAX_SAFE_INTEGER;

/** What may stand beside a reference: zod repeats there what the named schema says. */
const BESIDE_REFERENCE = ['$ref', 'description', 'examples', 'default'];

/** Removes what zod adds and JSON Schema already says, or what holds only for the text form of a number. */
const tidy = (schema: Record<string, unknown>): void => {
  if (schema['$ref'] !== undefined)
    for (const key of Object.keys(schema)) if (!BESIDE_REFERENCE.includes(key)) delete schema[key];
  if (schema['type'] === 'integer' || schema['format'] === 'date') delete schema['pattern'];
  if (schema['minimum'] === -SAFE) delete schema['minimum'];
  if (schema['maximum'] === SAFE) delete schema['maximum'];
  // generators would else take 32 bits: too few for a score's last digit, and for a sum of squares
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

/** Collects the named schemas that are met while others are converted. Names come from `.meta({ id })`. */
export class SchemaCollection {
  readonly #named = new Map<string, JsonSchema>();

  /** JSON Schema of what is sent on the wire; a `$ref` where the schema has a name. */
  add(schema: z.ZodType): JsonSchema {
    const converted = z.toJSONSchema(schema, { io: 'input', override: ({ jsonSchema }) => tidy(jsonSchema) });
    const { $schema, $id, $defs = {}, ...rest } = JSON.parse(JSON.stringify(converted), toComponent);
    for (const [id, named] of Object.entries<JsonSchema>($defs)) this.#named.set(id, named);
    return rest;
  }

  /** The named schema a `$ref` of this collection points to; any other schema as it is. */
  resolve(schema: JsonSchema): JsonSchema {
    const id = nameOf(schema);
    return (id === undefined ? undefined : this.#named.get(id)) ?? schema;
  }

  /** All named schemas by name, in alphabetical order. */
  components(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#named].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** Name of the component a schema refers to. */
export const nameOf = (schema: JsonSchema): string | undefined => schema.$ref?.split('/').at(-1);
