import type { RequestHandler } from 'express';
import { type Receipt, type VerifiedMessage, type WebhookParts, webhookRoute } from '../../http/endpoints/webhook.ts';
import { toProblemItems } from '../../http/problem/invalid-request.ts';
import { invalidRequest } from '../../http/problem/problem.ts';
import type { Context } from '../../ledger/context.ts';
import type { Db } from '../../platform/mongo.ts';
import { isFromFuture, KycEvent, type KycEventData } from './kyc-event.rule.ts';
import { receiveKycEvent } from './kyc-webhook.ts';

/** @throws ProblemError invalid_request naming every invalid field */
const parseKycEvent = (body: unknown, now: Date): KycEventData => {
  const { data: event, error } = KycEvent.safeParse(body);
  if (!event) throw invalidRequest(toProblemItems(error.issues, 'body', ['type', 'data'], body));
  if (!isFromFuture(event.data.occurredAt, now)) return event.data;
  const detail = '"data.occurredAt" must not be more than 5 minutes ahead.';
  throw invalidRequest([{ pointer: '#/data/occurredAt', code: 'too_big', detail }]);
};

/** Handles the webhook with which the KYC provider reports changes of verifications. */
export const kycWebhook = (db: Db, parts: WebhookParts): RequestHandler => {
  const context: Context = { actor: { type: 'system', name: 'kyc-webhook' }, clock: parts.clock, db };
  return webhookRoute('/webhooks/kyc', parts, async ({ id, body }: VerifiedMessage): Promise<Receipt> => {
    const { outcome, replayed } = await receiveKycEvent(context, id, parseKycEvent(body, parts.clock()));
    return { body: { outcome }, replayed };
  });
};
