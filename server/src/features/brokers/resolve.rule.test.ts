import { describe, expect, test } from 'vitest';
import {
  collectCandidates,
  overruleProperty,
  type Statement,
  type StatementSource,
} from '../../ledger/statements/statement.rule.ts';
import { type LicenseFinding, toFindingProperty, toRenamedProperty } from './licenses.rule.ts';
import { BrokerRecord, type BrokerState } from './record.rule.ts';
import { findDeciders, resolveBroker } from './resolve.rule.ts';

const day = (date: number): string => new Date(Date.UTC(2026, 10, date)).toISOString();

const EDITOR: StatementSource = { kind: 'editor', name: 'editor' };
const LIST: StatementSource = { kind: 'dataset', name: 'list' };
const FCA: StatementSource = { kind: 'authority', name: 'fca' };
const ASIC: StatementSource = { kind: 'register', name: 'asic' };
const VFSC: StatementSource = { kind: 'register', name: 'vfsc' };
const CALENDAR: StatementSource = { kind: 'calendar', name: 'calendar' };
const REGISTER_URL = 'https://register.example/file';

/** A statement without its version: the place in the list is its version. Undefined takes back. */
const says = (source: StatementSource, asOf: string, said: Record<string, unknown>, url: string | null = null) => ({
  source,
  asOf,
  url,
  said: Object.entries(said).map(([property, value]) => (value === undefined ? { property } : { property, value })),
});
const numbered = (statements: readonly Omit<Statement, 'version'>[]): Statement[] =>
  statements.map((one, at) => ({ ...one, version: at + 1 }));

const SUBJECT = { _id: 'broker:b1', name: 'alpha' };
const resolved = (statements: readonly Statement[]) => resolveBroker(SUBJECT, collectCandidates(statements));
/** Returns the state that is published after these statements. */
const published = (...statements: Omit<Statement, 'version'>[]): BrokerState => {
  const { state } = resolved(numbered(statements));
  if (!state) throw new Error('nothing is published');
  return state;
};
const listStatuses = ({ licenses }: BrokerState) => licenses.map(({ status }) => status);
const listHolders = ({ licenses }: BrokerState) => licenses.map(({ entity }) => entity.legalName);
const listContradictions = ({ profile }: BrokerState) =>
  profile.provenance.flatMap(({ statedBy, contradicted = [] }) =>
    contradicted.map(({ field, says: value, source }) => [field, statedBy?.name, source.name, value]),
  );

const license = (over: object = {}) => ({
  entity: { legalName: 'Alpha Ltd' },
  regulatorCode: 'asic',
  referenceNumber: '1',
  type: 'authorisation',
  status: 'active',
  sourceUrl: 'https://register.example/1',
  ...over,
});
/** Claims of the editors' sheet: all fields of a record. */
const sheet = (over: object = {}) => {
  const { slug, ...said } = BrokerRecord.parse({
    slug: 'alpha',
    name: 'Alpha',
    legalName: 'Alpha Ltd',
    website: 'https://alpha.example',
    country: 'AU',
    entities: ['Alpha Ltd', 'Alpha Island Ltd'].map((legalName) => ({ legalName, country: 'AU' })),
    licenses: [license()],
    ...over,
  });
  return said;
};
const { licenses: LICENSES, ...PROFILE } = sheet();

/** Claims of a register about a licence and its holder's name. */
type Over = Partial<LicenseFinding> & { readonly newName?: string };

const finding = (status: LicenseFinding['status'], asOf: string | null, { newName, ...over }: Over = {}) => {
  const name = { regulatorCode: 'asic', referenceNumber: '1', holder: over.holder ?? 'Alpha Ltd' };
  const value: LicenseFinding = { ...name, status, statusEffectiveAt: asOf, lastVerifiedAt: asOf, ...over };
  return {
    [toFindingProperty(value)]: value,
    [toRenamedProperty(value)]: newName === undefined ? undefined : { ...name, newName },
  };
};
/** Claims of a register on a day. */
const finds = (status: LicenseFinding['status'], date: number, over: Over = {}, source = ASIC) =>
  says(source, day(date), finding(status, day(date), over), REGISTER_URL);

