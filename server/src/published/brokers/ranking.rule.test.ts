import { BROKER_STATUSES, COLORS, LICENSE_FILTERS, WARNING_FILTERS } from '@broker-transparency/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRanking, type RankedBroker, type RankedFilter } from './ranking.rule.ts';

const broker = fc.record({
  slug: fc.constantFrom(...'abcdefghijklm'.split('')),
  keys: fc.subarray(['k1', 'k2', 'k3', 'k4'], { minLength: 1 }),
  name: fc.constantFrom('ab', 'a b', 'abc', 'z'),
  color: fc.constantFrom(...COLORS),
  value: fc.option(fc.constantFrom(0, 10, 10.1, 70, 100), { nil: null }),
  country: fc.constantFrom('GB', 'CY'),
  regulatedBy: fc.subarray(['fca', 'cysec']),
  licenses: fc.constantFrom<readonly string[]>([], ['none'], ['confirmed', '1'], ['confirmed', '2']),
  isWarned: fc.boolean(),
  status: fc.constantFrom(...BROKER_STATUSES),
  residences: fc.subarray(['DE', 'GB']),
  ending: fc.subarray([
    { residence: 'DE', until: '2026-11-20T00:00:00.000Z' },
    { residence: 'GB', until: '2026-11-25T00:00:00.000Z' },
  ]),
});
const AT = new Date('2026-11-22T00:00:00.000Z');
const step = fc.oneof(
  fc.record({ put: broker }),
  fc.record({ remove: fc.constantFrom(...'abcdefghijklmxyz'.split('')) }),
  fc.record({ change: fc.constantFrom('k1', 'k2', 'k3', 'unknown'), asks: fc.boolean() }),
);

const ordered = (brokers: Iterable<RankedBroker>): string[] =>
  [...brokers].sort((a, b) => (b.value ?? -1) - (a.value ?? -1) || (a.slug < b.slug ? -1 : 1)).map(({ slug }) => slug);

const VALUES: Readonly<Record<keyof RankedFilter, readonly unknown[]>> = {
  color: COLORS,
  country: ['GB', 'CY', 'XX'],
  regulator: ['fca', 'cysec', 'asic'],
  status: BROKER_STATUSES,
  license: LICENSE_FILTERS,
  warnings: WARNING_FILTERS,
  residence: ['DE', 'GB', 'XX'],
};

/** A ranking after some changes, the brokers that it must hold, and the numbers of their changes. */
interface RankedStory {
  readonly ranking: ReturnType<typeof createRanking>;
  readonly model: ReadonlyMap<string, RankedBroker>;
  readonly numbers: ReadonlyMap<string, number>;
}
type RankingStep = typeof step extends fc.Arbitrary<infer Step> ? Step : never;

const playSteps = async (loaded: readonly RankedBroker[], steps: readonly RankingStep[]): Promise<RankedStory> => {
  const ranking = createRanking(() => AT);
  const numbers = new Map<string, number>();
  let counted = 0;
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
    } else if ('change' in each) {
      numbers.set(each.change, numbers.size + counted++);
      ranking.noteChange(each.change, numbers.get(each.change) as number);
      if (each.asks) ranking.page({}, 5, 0, 'changed'); // what was sorted once is sorted again
    } else {
      ranking.remove(each.remove);
      model.delete(each.remove);
    }
  }
  return { ranking, model, numbers };
};

const expectPages = ({ ranking, model }: RankedStory, limit: number, offset: number): void => {
  for (const color of [undefined, ...COLORS]) {
    const all = ordered([...model.values()].filter((each) => color === undefined || each.color === color));
    expect(ranking.page({ color }, limit, offset)).toEqual({
      slugs: all.slice(offset, offset + limit),
      total: all.length,
    });
  }
  for (const country of [undefined, 'GB', 'XX'])
    for (const regulator of [undefined, 'fca', 'asic'])
      for (const status of [undefined, 'operating', 'suspected_clone'] as const)
        for (const color of [undefined, 'green'] as const)
          for (const slugs of [undefined, ['b', 'a', 'zz', 'm', 'c']]) {
            const expected = ordered(
              [...model.values()].filter(
                (each) =>
                  (color === undefined || each.color === color) &&
                  (country === undefined || each.country === country) &&
                  (regulator === undefined || each.regulatedBy.includes(regulator)) &&
                  (status === undefined || each.status === status) &&
                  (slugs === undefined || slugs.includes(each.slug)),
              ),
            );
            expect(ranking.page({ color, country, regulator, status, slugs }, limit, offset)).toEqual({
              slugs: expected.slice(offset, offset + limit),
              total: expected.length,
            });
            if (!slugs) expect(ranking.matches({ color, country, regulator, status })).toEqual(expected);
          }
};

