import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { isDuplicateKey } from '../../platform/mongo-errors.ts';
import { applyKyc, ensureAccount } from './actions.ts';
import { isOvertaken, type KycEventData, parseKycReference } from './kyc-event.rule.ts';
import * as store from './store.ts';

type KycEventOutcome = store.ReceivedEvent['outcome'];

/** Returns the account of an event; undefined if it was erased since the person began the verification. */
const findOrMakeAccount = (c: TxContext, subject: string) => {
  const id = parseKycReference(subject);
  return id === undefined ? ensureAccount(c, subject, 'kyc_event') : store.findAccountIn(id, c.tx);
};

const applyEvent = async (c: TxContext, event: KycEventData): Promise<KycEventOutcome> => {
  const account = await findOrMakeAccount(c, event.subject);
  if (!account) return 'ignored';
  if (isOvertaken(event, account.kyc)) {
    const before = { status: account.kyc.status };
    const after = { ...before, ignored: event.status, occurredAt: event.occurredAt.toISOString() };
    c.audit('account.kyc_ignored', { kind: 'account', id: account._id }, { before, after, reason: 'overtaken' });
    return 'ignored';
  }
  const { status, provider, personReference: person, verifiedAt, expiresAt, occurredAt: changedAt } = event;
  const change = { status, provider, person, verifiedAt, expiresAt, changedAt };
  await applyKyc(c, account, change, 'kyc_event');
  return 'applied';
};

const receiveOnce = (context: Context, id: string, event: KycEventData) =>
  inTransaction(context, async (c): Promise<{ outcome: KycEventOutcome; replayed: boolean }> => {
    const earlier = await store.findReceivedEvent(id, c.tx);
    if (earlier) return { outcome: earlier.outcome, replayed: true };
    const outcome = await applyEvent(c, event);
    await store.insertReceivedEvent({ _id: id, outcome, receivedAt: c.now }, c.tx);
    return { outcome, replayed: false };
  });

/**
 * Applies an event of the KYC provider once per message id, and stores the id in the same transaction. Creates the
 * account if there is none, because people often verify before they first write. An event that a later one overtook
 * changes nothing.
 */
export const receiveKycEvent = async (context: Context, id: string, event: KycEventData) => {
  try {
    return await receiveOnce(context, id, event);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // The same message, or another first message for the account, was stored at the same time.
    return receiveOnce(context, id, event);
  }
};
