import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BrokerDetail } from './brokers.ts';
import { decideVerdict, type PermissionState, type Verdict } from './verdict.ts';

type License = BrokerDetail['licenses'][number];
type Register = BrokerDetail['registers'][number];
type Entity = BrokerDetail['entities'][number];
type Warning = BrokerDetail['warnings'][number];

const AT = new Date('2026-11-28T12:00:00.000Z');
const LOOKED = '2026-11-05T00:00:00.000Z';
const BEFORE = '2026-11-20T00:00:00.000Z';
const AFTER = '2026-12-10T00:00:00.000Z';

const RULES: NonNullable<Register['rules']> = {
  protections: {
    compensationLimit: { amount: '20000.00', currency: 'EUR' },
    negativeBalance: true,
    segregation: true,
    retailLeverageCap: 30,
    retailLeveragedFx: 'licensed',
  },
  complaintsUrl: 'https://authority.example/complain',
  sources: [{ fact: 'protections', url: 'https://authority.example/rules' }],
  lastVerifiedAt: LOOKED,
};

/** Returns the rules of a regulator with other protections. */
const withProtections = (changes: Partial<typeof RULES.protections>): Partial<Register> => ({
  rules: { ...RULES, protections: { ...RULES.protections, ...changes } },
});

const createRegister = (code: string, country: string): Register => ({
  code,
  name: `Authority ${code}`,
  country,
  registerUrl: `https://${code}.example/register`,
  readAt: LOOKED,
  readUntil: AFTER,
  rules: RULES,
});

const EEA = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' ');
const OTHERS = ['GB', 'CH', 'AU', 'SG', 'JP', 'CA', 'ZA', 'VU', 'MU', 'SC'];

/** All registers are read. Two are of the United States and three of the Emirates. None is of Vietnam. */
const REGISTERS: readonly Register[] = [
  ...[...EEA, ...OTHERS].map((country) => createRegister(country.toLowerCase(), country)),
  ...['us-1', 'us-2'].map((code) => createRegister(code, 'US')),
  ...['ae-1', 'ae-2', 'ae-3'].map((code) => createRegister(code, 'AE')),
  { ...createRegister('br', 'BR'), ...withProtections({ retailLeveragedFx: 'not_licensed' }) },
];

/** Returns all registers, with changes of one of them. */
const withRegister = (code: string, changes: Partial<Register>) => ({
  registers: REGISTERS.map((one) => (one.code === code ? { ...one, ...changes } : one)),
});

const license = (regulatorCode: string, changes: Partial<License> = {}, holder = 'Alpha Ltd'): License => ({
  entity: { legalName: holder },
  regulatorCode,
  referenceNumber: '1',
  type: 'authorisation',
  tier: 1,
  status: 'active',
  statusEffectiveAt: null,
  permissions: [],
  issuedAt: null,
  sourceUrl: `https://${regulatorCode}.example/1`,
  lastVerifiedAt: LOOKED,
  stale: false,
  ...changes,
});

const passport = (regulatorCode: string, ...notifiedCountries: string[]): License =>
  license(regulatorCode, { type: 'passport', ...(notifiedCountries.length === 0 ? {} : { notifiedCountries }) });

/** Returns an entity with which clients of some countries sign. */
const entity = (legalName: string, served: readonly string[] = [], changes: Partial<Entity> = {}): Entity => ({
  legalName,
  country: 'CY',
  retailClients: true,
  regulationScore: 0,
  ...(served.length === 0
    ? {}
    : { serves: { countries: [...served], sourceUrl: 'https://alpha.example/legal', asOf: LOOKED } }),
  ...changes,
});

const alpha = (...served: readonly string[]) => ({ entities: [entity('Alpha Ltd', served)] });

const warning = (changes: Partial<Warning> = {}) => ({
  warnings: [
    {
      source: 'Authority',
      url: 'https://authority.example/1',
      title: 'A warning',
      publishedAt: LOOKED,
      about: 'this_firm' as const,
      ...changes,
    },
  ],
});

