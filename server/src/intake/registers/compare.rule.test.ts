import { LICENSE_STATUSES, LICENSE_TYPES, type LicenseStatus } from '@broker-transparency/contract';
import { areAkin, nameKey } from '@broker-transparency/matching';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toRegisterClaims } from '../../features/brokers/check.rule.ts';
import { filterNamedSources } from '../../features/brokers/provenance.rule.ts';
import { BrokerRecord, LicenseRecord, licenseKey } from '../../features/brokers/record.rule.ts';
import { resolveBroker } from '../../features/brokers/resolve.rule.ts';
import { sayAll } from '../../features/brokers/say-all.ts';
import { collectCandidates } from '../../ledger/statements/statement.rule.ts';
import type { LicenceEntry } from '../sources/entry.rule.ts';
import {
  compareLicense,
  compareLicenses,
  type Finding,
  findStatusChange,
  type LicenseChange,
  type OurLicense,
  omitOverruled,
  type RegisterComparison,
} from './compare.rule.ts';

const ASOF = '2026-11-20T00:00:00.000Z';

const ours = (over: Partial<Parameters<typeof LicenseRecord.parse>[0] & object> = {}): OurLicense => ({
  broker: 'alpha-markets',
  brokerName: 'Alpha Markets',
  names: ['Alpha Markets'],
  otherEntities: ['Alpha Island Ltd'],
  lei: null,
  license: LicenseRecord.parse({
    entity: { legalName: 'Alpha Markets Pty Ltd' },
    regulatorCode: 'asic',
    referenceNumber: '100',
    type: 'authorisation',
    status: 'active',
    sourceUrl: 'https://register.example/100',
    ...over,
  }),
});

const entry = (over: Partial<LicenceEntry> = {}): LicenceEntry => ({
  at: 'line 5',
  regulator: 'asic',
  regulatorText: '',
  numbers: ['100'],
  lei: null,
  name: 'ALPHA MARKETS PTY LIMITED',
  otherNames: [],
  domains: [],
  country: null,
  status: 'active',
  statusText: '',
  ...over,
});

const against = (entries: readonly LicenceEntry[], over: Partial<RegisterComparison> = {}): RegisterComparison => ({
  currentOnly: true,
  asOf: ASOF,
  matchBy: ['number'],
  anyCounts: false,
  types: LICENSE_TYPES,
  gaps: undefined,
  isNumber: () => true,
  find: ({ license }) => {
    const found = entries.filter(({ numbers }) => numbers.includes(license.referenceNumber));
    return found.length === 0 ? undefined : { by: 'number', entries: found };
  },
  byName: (_, name) => entries.find((one) => !one.numbers.includes('100') && nameKey(one.name) === name),
  entities: new Map([[nameKey('Beta Broking Ltd'), 'beta-fx']]),
  acceptedNames: new Set(),
  ...over,
});

describe('a finding that editors overruled', () => {
  const finding = (...changes: LicenseChange[]): Finding => ({
    ours: ours(),
    changes,
    status: 'withdrawn',
    newName: 'New Ltd',
  });
  const overruled = (of: { status: boolean; name: boolean }, ...changes: LicenseChange[]) =>
    omitOverruled([finding(...changes)], () => of)[0];

  test.each<[string, { status: boolean; name: boolean }, LicenseChange[], LicenseChange[]]>([
    ['in its state is no change', { status: true, name: false }, ['ceased'], []],
    ['in its state can still be a new name', { status: true, name: false }, ['ceased', 'renamed'], ['renamed']],
    ['in its new name can still be a new state', { status: false, name: true }, ['ceased', 'renamed'], ['ceased']],
    ['in both is no change', { status: true, name: true }, ['ceased', 'renamed'], []],
  ])('%s, and keeps what the register says', (_, of, changes, left) => {
    expect(overruled(of, ...changes)).toEqual({ ...finding(...left), overruled: true });
  });

  test.each<[string, { status: boolean; name: boolean }, LicenseChange[]]>([
    ['what is not overruled', { status: false, name: false }, ['ceased', 'renamed']],
    ['what agrees', { status: true, name: true }, []],
  ])('an overrule does not affect %s', (_, of, changes) => {
    expect(overruled(of, ...changes)).toEqual(finding(...changes));
  });
});

