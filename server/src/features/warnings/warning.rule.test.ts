import { describe, expect, test } from 'vitest';
import { mentionsClone } from './clone-words.rule.ts';
import { findChanges, formatTitle, toWarningId, WarningEntry, type WarningList } from './warning.rule.ts';

const FCA = { code: 'fca', name: 'Financial Conduct Authority' };
const entry = (given: object): WarningEntry => WarningEntry.parse({ authority: FCA, ...given });
const createList = (entries: readonly object[], over: Partial<WarningList> = {}): WarningList => ({
  source: 'list',
  url: 'https://warnings.example/',
  isFull: true,
  asOf: '2026-11-02T00:00:00.000Z',
  sha256: 'a'.repeat(64),
  credit: null,
  entries: entries.map(entry),
  ...over,
});
const applyList = (list: WarningList) =>
  new Map(findChanges(list, new Map()).map(({ state }) => [state._id, state] as const));

test.each([
  'Clone of authorised firm',
  'This is a CLONED firm',
  'Imposter',
  'Alpha Ltd (impersonated)',
  'Scammers are pretending to be the firm',
  'It has no connection with Alpha Ltd.',
  'Usurpation d’identité',
  'se fait passer pour un établissement',
  'suplantación de identidad',
  'Il sito è un clone',
  'Identitätsmissbrauch',
  'gibt sich als Alpha aus',
  'Kloonfirma',
  'podszywa się',
  'なりすまし',
  '冒充',
  'κλώνος εταιρείας',
  'клонинг на дружество',
])('"%s" says that the firm is a clone', (text) => expect(mentionsClone(text)).toBe(true));

test.each([
  'Unauthorised firm',
  'Unlicensed',
  'This firm is not authorised by us',
  'Alpha Cyclone Ltd',
  'Société non autorisée',
  'Unerlaubte Geschäfte',
  '無登録業者',
  '',
])('"%s" is none', (text) => expect(mentionsClone(text)).toBe(false));

describe('a warning is known again', () => {
  test('a warning is known again by the id that its authority gives, whatever else it says', () => {
    expect(toWarningId('list', entry({ id: '7', names: ['A'] }))).toBe(
      toWarningId('list', entry({ id: '7', names: ['B'] })),
    );
  });
  test('a warning without an id is known again by its page and first name', () => {
    const url = 'https://warnings.example/7';
    const same = entry({ url, names: ['A '], domains: ['a.example'] });
    expect(toWarningId('list', same)).toBe(toWarningId('list', entry({ url, names: ['a', 'also'] })));
    expect(toWarningId('list', same)).not.toBe(toWarningId('list', entry({ url, names: ['B'] })));
  });
  test('a warning without an id and a page is known again by its first name and day', () => {
    const at = (day: string) => entry({ names: ['A'], publishedAt: `2026-01-${day}T00:00:00Z` });
    expect(toWarningId('list', at('01'))).toBe(toWarningId('list', { ...at('01'), domains: ['a.example'] }));
    expect(toWarningId('list', at('01'))).not.toBe(toWarningId('list', at('02')));
  });
  test('a warning is known again only in its own list', () => {
    expect(toWarningId('one', entry({ id: '7' }))).not.toBe(toWarningId('two', entry({ id: '7' })));
  });
});

