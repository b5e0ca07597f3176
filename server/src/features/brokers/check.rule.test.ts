import { LICENSE_STATUSES } from '@broker-transparency/contract';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { collectCandidates, type StatementSource } from '../../ledger/statements/statement.rule.ts';
import { type CheckedLicense, type LicenseCheck, requireCompared, toRegisterClaims } from './check.rule.ts';
import { filterNamedSources } from './provenance.rule.ts';
import { BrokerRecord, type LicenseRecord, licenseKey } from './record.rule.ts';
import { resolveBroker } from './resolve.rule.ts';
import { sayAll } from './say-all.ts';

type Profile = Omit<BrokerRecord, 'licenses'>;
type Facts = { readonly profile: Profile; readonly licenses: readonly LicenseRecord[] };

/**
 * Returns what is published after a check, if editors stated these facts before. Licences keep their order.
 * @throws DomainError as `requireCompared` does
 */
const afterCheck = (slug: string, { profile, licenses }: Facts, check: LicenseCheck) => {
  requireCompared(slug, licenses, check);
  const { slug: _, ...fields } = profile;
  const keyed = licenses.map((license) => ({ _id: licenseKey(slug, license), broker: slug, ...license }));
  const said = sayAll({ profile: { _id: slug, id: 'x', ...fields }, licenses: keyed });
  const register: StatementSource = { kind: 'register', name: check.register };
  const { state } = resolveBroker(
    { _id: 'broker:x', name: slug },
    collectCandidates([
      { version: 1, source: { kind: 'editor', name: 'editor' }, said, asOf: '1970-01-01T00:00:00.000Z', url: null },
      {
        version: 2,
        source: register,
        said: toRegisterClaims(check, new Map()),
        asOf: check.asOf,
        url: check.source.sourceUrl,
      },
    ]),
  );
  if (state === null) throw new Error('nothing is published');
  const { _id, id, provenance, ...rest } = state.profile;
  const newNames = new Map(
    check.licenses.flatMap(({ compared, newName }) => (newName ? [[compared.entity.legalName, newName] as const] : [])),
  );
  const found = licenses.map((license) => {
    const legalName = newNames.get(license.entity.legalName) ?? license.entity.legalName;
    const key = licenseKey(slug, { ...license, entity: { ...license.entity, legalName } });
    const document = state.licenses.find((one) => one._id === key);
    if (!document) throw new Error(`${key} is not published`);
    const { _id: _key, broker, ...record } = document;
    return record;
  });
  return { profile: { slug, ...rest, provenance: filterNamedSources(provenance) }, licenses: found };
};

const AT = '2026-11-20T00:00:00.000Z';
const SOURCE = { sourceUrl: 'https://register.example/', attribution: 'Register, CC BY 4.0' };

const license = (regulatorCode: string, legalName = 'Alpha Ltd') => ({
  entity: { legalName },
  regulatorCode,
  referenceNumber: '1',
  type: 'authorisation' as const,
  status: 'active' as const,
  sourceUrl: 'https://register.example/1',
});
const { licenses = [], ...profile } = BrokerRecord.parse({
  slug: 'alpha',
  name: 'Alpha',
  legalName: 'Alpha Ltd',
  website: 'https://alpha.example',
  country: 'AU',
  entities: [
    { legalName: 'Alpha Ltd', country: 'AU' },
    { legalName: 'Alpha Island Ltd', country: 'VU' },
  ],
  licenses: [license('asic'), license('fca'), license('vfsc', 'Alpha Island Ltd')],
  provenance: [
    { fact: 'licenses', sourceUrl: SOURCE.sourceUrl },
    { fact: 'licenses', sourceUrl: 'https://other.example/' },
  ],
});
const compared = licenses[0] as LicenseRecord;

const check = (over: Partial<CheckedLicense> = {}, more: Partial<LicenseCheck> = {}): LicenseCheck => ({
  register: 'asic',
  asOf: AT,
  complete: true,
  source: SOURCE,
  licenses: [{ compared, status: 'suspended', statusEffectiveAt: AT, ...over }],
  ...more,
});

