import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FALL_FROM, type FactsAt, isToBeRead, type StoryStep, tellStory } from './story.rule.ts';

type Fact = FactsAt['facts'][number];
type Score = FactsAt['score'];

const TIME = '2026-03-20T12:00:00.000Z';
const PARTS = ['regulation', 'userRating', 'complaints', 'transparency', 'longevity'];

const fact = (key: string, value: Record<string, unknown>): Fact =>
  ({ number: 1, time: TIME, key, kind: key.split('/')[0], cause: 'fact', value }) as Fact;

interface ScoreParts {
  readonly value?: number | null;
  readonly parts?: Readonly<Record<string, number>>;
  readonly caps?: readonly string[];
  readonly version?: string;
  /** Sum of the parts. */
  readonly raw?: number;
}

const LIMITS: Readonly<Record<string, number>> = { officialWarning: 19, noScoringLicense: 39, fewReviews: 69 };

const score = ({ value = 50, parts = {}, caps = [], version = '2026-1', raw = 60 }: ScoreParts): Score =>
  ({
    value,
    rawValue: raw,
    color: 'yellow',
    methodologyVersion: version,
    components: PARTS.map((key) => ({ key, contribution: parts[key] ?? 10 })),
    caps: caps.map((code) => ({ code, limit: LIMITS[code], reason: code })),
  }) as unknown as Score;

const at = (facts: readonly Fact[], parts: ScoreParts = {}): FactsAt => ({ facts: [...facts], score: score(parts) });

const step = (keys: readonly string[], given: Partial<StoryStep> = {}): StoryStep => ({
  number: 10 + keys.length,
  time: TIME,
  cause: 'fact',
  entries: keys.map((key, index) => ({ number: 11 + index, key })),
  value: 50,
  valueBefore: 50,
  color: 'yellow',
  ...given,
});

const LICENSE = 'license/alpha/fca/1%2F2';
const WARNING = 'warning/alpha/0';
const BROKER = 'broker/alpha';
const license = (status: string): Fact =>
  fact(LICENSE, { holders: [{ status, sourceUrl: 'https://register.example/1' }] });
const warning = (over: object = {}): Fact =>
  fact(WARNING, { source: 'Office', url: 'https://office.example/1', about: 'this_firm', ...over });
const broker = (over: object): Fact =>
  fact(BROKER, {
    name: 'Alpha',
    legalName: 'Alpha Ltd',
    domains: ['alpha.example'],
    entities: [{ legalName: 'Alpha Ltd' }],
    status: 'operating',
    provenance: [{ fact: 'domains', sourceUrl: 'https://source.example/domains' }],
    ...over,
  });

const LEGAL = 'https://alpha.example/legal';
const serving = (legalName: string, countries: readonly string[], asOf = TIME) => ({
  legalName,
  retailClients: true,
  serves: { countries, sourceUrl: LEGAL, asOf },
});

/** The events of a change between two states of its facts. */
const listEvents = (key: string, before: readonly Fact[], after: readonly Fact[]) =>
  tellStory([step([key], { facts: { before: at(before), after: at(after) } })])
    .flatMap(({ events }) => events)
    .map(({ keys, ...event }) => event);

