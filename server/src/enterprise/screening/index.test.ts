import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { licenseFacts, profileFacts } from '../../published/look-alikes/facts.rule.ts';
import { gradeFact, normalizeQuery } from '../../published/look-alikes/grade.rule.ts';
import { createScreeningIndex, type IndexedEntry } from './index.ts';

const NAMES = [
  'Zyxwell',
  'Zyxwel Ltd',
  'Quantorio Markets',
  'Quantorio Capital GmbH',
  'Bravura FX',
  'Bravurra FX',
  'Zyxvvell',
  'Бравура FX',
  'Zyхwell',
];
const DOMAINS = [
  'zyxwell.example',
  'zyxwell.test',
  'trade.zyxwell.test',
  'quantorio.example',
  'bravura-fx.example',
  'my-zyxwell.test',
  'q.co.uk',
  't.me',
];
const LEIS = ['529900T8BM49AURSDO55', '529900T8BM49AURSDO66'];
const NUMBERS = ['1-2', '12', '34', 'FRN 012'];

const profile = fc.record({
  slug: fc.constant('s'),
  name: fc.constantFrom(...NAMES),
  legalName: fc.constantFrom(...NAMES),
  status: fc.constantFrom('operating', 'suspected_clone'),
  lei: fc.option(fc.constantFrom(...LEIS), { nil: undefined }),
  domains: fc.subarray(DOMAINS),
});
const license = fc.record({
  regulator: fc.constantFrom('fca', 'asic'),
  number: fc.constantFrom(...NUMBERS),
  holders: fc.constantFrom([], [{ legalName: 'Zyxwell Ltd', sourceUrl: 'https://register.example/1' }]),
});
const warning = fc.constant({ about: 'this_firm', title: 'A warning' });

const entry = fc.record({
  broker: fc.constantFrom('a', 'b', 'c'),
  said: fc.oneof(
    fc.record({ kind: fc.constant('broker'), value: fc.option(profile) }),
    fc.record({ kind: fc.constant('license'), value: fc.option(license) }),
    fc.record({ kind: fc.constant('warning'), value: fc.option(warning) }),
  ),
});
const query = fc.record(
  {
    lei: fc.constantFrom(...LEIS),
    name: fc.constantFrom(...NAMES, 'Quantorio', 'Zixwell', 'Zyxvvell', '8ravura fx'),
    domain: fc.constantFrom(
      ...DOMAINS,
      'www.zyxwel.example',
      'shop.quantorio.example',
      'zyxwell-fx.test',
      'zyxvvell.test',
      'zyxewll.test',
      'r.co.uk',
    ),
    licenseNumber: fc.constantFrom(...NUMBERS, '5'),
    regulator: fc.constantFrom('fca', 'asic'),
  },
  { requiredKeys: [] },
);

const toEntry = (
  { broker, said: { kind, value } }: { broker: string; said: { kind: string; value: unknown } },
  number = 0,
) =>
  ({
    key: `${kind}/${broker}`,
    subject: `broker/${broker}`,
    kind,
    number,
    value: JSON.stringify(value),
  }) satisfies IndexedEntry;

/** Finds the brokers that match by looking at every fact of every broker. */
const lookedThrough = (entries: readonly IndexedEntry[], asked: ReturnType<typeof normalizeQuery>): string[] => {
  const last = new Map(entries.map((one) => [one.key, one]));
  return ['a', 'b', 'c'].filter((broker) => {
    const said = (kind: string): unknown => JSON.parse(last.get(`${kind}/${broker}`)?.value ?? 'null');
    const [own, held] = [said('broker'), said('license')];
    const facts = [...(own ? profileFacts(own).facts : []), ...(held ? licenseFacts(held) : [])];
    return own !== null && facts.some((fact) => gradeFact(asked, fact));
  });
};

test('finds whoever matches, whatever was known before, and nobody else', () => {
  let found = 0;
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 25 }), query, (story, asked) => {
      const entries = story.map(toEntry);
      const index = createScreeningIndex();
      for (const one of entries) index.put(one);
      const hits = index.find(normalizeQuery(asked));
      found += hits.length;
      const brokers = hits.map(({ hits: [first] }) => first?.key.split('/')[1]).sort();
      expect(brokers).toEqual(lookedThrough(entries, normalizeQuery(asked)));
    }),
    { seed: 20_261_123, numRuns: 2000 },
  );
  expect(found).toBeGreaterThan(1000);
});

test('names the warnings and says which facts are known', () => {
  const index = createScreeningIndex();
  const value = { slug: 's', name: 'Zyxwell', legalName: 'Zyxwell', status: 'suspected_clone', domains: ['z.example'] };
  index.put(toEntry({ broker: 'a', said: { kind: 'broker', value } }, 4));
  index.put(toEntry({ broker: 'a', said: { kind: 'warning', value: { about: 'clone_of_it', title: 'T' } } }, 5));
  const [found] = index.find(normalizeQuery({ name: 'zyxwell' }));
  expect(found?.alerts).toMatchObject([
    { kind: 'suspected_clone', number: 4 },
    { kind: 'clone_warning', title: 'T', number: 5 },
  ]);
  expect([...(found?.known ?? [])].sort()).toEqual(['domain', 'name']);
  expect(index.size()).toBe(1);
  index.put(toEntry({ broker: 'a', said: { kind: 'broker', value: null } }, 6));
  expect(index.find(normalizeQuery({ name: 'zyxwell' }))).toEqual([]);
});
