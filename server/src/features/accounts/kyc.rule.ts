import { hashToHex } from '../../platform/sha256.rule.ts';

/** Every state of an identity verification. */
export const KYC_STATUSES = ['none', 'pending', 'verified', 'rejected', 'expired'] as const;
export type KycStatus = (typeof KYC_STATUSES)[number];

/** The stored facts of a verification: no documents, and the person only as a hash. */
export interface Kyc {
  readonly status: KycStatus;
  readonly provider?: string | undefined;
  readonly personHash?: string | undefined;
  readonly verifiedAt?: Date | undefined;
  readonly expiresAt?: Date | undefined;
  /** Time of the reported change. An event from before this time changes nothing. */
  readonly changedAt?: Date | undefined;
}

/** Returns the state at a time. A verification expires at its end without any action. */
export const kycStatusAt = (kyc: Kyc, at: Date): KycStatus =>
  kyc.status === 'verified' && kyc.expiresAt !== undefined && kyc.expiresAt <= at ? 'expired' : kyc.status;

/** Returns true if a person was already verified at a time. A later verification does not count. */
export const wasVerifiedAt = (kyc: Kyc, at: Date): boolean =>
  kycStatusAt(kyc, at) === 'verified' && kyc.verifiedAt !== undefined && kyc.verifiedAt <= at;

/** Recognises one person in several accounts without storing who they are. */
export const hashPerson = (provider: string, reference: string): string =>
  hashToHex(JSON.stringify([provider, reference]));

/** Returns one key per person: the hash of the KYC provider's reference, or else the account. */
export const personKey = (account: { readonly _id: string; readonly kyc: Kyc }): string =>
  account.kyc.personHash ? `person:${account.kyc.personHash}` : `account:${account._id}`;