/** A broker with the exact types of the contract, so that the function is seen to take its answers. */
type Broker = Pick<
  BrokerDetail,
  'status' | 'successor' | 'warnings' | 'licensesCheckedAt' | 'entities' | 'licenses' | 'registers'
>;

const broker = (...changes: readonly Partial<Broker>[]): Broker =>
  Object.assign(
    {
      status: 'operating',
      warnings: [],
      licensesCheckedAt: LOOKED,
      entities: [entity('Alpha Ltd')],
      licenses: [],
      registers: [...REGISTERS],
    } satisfies Broker,
    ...changes,
  );

const licensed = (...licenses: readonly License[]) => ({ licenses: [...licenses] });
const IN_CYPRUS = [licensed(license('cy')), alpha('CY')] as const;

/** The residences of the table, in its groups. */
const RESIDENCES = 'DE FR CY IE NO LI  GB CH AU SG  JP US CA ZA  BR AE VU VN  MU SC'.split(/ +/);

/**
 * The table, written by hand from the rules of docs/verdict.md: a letter for each residence.
 * P: permitted, with protections. p: permitted, without any. O: another entity holds a licence. C: not confirmed.
 * N: no licence was found. U: unknown. -: nothing is said about permission.
 */
const TABLE: readonly (readonly [title: string, changes: readonly Partial<Broker>[], letters: string])[] = [
  ['a firm without licences', [], 'NNNNNN NNNN NNNN NNNU NN'],
  ['a firm that was never compared', [{ licensesCheckedAt: null }], 'UUUUUU UUUU UUUU UUUU UU'],
  ['a licence, and nobody says with whom clients sign', [licensed(license('cy'))], 'CCOCCC NNNN NNNN NNNU NN'],
  ['a licence for clients at home', IN_CYPRUS, 'CCPCCC NNNN NNNN NNNU NN'],
  ['clients abroad without a passport', [licensed(license('cy')), alpha('DE')], 'CCOCCC NNNN NNNN NNNU NN'],
  [
    'a passport that a register lists for the country',
    [licensed(license('cy'), passport('cy', 'DE')), alpha('DE')],
    'PCOCCC NNNN NNNN NNNU NN',
  ],
  [
    'a listed passport, and nobody says with whom clients sign',
    [licensed(license('cy'), passport('cy', 'DE'))],
    'OCOCCC NNNN NNNN NNNU NN',
  ],
  [
    'a passport without the licence behind it',
    [licensed(passport('cy', 'DE')), alpha('DE')],
    'CCCCCC NNNN NNNN NNNU NN',
  ],
  [
    'a passport whose countries no register lists',
    [licensed(license('cy'), passport('cy')), alpha('DE', 'CY')],
    'CCPCCC NNNN NNNN NNNU NN',
  ],
  ['a check that is too old', [licensed(license('cy', { stale: true })), alpha('CY')], 'CCCCCC NNNN NNNN NNNU NN'],
  [
    'a licence that nobody checked',
    [licensed(license('cy', { lastVerifiedAt: null, stale: true })), alpha('CY')],
    'CCCCCC NNNN NNNN NNNU NN',
  ],
  [
    'a licence whose age nobody knows',
    [licensed(license('cy', { stale: undefined } as never)), alpha('CY')],
    'CCCCCC NNNN NNNN NNNU NN',
  ],
  ['a suspended licence', [licensed(license('cy', { status: 'suspended' })), alpha('CY')], 'CCCCCC NNNN NNNN NNNU NN'],
  ['a revoked licence', [licensed(license('cy', { status: 'revoked' })), alpha('CY')], 'NNNNNN NNNN NNNN NNNU NN'],
  [
    'an unverified licence',
    [licensed(license('cy', { status: 'unverified' })), alpha('CY')],
    'CCCCCC NNNN NNNN NNNU NN',
  ],
  ['a pending licence', [licensed(license('cy', { status: 'pending' })), alpha('CY')], 'CCCCCC NNNN NNNN NNNU NN'],
  [
    'a restricted licence',
    [licensed(license('cy', { status: 'restricted' })), alpha('CY')],
    'CCCCCC NNNN NNNN NNNU NN',
  ],
  [
    'a passport of a restricted licence',
    [licensed(license('cy', { status: 'restricted' }), passport('cy', 'DE')), alpha('DE')],
    'CCCCCC NNNN NNNN NNNU NN',
  ],
  [
    'a licence in a state of a later release',
    [licensed(license('sg', { status: 'paused' as never })), alpha('SG')],
    'NNNNNN NNNC NNNN NNNU NN',
  ],
  [
    'a licence whose last day has passed',
    [licensed(license('cy', { expiresAt: BEFORE })), alpha('CY')],
    'CCCCCC NNNN NNNN NNNU NN',
  ],
  [
    'a licence whose last day is to come',
    [licensed(license('cy', { expiresAt: AFTER })), alpha('CY')],
    'CCPCCC NNNN NNNN NNNU NN',
  ],
  [
    'a registration without supervision',
    [licensed(license('cy', { type: 'registration' })), alpha('CY')],
    'CCCCCC NNNN NNNN NNNU NN',
  ],
  ['a British licence for British clients', [licensed(license('gb')), alpha('GB')], 'NNNNNN PNNN NNNN NNNU NN'],
  ['a British licence for German clients', [licensed(license('gb')), alpha('GB', 'DE')], 'NNNNNN PNNN NNNN NNNU NN'],
  [
    'a British passport into Germany',
    [licensed(license('gb'), passport('gb', 'DE')), alpha('DE')],
    'CNNNNN ONNN NNNN NNNU NN',
  ],
  ['an Australian licence', [licensed(license('au')), alpha('AU')], 'NNNNNN NNPN NNNN NNNU NN'],
  ['a regulator that licenses no such business', [licensed(license('br')), alpha('BR')], 'NNNNNN NNNN NNNN CNNU NN'],
  [
    'a regulator that forbids such business',
    [licensed(license('jp')), alpha('JP'), withRegister('jp', withProtections({ retailLeveragedFx: 'prohibited' }))],
    'NNNNNN NNNN CNNN NNNU NN',
  ],
  [
    'a regulator of which nobody knows what it licenses',
    [licensed(license('jp')), alpha('JP'), withRegister('jp', withProtections({ retailLeveragedFx: null }))],
    'NNNNNN NNNN CNNN NNNU NN',
  ],
  ['a licence of one of two regulators', [licensed(license('us-2')), alpha('US')], 'NNNNNN NNNN NPNN NNNU NN'],
  ['a licence of one of three regulators', [licensed(license('ae-2')), alpha('AE')], 'NNNNNN NNNN NNNN NPNU NN'],
  [
    'one of three registers unread',
    [withRegister('ae-3', { readAt: null, readUntil: null })],
    'NNNNNN NNNN NNNN NUNU NN',
  ],
  [
    'one register of the area unread',
    [withRegister('li', { readAt: null, readUntil: null })],
    'UUUUUU NNNN NNNN NNNU NN',
  ],
  [
    'one register of the area read too long ago',
    [withRegister('de', { readUntil: BEFORE })],
    'UUUUUU NNNN NNNN NNNU NN',
  ],
  ['the British register unread', [withRegister('gb', { readAt: null, readUntil: null })], 'NNNNNN UNNN NNNN NNNU NN'],
  ['a reading without a term', [withRegister('gb', { readUntil: null })], 'NNNNNN UNNN NNNN NNNU NN'],
  [
    'no register read',
    [{ registers: REGISTERS.map((one) => ({ ...one, readAt: null, readUntil: null })) }],
    'UUUUUU UUUU UUUU UUUU UU',
  ],
  ['no register known', [{ registers: [] }], 'UUUUUU UUUU UUUU UUUU UU'],
  [
    'a country of the area without a register',
    [{ registers: REGISTERS.filter(({ country }) => country !== 'IS') }],
    'UUUUUU NNNN NNNN NNNU NN',
  ],
  ['a licence of another firm', [licensed(license('gb', {}, 'Victim Ltd')), alpha('GB')], 'NNNNNN CNNN NNNN NNNU NN'],
  ['a licence of an unknown regulator', [licensed(license('xx')), alpha('GB')], 'CCCCCC CCCC CCCC CCCC CC'],
  ['a suspected clone', [...IN_CYPRUS, { status: 'suspected_clone' }], '------ ---- ---- ---- --'],
  ['a firm that has ceased', [...IN_CYPRUS, { status: 'ceased' }], '------ ---- ---- ---- --'],
  ['a firm that was merged', [...IN_CYPRUS, { status: 'merged', successor: 'beta' }], '------ ---- ---- ---- --'],
  ['a firm in a state of a later release', [...IN_CYPRUS, { status: 'paused' as never }], '------ ---- ---- ---- --'],
  ['a warned firm', [...IN_CYPRUS, warning()], 'CCpCCC NNNN NNNN NNNU NN'],
  ['a warning that nobody checked', [...IN_CYPRUS, warning({ match: 'unchecked' })], 'CCpCCC NNNN NNNN NNNU NN'],
  ['a withdrawn warning', [...IN_CYPRUS, warning({ withdrawnAt: LOOKED })], 'CCPCCC NNNN NNNN NNNU NN'],
  ['a firm that others imitate', [...IN_CYPRUS, warning({ about: 'clone_of_it' })], 'CCPCCC NNNN NNNN NNNU NN'],
  [
    'an entity abroad without a licence',
    [
      licensed(license('cy'), passport('cy', 'DE')),
      { entities: [entity('Alpha Ltd', ['DE']), entity('Alpha Global Ltd', ['VN', 'ZA'])] },
    ],
    'PCOCCC NNNN NNNN NNNU NN',
  ],
  [
    'an entity abroad with a licence there',
    [
      licensed(license('cy'), license('vu', {}, 'Alpha Global Ltd')),
      { entities: [entity('Alpha Ltd'), entity('Alpha Global Ltd', ['VN', 'VU'])] },
    ],
    'CCOCCC NNNN NNNN NNPU NN',
  ],
  [
    'the licence of an entity with which clients do not sign',
    [licensed(license('cy')), { entities: [entity('Alpha Ltd'), entity('Alpha Global Ltd', ['CY'])] }],
    'CCOCCC NNNN NNNN NNNU NN',
  ],
  [
    'an entity that takes no retail clients',
    [licensed(license('cy')), { entities: [entity('Alpha Ltd', ['CY'], { retailClients: false })] }],
    'CCCCCC NNNN NNNN NNNU NN',
  ],
  ['licences of two countries', [licensed(license('cy'), license('de')), alpha('DE')], 'PCOCCC NNNN NNNN NNNU NN'],
  ['a Norwegian licence', [licensed(license('no')), alpha('NO')], 'CCCCPC NNNN NNNN NNNU NN'],
  [
    'a Liechtenstein passport into two countries',
    [licensed(license('li'), passport('li', 'IE', 'FR')), alpha('IE')],
    'COCPCO NNNN NNNN NNNU NN',
  ],
  ['a Swiss licence for German clients', [licensed(license('ch')), alpha('CH', 'DE')], 'NNNNNN NPNN NNNN NNNU NN'],
  [
    'protections without a source',
    [
      licensed(license('gb')),
      alpha('GB'),
      withRegister('gb', { rules: { ...RULES, sources: [{ fact: 'tier', url: 'https://authority.example/tier' }] } }),
    ],
    'NNNNNN pNNN NNNN NNNU NN',
  ],
  [
    'protections that nobody knows',
    [
      licensed(license('gb')),
      alpha('GB'),
      withRegister('gb', withProtections({ compensationLimit: null, negativeBalance: null, retailLeverageCap: null })),
    ],
    'NNNNNN pNNN NNNN NNNU NN',
  ],
  [
    'rules that the answer does not have',
    [licensed(license('gb')), alpha('GB'), withRegister('gb', { rules: undefined } as never)],
    'NNNNNN CNNN NNNN NNNU NN',
  ],
  [
    'two entities abroad for the same clients',
    [
      licensed(license('mu'), license('sc', {}, 'Alpha Global Ltd')),
      { entities: [entity('Alpha Ltd', ['ZA']), entity('Alpha Global Ltd', ['ZA'])] },
    ],
    'NNNNNN NNNN NNNN NNNU OO',
  ],
  ['a licence that was never compared', [...IN_CYPRUS, { licensesCheckedAt: null }], 'CCCCCC UUUU UUUU UUUU UU'],
];

