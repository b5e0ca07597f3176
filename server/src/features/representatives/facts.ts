import type { TxContext } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db, Tx } from '../../platform/mongo.ts';
import { type BrokerReference, requireBroker, resolveSlugs, withCurrentSlugs } from '../brokers/facts.ts';
import { maySpeakForFirm } from './rights.rule.ts';
import type { RepresentativeState } from './status.rule.ts';
import * as store from './store.ts';

/** A broker for which a person answers. */
export interface RepresentedBroker {
  /** Id of the representative. */
  readonly id: string;
  /** Current slug. */
  readonly slug: string;
  readonly name: string;
  readonly status: string;
  /** Time since which the person answers for it. */
  readonly since: Date;
}

/**
 * Returns the brokers for which an account answers now, oldest first. Whoever answered for a broker that was merged
 * does not answer for the other one: that has to be confirmed again.
 */
export const listRepresentedBrokers = async (db: Db, accountId: string): Promise<RepresentedBroker[]> => {
  const rows = await store.findActive(db, accountId);
  if (rows.length === 0) return [];
  const find = await resolveSlugs(
    db,
    rows.map(({ broker }) => broker),
  );
  return rows.flatMap(({ _id: id, broker, claimedAt, requestedAt }) => {
    const found = find(broker);
    return found?.key === broker
      ? [{ id, slug: found.slug, name: found.name, status: found.status, since: claimedAt ?? requestedAt }]
      : [];
  });
};

/** A person who answers for a broker, within a transaction. */
export interface Representation {
  readonly representative: string;
  readonly broker: BrokerReference;
}

/**
 * Requires that an account answers for a broker now. A broker that is not there gives the same error, so that nobody
 * learns who answers for whom.
 * @throws DomainError not_found
 */
export const requireRepresentation = async (c: TxContext, accountId: string, slug: string): Promise<Representation> => {
  const broker = (await resolveSlugs(c.db, [slug], { session: c.tx }))(slug);
  const active = await store.findActive(c.db, accountId, c.tx);
  const own = broker && active.find((one) => one.broker === broker.key);
  if (!broker || !own) throw new DomainError('not_found', `You do not answer for the firm "${slug}".`);
  return { representative: own._id, broker };
};

/** The right of a person to speak for a broker, as it is now. */
export interface SpeakingRight {
  /** In words, such as `ended (by_operator)`. */
  readonly state: string;
  /** True if what they wrote may become public. */
  readonly holds: boolean;
}

/** Returns the right of a representative to speak for their broker. */
export const findSpeakingRight = async (db: Db, id: string, tx?: Tx): Promise<SpeakingRight> => {
  const found = await store.findRepresentative(db, id, tx);
  const [status, ending] = [found?.status ?? 'ended', found?.ending];
  const state = ending === undefined ? status : `${status} (${ending})`;
  return { state, holds: maySpeakForFirm({ status, ending }) };
};

/**
 * Lists representatives, oldest first, with the current slugs of their brokers. @throws DomainError broker_not_found
 */
export const listRepresentatives = async (
  db: Db,
  { broker, status }: { readonly broker?: string | undefined; readonly status?: RepresentativeState | undefined },
  limit: number,
): Promise<store.RepresentativeDocument[]> => {
  const brokers = broker === undefined ? undefined : (await requireBroker(db, broker)).keys;
  return withCurrentSlugs(db, await store.listRepresentatives(db, { brokers, status }, limit));
};
