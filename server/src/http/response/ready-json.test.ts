import { expect, test } from 'vitest';
import { type ReadyJson, readyList } from './ready-json.ts';

const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));

test.each([
  [[], {}],
  [[{ name: 'Zürich' }], {}],
  [['a', 2, null, []], { pagination: { total: 3 }, 'a"b': '"' }],
])('a list says what JSON.stringify would: %j %j', (items, rest) => {
  const list: unknown = readyList(items.map(bytes), rest);
  expect(Buffer.from((list as ReadyJson).bytes).toString()).toBe(JSON.stringify({ data: items, ...rest }));
});