const expectNewestFirst = ({ ranking, model, numbers }: RankedStory, limit: number, offset: number): void => {
  const findNewest = ({ keys }: RankedBroker): number => Math.max(...keys.map((key) => numbers.get(key) ?? -1));
  for (const filter of [{}, { country: 'GB' }, { color: 'green', regulator: 'fca' }] satisfies RankedFilter[]) {
    const best = ranking.matches(filter).map((slug) => model.get(slug) as RankedBroker);
    const changed = best.toSorted((a, b) => findNewest(b) - findNewest(a)).map(({ slug }) => slug);
    expect(ranking.page(filter, limit, offset, 'changed')).toEqual({
      slugs: changed.slice(offset, offset + limit),
      total: changed.length,
    });
    expect(ranking.matches(filter, 'changed')).toEqual(changed);
  }
};

const expectFilters = ({ ranking, model }: RankedStory): void => {
  for (const [filter, lets] of [
    [{ license: 'confirmed' }, ({ licenses }) => licenses.includes('confirmed')],
    [{ license: 'none' }, ({ licenses }) => licenses.includes('none')],
    [{ license: '2' }, ({ licenses }) => licenses.includes('2')],
    [{ warnings: 'standing' }, ({ isWarned }) => isWarned],
    [{ warnings: 'unknown', license: '1' }, ({ isWarned, licenses }) => !isWarned && licenses.includes('1')],
    // the right to serve Germans has ended by then, and the right to serve Britons has not
    [
      { residence: 'DE' },
      ({ residences, ending }) => residences.includes('DE') && !ending.some((one) => one.residence === 'DE'),
    ],
    [{ residence: 'GB', color: 'red' }, ({ residences, color }) => residences.includes('GB') && color === 'red'],
  ] satisfies [RankedFilter, (one: RankedBroker) => boolean][])
    expect(ranking.matches(filter)).toEqual(ordered([...model.values()].filter(lets)));
};

const expectOrders = ({ ranking, model }: RankedStory, filter: RankedFilter): void => {
  const rated = [...model.values()].filter((one) => ranking.matches(filter).includes(one.slug));
  expect(ranking.matches(filter, 'lowest')).toEqual(
    rated.sort((a, b) => (a.value ?? 101) - (b.value ?? 101) || (a.slug < b.slug ? -1 : 1)).map(({ slug }) => slug),
  );
  expect(ranking.matches(filter, 'name')).toEqual(
    rated
      .sort(
        (a, b) =>
          (a.name === b.name ? 0 : a.name < b.name ? -1 : 1) ||
          (b.value ?? -1) - (a.value ?? -1) ||
          (a.slug < b.slug ? -1 : 1),
      )
      .map(({ slug }) => slug),
  );
};

const expectChoices = ({ ranking }: RankedStory, filter: RankedFilter): void => {
  const choices = ranking.choices(filter);
  for (const [asked, values] of Object.entries(VALUES))
    for (const value of values)
      expect(choices[asked as keyof RankedFilter][String(value)] ?? 0).toBe(
        ranking.matches({ ...filter, [asked]: value }).length,
      );
};

const FILTERS: readonly RankedFilter[] = [
  {},
  { country: 'GB' },
  { color: 'green', regulator: 'fca' },
  { license: 'confirmed', warnings: 'unknown', color: 'red' },
  { residence: 'DE' },
];

test('any changes leave each page a slice of the ordered list, and each choice with the number it says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(broker), fc.array(step), fc.nat(12), fc.nat(14), async (loaded, steps, limit, offset) => {
      const story = await playSteps(loaded, steps);
      expectPages(story, limit, offset);
      expectNewestFirst(story, limit, offset);
      for (const slug of 'amz') expect(story.ranking.has(slug)).toBe(story.model.has(slug));
      expectFilters(story);
      for (const filter of FILTERS) {
        expectOrders(story, filter);
        expectChoices(story, filter);
      }
    }),
    { seed: 20_261_121, numRuns: 300 },
  );
});