describe('a check', () => {
  test('writes the status, its date and its source', () => {
    const next = afterCheck('alpha', { profile, licenses }, check());
    expect(next.licenses[0]).toMatchObject({ status: 'suspended', statusEffectiveAt: AT, lastVerifiedAt: AT });
    expect(next.licenses.slice(1)).toEqual(licenses.slice(1));
    expect(next.profile.licensesCheckedAt).toBe(AT);
    expect(next.profile.provenance).toEqual([
      { fact: 'licenses', sourceUrl: 'https://other.example/', lastVerifiedAt: null },
      { fact: 'licenses', ...SOURCE, lastVerifiedAt: AT },
    ]);
  });

  test('renames the holder everywhere, and leaves a record that could be imported', () => {
    const next = afterCheck('alpha', { profile, licenses }, check({ newName: 'Alpha Global Ltd' }));
    expect(next.licenses.map((one) => one.entity.legalName)).toEqual([
      'Alpha Global Ltd',
      'Alpha Global Ltd',
      'Alpha Island Ltd',
    ]);
    expect(next.profile.entities.map((entity) => entity.legalName)).toEqual(['Alpha Global Ltd', 'Alpha Island Ltd']);
    expect(next.profile.legalName).toBe('Alpha Global Ltd');
    expect(BrokerRecord.safeParse({ ...next.profile, licenses: next.licenses }).success).toBe(true);
  });

  test('a check of only some licences does not mark all as checked', () => {
    expect(
      afterCheck('alpha', { profile, licenses }, check({}, { complete: false })).profile.licensesCheckedAt,
    ).toBeNull();
  });

  test('a check with an older file keeps the later day of the broker and of the source', () => {
    const LATER = '2026-11-25T00:00:00.000Z';
    const provenance = [{ fact: 'licenses', sourceUrl: SOURCE.sourceUrl, lastVerifiedAt: LATER }];
    const checked = { ...profile, licensesCheckedAt: LATER, provenance };
    const next = afterCheck('alpha', { profile: checked, licenses }, check());
    expect(next.profile.licensesCheckedAt).toBe(LATER);
    expect(next.profile.provenance).toEqual([{ fact: 'licenses', ...SOURCE, lastVerifiedAt: LATER }]);
  });

  test.each<[string, Partial<LicenseRecord>]>([
    ['status', { status: 'revoked' }],
    ['number', { referenceNumber: '2' }],
    ['day', { lastVerifiedAt: AT }],
  ])('writes nothing if the licence now has another %s', (_, changed) => {
    const now = licenses.map((one, index) => (index === 0 ? { ...one, ...changed } : one));
    expect(() => afterCheck('alpha', { profile, licenses: now }, check())).toThrow('was changed while');
  });
});

const PERSONAL_DATA_SOURCES = ['Alpha Ltd', 'Alpha Island Ltd', 'Alpha Prime Ltd'];
const dayUpToNow = fc.constantFrom(null, '2026-11-01T00:00:00.000Z', AT);
const days = fc.constantFrom(null, '2026-11-01T00:00:00.000Z', AT, '2026-11-25T00:00:00.000Z');
const statuses = fc.constantFrom(...LICENSE_STATUSES);

/** A broker's licences, each with what a register says about it: nothing, or a status. */
const checkedLicenses = fc.uniqueArray(
  fc.record({
    holder: fc.constantFrom(...PERSONAL_DATA_SOURCES),
    regulatorCode: fc.constantFrom('asic', 'fca'),
    referenceNumber: fc.constantFrom('1', '2'),
    status: statuses,
    lastVerifiedAt: dayUpToNow,
    said: fc.option(statuses, { nil: undefined }),
  }),
  { selector: ({ holder, regulatorCode, referenceNumber }) => `${holder} ${regulatorCode} ${referenceNumber}` },
);
const newNames = fc.record(
  Object.fromEntries(PERSONAL_DATA_SOURCES.map((name) => [name, fc.constantFrom(undefined, `${name} (Global)`)])),
);

test('any check changes only the licences it names, moves no date back, and is idempotent', () => {
  fc.assert(
    fc.property(checkedLicenses, newNames, days, days, fc.boolean(), (all, names, sourceAt, checkedAt, complete) => {
      const { licenses: before = [], ...known } = BrokerRecord.parse({
        ...profile,
        licensesCheckedAt: checkedAt,
        entities: PERSONAL_DATA_SOURCES.map((legalName) => ({ legalName, country: 'AU' })),
        licenses: all.map(({ holder, said, ...own }) => ({ ...license(own.regulatorCode, holder), ...own })),
        provenance: [{ fact: 'licenses', sourceUrl: SOURCE.sourceUrl, lastVerifiedAt: sourceAt }],
      });
      const checkNames = (licenses: readonly LicenseRecord[], named: Record<string, string | undefined>) =>
        check(
          {},
          {
            complete,
            licenses: all.flatMap(({ said, holder }, index) => {
              const newName = named[holder];
              const one = { compared: licenses[index] as LicenseRecord, status: said, statusEffectiveAt: AT };
              return said === undefined ? [] : [{ ...one, status: said, ...(newName ? { newName } : {}) }];
            }),
          },
        );
      const first = checkNames(before, names);
      const after = afterCheck('alpha', { profile: known, licenses: before }, first);

      for (const [index, { said, status }] of all.entries())
        expect(after.licenses[index]).toEqual({
          ...before[index],
          entity: after.licenses[index]?.entity,
          ...(said === undefined ? { status } : { status: said, statusEffectiveAt: AT, lastVerifiedAt: AT }),
        });
      expect(after.licenses).toHaveLength(before.length);
      expect(BrokerRecord.safeParse({ ...after.profile, licenses: after.licenses }).success).toBe(true);

      const source = after.profile.provenance.find(({ sourceUrl }) => sourceUrl === SOURCE.sourceUrl);
      expect((source?.lastVerifiedAt ?? '') >= (sourceAt ?? '')).toBe(true);
      expect((after.profile.licensesCheckedAt ?? '') >= (checkedAt ?? '')).toBe(true);

      const turned = { ...first, licenses: first.licenses.toReversed() };
      expect(afterCheck('alpha', { profile: known, licenses: before }, turned)).toEqual(after);
      expect(afterCheck('alpha', after, checkNames(after.licenses, {}))).toEqual(after);
    }),
    { seed: 20_261_121, numRuns: 200 },
  );
});
