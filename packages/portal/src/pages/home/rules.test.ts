import type { NewsItem } from '@broker-transparency/client';
import { expect, test } from 'vitest';
import { chooseExample, type ExampleBroker } from './example.rule.ts';
import { groupByCountry } from './warnings.rule.ts';

const proven = {
  slug: 'alpha',
  status: 'operating',
  warnings: [],
  score: { value: 70, confidence: { level: 'high' } },
  licenseCounts: { confirmed: 1, held: 1, claimed: 0 },
  ratingSummary: { count: 50 },
};
const toBroker = (more: object): ExampleBroker => ({ ...proven, ...more }) as never;
const about = (kind: string): object => ({ warnings: [{ about: kind }] });

test.each<[string, readonly object[], string | undefined]>([
  ['no broker, no example', [], undefined],
  [
    'the broker with the most reviews is the example, not the one with the best score',
    [{ score: { value: 99, confidence: { level: 'high' } } }, { slug: 'beta', ratingSummary: { count: 51 } }],
    'beta',
  ],
  ['equal brokers are ordered by slug', [{ slug: 'beta' }, {}], 'alpha'],
  ['a suspected clone is no example', [{ status: 'suspected_clone' }], undefined],
  ['a broker that has ceased is no example', [{ status: 'ceased' }], undefined],
  ['a warned broker is no example', [about('this_firm')], undefined],
  ['a broker that others pose as is no example', [about('clone_of_it')], undefined],
  ['a broker on weak evidence is no example', [{ score: { value: 70, confidence: { level: 'medium' } } }], undefined],
  ['a broker without a score is no example', [{ score: { value: null, confidence: { level: 'high' } } }], undefined],
  ['a broker without a confirmed licence is no example', [{ licenseCounts: { confirmed: 0, claimed: 0 } }], undefined],
  ['a broker with a claimed licence is no example', [{ licenseCounts: { confirmed: 1, claimed: 1 } }], undefined],
])('%s', (_, brokers, expected) => {
  expect(chooseExample(brokers.map(toBroker))?.slug).toBe(expected);
});

const toItem = (id: string, language: string, codes: readonly string[], more: object = {}): NewsItem =>
  ({ id, language, regulatorCodes: codes, category: 'warning', ...more }) as never;

const countries = new Map([
  ['fca', 'GB'],
  ['bafin', 'DE'],
]);
const group = (items: readonly NewsItem[], language: string, most = 4) =>
  groupByCountry(items, countries, language, { countries: 2, items: most }).map(({ country, items: found }) => [
    country,
    ...found.map(({ id }) => id),
  ]);

const items = [
  toItem('1', 'de', ['bafin']),
  toItem('2', 'en-GB', ['fca']),
  toItem('3', 'en', ['bafin']),
  toItem('4', 'en', ['unknown']),
  toItem('5', 'en', ['fca'], { correctedAt: '2026-11-01T00:00:00Z' }),
  toItem('6', 'en', ['fca'], { category: 'regulation' }),
];

test('warnings in the language of the page come first, among countries and in each', () => {
  expect(group(items, 'en')).toEqual([
    ['GB', '2'],
    ['DE', '3', '1'],
  ]);
  expect(group(items, 'de')).toEqual([
    ['DE', '1', '3'],
    ['GB', '2'],
  ]);
});

test('other news, warnings that were taken back and further ones are left out', () => {
  expect(group(items, 'en', 2)).toEqual([
    ['GB', '2'],
    ['DE', '3'],
  ]);
  expect(group([], 'en')).toEqual([]);
});

test('warnings of an unknown authority come last, without a country', () => {
  expect(group([toItem('4', 'en', []), toItem('1', 'de', ['bafin'])], 'en')).toEqual([
    ['DE', '1'],
    [undefined, '4'],
  ]);
});