const MOVES: Record<LicenseStatus, Record<LicenseStatus, LicenseChange | undefined>> = (() => {
  const none = undefined;
  const over = { withdrawn: none, revoked: none, expired: none } as const;
  const end = { withdrawn: 'cancelled', revoked: 'cancelled', expired: 'cancelled' } as const;
  const held = { pending: 'changed', unverified: 'changed', restricted: 'restricted', suspended: 'suspended' } as const;
  return {
    pending: { ...held, ...end, active: 'granted', pending: none },
    unverified: { ...held, ...end, active: 'granted', unverified: none },
    active: { ...held, ...end, active: none },
    restricted: { ...held, ...end, active: 'reinstated', restricted: none },
    suspended: { ...held, ...end, active: 'reinstated', suspended: none },
    withdrawn: { ...held, ...over, active: 'reinstated' },
    revoked: { ...held, ...over, active: 'reinstated' },
    expired: { ...held, ...over, active: 'reinstated' },
  };
})();

test.each(LICENSE_STATUSES.flatMap((from) => LICENSE_STATUSES.map((to) => [from, to, MOVES[from][to]] as const)))(
  'a move from %s to %s is %s',
  (from, to, change) => {
    expect(findStatusChange(from, to)).toBe(change);
  },
);

describe('a licence in the register', () => {
  test('a licence is confirmed if it matches ours', () => {
    expect(compareLicense(ours(), against([entry()]))).toMatchObject({ changes: [], status: 'active' });
  });

  test.each<[LicenseStatus, LicenseStatus, LicenseChange]>([
    ['active', 'suspended', 'suspended'],
    ['pending', 'active', 'granted'],
    ['suspended', 'active', 'reinstated'],
    ['active', 'withdrawn', 'cancelled'],
  ])('moves from %s to %s: %s, since the day in the register', (from, to, change) => {
    const finding = compareLicense(ours({ status: from }), against([entry({ status: to, statusSince: '2026-11-02' })]));
    expect(finding).toMatchObject({ changes: [change], status: to, statusSince: '2026-11-02' });
  });

  test('a licence is renamed if the holder’s new name is similar', () => {
    const finding = compareLicense(ours(), against([entry({ name: 'Alpha Global Pty Ltd' })]));
    expect(finding).toMatchObject({ changes: ['renamed'], newName: 'Alpha Global Pty Ltd' });
  });

  test.each<[string, Partial<LicenceEntry>, Partial<RegisterComparison>, string | undefined]>([
    ['a dissimilar new name', { name: 'Omega Pty Ltd' }, {}, 'if it is the same firm, add --accept-name 100'],
    [
      'a dissimilar new name that the operator accepts',
      { name: 'Omega Pty Ltd' },
      { acceptedNames: new Set(['100']) },
      undefined,
    ],
    ['the name of another entity', { name: 'ALPHA ISLAND LIMITED' }, {}, 'another entity of this broker'],
    ['the name of another broker', { name: 'Beta Broking Limited' }, {}, 'an entity of beta-fx'],
    ['an invalid name', { name: `Alpha ${'x'.repeat(200)}` }, {}, 'too long to be one'],
    ['an unknown status', { status: null, statusText: 'ODD' }, {}, 'line 5 says "ODD"'],
  ])('handles %s', (_, changed, over, unclear) => {
    const finding = compareLicense(ours(), against([entry(changed)], over));
    if (unclear === undefined) expect(finding.unclear).toBeUndefined();
    else expect(finding).toMatchObject({ changes: [], status: 'active', unclear: expect.stringContaining(unclear) });
  });

  test('a licence is unclear if it is listed twice', () => {
    const finding = compareLicense(ours(), against([entry(), entry({ at: 'line 9' })]));
    expect(finding).toMatchObject({ changes: [], unclear: 'the register has this number 2 times (line 5, line 9)' });
  });

  test('a licence is left unchanged if it was verified after the date of the file', () => {
    const finding = compareLicense(
      ours({ lastVerifiedAt: '2026-11-21T00:00:00.000Z' }),
      against([entry({ status: 'suspended' })]),
    );
    expect(finding).toMatchObject({ changes: [], unclear: expect.stringContaining('2026-11-21') });
  });
});

