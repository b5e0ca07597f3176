import { createHash } from 'node:crypto';

/** Every state of an identity verification. */
export const KYC_STATUSES = ['none', 'pending', 'verified', 'rejected', 'expired'] as const;
export type KycStatus = (typeof KYC_STATUSES)[number];

/** What is kept of a verification: never a document, and the person only as a hash. */
export interface Kyc {
  readonly status: KycStatus;
  readonly provider?: string | undefined;
  readonly personHash?: string | undefined;
  readonly verifiedAt?: Date | undefined;
  readonly expiresAt?: Date | undefined;
  /** When what it says came about: an event of an earlier time changes nothing any more. */
  readonly changedAt?: Date | undefined;
}

/** The state at a time: a verification ends by itself. */
export const kycStatusAt = (kyc: Kyc, at: Date): KycStatus =>
  kyc.status === 'verified' && kyc.expiresAt !== undefined && kyc.expiresAt <= at ? 'expired' : kyc.status;

/** Recognises one person under several accounts without keeping who they are. */
export const hashPerson = (provider: string, reference: string): string =>
  createHash('sha256')
    .update(JSON.stringify([provider, reference]))
    .digest('hex');

/** One key per person: who the provider says they are, else the account. */
export const personKey = (account: { readonly _id: string; readonly kyc: Kyc }): string =>
  account.kyc.personHash ? `person:${account.kyc.personHash}` : `account:${account._id}`;
