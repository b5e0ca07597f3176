import type { RequestHandler } from 'express';
import { type Receipt, type VerifiedMessage, type WebhookParts, webhookRoute } from '../../http/endpoints/webhook.ts';
import { toProblemItems } from '../../http/problem/invalid-request.ts';
import { invalidRequest } from '../../http/problem/problem.ts';
import type { Context } from '../../ledger/context.ts';
import type { Db } from '../../platform/mongo.ts';
import { isFromFuture, KycEvent, type KycEventData, parseKycReference } from './kyc-event.rule.ts';
import { receiveKycEvent } from './kyc-webhook.ts';

/** @throws ProblemError invalid_request naming every invalid field */
const parseKycEvent = (body: unknown, now: Date, isByReference: boolean): KycEventData => {
  const { data: event, error } = KycEvent.safeParse(body);
  if (!event) throw invalidRequest(toProblemItems(error.issues, 'body', ['type', 'data'], body));
  if (isByReference && parseKycReference(event.data.subject) === undefined) {
    const detail = '"data.subject" must be the reference that KYC_URL carried in place of {subject}, as it came.';
    throw invalidRequest([{ pointer: '#/data/subject', code: 'invalid_format', detail }]);
  }
  if (!isFromFuture(event.data.occurredAt, now)) return event.data;
  const detail = '"data.occurredAt" must not be more than 5 minutes ahead.';
  throw invalidRequest([{ pointer: '#/data/occurredAt', code: 'too_big', detail }]);
};

/**
 * Handles the webhook with which the KYC provider reports changes of verifications.
 * @param isByReference true if people bring a reference to the provider by a link: then no event may name a subject,
 *   which somebody could have written into the link
 */
export const kycWebhook = (db: Db, parts: WebhookParts, isByReference: boolean): RequestHandler => {
  const context: Context = { actor: { type: 'system', name: 'kyc-webhook' }, clock: parts.clock, db };
  return webhookRoute('/webhooks/kyc', parts, async ({ id, body }: VerifiedMessage): Promise<Receipt> => {
    const { outcome, replayed } = await receiveKycEvent(context, id, parseKycEvent(body, parts.clock(), isByReference));
    return { body: { outcome }, replayed };
  });
};