const overrule = (property: string, source: StatementSource, value: unknown, reason = 'The file is wrong.') => ({
  [overruleProperty({ property, source })]: { property, source, value, reason },
});
const [FINDING, RENAMED] = Object.keys(finding('active', null)) as [string, string];

describe('a licence that its register cancelled', () => {
  const cancelled = [says(EDITOR, day(1), sheet()), finds('revoked', 5)];

  test('a cancelled licence has the state, the day and the time of the register', () => {
    expect(published(...cancelled).licenses).toMatchObject([
      { status: 'revoked', statusEffectiveAt: day(5), lastVerifiedAt: day(5) },
    ]);
  });

  test('a licence is active since the register’s day, unless the register says that it is not active', () => {
    const since = (status: 'active' | 'revoked') => finds(status, 5, { activeSince: '2015-01-01' });
    const findActiveSince = (...found: Omit<Statement, 'version'>[]) =>
      published(says(EDITOR, day(1), sheet()), ...found).licenses[0]?.activeSince;
    expect(findActiveSince(since('active'))).toBe('2015-01-01');
    expect(findActiveSince(since('revoked'), finds('active', 6, {}, VFSC))).toBeUndefined();
  });

  test.each([
    ['unchanged', sheet()],
    ['with another number of its own', sheet({ foundedYear: 2001 })],
    ['with a newer day of verification', sheet({ licenses: [license({ lastVerifiedAt: day(9) })] })],
  ])('stays cancelled when the editors’ sheet comes again %s', (_, said) => {
    expect(listStatuses(published(...cancelled, says(EDITOR, day(9), said)))).toEqual(['revoked']);
  });

  test.each<[string, number, string]>([
    ['comes back by a later file of the register', 6, 'active'],
    ['stays cancelled by an older file of the register', 4, 'revoked'],
  ])('%s', (_, date, status) => {
    expect(listStatuses(published(...cancelled, finds('active', date)))).toEqual([status]);
  });

  test('comes back when the claim of the register is withdrawn', () => {
    expect(listStatuses(published(...cancelled.slice(0, 1)))).toEqual(['active']);
  });

  test('comes back when editors overrule the register, and their reason is published', () => {
    const overruled = says(EDITOR, day(6), overrule(FINDING, ASIC, { status: 'revoked' }));
    const { licenses, profile } = published(...cancelled, overruled);
    expect(licenses).toMatchObject([{ status: 'active', lastVerifiedAt: null }]);
    expect(profile.provenance).toMatchObject([
      {
        statedBy: EDITOR,
        contradicted: [{ says: 'revoked', source: ASIC, asOf: day(5), overruledBecause: 'The file is wrong.' }],
      },
    ]);
  });

  test.each<[string, LicenseFinding['status'], string]>([
    ['holds while the register says the same in a newer file', 'revoked', 'active'],
    ['lapses when the register says something else', 'suspended', 'suspended'],
  ])('an overrule %s', (_, status, expected) => {
    const overruled = says(EDITOR, day(6), overrule(FINDING, ASIC, { status: 'revoked' }));
    expect(listStatuses(published(...cancelled, overruled, finds(status, 7)))).toEqual([expected]);
  });
});

test.each<[string, string, Record<string, unknown>]>([
  ['status of a licence', 'licenses.asic 1 Alpha Ltd.status', { [FINDING]: { status: 'revoked' } }],
  ['legal name', 'legalName', { [RENAMED]: { newName: 'Beta Ltd' } }],
  ['field that a register does not state', 'description', {}],
])('an overrule of a register’s %s names what decides it', (_, field, deciders) => {
  const candidates = collectCandidates(
    numbered([finds('revoked', 5, { newName: 'Beta Ltd' }), finds('active', 5, {}, VFSC)]),
  );
  expect(Object.fromEntries(findDeciders(candidates, field, 'register:asic'))).toEqual(deciders);
});

test('an overrule of a data set’s field names the value', () => {
  const candidates = collectCandidates(numbered([says(LIST, day(1), { lei: 'X', description: 'Y' })]));
  expect([...findDeciders(candidates, 'lei', 'dataset:list')]).toEqual([['lei', 'X']]);
});

