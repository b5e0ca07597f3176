import { describe, expect, test } from 'vitest';
import { hashPerson, KYC_STATUSES, type KycStatus, kycStatusAt, personKey } from './kyc.rule.ts';

const END = new Date('2026-11-30T12:00:00.000Z');
const before = new Date(END.getTime() - 1);
const after = new Date(END.getTime() + 1);

describe('a verification', () => {
  test.each(KYC_STATUSES)('a verification in state %s without an end keeps its state', (status) => {
    expect(kycStatusAt({ status }, after)).toBe(status);
  });

  /** A new state does not compile until it has a row here. */
  const ENDED: Record<KycStatus, KycStatus> = {
    none: 'none',
    pending: 'pending',
    verified: 'expired',
    rejected: 'rejected',
    expired: 'expired',
  };
  test.each(KYC_STATUSES)('a verification in state %s expires at its end only if it is verified', (status) => {
    const kyc = { status, expiresAt: END };
    expect(kycStatusAt(kyc, before)).toBe(status);
    expect(kycStatusAt(kyc, END)).toBe(ENDED[status]);
    expect(kycStatusAt(kyc, after)).toBe(ENDED[status]);
  });

  test('a verification has exactly the expected states', () => {
    expect(KYC_STATUSES).toEqual(['none', 'pending', 'verified', 'rejected', 'expired']);
  });
});

describe('the hash of a person', () => {
  test('the hash of a person is the same in every release', () => {
    expect(hashPerson('acme', '8831')).toBe('d967ddadfd6fadeb04dda7c9892b0adb8e57eebcfec9a486cd96ad95e59b983e');
  });

  test.each([
    ['acme', '8832'],
    ['acme2', '8831'],
    ['acm', 'e8831'],
    ['acme8', '831'],
    ['acme","8831', ''],
    ['8831', 'acme'],
    ['ACME', '8831'],
  ])('differs between %s/%s and acme/8831', (provider, reference) => {
    expect(hashPerson(provider, reference)).not.toBe(hashPerson('acme', '8831'));
  });

  test('reveals nothing about the person', () => {
    expect(hashPerson('acme', 'passport-8831')).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('the key of a person', () => {
  const personHash = hashPerson('acme', '8831');

  test('the key of a person is the same for two accounts of one person', () => {
    const [a, b] = ['a', 'b'].map((_id) => personKey({ _id, kyc: { status: 'verified', personHash } }));
    expect(a).toBe(b);
    expect(a).toBe(`person:${personHash}`);
  });

  test.each(KYC_STATUSES)('refers to the person in state %s', (status) => {
    expect(personKey({ _id: 'a', kyc: { status, personHash } })).toBe(`person:${personHash}`);
  });

  test.each([undefined, ''])('refers to the account if the person is %j', (none) => {
    expect(personKey({ _id: 'a', kyc: { status: 'verified', personHash: none } })).toBe('account:a');
  });

  test('the key of an account whose id looks like a hash differs from that person’s', () => {
    expect(personKey({ _id: personHash, kyc: { status: 'none' } })).not.toBe(`person:${personHash}`);
  });
});
