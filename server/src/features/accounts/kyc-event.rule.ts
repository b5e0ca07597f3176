import { Text, Timestamp } from '@broker-transparency/contract';
import * as z from 'zod';
import { KYC_STATUSES } from './kyc.rule.ts';

const Moment = Timestamp.transform((text) => new Date(text));

/** What a KYC provider, or the operator's adapter to it, sends when a verification changes. */
export const KycEvent = z.strictObject({
  type: z.enum(['kyc.updated']),
  data: z
    .strictObject({
      /** Whose: the operator's name for the person, or `{issuer}#{sub}` for one of the identity provider. */
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

/** Clocks may differ by this much. An event from further ahead would shut out all that come before its time. */
const AHEAD_MS = 300_000;

export const isFromFuture = (occurredAt: Date, now: Date): boolean => occurredAt.getTime() > now.getTime() + AHEAD_MS;

/** Whether an event tells of a time before the last change that counted. Of two at the same time the later one to come counts. */
export const isOvertaken = (event: { readonly occurredAt: Date }, kyc: { readonly changedAt?: Date | undefined }) =>
  kyc.changedAt !== undefined && event.occurredAt < kyc.changedAt;
