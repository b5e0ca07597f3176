import { expect, test } from 'vitest';
import * as z from 'zod';
import { Slug, Text } from '../primitives.ts';
import { composeExample } from './compose-example.ts';

test.each([
  ['the schema’s own example', z.string().meta({ examples: ['a', 'b'] }), 'a'],
  ['an object from its fields', z.object({ slug: Slug, met: z.boolean() }), { slug: 'alpha-markets', met: true }],
  ['a list with one item', z.array(Slug), ['alpha-markets']],
  [
    'fields that can be null or left out',
    z.object({ a: Slug.nullable(), b: Slug.optional() }),
    { a: 'alpha-markets', b: 'alpha-markets' },
  ],
  ['the first value of an enum', z.enum(['green', 'red']), 'green'],
  ['a literal', z.literal(4), 4],
  ['the first alternative of a union', z.union([z.literal(1), z.literal(2)]), 1],
  ['any text', z.string(), 'An example.'],
  ['a number within its bounds', z.number().min(40), 40],
])('composes %s', (_, schema, example) => {
  expect(composeExample(schema, 'It')).toEqual(example);
});

test.each([
  [1, 5],
  [3, 120],
  [20, 2000],
])('composes a valid example for a text from %i to %i characters', (least, most) => {
  const schema = Text(least, most);
  const example = composeExample(schema, 'It');
  expect(schema.parse(example)).toBe(example);
});

test('demands an example for a text with a pattern, in an error that names the place', () => {
  const schema = z.object({ rows: z.array(z.object({ code: z.string().regex(/^x\d$/) })) });
  expect(() => composeExample(schema, 'Rows')).toThrow(
    new TypeError('Rows.rows[].code has no example: give it one by .meta({ examples: [...] })'),
  );
});
