import type { TxContext } from '../../ledger/context.ts';
import { findPersonAccountIds } from '../accounts/actions.ts';
import { findSubject } from '../accounts/facts.ts';
import { resolveSlugs } from '../brokers/facts.ts';
import { NeedsAnother } from '../operators/authorise.ts';
import { findOperator } from '../operators/facts.ts';
import * as store from './store.ts';

/** The people and the brokers that a case is about. */
export interface CaseSides {
  /** Such as `report 6b01`. */
  readonly what: string;
  /** Ids of the accounts that wrote or sent it. */
  readonly accounts: readonly (string | undefined)[];
  /** Keys of brokers. */
  readonly brokers: readonly string[];
}

/** Returns all accounts of the person who signs in as an operator. Without a sign-in, none is known. */
const listOperatorAccounts = async ({ actor, db, tx }: TxContext): Promise<readonly string[]> => {
  const operator = actor.type === 'operator' ? await findOperator(db, actor.name, tx) : null;
  const account = operator?.subject === undefined ? null : await findSubject(db, operator.subject, tx);
  if (!account) return [];
  const { personHash } = account.kyc;
  return [account._id, ...(personHash === undefined ? [] : await findPersonAccountIds(personHash, tx))];
};

/** Returns true if one of these accounts answers for one of these brokers, also through a merger. */
const answersForOne = async ({ db, tx }: TxContext, accounts: readonly string[], brokers: readonly string[]) => {
  const own: string[] = [];
  for (const account of accounts) own.push(...(await store.findActive(db, account, tx)).map(({ broker }) => broker));
  if (own.length === 0) return false;
  const find = await resolveSlugs(db, [...new Set([...own, ...brokers])], { session: tx });
  const toKey = (slug: string): string => find(slug)?.key ?? slug;
  const cased = new Set(brokers.map(toKey));
  return own.some((slug) => cased.has(toKey(slug)));
};

/**
 * Requires that an operator does not decide their own case: not as the person who wrote or sent it, by whichever of
 * their accounts, and not as somebody who answers for its broker.
 * @throws NeedsAnother
 */
export const requireNotOwn = async (c: TxContext, { what, accounts, brokers }: CaseSides): Promise<void> => {
  const own = await listOperatorAccounts(c);
  if (own.length === 0) return;
  const isParty = accounts.some((account) => account !== undefined && own.includes(account));
  if (!isParty && !(await answersForOne(c, own, brokers))) return;
  const why = isParty ? 'You take part in' : 'You answer for the firm in';
  throw new NeedsAnother({ code: 'own_case', detail: `${why} ${what}: somebody else has to decide.` });
};
