import { expect, test } from 'vitest';
import { splitIntoSlots } from './slots.rule.ts';

const point = (day: string, value: number | null) => ({ time: `2026-${day}T00:00:00.000Z`, value });

test('eight parts cover the time of a chart without a gap, each with the score at both of its ends', () => {
  const slots = splitIntoSlots([point('01-01', 50), point('01-21', null), point('01-31', 40), point('02-10', 40)]);
  expect(slots).toHaveLength(8);
  expect([slots[0]?.from, slots.at(-1)?.to]).toEqual(['2026-01-01T00:00:00.000Z', '2026-02-10T00:00:00.000Z']);
  for (const [index, { from }] of slots.entries()) if (index > 0) expect(from).toBe(slots[index - 1]?.to);
  expect(slots.map(({ first, last }) => [first, last])).toEqual([
    [50, 50],
    [50, 50],
    [50, 50],
    [50, null],
    [null, null],
    [null, 40],
    [40, 40],
    [40, 40],
  ]);
});

test.each([
  [[], 0],
  [[point('01-01', 1)], 0],
  [[point('01-01', 1), { time: '2026-01-01T06:00:00.000Z', value: 2 }], 1],
  [[point('01-01', 1), point('01-04', 2)], 3],
])('a short time has no more parts than days: %j', (points, count) => {
  expect(splitIntoSlots(points)).toHaveLength(count);
});
