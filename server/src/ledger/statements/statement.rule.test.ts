import { SourceKind } from '@broker-transparency/contract';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SOURCE_RANKINGS } from './rankings.rule.ts';
import {
  collectCandidates,
  compareCandidates,
  type FactCandidate,
  findClaims,
  findContested,
  isSame,
  listRanked,
  overruleProperty,
  type Statement,
  type StatementSource,
  selectStanding,
  sourceKey,
} from './statement.rule.ts';

const [DAY_1, DAY_2, DAY_3] = ['2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z', '2026-11-03T00:00:00.000Z'];
const EDITOR: StatementSource = { kind: 'editor', name: 'editor' };
const LIST: StatementSource = { kind: 'dataset', name: 'list' };
const MAP: StatementSource = { kind: 'dataset', name: 'map' };

/** A statement; undefined takes back. */
const says = (version: number, source: StatementSource, asOf: string, said: Record<string, unknown>): Statement => ({
  version,
  source,
  asOf,
  url: `https://${source.name}.example/${version}`,
  said: Object.entries(said).map(([property, value]) => (value === undefined ? { property } : { property, value })),
});

const listValues = (candidates: readonly FactCandidate[] = []) =>
  candidates.map(({ source, value }) => `${source.name} ${value}`);

const joinNames = (facts: readonly string[]) => facts.join(' and ') || 'all other facts';

describe('the rankings of sources', () => {
  test.each<[fact: string, order: string]>([
    ['licenseStatus', 'authority calendar register editor dataset broker reference'],
    ['holderName', 'register authority editor dataset broker reference calendar'],
    ['warnings', 'authority register editor dataset broker reference calendar'],
    ['description', 'editor authority register dataset broker reference calendar'],
  ])('the rankings publish of %s, on the same day, the first of %s', (fact, order) => {
    const all = SourceKind.options.map(
      (kind): FactCandidate => ({ source: { kind, name: kind }, value: kind, asOf: DAY_1, url: null }),
    );
    expect(all.toSorted((a, b) => compareCandidates(fact, a, b)).map(({ value }) => value)).toEqual(order.split(' '));
  });

  test.each(SOURCE_RANKINGS.map((ranking) => [joinNames(ranking.facts), ranking] as const))(
    'the rankings have a place for each kind that speaks of %s, and a reason',
    (_, { facts, order, reason }) => {
      const isStatedByTime = facts.length === 0 || facts.includes('licenseStatus');
      const speaking = SourceKind.options.filter((kind) => isStatedByTime || kind !== 'calendar');
      expect(order.flat().toSorted()).toEqual(speaking.toSorted());
      expect(order.every((group) => group.length > 0)).toBe(true);
      expect(reason).toMatch(/^[A-Z].{20,}\.$/);
    },
  );

  test('the rankings name each fact once, and end with the one for all other facts', () => {
    const named = SOURCE_RANKINGS.flatMap(({ facts }) => facts);
    expect(new Set(named).size).toBe(named.length);
    expect(SOURCE_RANKINGS.map(({ facts }) => facts.length === 0)).toEqual(
      SOURCE_RANKINGS.map((_, at) => at === SOURCE_RANKINGS.length - 1),
    );
  });
});

test.each<[string, unknown, unknown, boolean]>([
  ['equal values', 'a', 'a', true],
  ['other values', 'a', 'b', false],
  ['a number and its text', 1, '1', false],
  ['objects with their fields in another order', { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }, true],
  ['an undefined field and none', { a: 1, b: undefined }, { a: 1 }, true],
  ['null and no value', { a: null }, {}, false],
  ['an object with one more field', { a: 1 }, { a: 1, b: 2 }, false],
  ['lists in another order', [1, 2], [2, 1], false],
  ['a list and a longer one', [1], [1, 2], false],
  ['lists of equal objects', [{ a: 1 }], [{ a: 1 }], true],
  ['an empty list and an empty object', [], {}, false],
  ['null and an object', null, {}, false],
])('isSame compares %s', (_, a, b, same) => {
  expect(isSame(a, b)).toBe(same);
  expect(isSame(b, a)).toBe(same);
});

test.each<[string, string, [SourceKind, string, string], [SourceKind, string, string]]>([
  ['a higher rank, however old,', 'description', ['editor', 'editor', DAY_1], ['dataset', 'list', DAY_3]],
  ['the later day of two of one rank', 'description', ['dataset', 'map', DAY_2], ['dataset', 'list', DAY_1]],
  ['the later day of two kinds of one rank', 'licenseStatus', ['register', 'asic', DAY_2], ['calendar', 'c', DAY_1]],
  ['the first name of two of one day', 'description', ['dataset', 'list', DAY_1], ['dataset', 'map', DAY_1]],
  ['another rank for another fact', 'warnings', ['authority', 'fca', DAY_1], ['editor', 'editor', DAY_3]],
])('compareCandidates prefers %s', (_, fact, ...pair) => {
  const [first, second] = pair.map(
    ([kind, name, asOf]): FactCandidate => ({ source: { kind, name }, value: 'x', asOf, url: null }),
  ) as [FactCandidate, FactCandidate];
  expect(compareCandidates(fact, first, second)).toBeLessThan(0);
  expect(compareCandidates(fact, second, first)).toBeGreaterThan(0);
});