describe('the events of a change', () => {
  test.each<[string, string, readonly Fact[], readonly Fact[], readonly object[]]>([
    [
      'a new licence',
      LICENSE,
      [],
      [license('active')],
      [{ kind: 'licence', subject: 'FCA 1/2', effect: 'added', to: 'active', source: 'https://register.example/1' }],
    ],
    [
      'a withdrawn licence',
      LICENSE,
      [license('active')],
      [license('withdrawn')],
      [{ kind: 'licence', subject: 'FCA 1/2', effect: 'changed', from: 'active', to: 'withdrawn' }],
    ],
    ['a licence that is gone', LICENSE, [license('active')], [], [{ effect: 'removed', from: 'active' }]],
    [
      'a new warning',
      WARNING,
      [],
      [warning()],
      [{ kind: 'warning', subject: 'Office', effect: 'new', to: 'this_firm' }],
    ],
    ['a warning about an imitation', WARNING, [], [warning({ about: 'clone_of_it' })], [{ to: 'clone_of_it' }]],
    ['a warning that nobody checked', WARNING, [], [warning({ match: 'unchecked' })], [{ to: 'unchecked' }]],
    ['a withdrawn warning', WARNING, [warning()], [warning({ withdrawnAt: TIME })], [{ effect: 'withdrawn' }]],
    [
      'a warning that a person confirms',
      WARNING,
      [warning({ match: 'unchecked' })],
      [warning()],
      [{ effect: 'confirmed', to: 'this_firm' }],
    ],
    ['a warning with other words', WARNING, [warning()], [warning({ title: 'Other' })], [{ effect: 'reworded' }]],
    ['a warning by mistake', WARNING, [warning()], [warning({ about: 'not_this_firm' })], [{ effect: 'corrected' }]],
    [
      'a new name and a new domain',
      BROKER,
      [broker({})],
      [broker({ name: 'Beta', domains: ['alpha.example', 'beta.example'] })],
      [
        { kind: 'name', effect: 'changed', from: 'Alpha', to: 'Beta' },
        { kind: 'domain', subject: 'beta.example', effect: 'added', source: 'https://source.example/domains' },
      ],
    ],
    [
      'another company',
      BROKER,
      [broker({})],
      [broker({ entities: [{ legalName: 'Alpha Global Ltd' }] })],
      [
        { kind: 'company', subject: 'Alpha Global Ltd', effect: 'added' },
        { kind: 'company', subject: 'Alpha Ltd', effect: 'removed' },
      ],
    ],
    [
      'another company for clients of a country',
      BROKER,
      [broker({ entities: [serving('Alpha Ltd', ['CY', 'DE']), serving('Alpha Global Ltd', ['VU'])] })],
      [broker({ entities: [serving('Alpha Ltd', ['CY']), serving('Alpha Global Ltd', ['DE', 'VU'])] })],
      [
        { kind: 'company', subject: 'Alpha Ltd', effect: 'removed', countries: ['DE'], source: LEGAL },
        { kind: 'company', subject: 'Alpha Global Ltd', effect: 'added', countries: ['DE'], source: LEGAL },
      ],
    ],
    [
      'that no source says any more with whom clients sign',
      BROKER,
      [broker({ entities: [serving('Alpha Ltd', ['DE'])] })],
      [broker({ entities: [{ legalName: 'Alpha Ltd' }] })],
      [{ kind: 'company', subject: 'Alpha Ltd', effect: 'removed', countries: ['DE'], source: LEGAL }],
    ],
    [
      'a company that takes private clients no longer',
      BROKER,
      [broker({ entities: [{ legalName: 'Alpha Ltd', retailClients: true }] })],
      [broker({ entities: [{ legalName: 'Alpha Ltd', retailClients: false }] })],
      [{ kind: 'company', subject: 'Alpha Ltd', effect: 'changed', to: 'no_retail' }],
    ],
    [
      'a later look at the same page, which is no event,',
      BROKER,
      [broker({ entities: [serving('Alpha Ltd', ['DE'])] })],
      [broker({ entities: [serving('Alpha Ltd', ['DE'], '2026-11-20T00:00:00Z')] })],
      [],
    ],
    [
      'a merger',
      BROKER,
      [broker({})],
      [broker({ merged: ['beta'] })],
      [{ kind: 'company', subject: 'beta', to: 'merged' }],
    ],
    [
      'the suspicion of a clone',
      BROKER,
      [broker({})],
      [broker({ status: 'suspected_clone' })],
      [{ kind: 'status', from: 'operating', to: 'suspected_clone' }],
    ],
    ['another fact about the firm', BROKER, [broker({})], [broker({ website: 'https://x.example' })], []],
  ])('%s is told with its subject and its source', (_, key, before, after, expected) => {
    expect(listEvents(key, before, after)).toMatchObject(expected);
    expect(listEvents(key, before, after)).toHaveLength(expected.length);
  });

  test('a change without facts is described by its subject alone', () => {
    const [item] = tellStory([step([LICENSE, WARNING, BROKER, 'review/1'])]);
    expect(item?.events).toEqual([
      { kind: 'licence', subject: 'FCA 1/2', keys: [LICENSE] },
      { kind: 'warning', keys: [WARNING] },
    ]);
  });

  test('the first change is the beginning of the record, and reviews alone are not told', () => {
    const first = step([BROKER, LICENSE], { valueBefore: undefined });
    expect(tellStory([first, step(['review/1'])]).map(({ events }) => events)).toEqual([
      [{ kind: 'start', keys: [BROKER, LICENSE] }],
    ]);
  });
});

