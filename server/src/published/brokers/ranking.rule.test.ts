import { COLORS } from '@broker-transparency/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRanking, type Ranked, type RankedFilter } from './ranking.rule.ts';

const broker = fc.record({
  slug: fc.constantFrom(...'abcdefghijklm'.split('')),
  color: fc.constantFrom(...COLORS),
  value: fc.option(fc.constantFrom(0, 10, 10.1, 70, 100), { nil: null }),
  country: fc.constantFrom('GB', 'CY'),
  regulatedBy: fc.subarray(['fca', 'cysec']),
  tier: fc.constantFrom(null, 1, 2, 3, 4),
  isWarned: fc.boolean(),
});
const step = fc.oneof(
  fc.record({ put: broker }),
  fc.record({ remove: fc.constantFrom(...'abcdefghijklmxyz'.split('')) }),
);

const ordered = (brokers: Iterable<Ranked>): string[] =>
  [...brokers].sort((a, b) => (b.value ?? -1) - (a.value ?? -1) || (a.slug < b.slug ? -1 : 1)).map(({ slug }) => slug);

test('after any changes, every page is a slice of the whole list in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(broker), fc.array(step), fc.nat(12), fc.nat(14), async (loaded, steps, limit, offset) => {
      const ranking = createRanking();
      const model = new Map(loaded.map((each) => [each.slug, each]));
      await ranking.load(
        (async function* () {
          yield* model.values();
        })(),
      );
      for (const each of steps) {
        if ('put' in each) {
          ranking.put(each.put);
          model.set(each.put.slug, each.put);
        } else {
          ranking.remove(each.remove);
          model.delete(each.remove);
        }
      }
      for (const color of [undefined, ...COLORS]) {
        const all = ordered([...model.values()].filter((each) => color === undefined || each.color === color));
        expect(ranking.count(color)).toBe(all.length);
        expect(ranking.page(color, limit, offset)).toEqual(all.slice(offset, offset + limit));
      }
      for (const country of [undefined, 'GB', 'CY', 'XX'])
        for (const regulator of [undefined, 'fca', 'cysec', 'asic'])
          for (const color of [undefined, 'green'] as const)
            expect(ranking.matches({ color, country, regulator })).toEqual(
              ordered(
                [...model.values()].filter(
                  (each) =>
                    (color === undefined || each.color === color) &&
                    (country === undefined || each.country === country) &&
                    (regulator === undefined || each.regulatedBy.includes(regulator)),
                ),
              ),
            );
      for (const [filter, lets] of [
        [{ licence: 'confirmed' }, ({ tier }) => tier !== null],
        [{ licence: 'none' }, ({ tier }) => tier === null],
        [{ licence: 2 }, ({ tier }) => tier === 2],
        [{ isWarned: true }, ({ isWarned }) => isWarned],
        [{ isWarned: false, licence: 1 }, ({ isWarned, tier }) => !isWarned && tier === 1],
      ] satisfies [RankedFilter, (one: Ranked) => boolean][])
        expect(ranking.matches(filter)).toEqual(ordered([...model.values()].filter(lets)));
      const countries = [...model.values()].map(({ country }) => country);
      for (const code of ['GB', 'CY'])
        expect(ranking.countries().get(code) ?? 0).toBe(countries.filter((country) => country === code).length);
    }),
    { seed: 20_261_121, numRuns: 300 },
  );
});