describe('of one source', () => {
  test.each<[string, Statement[], Record<string, unknown>, standing: number[]]>([
    ['nothing counts, where it says nothing', [], {}, []],
    ['the later day counts', [says(1, LIST, DAY_2, { a: 1 }), says(2, LIST, DAY_1, { a: 2 })], { a: 1 }, [1]],
    [
      'the later recorded of one day counts',
      [says(2, LIST, DAY_1, { a: 2 }), says(1, LIST, DAY_1, { a: 1 })],
      { a: 2 },
      [2],
    ],
    [
      'an older statement counts for what was not said again',
      [says(1, LIST, DAY_1, { a: 1, b: 1 }), says(2, LIST, DAY_2, { a: 2 })],
      { a: 2, b: 1 },
      [1, 2],
    ],
    [
      'what it takes back is not said, and the statement that takes it back stands',
      [says(1, LIST, DAY_1, { a: 1 }), says(2, LIST, DAY_2, { a: undefined })],
      {},
      [2],
    ],
    [
      'an older file does not bring back what was taken back',
      [says(1, LIST, DAY_2, { a: undefined }), says(2, LIST, DAY_1, { a: 1 })],
      {},
      [1],
    ],
    ['null is something that it says', [says(1, LIST, DAY_1, { a: null })], { a: null }, [1]],
    [
      'the others say nothing, and stand for themselves',
      [says(1, LIST, DAY_1, { a: 1 }), says(2, MAP, DAY_2, { a: 2 }), says(3, EDITOR, DAY_3, { a: 3 })],
      { a: 1 },
      [1, 2, 3],
    ],
  ])('%s', (_, statements, said, versions) => {
    expect(Object.fromEntries(findClaims(LIST, collectCandidates(statements)))).toEqual(said);
    expect([...selectStanding(statements)].map(({ version }) => version).toSorted()).toEqual(versions);
  });
});

test('a source’s value has the day and the address of the statement that says it', () => {
  const candidates = collectCandidates([says(1, LIST, DAY_1, { a: 1, b: 1 }), says(2, LIST, DAY_2, { a: 2 })]);
  expect(candidates.get('a')).toEqual([
    { source: LIST, value: 2, asOf: DAY_2, url: 'https://list.example/2', version: 2 },
  ]);
  expect(candidates.get('b')).toEqual([
    { source: LIST, value: 1, asOf: DAY_1, url: 'https://list.example/1', version: 1 },
  ]);
});

describe('of several sources', () => {
  const candidates = collectCandidates([
    says(1, LIST, DAY_1, { a: 1, b: 1, c: { x: 1, y: 2 } }),
    says(2, MAP, DAY_2, { a: 2, c: { y: 2, x: 1 } }),
    says(3, EDITOR, DAY_1, { a: 3 }),
  ]);

  test.each([
    ['a', ['editor 3', 'map 2', 'list 1']],
    ['b', ['list 1']],
    ['unknown', []],
  ])('listRanked lists the sources of %s, the strongest first', (property, order) => {
    expect(listValues(listRanked(candidates, property))).toEqual(order);
  });

  test('findContested lists the statements that differ from the published one, the strongest first', () => {
    const contested = findContested(candidates, ['unknown', 'c', 'b', 'a']);
    expect(contested.map(({ field, published, other }) => [field, ...listValues([published, other])])).toEqual([
      ['a', 'editor 3', 'map 2'],
      ['a', 'editor 3', 'list 1'],
    ]);
  });
});

