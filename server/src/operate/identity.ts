import { mergeBroker, renameBroker, splitBroker } from '../features/brokers/identity.ts';
import { bringBackMerged, countDoubles, countMerged, takeDownDoubles } from '../features/moderation/merged.ts';
import { type Context, inTransaction, performDryRun, type TxContext } from '../ledger/context.ts';

/** The effects on two brokers and on the reviews of people who wrote about both. */
export interface MergerReport {
  /** Current slugs. */
  readonly slug: string;
  readonly into: string;
  /** Number of reviews that are taken down or restored. */
  readonly reviews: number;
}

const runInTransaction = <T>(context: Context, dryRun: boolean, work: (c: TxContext) => Promise<T>): Promise<T> =>
  (dryRun ? performDryRun : inTransaction)(context, work);

/** Gives a broker another slug. @throws DomainError broker_not_found, invalid_input, state_conflict */
export const rename = (context: Context, slug: string, { to, dryRun }: { to: string; dryRun: boolean }) =>
  runInTransaction(context, dryRun, (c) => renameBroker(c, slug, to));

/**
 * Merges a broker into another one, in one transaction. Each person keeps one live review.
 * @throws DomainError broker_not_found, invalid_input, state_conflict
 */
export const merge = (
  context: Context,
  broker: string,
  { into: successor, dryRun }: { into: string; dryRun: boolean },
): Promise<MergerReport> =>
  runInTransaction(context, dryRun, async (c) => {
    const { slug, into, keys } = await mergeBroker(c, broker, successor);
    return { slug, into, reviews: await (dryRun ? countDoubles : takeDownDoubles)(c, keys) };
  });

/**
 * Undoes the merger of a broker in one transaction. Restores the reviews that the merger took down.
 * @throws DomainError broker_not_found, state_conflict
 */
export const split = (context: Context, broker: string, { dryRun }: { dryRun: boolean }): Promise<MergerReport> =>
  runInTransaction(context, dryRun, async (c) => {
    const { slug, into, keys, successorKeys } = await splitBroker(c, broker);
    const bringBack = dryRun ? countMerged : bringBackMerged;
    return { slug, into, reviews: (await bringBack(c, keys)) + (await bringBack(c, successorKeys)) };
  });