const LETTERS: Readonly<Record<PermissionState, string>> = {
  permitted: 'P',
  other_entity: 'O',
  not_confirmed: 'C',
  none: 'N',
  unknown: 'U',
};

const toLetter = ({ permission, entities }: Verdict): string => {
  const isProtected = entities.some(({ protections }) => protections.length > 0);
  if (permission === null) return isProtected ? '!' : '-';
  const letter = LETTERS[permission.state];
  if (letter !== 'P') return isProtected ? '!' : letter;
  return isProtected ? 'P' : 'p';
};

test('the table has at least 50 brokers and 20 residences', () => {
  expect(TABLE.length).toBeGreaterThanOrEqual(50);
  expect(RESIDENCES.length).toBe(20);
});

test.each(TABLE)('the verdict on %s is that of the table', (_, changes, letters) => {
  const found = RESIDENCES.map((residence) => toLetter(decideVerdict(broker(...changes), residence, AT)));
  expect(found.join('')).toBe(letters.replaceAll(' ', ''));
});

describe('a verdict', () => {
  const decide = (changes: readonly Partial<Broker>[], residence = 'CY') =>
    decideVerdict(broker(...changes), residence, AT);

  test('names the entity, its supervision and each protection with the page that states it', () => {
    const [party] = decide(IN_CYPRUS).entities;
    const proof = { sources: ['https://authority.example/rules'], checkedAt: LOOKED };
    expect(party?.stated?.sourceUrl).toBe('https://alpha.example/legal');
    expect(party?.supervision.map(({ register }) => register?.code)).toEqual(['cy']);
    expect(party?.protections).toMatchObject([
      { kind: 'compensation', limit: { amount: '20000.00', currency: 'EUR' }, ...proof },
      { kind: 'negativeBalance', isGiven: true, ...proof },
      { kind: 'leverage', cap: 30, ...proof },
    ]);
  });

  test.each([
    ['the only regulator that authorised the entity', ['cy'], 'de', ['cy', 'cy', 'cy']],
    ['its own regulator, if two authorised the entity', ['cy', 'mt'], 'cy', ['cy', 'cy', 'cy']],
    ['nobody, if two others authorised the entity', ['cy', 'mt'], 'de', []],
  ])('takes the protections of a passport from %s', (_, authorising, code, expected) => {
    const licenses = licensed(...authorising.map((one) => license(one)), passport(code, 'DE'));
    const { entities } = decide([licenses, alpha('DE')], 'DE');
    expect(entities[0]?.permits.map(({ register }) => register?.code)).toEqual([code]);
    expect(entities[0]?.protections.map(({ register }) => register.code)).toEqual(expected);
  });

  test('names the supervision of a restricted licence', () => {
    const [party] = decide([licensed(license('cy', { status: 'restricted' })), alpha('CY')]).entities;
    expect(party?.supervision.map(({ register }) => register?.code)).toEqual(['cy']);
  });

  test('puts a suspected clone before warnings, and newer warnings before older ones', () => {
    const [newer] = warning({ publishedAt: BEFORE }).warnings;
    const [older] = warning().warnings;
    const all = [older, newer].filter((one) => one !== undefined);
    const { alarms } = decide([{ status: 'suspected_clone', warnings: all }]);
    expect(alarms).toEqual([
      { kind: 'suspected_clone' },
      { kind: 'warned', warning: newer },
      { kind: 'warned', warning: older },
    ]);
  });

  test('says that a firm has ended, and who took its business over', () => {
    expect(decide([{ status: 'merged', successor: 'beta' }]).ending).toEqual({ kind: 'merged', successor: 'beta' });
    expect(decide([{ status: 'ceased' }]).ending).toEqual({ kind: 'ceased', successor: undefined });
  });

  test('names the unread registers of the country before those of other countries', () => {
    const registers = REGISTERS.map((one) =>
      ['at', 'cy'].includes(one.code) ? { ...one, readAt: null, readUntil: null } : one,
    );
    const unread = decide([{ registers }]).permission?.unread ?? [];
    expect(unread.map(({ register }) => register?.code)).toEqual(['cy', 'at']);
  });

  test('refuses a residence that is not a country code', () => {
    expect(() => decide([], 'de')).toThrow(
      new RangeError('The residence "de" is not an ISO 3166-1 alpha-2 code in capital letters.'),
    );
  });
});

