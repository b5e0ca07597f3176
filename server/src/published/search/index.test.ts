import { SEARCH_RESULTS } from '@broker-transparency/contract';
import { sounds } from '@broker-transparency/matching';
import fc from 'fast-check';
import leven from 'leven';
import { beforeEach, describe, expect, test } from 'vitest';
import type { BrokerDocument } from '../brokers/facts.ts';
import { createSearchIndex, type SearchIndex } from './index.ts';
import { queryTerms, words } from './terms.rule.ts';

interface BrokerFields {
  readonly slug?: string;
  readonly value?: number | null;
  readonly legalName?: string;
  readonly tradingNames?: string[];
  readonly domains?: string[];
  readonly entities?: string[];
  readonly numbers?: string[];
}

/** Builds a broker with the fields that the index reads. */
const broker = (name: string, shown: BrokerFields = {}): BrokerDocument => {
  const slug = shown.slug ?? name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return {
    slug,
    name,
    legalName: shown.legalName ?? 'Holding Ltd',
    tradingNames: shown.tradingNames ?? [],
    domains: shown.domains ?? [],
    entities: (shown.entities ?? []).map((legalName) => ({ legalName })),
    licenses: (shown.numbers ?? []).map((referenceNumber) => ({ referenceNumber })),
    score: { value: shown.value === undefined ? 50 : shown.value },
  } as unknown as BrokerDocument;
};

let index: SearchIndex;
const fill = (...brokers: BrokerDocument[]): void => brokers.forEach(index.put);
beforeEach(() => {
  index = createSearchIndex();
});

describe('a broker is found by', () => {
  beforeEach(() => {
    fill(
      broker('Pepperstone', {
        legalName: 'Pepperstone Group Limited',
        tradingNames: ['Pepper FX'],
        domains: ['pepperstone.example', 'pstone.example'],
        entities: ['Pepperstone EU Limited', 'Streator Holdings'],
        numbers: ['684312', 'CySEC 388/20'],
      }),
      broker('Zürich Brücke', { slug: 'zurich-bruecke' }),
      broker('Alpha Markets', { domains: ['alpha.example'] }),
      broker('Łódź Kantor', { slug: 'lodz' }),
    );
  });

  test.each([
    ['its name', 'pepperstone', 'pepperstone'],
    ['its name in another case', 'PEPPERSTONE', 'pepperstone'],
    ['the beginning of its name', 'pep', 'pepperstone'],
    ['its name with a letter lost', 'pepperstne', 'pepperstone'],
    ['its name with a letter too many', 'peppperstone', 'pepperstone'],
    ['its name with a wrong letter', 'pepperstome', 'pepperstone'],
    ['its name with two letters swapped', 'pepperstoen', 'pepperstone'],
    ['a short name with one typo', 'alpja', 'alpha-markets'],
    ['a short name with two letters swapped', 'alhpa', 'alpha-markets'],
    ['its name as one word', 'alphamarkets', 'alpha-markets'],
    ['its name as one word with a typo', 'alphamarkts', 'alpha-markets'],
    ['its name as one word that sounds alike', 'alfamarkets', 'alpha-markets'],
    ['its one word as two', 'pepper stone', 'pepperstone'],
    ['its name with letters of one word swapped', 'aplha markets', 'alpha-markets'],
    ['its name as it sounds', 'Alfa Markets', 'alpha-markets'],
    ['its name as it sounds in another spelling', 'Alpha Marquets', 'alpha-markets'],
    ['its name without accents', 'zurich brucke', 'zurich-bruecke'],
    ['its name with accents', 'Zürich', 'zurich-bruecke'],
    ['its name with accents that it does not have', 'Álphà', 'alpha-markets'],
    ['plain letters for letters with strokes', 'lodz', 'lodz'],
    ['its slug', 'zurich-bruecke', 'zurich-bruecke'],
    ['the words of its name the other way round', 'markets alpha', 'alpha-markets'],
    ['a trading name', 'pepper fx', 'pepperstone'],
    ['a domain', 'pstone.example', 'pepperstone'],
    ['its legal name', 'pepperstone group limited', 'pepperstone'],
    ['the name of an entity', 'streator', 'pepperstone'],
    ['a licence number', '684312', 'pepperstone'],
    ['the beginning of a licence number', '6843', 'pepperstone'],
    ['a licence number with signs', '388/20', 'pepperstone'],
    ['an address', 'https://www.alpha.example/', 'alpha-markets'],
  ])('%s: %s', (_, query, slug) => {
    expect(index.find(query)[0]).toBe(slug);
  });

  test.each(['xyzzy', '999999', 'ja', 'alphabetical'])(
    'a broker is found by no word that it does not contain: %s',
    (query) => {
      expect(index.find(query)).toEqual([]);
    },
  );

  test('a broker is found by a short word only if the query spells it exactly', () => {
    expect(index.find('fy')).toEqual([]);
    expect(index.find('fx')).toEqual(['pepperstone']);
  });
});

