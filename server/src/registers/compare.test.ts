import { LICENSE_STATUSES, type LicenseStatus } from '@broker-transparency/contract';
import { describe, expect, test } from 'vitest';
import { LicenseRecord } from '../brokers/record.ts';
import type { RegisterEntry } from './adapter.ts';
import { type Change, type Comparison, changeOf, compare, endedShare, type OurLicense } from './compare.ts';
import { areAkin, normalName } from './firm-names.ts';

const ASOF = '2026-11-20T00:00:00.000Z';

const ours = (over: Partial<Parameters<typeof LicenseRecord.parse>[0] & object> = {}): OurLicense => ({
  broker: 'alpha-markets',
  brokerName: 'Alpha Markets',
  names: ['Alpha Markets'],
  otherEntities: ['Alpha Island Ltd'],
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

const entry = (over: Partial<RegisterEntry> = {}): RegisterEntry => ({
  line: 5,
  referenceNumber: '100',
  otherNumbers: [],
  entityName: 'ALPHA MARKETS PTY LIMITED',
  status: 'active',
  statusText: '',
  ...over,
});

const against = (entries: readonly RegisterEntry[], over: Partial<Comparison> = {}): Comparison => ({
  currentOnly: true,
  asOf: ASOF,
  byNumber: (number) => entries.filter(({ referenceNumber }) => referenceNumber === number),
  byName: (name) => entries.find((one) => one.referenceNumber !== '100' && normalName(one.entityName) === name),
  entities: new Map([[normalName('Beta Broking Ltd'), 'beta-fx']]),
  acceptedNames: new Set(),
  ...over,
});

const MOVES: Record<LicenseStatus, Record<LicenseStatus, Change | undefined>> = (() => {
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
  'from %s to %s is %s',
  (from, to, change) => {
    expect(changeOf(from, to)).toBe(change);
  },
);

describe('a licence in the register', () => {
  test('that is as we have it is confirmed', () => {
    expect(compare(ours(), against([entry()]))).toMatchObject({ changes: [], status: 'active' });
  });

  test.each<[LicenseStatus, LicenseStatus, Change]>([
    ['active', 'suspended', 'suspended'],
    ['pending', 'active', 'granted'],
    ['suspended', 'active', 'reinstated'],
    ['active', 'withdrawn', 'cancelled'],
  ])('moves from %s to %s: %s, since the day the register says', (from, to, change) => {
    const finding = compare(ours({ status: from }), against([entry({ status: to, statusSince: '2026-11-02' })]));
    expect(finding).toMatchObject({ changes: [change], status: to, statusSince: '2026-11-02' });
  });

  test('of a holder with a new name that is akin is renamed', () => {
    const finding = compare(ours(), against([entry({ entityName: 'Alpha Global Pty Ltd' })]));
    expect(finding).toMatchObject({ changes: ['renamed'], newName: 'Alpha Global Pty Ltd' });
  });

  test.each<[string, Partial<RegisterEntry>, Partial<Comparison>, string | undefined]>([
    ['a wholly new name', { entityName: 'Omega Pty Ltd' }, {}, 'if it is the same firm, add --accept-name 100'],
    [
      'a wholly new name that is accepted',
      { entityName: 'Omega Pty Ltd' },
      { acceptedNames: new Set(['100']) },
      undefined,
    ],
    ['the name of another entity', { entityName: 'ALPHA ISLAND LIMITED' }, {}, 'another entity of this broker'],
    ['the name of another broker', { entityName: 'Beta Broking Limited' }, {}, 'an entity of beta-fx'],
    ['an unknown status', { status: null, statusText: 'ODD' }, {}, 'line 5 says "ODD"'],
  ])('with %s', (_, changed, over, unclear) => {
    const finding = compare(ours(), against([entry(changed)], over));
    if (unclear === undefined) expect(finding.unclear).toBeUndefined();
    else expect(finding).toMatchObject({ changes: [], status: 'active', unclear: expect.stringContaining(unclear) });
  });

  test('that is there twice is unclear', () => {
    const finding = compare(ours(), against([entry(), entry({ line: 9 })]));
    expect(finding).toMatchObject({ changes: [], unclear: 'the register has this number 2 times (lines 5, 9)' });
  });

  test('that was verified after the date of the file is left alone', () => {
    const finding = compare(
      ours({ lastVerifiedAt: '2026-11-21T00:00:00.000Z' }),
      against([entry({ status: 'suspended' })]),
    );
    expect(finding).toMatchObject({ changes: [], unclear: expect.stringContaining('2026-11-21') });
  });
});

describe('a licence that is not in the register', () => {
  test.each<[LicenseStatus, boolean, Change | 'unclear' | undefined]>([
    ['active', true, 'ceased'],
    ['restricted', true, 'ceased'],
    ['suspended', true, 'ceased'],
    ['withdrawn', true, undefined],
    ['pending', true, undefined],
    ['unverified', true, 'unclear'],
    ['active', false, 'unclear'],
    ['revoked', false, 'unclear'],
    ['pending', false, undefined],
  ])('%s, of current licences alone: %s is %s', (status, currentOnly, expected) => {
    const finding = compare(ours({ status }), against([], { currentOnly }));
    expect(finding.unclear === undefined ? finding.changes[0] : 'unclear').toBe(expected);
    if (expected === 'ceased') expect(finding).toMatchObject({ status: 'withdrawn', statusSince: '2026-11-20' });
    else expect(finding.status).toBe(status);
  });

  test('but whose holder is there under another number is unclear', () => {
    const finding = compare(ours(), against([entry({ referenceNumber: '200' })]));
    expect(finding).toMatchObject({ changes: [], unclear: expect.stringContaining('under 200 (line 5)') });
  });
});

test('the share of licences that a file ends counts those that were held', () => {
  const list = [ours(), ours(), ours({ status: 'revoked' }), ours({ status: 'pending' })];
  expect(endedShare(list.map((one) => compare(one, against([]))))).toBeCloseTo(2 / 3);
  expect(endedShare([])).toBe(0);
});

describe('names', () => {
  test.each([
    ['ALPHA MARKETS PTY LTD', 'Alpha Markets Pty. Limited', true],
    ['Müller & Co', 'MULLER AND COMPANY', true],
    ["O'Brien Proprietary Limited", 'OBRIEN PTY LTD', true],
    ['Alpha Markets Ltd', 'Alpha Market Ltd', false],
    ['Alpha Ltd', 'Alpha Pty Ltd', false],
  ])('%j and %j are one: %s', (a, b, same) => {
    expect(normalName(a) === normalName(b)).toBe(same);
  });

  test.each([
    ['Alpha Markets Pty Ltd', 'Alpha Global Ltd', true],
    ['Alpha Markets Pty Ltd', 'Omega Markets Pty Ltd', false],
    ['Alpha Capital', 'Capital Group Ltd', false],
  ])('%j and %j are akin: %s', (a, b, akin) => {
    expect(areAkin(a, b)).toBe(akin);
  });
});