describe('an overrule', () => {
  const overrule = (value: unknown, { property = 'a', source = LIST } = {}) => ({
    [overruleProperty({ property, source })]: { property, source, value, reason: 'A typing error.' },
  });
  const license = { status: 'active', holder: 'A' };

  test.each<[string, unknown, Record<string, unknown>, isOverruled: boolean]>([
    ['drops what the source says', 1, overrule(1), true],
    ['lapses when the source says something else', 2, overrule(1), false],
    ['compares a list as a whole', [1, 2], overrule([1]), false],
    ['drops an object whose named fields are so', license, overrule({ status: 'active' }), true],
    ['lapses when a named field changes', license, overrule({ status: 'revoked' }), false],
    ['of a field that the object does not have has lapsed', license, overrule({ until: DAY_1 }), false],
    ['does not drop text for an object', 'active', overrule({ status: 'active' }), false],
    ['leaves other properties alone', 1, overrule(1, { property: 'b' }), false],
    ['leaves other sources alone', 1, overrule(1, { source: MAP }), false],
  ])('%s', (_, value, overruled, isOverruled) => {
    const candidates = collectCandidates([says(1, EDITOR, DAY_1, overruled), says(2, LIST, DAY_2, { a: value })]);
    expect(listRanked(candidates, 'a').map((one) => one.value)).toEqual(isOverruled ? [] : [value]);
    expect(candidates.get('a')?.[0]?.overruled).toBe(isOverruled ? 'A typing error.' : undefined);
  });

  test('an overrule holds again when the source says it again', () => {
    const said = [1, 2, 1].map((value, at) => says(at + 1, LIST, DAY_1, { a: value }));
    const holds = (count: number) =>
      listRanked(collectCandidates([says(9, EDITOR, DAY_1, overrule(1)), ...said.slice(0, count)]), 'a').length === 0;
    expect([1, 2, 3].map(holds)).toEqual([true, false, true]);
  });

  test('an overrule ends when editors take it back', () => {
    const [property] = Object.keys(overrule(1)) as [string];
    const candidates = collectCandidates([
      says(1, LIST, DAY_1, { a: 1 }),
      says(2, EDITOR, DAY_1, overrule(1)),
      says(3, EDITOR, DAY_2, { [property]: undefined }),
    ]);
    expect(listValues(listRanked(candidates, 'a'))).toEqual(['list 1']);
  });

  test('publishes the next source, and the overruled one stays among those that differ', () => {
    const candidates = collectCandidates([
      says(1, LIST, DAY_2, { a: 1 }),
      says(2, MAP, DAY_1, { a: 2 }),
      says(3, EDITOR, DAY_3, overrule(1)),
    ]);
    expect(listValues(listRanked(candidates, 'a'))).toEqual(['map 2']);
    expect(findContested(candidates, ['a'])).toMatchObject([
      { published: { source: MAP }, other: { source: LIST, overruled: 'A typing error.' } },
    ]);
  });
});

describe('any statements', () => {
  const properties = ['a', 'warnings', 'licenseStatus'];
  const sources: StatementSource[] = [
    EDITOR,
    LIST,
    MAP,
    { kind: 'authority', name: 'fca' },
    { kind: 'register', name: 'asic' },
  ];
  const value = fc.oneof(fc.integer({ min: 1, max: 3 }), fc.record({ x: fc.boolean(), y: fc.boolean() }));
  const said = fc.dictionary(fc.constantFrom(...properties), fc.option(value, { nil: undefined }), { minKeys: 1 });
  const plain = fc.record({ source: fc.constantFrom(...sources), said });
  const decision = fc.record({
    property: fc.constantFrom(...properties),
    source: fc.constantFrom(...sources),
    value: fc.oneof(value, fc.record({ x: fc.boolean() })),
    reason: fc.constantFrom('first', 'second'),
  });
  const overrules = fc.record({
    source: fc.constant(EDITOR),
    said: fc.tuple(decision, fc.boolean()).map(([one, back]) => ({ [overruleProperty(one)]: back ? undefined : one })),
  });
  const statements = fc
    .array(fc.tuple(fc.oneof({ weight: 3, arbitrary: plain }, overrules), fc.constantFrom(DAY_1, DAY_2, DAY_3)), {
      maxLength: 14,
    })
    .map((all) => all.map(([one, asOf], at) => says(at + 1, one.source, asOf, one.said)));
  const shuffled = statements.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
  );
  const bySource = (a: FactCandidate, b: FactCandidate) => (sourceKey(a.source) < sourceKey(b.source) ? -1 : 1);

  const findPublished = (all: readonly Statement[]) => {
    const candidates = collectCandidates(all);
    return {
      ranked: properties.map((property) => listRanked(candidates, property)),
      contested: findContested(candidates, properties),
      all: properties.map((property) => (candidates.get(property) ?? []).toSorted(bySource)),
    };
  };

  test('any statements give the same, whatever their order', () => {
    fc.assert(
      fc.property(shuffled, ([all, mixed]) => {
        expect(JSON.stringify(findPublished(mixed))).toBe(JSON.stringify(findPublished(all)));
        expect(new Set(selectStanding(mixed))).toEqual(new Set(selectStanding(all)));
      }),
      { seed: 20_261_122, numRuns: 500 },
    );
  });

  test('any statements give the same without those that do not stand, and then all the others still stand', () => {
    fc.assert(
      fc.property(statements, (all) => {
        const left = [...selectStanding(all)];
        expect(findPublished(left)).toEqual(findPublished(all));
        expect(selectStanding(left)).toEqual(new Set(left));
      }),
      { seed: 20_261_123, numRuns: 500 },
    );
  });

  test('any statements give without one of them what they give if it was never made', () => {
    // as statements come, only those that stand are read; when one goes, all are
    const stood = (all: readonly Statement[]) => {
      let known: readonly Statement[] = [];
      for (const one of all) known = [...selectStanding([...known, one])];
      return known;
    };
    fc.assert(
      fc.property(statements, fc.nat(), (all, at) => {
        const left = all.filter((_, index) => index !== at % all.length);
        expect(new Set(stood(left))).toEqual(selectStanding(left));
        expect(findPublished(stood(left))).toEqual(findPublished(left));
      }),
      { seed: 20_261_124, numRuns: 500 },
    );
  });
});