describe('terms', () => {
  beforeEach(() => fill(broker('Alpha Markets'), broker('Alpha Trading'), broker('Beta Markets')));

  test('a broker that matches all terms excludes those that match only some', () => {
    expect(index.find('alpha markets')).toEqual(['alpha-markets']);
  });

  test('terms match one by one if no broker has them all, the better match first', () => {
    expect(index.find('beta trading xyzzy')).toEqual(['alpha-trading', 'beta-markets']);
    expect(index.find('alpha markets xyzzy')).toEqual(['alpha-markets', 'alpha-trading', 'beta-markets']);
  });

  test('terms after the sixth are ignored', () => {
    expect(index.find('alpha markets alpha markets a al alp alph beta')).toEqual(['alpha-markets']);
    expect(index.find('q1 q2 q3 q4 q5 q6 alpha')).toEqual([]);
  });

  test('terms may come from different fields', () => {
    fill(broker('Gamma', { numbers: ['777'], domains: ['delta.example'] }));
    expect(index.find('gamma 777 delta')).toEqual(['gamma']);
  });
});

describe('equal matches', () => {
  const family = ['IC Markets', 'IC Mare', 'IC Magnus', 'IC Max Group', 'IC Malta International Partners'];

  test.each(family)('equal matches are ordered by score: `ic ma` finds %s first if it is rated best', (best) => {
    fill(...family.map((name, n) => broker(name, { value: name === best ? 90 : 20 + n })));
    expect(index.find('ic ma')[0]).toBe(broker(best).slug);
    expect(index.find('ic ma')).toHaveLength(family.length);
  });

  test('equal matches do not depend on how common a word is, or how many entities a broker has', () => {
    fill(
      broker('IC Markets', { value: 82, entities: ['Raw Trading Ltd', 'IC Markets (EU) Ltd', 'Capital Markets Pty'] }),
      broker('IC Marlin', { value: 60 }),
      ...Array.from({ length: 50 }, (_, n) => broker(`Alpha ${n} Markets`, { value: n })),
    );
    expect(index.find('ic ma')).toEqual(['ic-markets', 'ic-marlin']);
  });

  test('equal matches without a score come last, ordered by slug', () => {
    fill(
      broker('FX c', { value: null }),
      broker('FX b', { value: 0 }),
      broker('FX d', { value: 0 }),
      broker('FX a', { value: null }),
    );
    expect(index.find('fx')).toEqual(['fx-b', 'fx-d', 'fx-a', 'fx-c']);
  });

  test('equal matches have the same order, in whatever order they were added', () => {
    const brokers = Array.from({ length: 60 }, (_, n) => broker(`Delta ${'x'.repeat(n % 7)} ${n}`, { value: n % 5 }));
    fill(...brokers);
    const found = index.find('delta');
    index = createSearchIndex();
    fill(...brokers.toReversed());
    expect(index.find('delta')).toEqual(found);
  });
});

describe('the better match comes before the better score', () => {
  test.each([
    ['a word before its beginning', 'alpha', 'Alpha One', 'Alphabet Two'],
    ['a beginning before a typo', 'alph', 'Alphabet', 'Alpo'],
    ['the whole name before a longer one', 'alpha markets', 'Alpha Markets', 'Alpha Markets Pro'],
  ])('%s', (_, query, better, rated) => {
    fill(broker(better, { value: 10 }), broker(rated, { value: 90 }));
    expect(index.find(query)).toEqual([broker(better).slug, broker(rated).slug]);
  });

  test('a match of the name comes before one of a legal entity', () => {
    fill(broker('Alpha', { value: 10 }), broker('Beta', { value: 90, entities: ['Alpha Ltd'] }));
    expect(index.find('alph')).toEqual(['alpha', 'beta']);
  });
});

describe('an answer', () => {
  test('an answer has the 20 best matches and no more', () => {
    fill(...Array.from({ length: 45 }, (_, n) => broker(`Delta ${n}`, { slug: `d${n}`, value: n })));
    const found = index.find('delta');
    expect(SEARCH_RESULTS).toBe(20);
    expect(found).toEqual(Array.from({ length: 20 }, (_, n) => `d${44 - n}`));
  });

  test.each([
    '',
    ' ',
    '...',
    '\0',
    '🙂',
    '\u0301',
    '-',
    '%',
    '*',
    '()',
    '__proto__',
    'constructor',
    'toString',
    '\ud800',
  ])('the answer to the odd query %j is empty', (query) => {
    fill(broker('Alpha'), broker('Beta'));
    expect(index.find(query)).toEqual([]);
  });

  test('finds names that are special in JavaScript, such as `constructor`', () => {
    fill(broker('__proto__ constructor', { slug: 'odd' }), broker('toString', { slug: 'to-string' }));
    expect(index.find('__proto__')).toEqual(['odd']);
    expect(index.find('constructor')).toEqual(['odd']);
    expect(index.find('tostring')).toEqual(['to-string']);
  });

  test('the answer from an empty index is empty', () => {
    expect(index.find('alpha')).toEqual([]);
  });
});

