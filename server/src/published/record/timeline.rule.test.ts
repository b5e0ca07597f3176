import { METHODOLOGY_VERSION } from '@broker-transparency/contract';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRatingSums, type RecordedEntry, scoreAt } from './scores.rule.ts';
import { createTimeline } from './timeline.rule.ts';

const BROKERS = ['broker/alpha', 'broker/beta', 'broker/gamma'] as const;
const COMMON = { tiers: new Map([['fca', 1]]), version: METHODOLOGY_VERSION };
const START = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;

const month = fc.constantFrom('2025-06', '2025-11', '2025-12', '2026-01');
const review = fc.record({
  rating: fc.constantFrom(1, 2.25, 3.5, 5),
  month,
  state: fc.constantFrom('published', 'published', 'removed', 'withheld', 'withdrawn', 'erased'),
});
const license = fc.record({
  regulator: fc.constantFrom('fca', 'asic'),
  holders: fc.constantFrom(
    [],
    [{ legalName: 'Alpha Ltd', type: 'authorisation', status: 'active', activeSince: '2015-01-01' }],
  ),
});
const complaints = fc.record({
  months: fc.constantFrom([], [{ month: '2025-12', closed: 4, resolved: 1, timely: 2 }]),
});
const profile = fc.record({
  slug: fc.constantFrom('alpha', 'alpha-2'),
  status: fc.constant('operating'),
  checked: fc.boolean(),
  entities: fc.constant([{ legalName: 'Alpha Ltd', country: 'GB', retailClients: true }]),
  checklist: fc.constant([]),
  merged: fc.constantFrom(undefined, ['beta'], ['beta', 'gamma'], ['gamma']),
});
const warning = fc.record({ about: fc.constantFrom('this_firm', 'clone_of_it') });

const ofKind = (kind: RecordedEntry['kind'], names: readonly string[], value: fc.Arbitrary<unknown>) =>
  fc.record({
    kind: fc.constant(kind),
    name: fc.constantFrom(...names),
    subject: fc.constantFrom(BROKERS[0], ...BROKERS),
    value: fc.option(value, { freq: 6 }),
    hours: fc.integer({ min: 0, max: 60 }),
    cause: fc.constantFrom('start', 'fact', 'undo'),
    validFrom: fc.option(fc.integer({ min: -900, max: 200 }), { nil: undefined }),
    validTo: fc.option(fc.integer({ min: 1, max: 200 }), { nil: undefined, freq: 8 }),
  });

/** Entries of every kind about three brokers, with reviews that come and go, mergers that end, and ends of entries. */
const story = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: ofKind('review', ['1', '2', '3', '4', '5'], review) },
    { weight: 3, arbitrary: ofKind('broker', [''], profile) },
    ofKind('license', ['fca/1', 'asic/2'], license),
    ofKind('complaints', [''], complaints),
    ofKind('warning', ['1'], warning),
  ),
  { minLength: 25, maxLength: 60 },
);

const createEntries = (
  rows: readonly (typeof story extends fc.Arbitrary<(infer Row)[]> ? Row : never)[],
): RecordedEntry[] => {
  let now = START;
  const formatTime = (hours: number) => new Date(START + hours * HOUR).toISOString();
  return rows.map(({ kind, name, subject, value, hours, cause, validFrom, validTo }, number) => {
    now += hours * HOUR;
    return {
      number,
      time: new Date(now).toISOString(),
      key: `${kind}/${subject}/${name}`,
      subject,
      kind,
      cause,
      changeIndex: 0,
      changeSize: 1,
      ...(validFrom === undefined ? {} : { validFrom: formatTime(validFrom) }),
      ...(validTo === undefined ? {} : { validTo: formatTime(validTo) }),
      value: JSON.stringify(value),
    };
  });
};

test('the score after each entry is the one that follows from all entries up to it', () => {
  let scored = 0;
  fc.assert(
    fc.property(story, (rows) => {
      const entries = createEntries(rows);
      const [subject] = BROKERS;
      const own = entries.filter((entry) => entry.subject === subject);
      const merged = entries.filter((entry) => entry.subject !== subject);
      const timeline = createTimeline(subject);
      for (const entry of entries) {
        timeline.add(entry);
        const times = { knownAt: entry.number, validAt: entry.time };
        const score = timeline.score(COMMON, times);
        const sumRatings = createRatingSums(entries, times);
        expect(score).toEqual(scoreAt({ own, merged, sumRatings, ...COMMON }, times)?.score);
        if (typeof score?.value === 'number') scored += 1;
      }
    }),
    { seed: 20_261_123, numRuns: 400 },
  );
  expect(scored).toBeGreaterThan(1000);
});
