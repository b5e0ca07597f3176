import { expect, test } from 'vitest';
import { findUpheaval } from './upheaval.rule.ts';
import type { WarningChange, WarningState } from './warning.rule.ts';

const warnings = (standing: number, withdrawn = 0): ReadonlyMap<string, WarningState> =>
  new Map(
    Array.from({ length: standing + withdrawn }, (_, n) => [
      `w${n}`,
      { withdrawnAt: n < standing ? null : '2026-11-01T00:00:00.000Z' } as WarningState,
    ]),
  );
const changes = (counts: Partial<Record<WarningChange['change'], number>>) =>
  Object.entries(counts).flatMap(([change, count]) =>
    Array.from({ length: count }, () => ({ change: change as WarningChange['change'] })),
  );

test.each<[string, number, Parameters<typeof changes>[0], string | undefined]>([
  ['20 % withdrawn', 100, { withdrawn: 20 }, undefined],
  ['more than 20 % withdrawn', 100, { withdrawn: 21 }, 'withdraws 21 of the 100'],
  ['fewer than ten withdrawn', 9, { withdrawn: 9 }, undefined],
  ['ten of ten withdrawn', 10, { withdrawn: 10 }, 'withdraws 10 of the 10'],
  ['as many new as stand', 100, { new: 100 }, undefined],
  ['more new than stand', 100, { new: 101 }, 'adds 101 warnings, and 100 stand'],
  ['more that come back than stand', 10, { back: 11 }, 'adds 11 warnings, and 10 stand'],
  ['new and back together', 10, { back: 6, new: 6 }, 'adds 12 warnings'],
  ['fewer than ten new', 2, { new: 9 }, undefined],
  ['ten new where none stands', 0, { new: 10 }, 'adds 10 warnings, and 0 stand'],
  ['other words', 100, { changed: 100 }, undefined],
])('a reading with %s is judged by the %d warnings that were in force', (_, standing, counts, reason) => {
  const found = findUpheaval(changes(counts), { known: warnings(standing, 500), isReadBefore: true });
  if (reason === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(reason);
});

test('a first reading of a list is never an upheaval', () => {
  const kept = { known: warnings(0), isReadBefore: false };
  expect(findUpheaval(changes({ new: 3000 }), kept)).toBeUndefined();
});
