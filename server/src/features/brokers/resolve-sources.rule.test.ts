import { describe, expect, test } from 'vitest';
import {
  collectCandidates,
  overruleProperty,
  type Statement,
  type StatementSource,
  sourceKey,
} from '../../ledger/statements/statement.rule.ts';
import { createPropertyNamer, type LicenseFinding, toFindingProperty, toRenamedProperty } from './licenses.rule.ts';
import { endOverrules } from './overrule.rule.ts';
import { BrokerRecord, type BrokerState } from './record.rule.ts';
import { findDeciders, resolveBroker } from './resolve.rule.ts';

const day = (date: number): string => new Date(Date.UTC(2026, 10, date)).toISOString();

const EDITOR: StatementSource = { kind: 'editor', name: 'editor' };
const LIST: StatementSource = { kind: 'dataset', name: 'list' };
const FCA: StatementSource = { kind: 'authority', name: 'fca' };
const CALENDAR: StatementSource = { kind: 'calendar', name: 'calendar' };
const [ASIC, VFSC, CIMA] = ['asic', 'vfsc', 'cima'].map((name): StatementSource => ({ kind: 'register', name })) as [
  StatementSource,
  StatementSource,
  StatementSource,
];
const FILE_URL = 'https://register.example/file';

type StatementDraft = Omit<Statement, 'version'>;
const says = (source: StatementSource, date: number, said: object, url: string | null = null): StatementDraft => ({
  source,
  asOf: day(date),
  url,
  said: Object.entries(said).map(([property, value]) => (value === undefined ? { property } : { property, value })),
});
/** The place in the list is the version. */
const numbered = (statements: readonly StatementDraft[]) => statements.map((one, at) => ({ ...one, version: at + 1 }));

const resolved = (statements: readonly Statement[]) =>
  resolveBroker({ _id: 'broker:b1', name: 'alpha' }, collectCandidates(statements));
const resolveState = (statements: readonly Statement[]): BrokerState => {
  const { state } = resolved(statements);
  if (!state) throw new Error('nothing is published');
  return state;
};
const published = (...statements: StatementDraft[]): BrokerState => resolveState(numbered(statements));
const listLicenses = ({ licenses }: BrokerState) => licenses.map(({ entity, status }) => [entity.legalName, status]);
const listContradictions = ({ profile }: BrokerState) =>
  profile.provenance.flatMap(({ contradicted = [] }) => contradicted);

const license = (over: object = {}) => ({
  entity: { legalName: 'Alpha Ltd' },
  regulatorCode: 'asic',
  referenceNumber: '1',
  type: 'authorisation',
  status: 'active',
  sourceUrl: 'https://register.example/1',
  ...over,
});
const entity = (legalName: string) => ({ legalName, country: 'AU' });
/** Each at the same address. */
const warning = (title: string) => ({ source: 'FCA', url: FILE_URL, title, publishedAt: day(1), about: 'this_firm' });
/** Claims of the editors' sheet about the broker. */
const sheet = (over: object = {}) => {
  const { slug, ...said } = BrokerRecord.parse({
    slug: 'alpha',
    name: 'Alpha',
    legalName: 'Alpha Ltd',
    website: 'https://alpha.example',
    country: 'AU',
    entities: [entity('Alpha Ltd')],
    licenses: [license()],
    ...over,
  });
  return said;
};
const editors = says(EDITOR, 1, sheet());

type Status = LicenseFinding['status'];
type Over = Partial<LicenseFinding> & { readonly newName?: string };
/** Claims of a register about the licence and its holder's name, from its file of a day. */
const finding = (status: Status, date: number, { newName, ...over }: Over = {}) => {
  const name = { regulatorCode: 'asic', referenceNumber: '1', holder: over.holder ?? 'Alpha Ltd' };
  const value = { ...name, status, statusEffectiveAt: day(date), lastVerifiedAt: day(date), ...over };
  return {
    [toFindingProperty(name)]: value,
    [toRenamedProperty(name)]: newName === undefined ? undefined : { ...name, newName },
  };
};
const finds = (status: Status, date: number, over: Over = {}, source = ASIC) =>
  says(source, date, finding(status, date, over), FILE_URL);
const [FINDING, RENAMED] = Object.keys(finding('active', 1)) as [string, string];

