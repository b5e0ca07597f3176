import { record } from '../../platform/audit/store.ts';
import type { Context } from '../../platform/context.ts';
import { type Tx, transaction } from '../../platform/mongo.ts';
import { isDuplicateKey } from '../../platform/mongo-errors.ts';
import { applyKyc, ensureAccount } from './actions.ts';
import { isOvertaken, type KycEventData } from './kyc-event.rule.ts';
import * as store from './store.ts';

type Outcome = store.ReceivedEvent['outcome'];

const decide = async (context: Context, event: KycEventData, tx: Tx): Promise<Outcome> => {
  const { actor, clock } = context;
  const account = await ensureAccount(context, event.subject, 'kyc_event', tx);
  if (isOvertaken(event, account.kyc)) {
    const subject = { kind: 'account', id: account._id } as const;
    const before = { status: account.kyc.status };
    const after = { ...before, ignored: event.status, occurredAt: event.occurredAt.toISOString() };
    await record(actor, clock(), { action: 'account.kyc_ignored', subject, before, after, reason: 'overtaken' }, tx);
    return 'ignored';
  }
  const { status, provider, personReference: person, verifiedAt, expiresAt, occurredAt: changedAt } = event;
  const change = { status, provider, person, verifiedAt, expiresAt, changedAt };
  await applyKyc(context, account, change, 'kyc_event', tx);
  return 'applied';
};

const receiveOnce = (context: Context, id: string, event: KycEventData) =>
  transaction(async (tx): Promise<{ outcome: Outcome; replayed: boolean }> => {
    const earlier = await store.findReceivedEvent(id, tx);
    if (earlier) return { outcome: earlier.outcome, replayed: true };
    const outcome = await decide(context, event, tx);
    await store.insertReceivedEvent({ _id: id, outcome, receivedAt: context.clock() }, tx);
    return { outcome, replayed: false };
  });

/**
 * Applies an event of the KYC provider, once per message id, with its id in the same transaction. The account is made where
 * there is none: people often verify before they write for the first time. An event that a later one overtook changes nothing.
 */
export const receiveKycEvent = async (context: Context, id: string, event: KycEventData) => {
  try {
    return await receiveOnce(context, id, event);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return receiveOnce(context, id, event); // the same message, or the account's first one, came at the same time
  }
};
