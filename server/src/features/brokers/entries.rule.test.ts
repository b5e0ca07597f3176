import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createDemoSet } from '../../operate/demo/set.ts';
import { toBrokerEntries } from './entries.rule.ts';
import { BrokerRecord, type BrokerState, licenseKey } from './record.rule.ts';

const LOOKED = '2026-11-03T04:05:06.000Z';
const WEB = 'https://register.example/entry';

/** A broker as it is stored, from a row of an import. */
const createState = (over: Record<string, unknown> = {}): BrokerState => {
  const {
    slug,
    licenses = [],
    ...profile
  } = BrokerRecord.parse({
    slug: 'alpha',
    name: 'Alpha',
    legalName: 'Alpha Ltd',
    website: 'https://alpha.example/',
    country: 'GB',
    entities: [
      { legalName: 'Alpha Ltd', country: 'GB' },
      { legalName: 'Alpha Island Ltd', country: 'VU', retailClients: false },
    ],
    ...over,
  });
  return {
    profile: { _id: slug, id: 'b1', ...profile },
    licenses: licenses.map((one) => ({ _id: licenseKey(slug, one), broker: slug, ...one })),
  };
};
const license = (legalName: string, referenceNumber: string, over: Record<string, unknown> = {}) => ({
  entity: { legalName },
  regulatorCode: 'fca',
  referenceNumber,
  type: 'authorisation',
  status: 'active',
  sourceUrl: WEB,
  ...over,
});
const warning = (path: string, over: Record<string, unknown> = {}) => ({
  source: 'FCA',
  url: `https://warnings.example/${path}`,
  title: 'A warning',
  publishedAt: '2026-03-01T00:00:00Z',
  about: 'this_firm',
  ...over,
});
const listEntries = (over: Record<string, unknown> = {}) => toBrokerEntries('alpha', createState(over));
const ofKind = (kind: string, over: Record<string, unknown>) =>
  listEntries(over).filter((entry) => entry.kind === kind);

test('a broker that is not published has no entries', () => {
  expect(toBrokerEntries('alpha', null)).toEqual([]);
});

describe('the entry of a broker', () => {
  const only = (over: Record<string, unknown> = {}) => ofKind('broker', over)[0];

  test('the entry of a broker has what is published of it, without its licences and warnings', () => {
    const entry = only({ licenses: [license('Alpha Ltd', '1')], warnings: [warning('1')] });
    expect(entry).toMatchObject({
      key: 'broker/alpha',
      subject: 'broker/alpha',
      value: { slug: 'alpha', name: 'Alpha', status: 'operating', checked: false },
      texts: {},
    });
    expect(Object.keys(entry?.value ?? {})).not.toEqual(expect.arrayContaining([expect.stringMatching(/licen|warn/)]));
  });

  test('the entry of a broker is found under its first slug, and says the current one', () => {
    const { profile, licenses } = createState();
    const identity = {
      slug: 'renamed',
      predecessors: [{ slug: 'alpha', name: 'Alpha', how: 'renamed' }],
      merged: ['beta'],
    };
    const renamed = { profile: { ...profile, identity }, licenses } as unknown as BrokerState;
    expect(toBrokerEntries('alpha', renamed)).toMatchObject([
      { key: 'broker/alpha', value: { slug: 'renamed', merged: ['beta'], predecessors: [{ slug: 'alpha' }] } },
    ]);
  });

  test('says that licences were checked, and not when', () => {
    expect(only({ licensesCheckedAt: LOOKED })?.value).toMatchObject({ checked: true });
    expect(only({ licensesCheckedAt: LOOKED })).toEqual(only({ licensesCheckedAt: '2026-11-04T00:00:00Z' }));
  });

  test('the entry of a broker has its description among the texts only, if there is one', () => {
    const described = only({ description: 'Founded by two sisters.' });
    expect(described?.texts).toEqual({ description: 'Founded by two sisters.' });
    expect(JSON.stringify(described?.value)).not.toContain('sisters');
    expect(only({ description: '' })?.texts).toEqual({});
  });

  test('the entry of a broker lacks what other sources say of its description', () => {
    const { profile, licenses } = createState();
    const other = { source: { kind: 'editor', name: 'editor' }, asOf: LOOKED, sourceUrl: null };
    const contradicted = [
      { ...other, field: 'description', says: 'Founded by two sisters.' },
      { ...other, field: 'country', says: 'IE' },
    ];
    const provenance = [{ fact: 'profile', sourceUrl: WEB, lastVerifiedAt: LOOKED, contradicted }];
    const [entry] = toBrokerEntries('alpha', {
      profile: { ...profile, provenance },
      licenses,
    } as unknown as BrokerState);
    expect(entry?.value).toMatchObject({ provenance: [{ contradicted: [{ field: 'description' }, { says: 'IE' }] }] });
    expect(JSON.stringify(entry)).not.toContain('sisters');
    expect(JSON.stringify(entry)).not.toContain(LOOKED);
  });
});

