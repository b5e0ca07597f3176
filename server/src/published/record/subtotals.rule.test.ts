import { ratingMonths } from '@broker-transparency/contract/record';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RecordedEntry } from './scores.rule.ts';
import { addSums, foldEntries, MOST_BETWEEN, type Subtotal, toPeriod } from './subtotals.rule.ts';

const subject = 'broker/alpha';

const entry = (number: number, time: string, over: Partial<RecordedEntry> = {}): RecordedEntry => ({
  number,
  time,
  key: `review/${number}`,
  subject,
  kind: 'review',
  cause: 'fact',
  changeIndex: 0,
  changeSize: 1,
  value: JSON.stringify({ broker: 'alpha', rating: 4, month: time.slice(0, 7), state: 'published' }),
  ...over,
});

const none = () => undefined;

test.each([
  ['2026-03-01T10:00:00.000Z', '2026-03-01T23:59:59.999Z', []],
  ['2026-03-01T23:59:59.999Z', '2026-03-02T00:00:00.000Z', [['day']]],
  ['2026-03-31T10:00:00.000Z', '2026-04-01T10:00:00.000Z', [['day', 'month']]],
  ['2025-03-01T10:00:00.000Z', '2026-03-01T10:00:00.000Z', [['day', 'month']]],
])('settles the subtotal at %s if the next entry at %s is of another period', (first, second, ended) => {
  const subtotals = foldEntries(undefined, [entry(1, first), entry(2, second)], none);
  expect(subtotals.slice(0, -1).map(({ ends }) => ends)).toEqual(ended);
  expect(subtotals.at(-1)).toMatchObject({ number: 2, ends: ['day', 'month'] });
});

test('settles a subtotal after so many entries of one day, which is the end of no period', () => {
  const entries = Array.from({ length: 2 * MOST_BETWEEN + 1 }, (_, n) => entry(n, '2026-03-01T10:00:00.000Z'));
  const brief = foldEntries(undefined, entries, none).map(({ number, ends }) => [number, ends]);
  expect(brief).toEqual([
    [MOST_BETWEEN - 1, []],
    [2 * MOST_BETWEEN - 1, []],
    [2 * MOST_BETWEEN, ['day', 'month']],
  ]);
});

test('counts a review while it is published, and other entries not at all', () => {
  const time = '2026-03-01T10:00:00.000Z';
  const removed = JSON.stringify({ broker: 'alpha', rating: 4, month: '2026-03', state: 'removed' });
  const [first, second] = [entry(1, time), entry(2, time, { key: 'review/1', value: removed })];
  const profile = entry(3, time, { key: subject, kind: 'broker', value: '{"rating":1,"state":"published"}' });
  const [all] = foldEntries(undefined, [first, second, profile], (one) => (one === second ? first : undefined));
  expect(all).toMatchObject({ number: 3, entries: 3 });
  expect([...(all as Subtotal).sums]).toEqual([]);
});

const story = fc.array(
  fc.record({
    review: fc.integer({ min: 0, max: 40 }),
    rating: fc.constantFrom(1, 2.25, 3.5, 5),
    month: fc.constantFrom('2025-12', '2026-01'),
    state: fc.constantFrom('published', 'published', 'removed', 'withheld', 'erased', 'unverified', null),
    hours: fc.constantFrom(0, 0, 0, 0, 1, 30, 800),
  }),
  { minLength: 100, maxLength: 500 },
);

test('the subtotals are the sums of the reviews that are published then, wherever the fold is interrupted', () => {
  fc.assert(
    fc.property(story, fc.array(fc.nat(500)), (rows, cuts) => {
      let now = Date.UTC(2026, 0, 1);
      const entries = rows.map(({ review, state, hours, ...value }, number) => {
        now += hours * 3_600_000;
        const said = state === null ? null : { ...value, state };
        return entry(number, new Date(now).toISOString(), { key: `review/${review}`, value: JSON.stringify(said) });
      });
      const findFormer = ({ key, number }: RecordedEntry) =>
        entries.findLast((other) => other.key === key && other.number < number);
      const whole = foldEntries(undefined, entries, findFormer);
      const sumThrough = (through: number) => {
        const last = new Map(entries.slice(0, through + 1).map(({ key, value }) => [key, JSON.parse(value)]));
        return ratingMonths([...last.values()].filter((value) => value?.state === 'published'));
      };
      for (const { number, sums } of whole) expect(addSums([sums])).toEqual(sumThrough(number));
      for (const [at, { number }] of whole.entries())
        expect(number - (whole[at - 1]?.number ?? -1)).toBeLessThanOrEqual(MOST_BETWEEN);
      for (const period of ['day', 'month'] as const) {
        const lastOfEach = new Map(entries.map((one) => [toPeriod(one, period), one.number]));
        const ended = whole.filter(({ ends }) => ends.includes(period)).map(({ number }) => number);
        expect(ended).toEqual([...lastOfEach.values()]);
      }
      const parts = [0, ...cuts.toSorted((a, b) => a - b), entries.length];
      const settled: Subtotal[] = [];
      for (const [at, begin] of parts.entries())
        settled.push(...foldEntries(settled.pop(), entries.slice(begin, parts[at + 1]), findFormer));
      expect(settled).toEqual(whole);
    }),
    { seed: 20_261_124, numRuns: 60 },
  );
});
