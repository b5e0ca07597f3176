import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ScoreFacts } from '../score/facts.ts';
import { scoreByVersion } from '../score/score.ts';
import { METHODOLOGY_MODULES } from './methodology-modules.ts';

const folder = new URL('../../methodology/', import.meta.url);
const versions = readdirSync(new URL('../score/', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const stars = fc.array(fc.integer({ min: 100, max: 500 }), { minLength: 1, maxLength: 40 });
const facts: fc.Arbitrary<ScoreFacts> = fc.record({
  status: fc.constantFrom('operating', 'ceased', 'merged', 'suspected_clone'),
  licensesCheckedAt: fc.constantFrom(null, '2026-01-01T00:00:00Z'),
  entities: fc.array(fc.record({ legalName: fc.constantFrom('A Ltd', 'B Ltd'), retailClients: fc.boolean() })),
  licenses: fc.array(
    fc.record({
      entity: fc.record({ legalName: fc.constantFrom('A Ltd', 'B Ltd', 'C Ltd') }),
      regulatorCode: fc.constantFrom('fca', 'cysec', 'cftc', 'nfa'),
      type: fc.constantFrom('authorisation', 'passport', 'registration'),
      tier: fc.constantFrom(1, 2, 3, 4),
      status: fc.constantFrom('active', 'restricted', 'withdrawn', 'unverified'),
      activeSince: fc.constantFrom(undefined, '2001-02-03', '2020-12-31'),
    }),
  ),
  ratingsByMonth: fc.array(
    fc.tuple(fc.integer({ min: 2020, max: 2026 }), stars).map(([year, ratings]) => ({
      month: `${year}-07`,
      count: ratings.length,
      sum: ratings.reduce((sum, one) => sum + one, 0),
      sumOfSquares: ratings.reduce((sum, one) => sum + one * one, 0),
      distribution: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 },
    })),
  ),
  complaints: fc
    .nat(30)
    .map((closed) => ({ closed, resolved: Math.floor(closed / 2), timely: Math.floor(closed / 3) })),
  checklist: fc.array(fc.record({ key: fc.constantFrom('fees', 'address'), met: fc.constantFrom(true, false, null) })),
  warnings: fc.array(
    fc.record({
      about: fc.constantFrom('this_firm', 'clone_of_it', 'not_this_firm'),
      match: fc.constantFrom(undefined, 'unchecked', 'confirmed'),
    }),
  ),
});

describe.each(versions)('the file of methodology %s', (version) => {
  test('the file is the one that the record names', () => {
    const file = readFileSync(new URL(`${version}.mjs`, folder));
    expect(createHash('sha256').update(file).digest('hex')).toBe(METHODOLOGY_MODULES[version]);
  });

  test('scores as the package does', async () => {
    const file = (await import(new URL(`${version}.mjs`, folder).href)) as { scoreBroker: unknown };
    const score = file.scoreBroker as ReturnType<typeof scoreByVersion>;
    fc.assert(
      fc.property(facts, (given) => {
        const at = '2026-11-23T00:00:00.000Z';
        expect(score(given, at)).toEqual(scoreByVersion(version)(given, at));
      }),
      { seed: 20_261_123, numRuns: 300 },
    );
  });
});