const listCodes = (evidence: readonly { readonly license: { readonly regulatorCode: string } }[]): string[] =>
  evidence.map(({ license: { regulatorCode } }) => regulatorCode);

/** Returns everything good that a verdict says, one text for each claim. */
const listClaims = ({ entities, permission }: Verdict): string[] => [
  ...(permission?.state === 'permitted' ? ['permitted'] : []),
  ...entities.flatMap(({ entity: { legalName }, stated, supervision, permits, protections }) =>
    [
      ...(stated ? ['signs'] : []),
      ...supervision.map((one) => `supervised ${JSON.stringify(one.license)}`),
      ...permits.map((one) => `permitted ${one.license.regulatorCode} ${one.license.type}`),
      ...protections.map((one) => `protected ${one.register.code} ${one.kind}`),
    ].map((claim) => `${legalName}: ${claim}`),
  ),
];

/** Returns every broker that has one fact less than this one. */
const listPoorer = (known: Broker): Broker[] => {
  const licensing = new Set(known.licenses.map(({ regulatorCode }) => regulatorCode));
  const each = <K extends 'entities' | 'licenses' | 'registers'>(
    list: K,
    change: (one: Broker[K][number]) => Broker[K][number] | undefined,
  ): Broker[] =>
    known[list].flatMap((one, index) => {
      if (list === 'registers' && !licensing.has((one as Register).code)) return [];
      const changed = change(one);
      const rest = changed === undefined ? [] : [changed];
      return [{ ...known, [list]: [...known[list].slice(0, index), ...rest, ...known[list].slice(index + 1)] }];
    });
  return [
    { ...known, licensesCheckedAt: null },
    ...each('entities', ({ serves, ...one }) => one),
    ...each('entities', () => undefined),
    ...each('licenses', () => undefined),
    ...each('licenses', ({ stale, ...one }) => one),
    ...each('licenses', (one) => ({ ...one, lastVerifiedAt: null })),
    ...each('licenses', ({ notifiedCountries, ...one }) => one),
    ...each('registers', (one) => ({ ...one, readAt: null })),
    ...each('registers', ({ rules, ...one }) => one),
    ...each('registers', (one) => (one.rules ? { ...one, rules: { ...one.rules, sources: [] } } : one)),
  ];
};

