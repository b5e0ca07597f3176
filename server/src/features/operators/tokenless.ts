import { type Context, inTransaction } from '../../ledger/context.ts';
import type { Role } from './policy.rule.ts';
import { subject } from './required.ts';
import * as store from './store.ts';

/** An operator of a demo. */
export interface TokenlessOperator {
  readonly name: string;
  readonly role: Role;
  /** Subject of the account with which they sign in. */
  readonly signsInAs: string;
}

/**
 * Adds an operator who signs in to the desk and has no token, unless they are there already. A demo has such ones: its
 * commands go on without tokens.
 */
export const addTokenlessOperator = (context: Context, { name, role, signsInAs }: TokenlessOperator): Promise<void> =>
  inTransaction(context, async (c) => {
    if (await store.findOperator(c.db, name, c.tx)) return;
    await store.insertOperator({ _id: name, role, formerNames: [], addedAt: c.now, subject: signsInAs }, c.tx);
    c.audit('operator.added', subject(name), { before: null, after: { role, signIn: true }, reason: 'demo' });
  });
