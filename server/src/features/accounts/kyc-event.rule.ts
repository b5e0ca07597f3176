import { Text, Timestamp } from '@broker-transparency/contract';
import * as z from 'zod';
import { KYC_STATUSES } from './kyc.rule.ts';

const Moment = Timestamp.transform((text) => new Date(text));

/** The event that a KYC provider, or the operator's adapter to it, sends when a verification changes. */
export const KycEvent = z.strictObject({
  type: z.enum(['kyc.updated']),
  data: z
    .strictObject({
      /**
       * The operator's name for the person, `{issuer}#{sub}` for a person of the identity provider, or a reference to
       * an account.
       */
      subject: Text(1, 2000),
      status: z.enum(KYC_STATUSES),
      provider: Text(1, 100),
      personReference: Text(1, 500).optional(),
      verifiedAt: Moment.optional(),
      expiresAt: Moment.optional(),
      occurredAt: Moment,
    })
    .refine((data) => !data.expiresAt || data.expiresAt > (data.verifiedAt ?? data.occurredAt), {
      path: ['expiresAt'],
      message: 'must be after verifiedAt, or without that after occurredAt',
      params: { code: 'too_small' },
    }),
});
export type KycEventData = z.output<typeof KycEvent>['data'];

const REFERENCE = /^account:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * Returns whether a link to the KYC provider names the person, so that its pages are open to whoever changes the name.
 */
export const namesSubject = (kycUrl: string): boolean => kycUrl.includes('{subject}');

/**
 * Returns the reference to an account in links to the KYC provider. Its id is random: nobody guesses that of another.
 */
export const toKycReference = (accountId: string): string => `account:${accountId}`;

/** Returns the id of the account that a reference is to; undefined if the text is a subject. */
export const parseKycReference = (subject: string): string | undefined => REFERENCE.exec(subject)?.[1];

/**
 * Tolerated clock difference in milliseconds. An event from further ahead would make all events before its time count
 * as overtaken.
 */
const AHEAD_MS = 300_000;

export const isFromFuture = (occurredAt: Date, now: Date): boolean => occurredAt.getTime() > now.getTime() + AHEAD_MS;

/**
 * Returns true if the event is older than the last change. Of two events with the same time, the later arrival wins.
 */
export const isOvertaken = (event: { readonly occurredAt: Date }, kyc: { readonly changedAt?: Date | undefined }) =>
  kyc.changedAt !== undefined && event.occurredAt < kyc.changedAt;