describe('a licence that is not in the register', () => {
  test.each<[LicenseStatus, boolean, LicenseChange | 'unclear' | undefined]>([
    ['active', true, 'ceased'],
    ['restricted', true, 'ceased'],
    ['suspended', true, 'ceased'],
    ['withdrawn', true, undefined],
    ['pending', true, undefined],
    ['unverified', true, 'unclear'],
    ['active', false, 'unclear'],
    ['revoked', false, 'unclear'],
    ['pending', false, undefined],
  ])('%s, in a file of current licences only (%s), is %s', (status, currentOnly, expected) => {
    const finding = compareLicense(ours({ status }), against([], { currentOnly }));
    expect(finding.unclear === undefined ? finding.changes[0] : 'unclear').toBe(expected);
    if (expected === 'ceased') expect(finding).toMatchObject({ status: 'withdrawn', statusSince: '2026-11-20' });
    else expect(finding.status).toBe(status);
  });

  test('a missing licence is unclear if its holder is listed under another number', () => {
    const finding = compareLicense(ours(), against([entry({ numbers: ['200'] })]));
    expect(finding).toMatchObject({ changes: [], unclear: expect.stringContaining('under 200 (line 5)') });
  });
});

describe('a register without numbers', () => {
  const LEI = '5493001KJTIIGC8Y1R12';
  const byName = (...entries: LicenceEntry[]): Partial<RegisterComparison> => ({
    matchBy: ['lei', 'name'],
    isNumber: () => false,
    find: () => ({ by: 'name', entries }),
  });
  const byLei = (...entries: LicenceEntry[]): Partial<RegisterComparison> => ({
    ...byName(),
    find: () => ({ by: 'lei', entries }),
  });
  const none: Partial<RegisterComparison> = { ...byName(), find: () => undefined, byName: () => undefined };
  const another = '5493001KJTIIGC8Y1S09';

  test.each<[string, OurLicense, Partial<RegisterComparison>, LicenseChange[], string | undefined]>([
    ['is compared by the same name', ours(), byName(entry({ status: 'suspended' })), ['suspended'], undefined],
    [
      'is not compared by the name of a firm with another LEI',
      { ...ours(), lei: LEI },
      byName(entry({ lei: another })),
      [],
      `gives this name to another LEI, ${another} (line 5)`,
    ],
    ['takes a wholly new name of the same LEI', ours(), byLei(entry({ name: 'Omega AG' })), ['renamed'], undefined],
    ['does not take the name of another broker', ours(), byLei(entry({ name: 'Beta Broking Ltd' })), [], 'beta-fx'],
    ['never ends what is missing', ours(), none, [], 'has no such firm'],
    ['says why something may be missing', ours(), { ...none, gaps: 'no banks' }, [], 'has no such firm: no banks'],
    ['has no passports', ours({ type: 'passport' }), { ...byName(entry()), types: ['authorisation'] }, [], 'passport'],
  ])('%s', (_, own, over, changes, unclear) => {
    const finding = compareLicense(own, against([], over));
    expect(finding.changes).toEqual(changes);
    if (unclear === undefined) expect(finding.unclear).toBeUndefined();
    else expect(finding.unclear).toContain(unclear);
  });

  test.each<[string, LicenceEntry[], LicenseStatus | undefined]>([
    ['is in force if one row of several is', [entry({ status: 'withdrawn' }), entry({ status: 'active' })], 'active'],
    ['has ended if all rows have', [entry({ status: 'withdrawn' }), entry({ status: 'withdrawn' })], 'withdrawn'],
    [
      'is unclear if none is in force and they differ',
      [entry({ status: 'withdrawn' }), entry({ status: null })],
      undefined,
    ],
    ['is unclear if the rows are of two firms', [entry(), entry({ name: 'Omega AG' })], undefined],
    ['is unclear if the rows have two LEIs', [entry({ lei: LEI }), entry({ lei: another })], undefined],
  ])('%s', (_, entries, status) => {
    const finding = compareLicense(ours(), against([], { ...byName(...entries), anyCounts: true }));
    if (status === undefined)
      expect(finding).toMatchObject({ changes: [], unclear: expect.stringContaining('2 times') });
    else expect([finding.status, finding.unclear]).toEqual([status, undefined]);
  });
});