const anyBroker: fc.Arbitrary<Broker> = fc
  .record({
    status: fc.constantFrom('operating', 'operating', 'operating', 'ceased', 'suspected_clone'),
    licensesCheckedAt: fc.constantFrom(LOOKED, LOOKED, null),
    warned: fc.constantFrom(undefined, undefined, warning(), warning({ about: 'clone_of_it' })),
    served: fc.array(fc.subarray(['CY', 'DE', 'GB']), { minLength: 1, maxLength: 2 }),
    licenses: fc.array(
      fc
        .record({
          code: fc.constantFrom('cy', 'de', 'gb', 'br', 'xx'),
          holder: fc.constantFrom('Alpha Ltd', 'Alpha Global Ltd', 'Victim Ltd'),
          type: fc.constantFrom('authorisation' as const, 'passport' as const, 'registration' as const),
          status: fc.constantFrom(
            'active' as const,
            'active' as const,
            'restricted' as const,
            'suspended' as const,
            'revoked' as const,
          ),
          stale: fc.constantFrom(false, false, true),
          notified: fc.subarray(['DE', 'CY'], { minLength: 1 }),
        })
        .map(({ code, holder, type, status, stale, notified }) =>
          license(
            code,
            { type, status, stale, ...(type === 'passport' ? { notifiedCountries: notified } : {}) },
            holder,
          ),
        ),
      { maxLength: 4 },
    ),
    protections: fc.record({
      compensationLimit: fc.constantFrom(null, { amount: '85000.00', currency: 'GBP' }),
      negativeBalance: fc.constantFrom(null, true, false),
      retailLeverageCap: fc.constantFrom(null, 30),
      retailLeveragedFx: fc.constantFrom('licensed' as const, 'licensed' as const, 'prohibited' as const, null),
    }),
    unread: fc.subarray(['gb', 'de', 'is']),
  })
  .map(({ status, licensesCheckedAt, warned, served, licenses, protections, unread }) => ({
    ...broker({ status: status as Broker['status'], licensesCheckedAt, licenses }, warned ?? {}),
    entities: served.map((countries, index) => entity(index === 0 ? 'Alpha Ltd' : 'Alpha Global Ltd', countries)),
    registers: REGISTERS.map((one) => ({
      ...one,
      ...withProtections(protections),
      ...(unread.includes(one.code) ? { readAt: null } : {}),
    })),
  }));