const overrules = (property: string, source: StatementSource, value: unknown) =>
  says(EDITOR, 6, {
    [overruleProperty({ property, source })]: { property, source, value, reason: 'The file is wrong.' },
  });

describe('one file of a register that speaks twice of a licence', () => {
  const underBoth = [finds('suspended', 5, { newName: 'Beta Ltd' }), finds('active', 5, { holder: 'Beta Ltd' })];
  const renamedTwice = [
    finds('active', 5, { newName: 'Beta Ltd' }),
    finds('active', 5, { holder: 'Beta Ltd', newName: 'Gamma Ltd' }),
  ];
  test.each<[string, StatementDraft[], [string, string]]>([
    ['gives it the state that was recorded last', underBoth, ['Beta Ltd', 'active']],
    ['gives its holder the name that was recorded last', renamedTwice, ['Gamma Ltd', 'active']],
  ])('%s, in whatever order the statements are read', (_, found, expected) => {
    const all = numbered([editors, ...found]);
    for (const read of [all, all.toReversed()]) expect(listLicenses(resolveState(read))).toEqual([expected]);
  });
});

test('publishes the same bytes in whatever order weaker registers contradict', () => {
  const all = numbered([
    editors,
    finds('revoked', 5),
    finds('suspended', 4, {}, VFSC),
    finds('restricted', 3, {}, CIMA),
  ]);
  expect(listContradictions(resolveState(all)).map(({ says: status }) => status)).toEqual([
    'suspended',
    'restricted',
    'active',
  ]);
  expect(JSON.stringify(resolved(all.toReversed()))).toBe(JSON.stringify(resolved(all)));
});

describe('an overrule of editors', () => {
  const both = finds('revoked', 5, { newName: 'Beta Ltd' });
  test.each<[string, StatementDraft, [string, string]]>([
    ['new name leaves its state', overrules(RENAMED, ASIC, { newName: 'Beta Ltd' }), ['Alpha Ltd', 'revoked']],
    ['state leaves its new name', overrules(FINDING, ASIC, { status: 'revoked' }), ['Beta Ltd', 'active']],
  ])('an overrule of a register’s %s, and can be read', (_, overruled, expected) => {
    const state = published(editors, both, overruled);
    expect(listLicenses(state)).toEqual([expected]);
    expect(listContradictions(state)).toContainEqual(
      expect.objectContaining({ source: ASIC, asOf: day(5), overruledBecause: 'The file is wrong.' }),
    );
  });

  test('an overrule of a finding that agrees also ends the day on which the register saw the licence', () => {
    const overruled = overrules(FINDING, ASIC, { status: 'active' });
    expect(published(editors, finds('active', 5), overruled).licenses[0]?.lastVerifiedAt).toBeNull();
  });

  test('an overrule of one of two licences with one number names that one', () => {
    const other = { holder: 'Beta Ltd' };
    const found = says(ASIC, 5, { ...finding('revoked', 5), ...finding('revoked', 5, other) });
    const deciders = findDeciders(
      collectCandidates(numbered([found])),
      'licenses.asic 1 Alpha Ltd.status',
      'register:asic',
    );
    expect([...deciders.keys()]).toEqual([FINDING]);
  });

  test.each<[string, StatementSource, unknown, unknown]>([
    ['foundedYear', LIST, 1999, null],
    ['warnings', FCA, [warning('A')], []],
  ])('an overrule of %s can be read though no other source says anything', (field, source, value, expected) => {
    const { [field as 'foundedYear']: _, ...said } = sheet();
    const state = published(
      says(EDITOR, 1, said),
      says(source, 2, { [field]: value }),
      overrules(field, source, value),
    );
    expect(state.profile).toHaveProperty(field, expected);
    expect(listContradictions(state)).toMatchObject([{ field, source, overruledBecause: 'The file is wrong.' }]);
  });
});