describe('lists', () => {
  const warning = (url: string, title = url) => ({
    source: 'FCA',
    url: `https://fca.example/${url}`,
    title,
    publishedAt: day(1),
    about: 'this_firm',
  });
  const listTitles = ({ profile }: BrokerState) => profile.warnings.map(({ title }) => title);

  test('the list of warnings keeps what an authority says when the editors’ list is emptied', () => {
    const editors = says(EDITOR, day(1), sheet({ warnings: [warning('a'), warning('b')] }));
    const authority = says(FCA, day(1), { warnings: [warning('b', 'as the FCA says it')] });
    expect(listTitles(published(editors, authority))).toEqual(['as the FCA says it', 'a']);
    expect(listTitles(published(editors, authority, says(EDITOR, day(9), sheet())))).toEqual(['as the FCA says it']);
    expect(listTitles(published(editors, says(FCA, day(9), { warnings: undefined })))).toEqual(['a', 'b']);
  });

  test('merges sources, and gives a source that is named twice the later time of verification', () => {
    const source = (sourceUrl: string, date: number | null) => ({
      fact: 'licenses',
      sourceUrl,
      lastVerifiedAt: date === null ? null : day(date),
    });
    const { profile } = published(
      says(EDITOR, day(1), sheet({ provenance: [source(REGISTER_URL, 7), source('https://e.example/', null)] })),
      says(ASIC, day(5), { provenance: [source(REGISTER_URL, 5)] }),
    );
    expect(profile.provenance).toEqual([source('https://e.example/', null), source(REGISTER_URL, 7)]);
  });

  test('merges licences, and each has the fields of the strongest source that names it', () => {
    const more = [license({ permissions: ['FX'] }), license({ referenceNumber: '2' })];
    const { licenses } = published(says(EDITOR, day(1), sheet()), says(LIST, day(9), { licenses: more }));
    expect(licenses.map((one) => [one.referenceNumber, one.permissions])).toEqual([
      ['1', []],
      ['2', undefined],
    ]);
  });

  test('leaves out licences whose holder is no entity', () => {
    const licenses = [license({ entity: { legalName: 'Somebody Else Ltd' }, referenceNumber: '2' })];
    expect(published(says(EDITOR, day(1), sheet()), says(LIST, day(9), { licenses })).licenses).toHaveLength(1);
  });

  test('the latest day on which licences were checked is published, whoever says it', () => {
    const checked = (source: StatementSource, date: number) =>
      says(source, day(date), { licensesCheckedAt: day(date) });
    const { profile } = published(says(EDITOR, day(9), sheet()), checked(VFSC, 6), checked(ASIC, 5));
    expect(profile.licensesCheckedAt).toBe(day(6));
  });
});

describe('a data set', () => {
  const { foundedYear, ...rest } = PROFILE;
  const list = says(LIST, day(9), { name: 'ALPHA', foundedYear: 1999 });

  test('fills only what editors do not say', () => {
    const { profile } = published(list, says(EDITOR, day(1), rest));
    expect([profile.name, profile.foundedYear]).toEqual(['Alpha', 1999]);
  });

  test('a data set does not fill what editors say is not known', () => {
    expect(published(list, says(EDITOR, day(1), PROFILE)).profile.foundedYear).toBeNull();
  });

  test('a data set is published again once editors take back what they said', () => {
    const editors = says(EDITOR, day(1), { ...rest, foundedYear: 2001 });
    expect(published(list, editors).profile.foundedYear).toBe(2001);
    expect(published(list, editors, says(EDITOR, day(2), { foundedYear: undefined })).profile.foundedYear).toBe(1999);
  });

  test('makes no broker by itself, unless it says all that is needed', () => {
    for (const field of ['name', 'legalName', 'website', 'country'])
      expect(
        resolved(numbered([says(EDITOR, day(1), { ...sheet(), [field]: undefined }), says(LIST, day(1), {})])),
      ).toEqual({ state: null, contested: [] });
    const { name, legalName, website, country } = PROFILE;
    const { profile, licenses } = published(says(LIST, day(1), { name, legalName, website, country }));
    const named = { sourceUrl: website, lastVerifiedAt: day(1), statedBy: LIST };
    const provenance = ['name', 'legalName', 'website', 'country'].map((fact) => ({ fact, ...named }));
    expect(profile).toEqual({ ...PROFILE, _id: 'alpha', id: 'b1', entities: [], provenance });
    expect(licenses).toEqual([]);
  });
});