test('a number that no register could have never ends a licence', () => {
  const finding = compareLicense(ours({ referenceNumber: 'none' }), against([], { isNumber: () => false }));
  expect(finding).toMatchObject({ changes: [], unclear: expect.stringContaining('no numbers like "none"') });
});

describe('names', () => {
  test.each([
    ['ALPHA MARKETS PTY LTD', 'Alpha Markets Pty. Limited', true],
    ['Müller & Co', 'MULLER AND COMPANY', true],
    ["O'Brien Proprietary Limited", 'OBRIEN PTY LTD', true],
    ['Alpha Markets Ltd', 'Alpha Market Ltd', false],
    ['Alpha Ltd', 'Alpha Pty Ltd', false],
  ])('%j and %j are the same name: %s', (a, b, same) => {
    expect(nameKey(a) === nameKey(b)).toBe(same);
  });

  test.each([
    ['Alpha Markets Pty Ltd', 'Alpha Global Ltd', true],
    ['Alpha Markets Pty Ltd', 'Omega Markets Pty Ltd', false],
    ['Alpha Capital', 'Capital Group Ltd', false],
    ['Constructor Ltd', 'The Constructor Group', true],
  ])('%j and %j are similar: %s', (a, b, akin) => {
    expect(areAkin(a, b)).toBe(akin);
  });

  test('names normalise idempotently and regardless of case, and similarity is symmetric', () => {
    const form = fc.constantFrom('Limited', 'PTY', 'and', 'The', 'constructor', '&', "O'Brien", 'S.A.', 'Ação', 'İş');
    const name = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(fc.oneof(form, fc.string())).map((all) => all.join(' ')),
    );
    fc.assert(
      fc.property(name, name, (a, b) => {
        const normal = nameKey(a);
        expect(normal).toMatch(/^([\p{L}\p{N}\p{M}]+( [\p{L}\p{N}\p{M}]+)*)?$/u);
        expect(nameKey(normal)).toBe(normal);
        const capitals = normal.toUpperCase();
        // Does not hold for ß.
        if (capitals.toLowerCase() === normal) expect(nameKey(` ${capitals}., `)).toBe(normal);
        expect(areAkin(a, b)).toBe(areAkin(b, a));
        expect(areAkin(a, `${a} ${b}`)).toBe(areAkin(a, a));
      }),
      { seed: 20_261_121, numRuns: 500 },
    );
  });
});