describe('the end of an overrule', () => {
  const field = 'licenses.asic 1 Alpha Ltd.status';
  const revoked = finds('revoked', 5);
  const ended = (of: string, by: string, ...statements: StatementDraft[]) =>
    endOverrules(collectCandidates(numbered([editors, ...statements])), of, by);
  const ofFinding = overrules(FINDING, ASIC, { status: 'revoked' });
  const property = overruleProperty({ property: FINDING, source: ASIC });

  test.each<[string, string, StatementDraft[]]>([
    ['that is in force', 'Alpha Ltd', [revoked, ofFinding]],
    ['that lapsed', 'Alpha Ltd', [revoked, ofFinding, finds('active', 7)]],
    ['of a source that says nothing any more', 'Alpha Ltd', [ofFinding]],
    ['by the new name of the holder', 'Beta Ltd', [ofFinding, finds('active', 7, { newName: 'Beta Ltd' })]],
  ])('takes back one %s', (_, holder, statements) => {
    expect(ended(`licenses.asic 1 ${holder}.status`, 'register:asic', ...statements)).toEqual([{ property }]);
  });

  test.each<[string, string, string]>([
    ['of another field', 'legalName', 'register:asic'],
    ['of another licence', 'licenses.asic 2 Alpha Ltd.status', 'register:asic'],
    ['of another source', field, 'register:vfsc'],
  ])('takes back none %s', (_, of, by) => {
    expect(ended(of, by, revoked, ofFinding)).toEqual([]);
  });

  test('takes back one of a plain field, and one of a new name', () => {
    const ofYear = overrules('foundedYear', LIST, 1999);
    const ofName = overrules(RENAMED, ASIC, { newName: 'Beta Ltd' });
    expect(ended('foundedYear', 'dataset:list', ofYear, ofName)).toEqual([
      { property: overruleProperty({ property: 'foundedYear', source: LIST }) },
    ]);
    expect(ended('legalName', 'register:asic', ofYear, ofName)).toEqual([
      { property: overruleProperty({ property: RENAMED, source: ASIC }) },
    ]);
  });
});

describe('what a source says of a licence has the name of the field', () => {
  const namer = (...statements: StatementDraft[]) => {
    const all = numbered(statements);
    return createPropertyNamer(collectCandidates(all), resolveState(all).licenses);
  };
  const toBeta = finds('active', 5, { newName: 'Beta Ltd' });
  const both = { licenses: [license(), license({ entity: { legalName: 'Alpha Island Ltd' } })] };
  const two = says(EDITOR, 1, sheet({ ...both, entities: ['Alpha Ltd', 'Alpha Island Ltd'].map(entity) }));
  test.each<[string, StatementDraft[], string, string]>([
    ['of a finding', [editors, finds('revoked', 5)], FINDING, 'licenses.asic 1 Alpha Ltd.status'],
    ['of a finding, under the new name', [editors, toBeta], FINDING, 'licenses.asic 1 Beta Ltd.status'],
    [
      'of a finding, under the name that is published',
      [editors, finds('revoked', 5, { holder: 'Former Ltd' })],
      toFindingProperty({ regulatorCode: 'asic', referenceNumber: '1', holder: 'Former Ltd' }),
      'licenses.asic 1 Alpha Ltd.status',
    ],
    ['of a finding about one of two', [two, finds('revoked', 5)], FINDING, 'licenses.asic 1 Alpha Ltd.status'],
    ['of a new name', [editors, toBeta], RENAMED, 'legalName'],
    ['of a field', [editors], 'country', 'country'],
  ])('%s', (_, statements, property, field) => {
    expect(namer(...statements)(property)).toBe(field);
    const known = collectCandidates(numbered(statements));
    const [source] = known.get(property) ?? [];
    if (source) expect([...findDeciders(known, field, sourceKey(source.source)).keys()]).toContain(property);
  });
});

describe('a holder that a register renamed', () => {
  const toBeta = finds('active', 5, { newName: 'Beta Ltd' });

  test('a renamed holder is one entity if editors have it under both names', () => {
    const twice = says(EDITOR, 1, sheet({ entities: [entity('Alpha Ltd'), entity('Beta Ltd')] }));
    expect(published(twice, toBeta).profile.entities.map(({ legalName }) => legalName)).toEqual(['Beta Ltd']);
  });

  test('a renamed holder has only the licences of the editors’ last sheet, which has its new name', () => {
    const licenses = [license(), license({ regulatorCode: 'fca', referenceNumber: '9' })];
    const moved = { entities: [entity('Beta Ltd')], licenses: [license({ entity: { legalName: 'Beta Ltd' } })] };
    const state = published(says(EDITOR, 1, sheet({ licenses })), toBeta, says(EDITOR, 9, sheet(moved)));
    expect(listLicenses(state)).toEqual([['Beta Ltd', 'active']]);
    expect(state.profile.legalName).toBe('Beta Ltd');
  });

  test('keeps the old name that the register has again, when a file finds it there', () => {
    const back = finds('active', 9, { holder: 'Beta Ltd', newName: 'Alpha Ltd' });
    expect(published(editors, toBeta, back, finds('active', 12)).profile.legalName).toBe('Alpha Ltd');
  });

  test('a renamed holder is contradicted by those with the old name, and not by those with the new one', () => {
    const { contested } = resolved(numbered([editors, toBeta, says(LIST, 1, { legalName: 'Beta Ltd' })]));
    expect(contested.map((one) => [one.field, one.published.value, one.other.source.name, one.other.value])).toEqual([
      ['legalName', 'Beta Ltd', 'editor', 'Alpha Ltd'],
    ]);
  });
});

