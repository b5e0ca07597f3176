import type { Schema } from 'mongoose';

/**
 * Reads only writes that a majority has: a primary that has lost the other members may hold writes that will be rolled
 * back. This is not a setting of the connection, because the driver would then use it in `snapshot` in place of the
 * snapshot.
 */
export const MAJORITY_READ = { readConcern: { level: 'majority' } } as const;

/**
 * Options of every mongoose schema. By default mongoose drops unknown fields from documents and, worse, from filters,
 * and an empty filter matches everything. With these options both throw.
 */
export const STRICT = {
  strict: 'throw',
  strictQuery: 'throw',
  versionKey: false,
  minimize: false,
  id: false,
  ...MAJORITY_READ,
} as const;

/** A rule in MongoDB's JSON Schema. */
interface SchemaRule {
  readonly bsonType?: string | readonly string[];
  readonly properties?: Readonly<Record<string, SchemaRule>>;
  readonly items?: SchemaRule;
  readonly additionalProperties?: SchemaRule | boolean;
  readonly [keyword: string]: unknown;
}

/** Returns the rule with unknown fields refused. */
const close = (rule: SchemaRule): SchemaRule => ({
  ...rule,
  ...(rule.items && { items: close(rule.items) }),
  ...(rule.properties && {
    properties: Object.fromEntries(Object.entries(rule.properties).map(([name, inner]) => [name, close(inner)])),
    additionalProperties: rule.additionalProperties ?? false,
  }),
});

/**
 * Returns the rule that the database enforces for each document of a collection, written by mongoose, by the driver, in
 * bulk or by another program.
 */
export const makeValidator = (schema: Schema): { readonly $jsonSchema: SchemaRule } => {
  const rule = schema.toJSONSchema({ useBsonType: true }) as SchemaRule;
  return { $jsonSchema: schema.get('strict') === false ? rule : close(rule) };
};