describe('several licences compared together', () => {
  const second = (legalName: string) => ours({ entity: { legalName }, referenceNumber: '200' });
  const renamed = entry({ name: 'Alpha Global Pty Ltd' });

  test.each<[string, OurLicense[], LicenceEntry[], (string | undefined)[]]>([
    [
      'of one holder are renamed if the register has one new name',
      [ours(), second('Alpha Markets Pty Ltd')],
      [renamed, { ...renamed, numbers: ['200'], name: 'ALPHA GLOBAL PTY LIMITED' }],
      [undefined, undefined],
    ],
    [
      'of one holder are unclear if the register has two new names',
      [ours(), second('Alpha Markets Pty Ltd')],
      [renamed, entry({ numbers: ['200'], name: 'Alpha Prime Pty Ltd' })],
      ['has "Alpha Prime Pty Ltd" under 200', 'has "Alpha Global Pty Ltd" under 100'],
    ],
    [
      'of one holder: the renamed one is unclear if the other keeps its name',
      [ours(), second('Alpha Markets Pty Ltd')],
      [renamed, entry({ numbers: ['200'] })],
      ['has "ALPHA MARKETS PTY LIMITED" under 200', undefined],
    ],
    [
      'of two holders are unclear if one takes the name of the other',
      [ours(), { ...second('Alpha Island Ltd'), otherEntities: ['Alpha Markets Pty Ltd'] }],
      [renamed, entry({ numbers: ['200'] })],
      ['has "ALPHA MARKETS PTY LIMITED" under 200', 'another entity of this broker'],
    ],
    [
      'of two holders are unclear if both get the same new name',
      [ours(), second('Alpha Island Ltd')],
      [renamed, { ...renamed, numbers: ['200'] }],
      ['to "Alpha Island Ltd" too', 'to "Alpha Markets Pty Ltd" too'],
    ],
    [
      'of two brokers that share an entity are renamed for both',
      [ours(), { ...ours(), broker: 'alpha-pro' }],
      [renamed],
      [undefined, undefined],
    ],
  ])('%s', (_, all, entries, unclear) => {
    for (const [index, finding] of compareLicenses(all, against(entries)).entries())
      if (unclear[index] === undefined) expect(finding.unclear).toBeUndefined();
      else expect(finding).toMatchObject({ changes: [], unclear: expect.stringContaining(unclear[index]) });
  });
});

const PERSONAL_DATA_SOURCES = ['Alpha Markets Pty Ltd', 'Alpha Island Ltd', 'Alpha Prime Ltd'];
const numbers = fc.constantFrom('100', '200', '300');
const statuses = fc.constantFrom(...LICENSE_STATUSES);
const names = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...PERSONAL_DATA_SOURCES, 'ALPHA MARKETS PTY LIMITED', 'Alpha Global Ltd') },
  { weight: 1, arbitrary: fc.constantFrom('Beta Broking Ltd', 'Omega Ltd') },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: fc.constantFrom('x', 'é', '\0', '\n', ' '), maxLength: 300, size: 'max' })
      .map((text) => `Alpha ${text}`),
  },
);
const register = fc.array(
  fc
    .record({ number: numbers, name: names, status: fc.option(statuses, { nil: null }) })
    .map(({ number, ...row }) => entry({ numbers: [number], ...row })),
  { maxLength: 4 },
);
const held = fc.uniqueArray(
  fc.record({
    referenceNumber: numbers,
    holder: fc.constantFrom(...PERSONAL_DATA_SOURCES),
    status: statuses,
    lastVerifiedAt: fc.constantFrom(null, '2026-11-01T00:00:00.000Z', ASOF, '2026-11-25T00:00:00.000Z'),
  }),
  { selector: ({ referenceNumber }) => referenceNumber },
);

/** Returns a broker and its licences as the database stores them. */
const stored = (licenses: typeof held extends fc.Arbitrary<infer T> ? T : never) => {
  const { licenses: own = [], ...profile } = BrokerRecord.parse({
    slug: 'alpha-markets',
    name: 'Alpha Markets',
    legalName: PERSONAL_DATA_SOURCES[0],
    website: 'https://alpha-markets.example',
    country: 'AU',
    entities: PERSONAL_DATA_SOURCES.map((legalName) => ({ legalName, country: 'AU' })),
    licenses: licenses.map(({ holder, ...own }) => ({ ...ours(own).license, entity: { legalName: holder } })),
  });
  return { profile, licenses: own };
};
type StoredBroker = ReturnType<typeof stored>;