describe('two licences with one number', () => {
  const both = says(
    EDITOR,
    day(1),
    sheet({ licenses: [license(), license({ entity: { legalName: 'Alpha Island Ltd' } })] }),
  );

  test('two licences with one number each have the state that the register gives their holder', () => {
    expect(published(both, finds('revoked', 5)).licenses.map((one) => [one.entity.legalName, one.status])).toEqual([
      ['Alpha Island Ltd', 'active'],
      ['Alpha Ltd', 'revoked'],
    ]);
  });

  test('two licences with one number get no state of a holder whom nobody names, as a single one does', () => {
    const former = finds('revoked', 5, { holder: 'Former Ltd' });
    expect(listStatuses(published(both, former))).toEqual(['active', 'active']);
    expect(listStatuses(published(says(EDITOR, day(1), sheet()), former))).toEqual(['revoked']);
    expect(
      listStatuses(published(says(EDITOR, day(1), sheet()), finds('revoked', 5, { referenceNumber: '2' }))),
    ).toEqual(['active']);
  });
});

describe('a register that renames a holder', () => {
  const editors = says(EDITOR, day(1), sheet());
  const renames = (date: number, holder: string, newName: string) => finds('active', date, { holder, newName });
  const toBeta = renames(5, 'Alpha Ltd', 'Beta Ltd');

  test.each<[string, Omit<Statement, 'version'>[], string]>([
    ['everywhere', [editors, toBeta], 'Beta Ltd'],
    ['again, from its own new name', [editors, toBeta, renames(6, 'Beta Ltd', 'Gamma Ltd')], 'Gamma Ltd'],
    ['and back', [editors, toBeta, renames(6, 'Beta Ltd', 'Alpha Ltd')], 'Alpha Ltd'],
    ['though the editors’ sheet comes again', [editors, toBeta, says(EDITOR, day(9), sheet())], 'Beta Ltd'],
    ['no more, once a newer file has the old name', [editors, toBeta, finds('active', 6)], 'Alpha Ltd'],
    [
      'except where editors overrule it',
      [editors, toBeta, says(EDITOR, day(6), overrule(RENAMED, ASIC, { newName: 'Beta Ltd' }))],
      'Alpha Ltd',
    ],
  ])('a register renames a holder %s', (_, statements, name) => {
    const state = published(...statements);
    expect(state.profile.legalName).toBe(name);
    expect(state.profile.entities.map(({ legalName }) => legalName)).toEqual([name, 'Alpha Island Ltd']);
    expect(listHolders(state)).toEqual([name]);
    expect(state.licenses[0]?._id).toBe(JSON.stringify(['alpha', 'asic', '1', name]));
  });

  test('leaves other entities and the legal name of another alone', () => {
    const { profile } = published(editors, renames(5, 'Alpha Island Ltd', 'Beta Ltd'));
    expect(profile.legalName).toBe('Alpha Ltd');
    expect(profile.entities.map(({ legalName }) => legalName)).toEqual(['Alpha Ltd', 'Beta Ltd']);
  });

  test.each<[string, Omit<Statement, 'version'>[]]>([
    ['old', [finds('revoked', 5, { newName: 'Beta Ltd' })]],
    ['new', [toBeta, finds('revoked', 6, { holder: 'Beta Ltd' })]],
  ])('finds one of two licences with one number by the %s name', (_, found) => {
    const both = sheet({ licenses: [license(), license({ entity: { legalName: 'Alpha Island Ltd' } })] });
    const { licenses } = published(says(EDITOR, day(1), both), ...found);
    expect(licenses.map((one) => [one.entity.legalName, one.status])).toEqual([
      ['Alpha Island Ltd', 'active'],
      ['Beta Ltd', 'revoked'],
    ]);
  });

  test('a register that renames a holder is named, with the name that the editors have', () => {
    expect(listContradictions(published(editors, toBeta))).toEqual([['legalName', 'asic', 'editor', 'Alpha Ltd']]);
  });
});