describe('the entry of a licence', () => {
  const licenses = (...all: object[]) => ofKind('license', { licenses: all });

  test.each([
    ['one holder', [license('Alpha Ltd', '1')], [['license/alpha/fca/1', ['Alpha Ltd']]]],
    [
      'two holders under one number',
      [license('Alpha Ltd', '1'), license('Alpha Island Ltd', '1')],
      [['license/alpha/fca/1', ['Alpha Ltd', 'Alpha Island Ltd']]],
    ],
    [
      'a number that is not part of an address as it is',
      [license('Alpha Ltd', '12/3 %')],
      [['license/alpha/fca/12%2F3%20%25', ['Alpha Ltd']]],
    ],
    [
      'one number of two regulators',
      [license('Alpha Ltd', '1'), license('Alpha Ltd', '1', { regulatorCode: 'asic' })],
      [
        ['license/alpha/asic/1', ['Alpha Ltd']],
        ['license/alpha/fca/1', ['Alpha Ltd']],
      ],
    ],
  ])('a licence has one entry for each number: %s', (_, all, expected) => {
    const rows = licenses(...all).map(({ key, value }) => [
      key,
      (value as unknown as { holders: { legalName: string }[] }).holders.map(({ legalName }) => legalName),
    ]);
    expect(rows.sort()).toEqual(expected);
  });

  test('a licence is valid from the day on which the last of its holders got its status', () => {
    const since = (legalName: string, statusEffectiveAt: string | null) =>
      license(legalName, '1', { statusEffectiveAt });
    const [both] = licenses(
      since('Alpha Ltd', '2026-02-01T00:00:00Z'),
      since('Alpha Island Ltd', '2026-03-01T00:00:00Z'),
    );
    expect(both?.validFrom).toBe('2026-03-01T00:00:00Z');
    expect(licenses(since('Alpha Ltd', null))[0]).not.toHaveProperty('validFrom');
  });

  test('the entry of a licence is the same whenever somebody looked at the register', () => {
    const looked = (lastVerifiedAt: string) => licenses(license('Alpha Ltd', '1', { lastVerifiedAt }));
    expect(looked(LOOKED)).toEqual(looked('2026-11-04T00:00:00Z'));
  });
});

describe('the entry of a warning', () => {
  const warnings = (...all: object[]) => ofKind('warning', { warnings: all });

  test('the entry of a warning has a key by its address, and holds since it was published', () => {
    const [one, other] = warnings(warning('1'), warning('2'));
    expect(one?.key).toMatch(/^warning\/alpha\/[0-9a-f]{16}$/);
    expect(other?.key).not.toBe(one?.key);
    expect(one).toMatchObject({ subject: 'broker/alpha', validFrom: '2026-03-01T00:00:00Z' });
    expect(warnings(warning('1', { title: 'Another title' }))[0]?.key).toBe(one?.key);
  });

  test('a withdrawn warning is valid from the day of its withdrawal', () => {
    const withdrawnAt = '2026-04-01T00:00:00Z';
    expect(warnings(warning('1', { withdrawnAt }))[0]).toMatchObject({
      validFrom: withdrawnAt,
      value: { withdrawnAt },
    });
  });
});

describe('of all demo brokers', () => {
  const anchor = new Date('2026-11-15T12:00:00Z');
  const file = new URL('../../../data/regulators.json', import.meta.url);
  const regulators = JSON.parse(readFileSync(file, 'utf8')) as Parameters<typeof createDemoSet>[0]['regulators'];
  const { brokers } = createDemoSet({ anchor, regulators });
  const states = brokers.map(({ slug, licenses = [], ...profile }): [string, BrokerState] => [
    slug,
    {
      profile: { _id: slug, id: slug, ...profile },
      licenses: licenses.map((one) => ({ _id: licenseKey(slug, one), broker: slug, ...one })),
    },
  ]);

  test('each key is that of one entry', () => {
    const keys = states.flatMap(([slug, state]) => toBrokerEntries(slug, state).map(({ key }) => key));
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.length).toBeGreaterThan(500);
  });

  test('no value has a description, or a time at which somebody looked', () => {
    for (const [slug, state] of states) {
      const text = JSON.stringify(toBrokerEntries(slug, state).map(({ value }) => value));
      expect(text).not.toMatch(/"(lastVerifiedAt|checkedAt|licensesCheckedAt)"/);
      if (state.profile.description !== '') expect(text).not.toContain(JSON.stringify(state.profile.description));
    }
  });

  test('every holder, and every warning, is in an entry', () => {
    for (const [slug, state] of states) {
      const entries = toBrokerEntries(slug, state);
      const holders = entries.flatMap(({ kind, value }) =>
        kind === 'license' ? (value as unknown as { holders: unknown[] }).holders : [],
      );
      expect(holders).toHaveLength(state.licenses.length);
      expect(entries.filter(({ kind }) => kind === 'warning')).toHaveLength(state.profile.warnings.length);
    }
  });
});
