import { listEntries } from '../../ledger/audit/store.ts';
import { DAY } from '../../ledger/checks.rule.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/mongo.ts';
import { listOperators, listTokens, type OperatorDocument, type OperatorToken } from './store.ts';

/** The requests that wait for a second admin, and the published counts. */
export { countOperators, findOperator, findOperatorBySubject, type GrantRequest, listRequests } from './store.ts';

/** An operator with tokens, without their hashes. */
export interface ListedOperator extends Omit<OperatorDocument, '_id' | 'counted' | 'subject'> {
  readonly name: string;
  /** True if they can sign in to the desk by the identity provider. */
  readonly signsIn: boolean;
  readonly tokens: readonly (Omit<OperatorToken, '_id' | 'operator'> & { readonly works: boolean })[];
}

/** Lists all operators by name, including former ones. */
export const listOperatorsWithTokens = async (db: Db, clock: Clock): Promise<ListedOperator[]> => {
  const [operators, tokens] = await Promise.all([listOperators(db), listTokens(db)]);
  const now = clock();
  return operators.map(({ _id: name, counted: _, subject, ...operator }) => ({
    name,
    ...operator,
    signsIn: subject !== undefined,
    tokens: tokens
      .filter((token) => token.operator === name)
      .map(({ _id, operator: _owner, ...token }) => ({
        ...token,
        works: !operator.endedAt && !token.revokedAt && token.expiresAt > now,
      })),
  }));
};

/** Maximum number of refusals that are counted. */
const MOST_REFUSALS = 100;

/** Counts the commands that were refused to operators in the day before a time. */
export const countRefusals = async (db: Db, now: Date): Promise<number> => {
  const refused = { action: 'operator.refused', since: new Date(now.getTime() - DAY) } as const;
  return (await listEntries(db, refused, MOST_REFUSALS)).length;
};
