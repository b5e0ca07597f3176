import type { Dispute, DisputeStatus } from '@broker-transparency/contract';
import { MOST_ENDED_DISPUTES } from '@broker-transparency/contract/record';
import type { RecordSource } from '../../ledger/record/source.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db, Tx } from '../../platform/mongo.ts';
import { requireBroker, resolveCurrentSlug, withCurrentSlugs } from '../brokers/facts.ts';
import { toDisputeEntry, toDisputeView } from './entries.rule.ts';
import { DECISION_DAYS } from './policy.rule.ts';
import { computeDueAt } from './status.rule.ts';
import * as store from './store.ts';

export { countWaitingDisputes } from './store.ts';

/** A dispute as operators see it. */
export interface ListedDispute extends store.DisputeDocument {
  readonly dueAt: Date;
}

const withDueAt = (dispute: store.DisputeDocument): ListedDispute => ({
  ...dispute,
  // of one that has ended, only the text waits
  dueAt: computeDueAt(dispute.status === 'open' ? dispute.createdAt : (dispute.decidedAt ?? dispute.createdAt)),
});

/** Lists disputes, oldest first, with the current slugs of their brokers. @throws DomainError broker_not_found */
export const listDisputes = async (
  db: Db,
  { broker, status }: { readonly broker?: string | undefined; readonly status?: DisputeStatus | undefined },
  limit: number,
): Promise<ListedDispute[]> => {
  const brokers = broker === undefined ? undefined : (await requireBroker(db, broker)).keys;
  return (await withCurrentSlugs(db, await store.listDisputes(db, { brokers, status }, limit))).map(withDueAt);
};

/** Lists the disputes of a broker, the open ones first, then newest first. @throws DomainError broker_not_found */
export const listDisputesOfBroker = async (db: Db, slug: string, limit: number): Promise<ListedDispute[]> => {
  const { keys } = await requireBroker(db, slug);
  return (await withCurrentSlugs(db, await store.listOfBrokers(db, keys, limit))).map(withDueAt);
};

/** Lists the disputes that wait for an operator, since they are open or their text waits; oldest first. */
export const listOpenDisputes = async (db: Db, limit: number): Promise<ListedDispute[]> =>
  (await withCurrentSlugs(db, await store.listDisputes(db, { isWaiting: true }, limit))).map(withDueAt);

/** Returns a dispute with its text and evidence. @throws DomainError not_found */
export const showDispute = async (db: Db, reference: string): Promise<ListedDispute> => {
  const dispute = await store.findDispute(db, reference);
  if (!dispute) throw new DomainError('not_found', `No dispute has the reference "${reference}". See: dispute list`);
  return withDueAt({ ...dispute, broker: await resolveCurrentSlug(db, dispute.broker) });
};

/**
 * Returns the public disputes of a broker, whose own key comes first; newest first. One of a broker that was merged
 * into it is about another fact, and stands in the record alone.
 */
export const findPublicDisputes = async (
  brokers: readonly string[],
  tx: Tx,
): Promise<(keys: readonly string[]) => Dispute[]> => {
  const byBroker = Map.groupBy(await store.findAbout(brokers, tx), ({ broker }) => broker);
  return ([key = '']) => {
    const own = byBroker.get(key) ?? [];
    const ended = own.filter(({ status }) => status !== 'open').slice(0, MOST_ENDED_DISPUTES);
    return own.filter((one) => one.status === 'open' || ended.includes(one)).map(toDisputeView);
  };
};

/** Counts all disputes by state, and the open ones that should have been decided before a time. */
export const countDisputesOfFacts = (db: Db, now: Date) =>
  store.countByStatus(db, new Date(now.getTime() - DECISION_DAYS * 86_400_000));

/** The entries that the record must have of disputes, by their references. */
export const disputeSource: RecordSource = {
  kinds: ['dispute'],
  next: store.nextDisputes,
  entries: async (references, tx) => (await store.readDisputes(references, tx)).map(toDisputeEntry),
};