describe('the verdict on any broker', () => {
  const anyResidence = fc.constantFrom('CY', 'DE', 'GB', 'VN');

  test('makes no new claim when a fact is taken away', () => {
    fc.assert(
      fc.property(anyBroker, anyResidence, (known, residence) => {
        const claims = new Set(listClaims(decideVerdict(known, residence, AT)));
        // once one of two authorisations is gone, it is known again which is behind a passport
        const isPassportUnclear = ['cy', 'de'].every((code) =>
          known.licenses.some(({ regulatorCode, type }) => regulatorCode === code && type === 'authorisation'),
        );
        const isNew = (claim: string): boolean =>
          !claims.has(claim) && !(isPassportUnclear && claim.includes(': protected '));
        for (const poorer of listPoorer(known))
          expect(listClaims(decideVerdict(poorer, residence, AT)).filter(isNew)).toEqual([]);
      }),
      { seed: 20_261_128, numRuns: 300 },
    );
  });

  test('makes no claim without a source, and invents no protection', () => {
    fc.assert(
      fc.property(anyBroker, anyResidence, (known, residence) => {
        for (const one of decideVerdict(known, residence, AT).entities) {
          const { entity: judged, stated, supervision, permits, protections } = one;
          const bases = listCodes(supervision.filter(({ license: { status } }) => status === 'active'));
          const isSole = ['cy', 'de'].filter((code) => bases.includes(code)).length === 1;
          if (stated) expect(judged.serves).toBe(stated);
          for (const one of permits)
            expect(one.license).toMatchObject({ status: 'active', stale: false, lastVerifiedAt: LOOKED });
          for (const { register, sources, ...one } of protections) {
            expect(isSole ? bases : listCodes(permits)).toContain(register.code);
            expect(register.rules?.sources.map(({ url }) => url)).toEqual(expect.arrayContaining([...sources]));
            expect(sources.length).toBeGreaterThan(0);
            const rules = register.rules?.protections;
            if (one.kind === 'compensation') expect(one.limit).toBe(rules?.compensationLimit);
            if (one.kind === 'leverage') expect(one.cap).toBe(rules?.retailLeverageCap);
            if (one.kind === 'negativeBalance') expect(one.isGiven).toBe(rules?.negativeBalance);
          }
        }
      }),
      { seed: 20_261_128, numRuns: 300 },
    );
  });

  test('says that none was found only if every register was read', () => {
    fc.assert(
      fc.property(anyBroker, anyResidence, (known, residence) => {
        const { permission } = decideVerdict(known, residence, AT);
        if (permission?.state !== 'none') return;
        expect(permission).toMatchObject({ unread: [], unconfirmed: [], isCompared: true });
        for (const poorer of known.registers.map((register) => ({
          ...known,
          registers: known.registers.map((one) => (one === register ? { ...one, readAt: null } : one)),
        }))) {
          const { country } = poorer.registers.find(({ readAt }) => readAt === null) as Register;
          const isAsked = country === residence || (EEA.includes(residence) && EEA.includes(country));
          if (isAsked) expect(decideVerdict(poorer, residence, AT).permission?.state).toBe('unknown');
        }
      }),
      { seed: 20_261_128, numRuns: 300 },
    );
  });
});