describe('a licence whose last day is over', () => {
  const expiring = (over: object = {}) => sheet({ licenses: [license({ expiresAt: day(10), ...over })] });
  const editors = says(EDITOR, day(1), expiring());
  const over = { statusEffectiveAt: day(10), lastVerifiedAt: null, expiresAt: day(10) };
  const expired = says(CALENDAR, day(11), finding('expired', null, over));

  test.each<[string, Omit<Statement, 'version'>[], string]>([
    ['is expired', [editors], 'expired'],
    ['stays so when the editors’ sheet comes again', [editors, says(EDITOR, day(20), expiring())], 'expired'],
    ['is in force with another last day', [editors, says(EDITOR, day(20), expiring({ expiresAt: day(30) }))], 'active'],
    ['is in force without a last day', [says(EDITOR, day(1), sheet())], 'active'],
    ['is expired, though its register saw it in force before', [editors, finds('active', 9)], 'expired'],
    ['is in force if its register saw it so later', [editors, finds('restricted', 11)], 'restricted'],
    ['is over by what its register said before', [editors, finds('revoked', 9)], 'revoked'],
    ['is over by what editors say', [says(EDITOR, day(1), expiring({ status: 'withdrawn' }))], 'withdrawn'],
    [
      'is in force if editors overrule the calendar',
      [editors, says(EDITOR, day(12), overrule(FINDING, CALENDAR, { status: 'expired' }))],
      'active',
    ],
  ])('%s', (_, statements, status) => {
    const state = published(...statements, expired);
    expect(listStatuses(state)).toEqual([status]);
    expect(listContradictions(state).filter(([, , source]) => source === 'calendar')).toEqual([]);
    if (status === 'expired') expect(state.licenses[0]?.statusEffectiveAt).toBe(day(10));
  });
});

describe('provenance of what is not the editors’ own', () => {
  const AT = 'https://list.example/';
  const listed = (source: StatementSource, said: Record<string, unknown>, credit?: string) => ({
    ...says(source, day(5), said, AT),
    ...(credit === undefined ? {} : { credit }),
  });
  const { foundedYear, lei, ...rest } = sheet();
  const editors = says(EDITOR, day(1), rest);
  const warning = (path: string) => ({
    source: 'FCA',
    url: `https://fca.example/${path}`,
    title: path,
    publishedAt: day(1),
    about: 'this_firm',
  });
  const entry = (fact: string, statedBy: StatementSource, over: object = {}) => ({
    fact,
    sourceUrl: AT,
    lastVerifiedAt: day(5),
    statedBy,
    ...over,
  });
  const resolveProvenance = (...statements: Omit<Statement, 'version'>[]) =>
    published(...statements).profile.provenance;

  test.each<[string, StatementSource]>([
    ['a data set', LIST],
    ['an authority', FCA],
    ['the broker', { kind: 'broker', name: 'alpha' }],
  ])('names %s for each field that only it states, with its address, its time and its attribution', (_, source) => {
    const said = { foundedYear: 1999, lei: '529900T8BM49AURSDO55', country: 'AU' };
    expect(resolveProvenance(editors, listed(source, said, 'The list, CC BY 4.0'))).toEqual([
      entry('lei', source, { attribution: 'The list, CC BY 4.0' }),
      entry('foundedYear', source, { attribution: 'The list, CC BY 4.0' }),
    ]);
    expect(resolveProvenance(editors, listed(source, said))).toEqual([
      entry('lei', source),
      entry('foundedYear', source),
    ]);
  });

  test('provenance has the broker’s website for a source without an address', () => {
    expect(resolveProvenance(editors, says(LIST, day(5), { foundedYear: 1999 }))).toEqual([
      entry('foundedYear', LIST, { sourceUrl: 'https://alpha.example' }),
    ]);
  });

  test('names nobody whose value is not published: editors say it, or overrule it', () => {
    const list = listed(LIST, { foundedYear: 1999 });
    expect(resolveProvenance(says(EDITOR, day(1), sheet({ foundedYear: 1999 })), list)).toEqual([]);
    const overruled = says(EDITOR, day(6), overrule('foundedYear', LIST, 1999));
    expect(resolveProvenance(editors, list, overruled)).toMatchObject([{ fact: 'foundedYear', statedBy: EDITOR }]);
  });

  test('names the source once for a field that it states and another one contradicts', () => {
    const other: StatementSource = { kind: 'dataset', name: 'other' };
    const list = listed(LIST, { foundedYear: 1999, lei: '529900T8BM49AURSDO55' }, 'The list');
    const attribution = 'The list';
    expect(resolveProvenance(editors, list, says(other, day(2), { foundedYear: 2001 }))).toMatchObject([
      entry('foundedYear', LIST, {
        attribution,
        contradicted: [{ field: 'foundedYear', says: '2001', source: other }],
      }),
      entry('lei', LIST, { attribution }),
    ]);
  });

  test('names every source that has a licence or a warning of its own among those that are published', () => {
    const said = { licenses: [license(), license({ referenceNumber: '2' })], warnings: [warning('a')] };
    expect(resolveProvenance(editors, listed(LIST, said), listed(FCA, { warnings: [warning('a')] }))).toEqual([
      entry('warnings', FCA),
      entry('licenses', LIST),
    ]);
    expect(resolveProvenance(editors, listed(LIST, { licenses: [license()] }))).toEqual([]);
  });

  test('names the source of the latest day on which licences were checked', () => {
    const checked = (date: number) => listed(LIST, { licensesCheckedAt: day(date) });
    const own = says(EDITOR, day(1), { ...rest, licensesCheckedAt: day(3) });
    expect(resolveProvenance(own, checked(4))).toEqual([entry('licensesCheckedAt', LIST)]);
    for (const date of [2, 3]) expect(resolveProvenance(own, checked(date))).toEqual([]);
  });

  test('names nobody for a legal name that a register gave', () => {
    const { legalName, ...others } = rest;
    const list = listed(LIST, { legalName: 'Alpha Ltd' });
    const renamed = finds('active', 5, { newName: 'Beta Ltd' });
    expect(resolveProvenance(says(EDITOR, day(1), others), list, renamed)).toMatchObject([
      { fact: 'legalName', statedBy: ASIC, contradicted: [{ field: 'legalName', source: LIST }] },
    ]);
  });
});