describe('an index is updated', () => {
  test('put replaces the old name with the new one', () => {
    fill(broker('Alpha', { slug: 'a' }), broker('Beta', { slug: 'b' }));
    index.put(broker('Gamma', { slug: 'a' }));
    expect(index.find('alpha')).toEqual([]);
    expect(index.find('gamma')).toEqual(['a']);
    for (let n = 0; n < 30; n++) index.put(broker('Gamma', { slug: 'a' }));
    expect(index.find('gamma')).toEqual(['a']);
  });

  test('put with a new score changes the order', () => {
    fill(broker('Delta A', { value: 10 }), broker('Delta B', { value: 20 }));
    expect(index.find('delta')).toEqual(['delta-b', 'delta-a']);
    index.put(broker('Delta A', { value: 30 }));
    expect(index.find('delta')).toEqual(['delta-a', 'delta-b']);
  });

  test('remove takes out a broker, and ignores one that is not in the index', () => {
    fill(broker('Alpha'), broker('Beta'));
    index.remove('alpha');
    index.remove('alpha');
    index.remove('never-there');
    expect(index.find('alpha')).toEqual([]);
    expect(index.find('beta')).toEqual(['beta']);
    index.put(broker('Alpha'));
    expect(index.find('alpha')).toEqual(['alpha']);
  });

  test('load replaces the contents once everything is read', async () => {
    fill(broker('Alpha'), broker('Beta'));
    const seen: string[][] = [];
    const read = async function* () {
      for (const name of ['Gamma', 'Beta']) {
        seen.push(index.find('alpha'), index.find('gamma'));
        yield broker(name);
      }
    };
    await index.load(read());
    expect(seen).toEqual([['alpha'], [], ['alpha'], []]);
    expect(['alpha', 'beta', 'gamma'].flatMap(index.find)).toEqual(['beta', 'gamma']);
  });

  test('a load that fails changes nothing', async () => {
    fill(broker('Alpha'));
    const failing = async function* () {
      yield broker('Beta');
      throw new Error('gone');
    };
    await expect(index.load(failing())).rejects.toThrow('gone');
    expect(['alpha', 'beta'].flatMap(index.find)).toEqual(['alpha']);
  });

  test('an update leaves other indexes unchanged', () => {
    fill(broker('Alpha'));
    expect(createSearchIndex().find('alpha')).toEqual([]);
  });
});