interface FallCase {
  readonly keys: readonly string[];
  readonly before?: ScoreParts;
  readonly after: ScoreParts;
  readonly facts?: readonly [before: readonly Fact[], after: readonly Fact[]];
  readonly valueBefore?: number;
}

const explain = ({ keys, before = {}, after, facts = [[], []], valueBefore = 50 }: FallCase) =>
  tellStory([
    step(keys, {
      value: after.value ?? null,
      valueBefore,
      facts: { before: at(facts[0], before), after: at(facts[1], after) },
    }),
  ])[0]?.fall;

describe('the reason of a fall', () => {
  test.each<[string, FallCase, string | undefined]>([
    [
      'a warning that limits the score',
      { keys: [WARNING], after: { value: 19, caps: ['officialWarning'] }, facts: [[], [warning()]] },
      WARNING,
    ],
    [
      'the warning, which sets the lowest of two limits',
      {
        keys: [WARNING, LICENSE],
        after: { value: 19, caps: ['noScoringLicense', 'officialWarning'], parts: { regulation: 0 } },
        facts: [[], [warning()]],
      },
      WARNING,
    ],
    [
      'reviews, if a new limit lowers nothing',
      {
        keys: ['review/1', LICENSE],
        after: { value: 49, caps: ['noScoringLicense'], raw: 30, parts: { userRating: 9 } },
      },
      'review/1',
    ],
    [
      'a warning beside new reviews',
      { keys: [WARNING, 'review/1'], after: { value: 19, caps: ['officialWarning'] }, facts: [[], [warning()]] },
      WARNING,
    ],
    [
      'not another company for clients of a country',
      {
        keys: [BROKER, 'review/1'],
        after: { value: 48, parts: { userRating: 8 } },
        facts: [
          [broker({ entities: [serving('Alpha Ltd', ['DE'])] })],
          [broker({ entities: [serving('Alpha Ltd', ['CY'])] })],
        ],
      },
      'review/1',
    ],
    [
      'not the warning about an imitation',
      {
        keys: [WARNING, 'review/1'],
        after: { value: 48, parts: { userRating: 8 } },
        facts: [[], [warning({ about: 'clone_of_it' })]],
      },
      'review/1',
    ],
    ['a licence that ended', { keys: [LICENSE], after: { value: 40, parts: { regulation: 0 } } }, LICENSE],
    ['reviews', { keys: ['review/1'], after: { value: 49, parts: { userRating: 9 } } }, 'review/1'],
    ['complaints', { keys: ['complaints/alpha'], after: { value: 49, parts: { complaints: 9 } } }, 'complaints/alpha'],
    ['other rules', { keys: ['methodology/2026-2'], after: { value: 45, version: '2026-2' } }, 'methodology/2026-2'],
    [
      'no single cause of two licences',
      { keys: [LICENSE, 'license/alpha/asic/2'], after: { value: 40, parts: { regulation: 0 } } },
      undefined,
    ],
    [
      'no single cause of a licence and reviews',
      { keys: [LICENSE, 'review/1'], after: { value: 40, parts: { regulation: 2, userRating: 8 } } },
      undefined,
    ],
    [
      'no event of another kind',
      { keys: ['complaints/alpha'], after: { value: 49, parts: { userRating: 9 } } },
      undefined,
    ],
    [
      'no event if time alone lowered the score',
      { keys: ['review/1'], before: { value: 48 }, after: { value: 48, parts: { userRating: 9 } } },
      undefined,
    ],
  ])('%s', (_, given, key) => {
    const fall = explain(given);
    expect(fall?.reason?.keys[0]).toBe(key);
    expect(fall?.points).toBe(Math.round((50 - (given.after.value as number)) * 10) / 10);
  });

  test('a fall without a reason names the parts that the change lowered, or says that time lowered the score', () => {
    const two = explain({ keys: [LICENSE, 'review/1'], after: { value: 40, parts: { regulation: 2, userRating: 8 } } });
    expect(two).toMatchObject({ parts: ['regulation', 'userRating'], isByAge: false });
    expect(explain({ keys: ['review/1'], before: { value: 48 }, after: { value: 48 } })).toMatchObject({
      isByAge: true,
    });
    expect(tellStory([step(['review/1'], { value: 40 })])[0]?.fall).toEqual({
      points: 10,
      reason: undefined,
      parts: [],
      isByAge: false,
      isExamined: false,
    });
    expect(two?.isExamined).toBe(true);
  });

  test('a new licence is never the reason of a fall', () => {
    const facts = [[], [license('active')]] as const;
    const fall = explain({ keys: [LICENSE], after: { value: 40, parts: { regulation: 2 } }, facts });
    expect(fall).toMatchObject({ points: 10, reason: undefined, isExamined: true });
  });

  test.each([
    [50, 49.6, false],
    [50, 49.5, true],
    [50, 51, false],
    [null, 40, false],
    [50, null, false],
    [undefined, 40, false],
  ])('a change from %s to %s is a fall: %s', (valueBefore, value, isFall) => {
    const change = step(['review/1'], { value, valueBefore });
    expect(tellStory([change])[0]?.fall !== undefined).toBe(isFall);
    expect(isToBeRead(change)).toBe(isFall);
  });
});

