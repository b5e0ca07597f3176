import { randomUUID } from 'node:crypto';
import type { TxContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/mongo.ts';
import { findNames } from '../../platform/statements/names.ts';
import {
  type Circumstances,
  type Facts,
  type Known,
  type Occasion,
  planStatement,
  type Recorded,
  readKnown,
  recordStatements,
} from '../../platform/statements/record.ts';
import { isSame, type Said } from '../../platform/statements/statement.rule.ts';
import { auditedBroker } from './audited.rule.ts';
import { brokersChanged } from './changed.ts';
import type { BrokerState } from './record.rule.ts';
import { brokerDifference, resolveBroker } from './resolve.rule.ts';
import * as store from './store.ts';

/** How facts about brokers follow from statements. */
export const brokerFacts: Facts<BrokerState> = {
  kind: 'broker',
  read: store.readStates,
  write: store.replaceStates,
  idOf: (_, state) => state?.profile.id ?? randomUUID(),
  resolve: resolveBroker,
  difference: brokerDifference,
};

/** Everything that is known of a broker. */
export type KnownBroker = Known<BrokerState>;

/**
 * Reads what is known of these brokers, by the slug that was given, which may be a former one. Of a broker that was
 * merged into another one, its own statements are known.
 */
export const knownBrokers = async (slugs: readonly string[], tx: Tx): Promise<ReadonlyMap<string, KnownBroker>> => {
  const given = (await findNames('broker', slugs, { session: tx })).filter(({ aliasOf }) => aliasOf !== undefined);
  const keys = new Map(given.map(({ name, aliasOf }) => [name, aliasOf as string]));
  const keyOf = (slug: string): string => keys.get(slug) ?? slug;
  const all = await readKnown(brokerFacts, [...new Set(slugs.map(keyOf))], tx);
  return new Map(slugs.map((slug) => [slug, all.get(keyOf(slug)) as KnownBroker]));
};

/** Returns the facts of a broker for the audit trail. */
export const auditedState = (state: BrokerState | null) => {
  if (!state) return null;
  const { _id, id, identity, ...profile } = state.profile;
  return auditedBroker(profile, state.licenses.map(store.toLicenseRecord));
};

/** Records what a source says of one broker. Returns what changed, or undefined if it says nothing new. */
export const recordSaid = async (
  c: TxContext,
  known: KnownBroker,
  said: readonly Said[],
  { occasion, ...from }: Circumstances & { readonly occasion: Occasion },
): Promise<Recorded<BrokerState> | undefined> => {
  const [recorded] = await recordStatements(c, brokerFacts, [planStatement(brokerFacts, known, said, from)], occasion);
  if (recorded && !isSame(recorded.before, recorded.after)) await brokersChanged(c, [known.subject.name]);
  return recorded;
};
