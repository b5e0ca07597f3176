import * as z from 'zod';

/** Returns a text of a permitted length, for texts without an example of their own. */
const text = (least: number, most: number): string =>
  'An example. '
    .repeat(Math.ceil(least / 12) || 1)
    .slice(0, most)
    .trim();

/**
 * Returns the example of a schema: its own, or one composed from the examples of its parts.
 * @throws TypeError if a part has no example and none can be derived, such as a text with a pattern
 */
export const composeExample = (schema: z.ZodType, place: string): unknown => {
  const own = schema.meta() as
    | { examples?: unknown[]; pattern?: string; minLength?: number; maxLength?: number }
    | undefined;
  if (own?.examples !== undefined) return own.examples[0];
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(
      Object.entries(schema.shape).map(([name, field]) => [
        name,
        composeExample(field as z.ZodType, `${place}.${name}`),
      ]),
    );
  if (schema instanceof z.ZodArray) return [composeExample(schema.element as z.ZodType, `${place}[]`)];
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return composeExample(schema.unwrap() as z.ZodType, place);
  if (schema instanceof z.ZodUnion) return composeExample(schema.options[0] as z.ZodType, place);
  if (schema instanceof z.ZodRecord)
    return { example: composeExample(schema.valueType as z.ZodType, `${place}.example`) };
  if (schema instanceof z.ZodUnknown) return 'anything';
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodLiteral) return [...schema.values][0];
  if (schema instanceof z.ZodBoolean) return true;
  if (schema instanceof z.ZodNumber) return Math.max(1, schema.minValue ?? 1);
  if (schema instanceof z.ZodString && (own?.minLength !== undefined || (schema.def.checks ?? []).length === 0))
    return text(own?.minLength ?? 1, own?.maxLength ?? 1000);
  throw new TypeError(`${place} has no example: give it one by .meta({ examples: [...] })`);
};