describe('an index after any sequence of changes', () => {
  const word = fc.constantFrom(
    ...'ic ma mare market markets marketing marekts fx fxa holdings holding hodlings icmare phax faks'.split(' '),
  );
  const text = fc.array(word, { minLength: 1, maxLength: 3 }).map((all) => all.join(' '));
  const put = fc
    .record({ slug: fc.integer({ min: 0, max: 40 }).map((n) => (n === 0 ? 'ic-markets' : `b${n}`)), name: text })
    .chain(({ slug, name }) =>
      fc
        .record({
          value: fc.option(fc.integer({ min: 0, max: 3 })),
          legalName: text,
          tradingNames: fc.array(text, { maxLength: 2 }),
          domains: fc.array(text, { maxLength: 1 }),
          entities: fc.array(text, { maxLength: 1 }),
          numbers: fc.array(fc.constantFrom('388/20', '684312', '684313', 'FX 3'), { maxLength: 2 }),
        })
        .map((shown) => broker(name, { slug, ...shown })),
    );
  const step = fc.oneof({ weight: 4, arbitrary: put }, { weight: 1, arbitrary: put.map(({ slug }) => slug) });
  const query = fc
    .array(
      fc.oneof(word, fc.constantFrom('i', 'm', 'mar', 'mrkets', '3', '6843', '68431', 'hol', 'icmarkets', 'xyzzy')),
      {
        maxLength: 7,
      },
    )
    .map((all) => all.join(' '));

  /** The specification of the search, computed naively for every word and every broker. */
  const found = (brokers: readonly BrokerDocument[], asked: string): string[] => {
    const terms = queryTerms(asked);
    const listPlaces = (b: BrokerDocument): [number, string[]][] => [
      [4, [b.name]],
      [3, [b.slug, ...b.tradingNames]],
      [2, b.domains],
      [1, [b.legalName, ...b.entities.map(({ legalName }) => legalName)]],
      [1, b.licenses.map(({ referenceNumber }) => referenceNumber)],
    ];
    const everyWord = new Set(brokers.flatMap(listPlaces).flatMap(([, texts]) => texts.flatMap(words)));
    const isSwapped = (one: string, term: string): boolean =>
      one.length === term.length &&
      Array.from(term.slice(1), (_, at) => term.slice(0, at) + term[at + 1] + term[at] + term.slice(at + 2)).includes(
        one,
      );
    const findSound = (one: string): string => (/^\p{L}{4,}$/u.test(one) ? sounds(one) : '');
    const isHeard = (one: string, term: string): boolean =>
      findSound(one).length >= 3 && findSound(one) === findSound(term);
    const isClose = (all: ReadonlySet<string>, one: string, term: string): boolean =>
      term.length >= 4 && ((!all.has(term) && isSwapped(one, term)) || isHeard(one, term));
    const isNear = (all: ReadonlySet<string>, one: string, term: string): boolean =>
      one.startsWith(term) || isClose(all, one, term) || (term.length >= 4 && leven(one, term) <= 1);
    const joinSlug = (b: BrokerDocument): string => b.slug.replaceAll('-', '');
    const everyJoined = new Set(brokers.map(joinSlug));
    const asOne = terms.join('');
    const wholeLikeness = (all: ReadonlySet<string>, one: string, text: string): number => {
      if (all.has(text)) return one === text ? 6 : 0;
      return isClose(all, one, text) ? 2 : 0;
    };
    const findTerms = (all: ReadonlySet<string>, is: (one: string, term: string) => boolean) =>
      new Set(terms.filter((term) => [...all].some((one) => is(one, term))));
    const named = findTerms(everyJoined, (one, term) => wholeLikeness(everyJoined, one, term) > 0);
    const nearWord = findTerms(everyWord, (one, term) => isNear(everyWord, one, term));
    const nearJoined = findTerms(everyJoined, (one, term) => isNear(everyJoined, one, term));
    /**
     * Returns the likeness of a word to a term, among some words; two typos count for terms that nothing else answers.
     */
    const rateLikeness = (
      all: ReadonlySet<string>,
      answered: ReadonlySet<string>,
      one: string,
      term: string,
    ): number => {
      if (one === term) return 6;
      if (one.startsWith(term)) return 3;
      if (isClose(all, one, term)) return 2;
      if (term.length >= 4 && leven(one, term) <= 1) return 1;
      return !answered.has(term) && term.length >= 8 && leven(one, term) <= 2 ? 1 : 0;
    };
    const answeredWord = nearWord.union(named);
    const known = findTerms(everyWord, (one, term) => rateLikeness(everyWord, answeredWord, one, term) > 0).union(
      named,
    );
    const joinedLikeness = (b: BrokerDocument, term: string): number =>
      known.has(term)
        ? wholeLikeness(everyJoined, joinSlug(b), term)
        : rateLikeness(everyJoined, nearJoined, joinSlug(b), term);
    const scored = brokers.map((b) => {
      const places = listPlaces(b);
      const values = terms.map((term) =>
        Math.max(
          ...places.flatMap(([worth, texts]) =>
            texts
              .flatMap(words)
              .map(
                (one) =>
                  worth *
                  Math.max(
                    rateLikeness(everyWord, answeredWord, one, term),
                    terms.length > 1 ? wholeLikeness(everyWord, one, asOne) : 0,
                  ),
              ),
          ),
          3 * joinedLikeness(b, term),
        ),
      );
      const relevance = joinSlug(b) === asOne ? 1000 : values.reduce((sum, value) => sum + value, 0);
      return {
        slug: b.slug,
        relevance,
        rating: b.score.value ?? -1,
        terms: values.filter((value) => value > 0).length,
      };
    });
    const all = scored.filter((b) => b.terms === terms.length);
    return (all.length > 0 ? all : scored.filter((b) => b.terms > 0))
      .sort((a, b) => b.relevance - a.relevance || b.rating - a.rating || (a.slug < b.slug ? -1 : 1))
      .slice(0, terms.length === 0 ? 0 : SEARCH_RESULTS)
      .map(({ slug }) => slug);
  };

  test('finds what the specification says, and what a new index finds', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 120, size: 'max' }),
        fc.array(query, { minLength: 5 }),
        (steps, queries) => {
          const kept = new Map<string, BrokerDocument>();
          const changed = createSearchIndex();
          for (const one of steps) {
            if (typeof one === 'string') {
              kept.delete(one);
              changed.remove(one);
            } else {
              kept.set(one.slug, one);
              changed.put(one);
            }
          }
          const fresh = createSearchIndex();
          [...kept.values()].toReversed().forEach(fresh.put);
          for (const asked of queries) {
            const expected = found([...kept.values()], asked);
            expect(changed.find(asked)).toEqual(expected);
            expect(fresh.find(asked)).toEqual(expected);
          }
        },
      ),
    );
  });
});