const anyKey = fc.oneof(
  fc.constantFrom(BROKER, 'complaints/alpha', 'regulator/fca', 'methodology/2026-2', 'something-new/0'),
  fc.integer({ min: 0, max: 5 }).map((number) => `license/alpha/fca/${number}`),
  fc.integer({ min: 0, max: 5 }).map((number) => `warning/alpha/${number}`),
  fc.integer({ min: 0, max: 50 }).map((number) => `review/${number}`),
);
const anyValue = fc.option(fc.integer({ min: 0, max: 1000 }).map((tenths) => tenths / 10));
const anyFacts = fc.record({
  facts: fc.uniqueArray(
    fc.oneof(
      fc.constantFrom('active', 'withdrawn').map(license),
      fc.constantFrom('this_firm', 'clone_of_it').map((about) => warning({ about })),
      fc.uniqueArray(fc.constantFrom('a.example', 'b.example')).map((domains) => broker({ domains })),
    ),
    { selector: ({ key }) => key },
  ),
  score: fc
    .record({
      value: anyValue,
      parts: fc.dictionary(fc.constantFrom(...PARTS), fc.integer({ min: 0, max: 10 })),
      caps: fc.subarray(['officialWarning', 'noScoringLicense']),
    })
    .map(score),
});
const anyChange = fc.record({
  keys: fc.uniqueArray(anyKey, { minLength: 1, maxLength: 6 }),
  value: anyValue,
  facts: fc.option(fc.record({ before: fc.option(anyFacts, { nil: undefined }), after: anyFacts }), { nil: undefined }),
});

/** Changes with numbers that rise, each with the score before it. */
const anySteps = fc.array(anyChange, { maxLength: 12 }).map((changes): StoryStep[] => {
  let number = 0;
  return changes.map(({ keys, value, facts }, index) => {
    const entries = keys.map((key) => ({ number: ++number, key }));
    const valueBefore = index === 0 ? undefined : changes[index - 1]?.value;
    return { number, time: TIME, cause: 'fact', entries, value, valueBefore, color: 'gray', facts };
  });
});

test('a story tells each event once and in order, and the reason of a fall is an event of its own change', () => {
  fc.assert(
    fc.property(anySteps, (steps) => {
      const items = tellStory(steps);
      const numbers = items.map((item) => item.step.number);
      expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
      for (const { step: told, events, fall } of items) {
        const own = new Set(told.entries.map(({ key }) => key));
        for (const { keys } of events) for (const key of keys) expect(own).toContain(key);
        const texts = events.map((event) => JSON.stringify(event));
        expect(new Set(texts).size).toBe(texts.length);
        if (fall?.reason) expect(events).toContain(fall.reason);
      }
      for (const each of steps) {
        const isFall =
          typeof each.valueBefore === 'number' &&
          each.value !== null &&
          Math.round((each.valueBefore - each.value) * 10) / 10 >= FALL_FROM;
        const item = items.find((one) => one.step === each);
        expect(item?.fall !== undefined).toBe(isFall);
        const told = new Set(item?.events.flatMap(({ keys }) => keys));
        for (const { key } of each.entries) if (isFall || /^(license|warning)/.test(key)) expect(told).toContain(key);
      }
    }),
  );
});
