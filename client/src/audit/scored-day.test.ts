import { canonicalJson, computeSubtreesRoot, hashSubtrees, leafInput, toBase64 } from '@broker-transparency/log';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256 } from './hash.ts';
import { createDayRoots, type DayRow, toDayRow } from './scored-day.ts';

const rootOfRows = (rows: readonly DayRow[]): string => {
  const leaves = rows.map(({ slug, value, color }) =>
    sha256(leafInput(new TextEncoder().encode(canonicalJson([slug, value, color])))),
  );
  return toBase64(computeSubtreesRoot(hashSubtrees(leaves, sha256), sha256));
};

/** Values of brokers by their number, on each of some days. */
const days = fc.array(fc.uniqueArray(fc.tuple(fc.nat(40), fc.nat(3)), { selector: ([broker]) => broker }), {
  minLength: 1,
  maxLength: 8,
});

test('the root of each day is that of its scores, whatever the days before were', () => {
  fc.assert(
    fc.property(days, (all) => {
      const rootOfDay = createDayRoots();
      let before = new Map<number, DayRow>();
      for (const day of all) {
        const sorted = day.toSorted(([a], [b]) => a - b);
        before = new Map(
          sorted.map(([broker, value]) => [broker, toDayRow(`b-${broker}`, value, 'green', before.get(broker))]),
        );
        const rows = [...before.values()];
        expect(rootOfDay(rows)).toBe(rootOfRows(rows));
      }
    }),
    { seed: 20_261_123, numRuns: 500 },
  );
});

test('a day without brokers has the root of the empty tree, and so has the first one', () => {
  const rootOfDay = createDayRoots();
  const rows = [toDayRow('a', 1, 'green'), toDayRow('b', null, 'gray')];
  expect([rootOfDay([]), rootOfDay(rows), rootOfDay([])]).toEqual([rootOfRows([]), rootOfRows(rows), rootOfRows([])]);
  expect(rootOfDay(rows.map(({ slug, value, color }) => toDayRow(slug, value, color)))).toBe(rootOfRows(rows));
});
