import { describe, expect, test } from 'vitest';
import { type CheckedLicense, type LicenseCheck, recheck } from './recheck.ts';
import { BrokerRecord, type LicenseRecord } from './record.ts';

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
  asOf: AT,
  complete: true,
  source: SOURCE,
  licenses: [{ compared, status: 'suspended', statusEffectiveAt: AT, ...over }],
  ...more,
});

describe('a check', () => {
  test('writes the status, when it was seen, and where', () => {
    const next = recheck('alpha', { profile, licenses }, check());
    expect(next.licenses[0]).toMatchObject({ status: 'suspended', statusEffectiveAt: AT, lastVerifiedAt: AT });
    expect(next.licenses.slice(1)).toEqual(licenses.slice(1));
    expect(next.profile.licensesCheckedAt).toBe(AT);
    expect(next.profile.provenance).toEqual([
      { fact: 'licenses', sourceUrl: 'https://other.example/', lastVerifiedAt: null },
      { fact: 'licenses', ...SOURCE, lastVerifiedAt: AT },
    ]);
  });

  test('renames the holder wherever it stands, and the record stays one that could be imported', () => {
    const next = recheck('alpha', { profile, licenses }, check({ newName: 'Alpha Global Ltd' }));
    expect(next.licenses.map((one) => one.entity.legalName)).toEqual([
      'Alpha Global Ltd',
      'Alpha Global Ltd',
      'Alpha Island Ltd',
    ]);
    expect(next.profile.entities.map((entity) => entity.legalName)).toEqual(['Alpha Global Ltd', 'Alpha Island Ltd']);
    expect(next.profile.legalName).toBe('Alpha Global Ltd');
    expect(BrokerRecord.safeParse({ ...next.profile, licenses: next.licenses }).success).toBe(true);
  });

  test('of some licences only does not say that all were checked', () => {
    expect(
      recheck('alpha', { profile, licenses }, check({}, { complete: false })).profile.licensesCheckedAt,
    ).toBeNull();
  });

  test('with an older file keeps the later day', () => {
    const checked = { ...profile, licensesCheckedAt: '2026-11-25T00:00:00.000Z' };
    expect(recheck('alpha', { profile: checked, licenses }, check()).profile.licensesCheckedAt).toBe(
      checked.licensesCheckedAt,
    );
  });

  test.each<[string, Partial<LicenseRecord>]>([
    ['status', { status: 'revoked' }],
    ['number', { referenceNumber: '2' }],
    ['day', { lastVerifiedAt: AT }],
  ])('of a licence that has another %s by now writes nothing', (_, changed) => {
    const now = licenses.map((one, index) => (index === 0 ? { ...one, ...changed } : one));
    expect(() => recheck('alpha', { profile, licenses: now }, check())).toThrow('was changed while');
  });
});