const compareStored = (
  { profile, licenses }: StoredBroker,
  entries: readonly LicenceEntry[],
  over: Partial<RegisterComparison>,
) => {
  const entities = profile.entities.map(({ legalName }) => legalName);
  return compareLicenses(
    licenses.map((license) => ({
      ...ours(),
      license,
      otherEntities: entities.filter((name) => name !== license.entity.legalName),
    })),
    against(entries, { byName: (_, name) => entries.find((one) => nameKey(one.name) === name), ...over }),
  );
};

/** Returns what is published once the register has stated its findings. */
const write = (
  { profile: { slug, ...fields }, licenses }: StoredBroker,
  findings: readonly Finding[],
): StoredBroker => {
  const clear = findings.filter(({ unclear }) => unclear === undefined);
  const said = toRegisterClaims(
    {
      register: 'asic',
      asOf: ASOF,
      complete: false,
      source: { sourceUrl: 'https://register.example/', attribution: 'Register' },
      licenses: clear.map(({ ours: { license: compared }, status, newName }) => ({
        compared,
        status,
        statusEffectiveAt: ASOF,
        ...(newName === undefined ? {} : { newName }),
      })),
    },
    new Map(),
  );
  const keyed = licenses.map((license) => ({ _id: licenseKey(slug, license), broker: slug, ...license }));
  const sheet = sayAll({ profile: { _id: slug, id: 'x', ...fields }, licenses: keyed });
  const { state } = resolveBroker(
    { _id: 'broker:x', name: slug },
    collectCandidates([
      { version: 1, source: { kind: 'editor', name: 'editor' }, said: sheet, asOf: new Date(0).toJSON(), url: null },
      { version: 2, source: { kind: 'register', name: 'asic' }, said, asOf: ASOF, url: null },
    ]),
  );
  if (state === null) throw new Error('nothing is published');
  const { _id, id, provenance, ...rest } = state.profile;
  return {
    profile: { slug, ...rest, provenance: filterNamedSources(provenance) },
    licenses: state.licenses.map(({ _id: _key, broker, ...license }) => license),
  };
};

test('reports exactly the differences, and none when the same file is compared again after writing', () => {
  fc.assert(
    fc.property(held, register, fc.boolean(), fc.boolean(), (given, entries, currentOnly, accepts) => {
      const over = { currentOnly, acceptedNames: new Set(accepts ? ['100', '200', '300'] : []) };
      const state = stored(given);
      const findings = compareStored(state, entries, over);
      for (const { ours: own, changes, status, newName, unclear } of findings) {
        const { license } = own;
        expect(changes.some((change) => change !== 'renamed')).toBe(status !== license.status);
        expect(changes.includes('renamed')).toBe(newName !== undefined);
        if (newName !== undefined) expect(nameKey(newName)).not.toBe(nameKey(license.entity.legalName));
        if (unclear !== undefined) expect(changes).toEqual([]);
        const [row, ...more] = entries.filter(({ numbers }) => numbers.includes(license.referenceNumber));
        const isSame = row?.status === license.status && nameKey(row.name) === nameKey(license.entity.legalName);
        if (isSame && more.length === 0 && !unclear?.startsWith('was verified'))
          expect([changes, unclear]).toEqual([[], undefined]);
      }
      const after = write(state, findings);
      expect(BrokerRecord.safeParse({ ...after.profile, licenses: after.licenses }).error).toBeUndefined();
      for (const { changes } of compareStored(after, entries, over)) expect(changes).toEqual([]);
    }),
    { seed: 20_261_121, numRuns: 500 },
  );
});