describe('a licence', () => {
  test('expires, though an authority states it', () => {
    const licenses = [license({ expiresAt: day(10) })];
    const over = finding('expired', 10, { lastVerifiedAt: null, expiresAt: day(10) });
    const state = published(says(EDITOR, 1, sheet({ licenses })), says(FCA, 1, { licenses }), says(CALENDAR, 11, over));
    expect(listLicenses(state)).toEqual([['Alpha Ltd', 'expired']]);
  });

  test('a licence has the state found under its former name, though a data set has it under that name', () => {
    const renamed = { legalName: 'Beta Ltd', entities: [entity('Beta Ltd')] };
    const held = says(EDITOR, 1, sheet({ ...renamed, licenses: [license({ entity: { legalName: 'Beta Ltd' } })] }));
    for (const listed of [[], [says(LIST, 1, { licenses: [license()] })]])
      expect(listLicenses(published(held, finds('revoked', 5), ...listed))).toEqual([['Beta Ltd', 'revoked']]);
  });

  test('keeps the editors’ day of its state, if the register that agrees has none', () => {
    const dated = says(EDITOR, 1, sheet({ licenses: [license({ statusEffectiveAt: day(1) })] }));
    const { licenses } = published(dated, finds('active', 5, { statusEffectiveAt: null }));
    expect(licenses).toMatchObject([{ statusEffectiveAt: day(1), lastVerifiedAt: day(5) }]);
  });
});

describe('provenance', () => {
  const source = (fact: string, over: object = {}) => ({ fact, sourceUrl: FILE_URL, lastVerifiedAt: null, ...over });

  test.each<[string, object[]]>([
    ['warnings', ['A', 'B'].map((title) => warning(title))],
    ['provenance', ['A', 'B'].map((attribution) => source('licenses', { attribution }))],
  ])('keeps both, if one source names one address twice among its %s', (field, members) => {
    expect(published(says(EDITOR, 1, sheet({ [field]: members }))).profile).toHaveProperty(field, members);
  });

  test('keeps the attribution that one source asks for, when a weaker one names the same address without', () => {
    const credited = says(EDITOR, 1, sheet({ provenance: [source('licenses', { attribution: 'CC BY' })] }));
    const { provenance } = published(credited, says(LIST, 1, { provenance: [source('licenses')] })).profile;
    expect(provenance).toEqual([source('licenses', { attribution: 'CC BY' })]);
  });

  test('says who contradicts by the entry of the same fact, if one address has several', () => {
    const credited = (fact: string) => source(fact, { attribution: `of ${fact}` });
    const named = says(EDITOR, 1, sheet({ provenance: ['profile', 'licenses'].map(credited) }));
    const { provenance } = published(named, finds('revoked', 5)).profile;
    expect(provenance.map(({ attribution, contradicted }) => [attribution, contradicted?.length])).toEqual([
      ['of profile', undefined],
      ['of licenses', undefined],
      ['of licenses', 1],
    ]);
  });
});

test('editors who state that a value is not known also deny a data set’s value', () => {
  const known = numbered([says(LIST, 1, { foundedYear: 2000 }), says(EDITOR, 1, sheet({ foundedYear: 1990 }))]);
  const said = [{ property: 'foundedYear', value: null }];
  const then: Statement = { version: 3, source: EDITOR, asOf: day(2), url: null, said };
  expect(resolveState([...known, then]).profile.foundedYear).toBeNull();
});