describe('provenance', () => {
  const provenance = [
    { fact: 'licenses', sourceUrl: REGISTER_URL, lastVerifiedAt: day(5), attribution: 'ASIC, CC BY 4.0' },
    { fact: 'profile', sourceUrl: 'https://list.example/', lastVerifiedAt: null },
  ];
  const editors = says(EDITOR, day(1), sheet({ provenance }));

  test('provenance is what the sources say where nobody differs', () => {
    const list = says(LIST, day(2), { name: 'Alpha', entities: PROFILE.entities, licenses: LICENSES });
    expect(published(editors, list, finds('active', 5)).profile.provenance).toEqual(provenance);
  });

  test('provenance also has who is published at the same address, and who differs', () => {
    const [first, second, added, ...rest] = published(editors, finds('revoked', 5)).profile.provenance;
    expect([first, second]).toEqual(provenance);
    expect(added).toEqual({
      ...provenance[0],
      statedBy: ASIC,
      contradicted: [
        { field: 'licenses.asic 1 Alpha Ltd.status', says: 'active', source: EDITOR, sourceUrl: null, asOf: day(1) },
      ],
    });
    expect(rest).toEqual([]);
  });

  test('names an address that no source has: of the register’s file, else of the licence', () => {
    const listSourceUrls = (found: Omit<Statement, 'version'>) =>
      published(says(EDITOR, day(1), sheet()), found).profile.provenance.map(({ sourceUrl }) => sourceUrl);
    expect(listSourceUrls(finds('revoked', 5))).toEqual([REGISTER_URL]);
    expect(listSourceUrls({ ...finds('revoked', 5), url: null })).toEqual(['https://register.example/1']);
  });

  test('provenance has the website for a source without an address, and each field in which others differ', () => {
    const said = { foundedYear: 1999, description: 'x'.repeat(5000) };
    const { profile } = published(editors, says(LIST, day(2), said, 'https://list.example/'));
    expect(profile.provenance.slice(0, 2)).toEqual(provenance);
    const entry = (fact: string, value: string) => ({
      fact,
      sourceUrl: 'https://alpha.example',
      lastVerifiedAt: null,
      statedBy: EDITOR,
      contradicted: [{ field: fact, says: value, source: LIST }],
    });
    expect(profile.provenance.slice(2)).toMatchObject([
      entry('foundedYear', '1999'),
      entry('description', 'x'.repeat(4000)),
    ]);
  });
});
