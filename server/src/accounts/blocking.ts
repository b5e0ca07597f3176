import { record } from '../audit/store.ts';
import type { Context } from '../context.ts';
import { type Tx, transaction } from '../platform/mongo.ts';
import * as store from './store.ts';

/** Why an account is blocked: words, not texts, since the audit trail outlives the person. */
export const BLOCK_REASONS = ['abuse', 'compromised', 'fraud', 'legal', 'requested'] as const;
export type BlockReason = (typeof BLOCK_REASONS)[number];

/** The account is not there, or is in that state already. */
export class CannotBlock extends Error {}

const requireAccount = async (subject: string, tx: Tx): Promise<store.Account> => {
  const account = await store.findAccountBySubject(subject, tx);
  if (!account) throw new CannotBlock(`No account has the subject "${subject}".`);
  return account;
};

/** Refuses every credential of an account from now on: its own tokens and JWTs. @throws CannotBlock */
export const blockAccount = ({ actor, clock }: Context, subject: string, reason: BlockReason): Promise<void> =>
  transaction(async (tx) => {
    const account = await requireAccount(subject, tx);
    if (account.blocked)
      throw new CannotBlock(`The account of ${subject} is blocked already: ${account.blocked.reason}.`);
    const at = clock();
    await store.setBlocked(account._id, { reason, at }, tx);
    const states = { before: { blocked: false }, after: { blocked: true } };
    const about = { kind: 'account', id: account._id } as const;
    await record(actor, at, { action: 'account.blocked', subject: about, ...states, reason }, tx);
  });

/** Takes the block away: what is not expired or revoked works again. @throws CannotBlock */
export const unblockAccount = ({ actor, clock }: Context, subject: string): Promise<void> =>
  transaction(async (tx) => {
    const account = await requireAccount(subject, tx);
    if (!account.blocked) throw new CannotBlock(`The account of ${subject} is not blocked.`);
    await store.setBlocked(account._id, undefined, tx);
    const states = { before: { blocked: true, reason: account.blocked.reason }, after: { blocked: false } };
    const about = { kind: 'account', id: account._id } as const;
    const reason = 'operator_command';
    await record(actor, clock(), { action: 'account.unblocked', subject: about, ...states, reason }, tx);
  });
