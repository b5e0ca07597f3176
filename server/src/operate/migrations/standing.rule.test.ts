import { expect, test } from 'vitest';
import { compareMigrations } from './standing.rule.ts';

const KNOWN = [{ version: 1 }, { version: 2 }, { version: 3, required: true }] as const;
const done = (...versions: number[]) => versions.map((version) => ({ version, breaksOlder: false }));
const breaking = (version: number) => ({ version, breaksOlder: true });

test.each<
  [name: string, applied: Parameters<typeof compareMigrations>[1], version: number, pending: number[], refusal?: RegExp]
>([
  ['every known migration', done(1, 2, 3), 3, []],
  [
    'none of the known migrations, one of which is required',
    [],
    0,
    [1, 2, 3],
    /lacks migration 3, .* run broker-rating admin migrate$/,
  ],
  ['all but one that is not required', done(1, 3), 3, [2]],
  ['newer migrations that do not break older releases', done(1, 2, 3, 4, 5), 5, []],
  [
    'a newer migration that breaks older releases',
    [...done(1, 2, 3, 4), breaking(5)],
    5,
    [],
    /at version 5, .* no more than 3/,
  ],
  ['a known migration that breaks older releases', [...done(1, 2), breaking(3)], 3, []],
])('handles a database with %s', (_, applied, version, pending, refusal) => {
  const standing = compareMigrations(KNOWN, applied);
  expect(standing).toMatchObject({ version, pending });
  if (refusal) expect(standing.refusal).toMatch(refusal);
  else expect(standing.refusal).toBeUndefined();
});

test('a release without migrations serves any database that does not forbid it', () => {
  expect(compareMigrations([], [])).toEqual({ version: 0, pending: [], refusal: undefined });
});