describe('a list', () => {
  const first = createList([
    { id: '1', names: ['A'] },
    { id: '2', names: ['B'] },
  ]);
  const kept = applyList(first);

  test('a list that is read again changes nothing', () => {
    expect(findChanges({ ...first, asOf: '2026-11-03T00:00:00.000Z', sha256: 'b'.repeat(64) }, kept)).toEqual([]);
  });
  test('withdraws what it lacks, if it is full', () => {
    const next = createList([{ id: '1', names: ['A'] }], { asOf: '2026-11-03T00:00:00.000Z' });
    expect(findChanges(next, kept)).toMatchObject([
      { change: 'withdrawn', state: { externalId: '2', withdrawnAt: '2026-11-03T00:00:00.000Z' } },
    ]);
    expect(findChanges({ ...next, isFull: false }, kept)).toEqual([]);
    const gone = new Map(kept);
    for (const { state } of findChanges(next, kept)) gone.set(state._id, state);
    expect(findChanges(next, gone)).toEqual([]);
    expect(findChanges(first, gone)).toMatchObject([{ change: 'back', state: { externalId: '2', withdrawnAt: null } }]);
  });
  test('says what changed of a warning, and keeps when it was first seen', () => {
    const next = createList(
      [
        { id: '1', names: ['A', 'Also A'] },
        { id: '2', names: ['B'] },
      ],
      {
        asOf: '2026-11-03T00:00:00.000Z',
      },
    );
    expect(findChanges(next, kept)).toMatchObject([
      { change: 'changed', state: { names: ['A', 'Also A'], seenAt: first.asOf, file: first.sha256 } },
    ]);
  });
  test('joins rows of one warning', () => {
    const rows = [
      { id: '1', names: ['A'], domains: ['a.example'] },
      { id: '1', names: ['A'], domains: ['b.example'], mentionsClone: true },
    ];
    expect([...applyList(createList(rows)).values()]).toMatchObject([
      { names: ['A'], domains: ['a.example', 'b.example'], mentionsClone: true },
    ]);
  });
  test.each([
    { licenseNumbers: ['FRN 123456 (clone)'] },
    { url: 'https://warnings.example/news/alpha-markets-clone-of-an-authorised-firm' },
  ])('hears of a clone in %j', (part) => {
    expect([...applyList(createList([{ id: '1', names: ['A'], ...part }])).values()]).toMatchObject([
      { mentionsClone: true },
    ]);
  });
  test('hears of a clone in any of the rows of one warning, in every order', () => {
    const rows = [
      { id: '1', names: ['A'], category: 'Unauthorised firm' },
      { id: '1', names: ['A'], category: 'Clone firm' },
    ];
    for (const order of [rows, rows.toReversed()])
      expect([...applyList(createList(order)).values()]).toMatchObject([{ mentionsClone: true }]);
  });
  test('gives each warning an address of its own', () => {
    const url = 'https://warnings.example/page';
    const states = [
      ...applyList(
        createList([{ id: '1', url }, { id: '2', url }, { id: '3', url: `${url}/3` }, { id: '4' }]),
      ).values(),
    ];
    expect(new Set(states.map((state) => state.url)).size).toBe(4);
    expect(states.map((state) => state.url.split('#')[0])).toEqual([url, url, `${url}/3`, 'https://warnings.example/']);
  });
});

describe('a warning is kept', () => {
  const kept = (given: object) => findChanges(createList([given]), new Map())[0]?.state;

  test('a warning keeps whom it names, without annotations, and the words of the list to show', () => {
    const state = kept({
      id: '7',
      names: ['Impersonation of Alpha Ltd (beta.example)', 'Alpha FX'],
      category: 'Imposter',
    });
    expect(state).toMatchObject({
      names: ['Alpha FX'],
      victims: ['Alpha Ltd'],
      domains: ['beta.example'],
      mentionsClone: true,
    });
    expect(state && formatTitle(state)).toBe('Imposter: Impersonation of Alpha Ltd (beta.example), Alpha FX');
  });

  test('a warning keeps its sites to show, where it names nothing else', () => {
    const state = kept({ id: '7', names: ['https://alpha.example/'] });
    expect(state).toMatchObject({ names: [], written: [], domains: ['alpha.example'] });
    expect(state && formatTitle(state)).toBe('alpha.example');
  });

  test('a warning is about a clone where the list names victims', () => {
    expect(kept({ id: '7', names: ['Beta'], victims: ['Alpha Ltd'] })).toMatchObject({ mentionsClone: true });
  });

  test('a warning keeps no day after that of the list', () => {
    const days = { publishedAt: '2026-11-03T00:00:00.000Z', publishedBy: '2027-01-01T00:00:00.000Z' };
    expect(kept({ id: '7', names: ['A'], ...days })).toMatchObject({ publishedAt: null, publishedBy: null });
    const same = { publishedAt: '2026-11-02T10:00:00.000Z' };
    expect(kept({ id: '7', names: ['A'], ...same })).toMatchObject(same);
  });

  test('a warning keeps the earliest day by which it was published, whatever the list says later', () => {
    const first = createList([{ id: '7', names: ['A'], publishedBy: '2019-08-23T00:00:00.000Z' }]);
    const later = createList([{ id: '7', names: ['A'], publishedBy: '2026-10-01T00:00:00.000Z' }]);
    expect(findChanges(later, applyList(first))).toEqual([]);
  });
});
