import { randomUUID } from 'node:crypto';
import type { TxContext } from '../../ledger/context.ts';
import { toPublishedSlug } from '../../ledger/statements/identity.rule.ts';
import { findNames, followNames } from '../../ledger/statements/names.ts';
import {
  type FactChange,
  type FactModel,
  type KnownSubject,
  type PlannedStatement,
  planStatement,
  readKnownSubjects,
  recordStatements,
  type StatementContext,
  type WriteCause,
} from '../../ledger/statements/record.ts';
import { isSame, type PropertyClaim } from '../../ledger/statements/statement.rule.ts';
import type { Tx } from '../../platform/mongo.ts';
import { toAuditedBroker } from './audited.rule.ts';
import { markSubjectsDirty } from './changed.ts';
import { toBrokerEntries } from './entries.rule.ts';
import type { BrokerState } from './record.rule.ts';
import { resolveBroker } from './resolve.rule.ts';
import * as store from './store.ts';

/** The model by which facts about brokers follow from statements. */
export const brokerFacts: FactModel<BrokerState> = {
  kind: 'broker',
  read: store.readStates,
  write: store.replaceStates,
  createId: () => randomUUID(),
  resolve: resolveBroker,
  entries: toBrokerEntries,
};

/** All known facts of a broker. */
export interface KnownBroker extends KnownSubject<BrokerState> {
  /** The current slug of the broker that it was merged into; absent if it was not. */
  readonly mergedInto?: string;
}

/**
 * Reads the known facts of these brokers by the given slug, which may be a former one. A merged broker has its own
 * statements.
 */
export const readKnownBrokers = async (slugs: readonly string[], tx: Tx): Promise<ReadonlyMap<string, KnownBroker>> => {
  const rows = await findNames(tx.db, 'broker', slugs, { session: tx });
  const keys = new Map(rows.map(({ name, subjectName }) => [name, subjectName ?? name]));
  const toKey = (slug: string): string => keys.get(slug) ?? slug;
  const all = await readKnownSubjects(brokerFacts, [...new Set(slugs.map(toKey))], tx);
  const merged = [...all.values()].filter(({ subject }) => subject.identity?.successor !== undefined);
  const names = merged.map(({ subject }) => subject.name);
  const follow = await followNames(tx.db, 'broker', names, { session: tx });
  const successors = new Map(names.map((name) => [name, toPublishedSlug(follow(name))]));
  return new Map(
    slugs.map((slug) => {
      const known = all.get(toKey(slug)) as KnownSubject<BrokerState>;
      const mergedInto = successors.get(known.subject.name);
      return [slug, mergedInto === undefined ? known : { ...known, mergedInto }];
    }),
  );
};

/** Returns the facts of a broker for the audit trail. */
export const toAuditedState = (state: BrokerState | null) => {
  if (!state) return null;
  const { _id, id, identity, ...profile } = state.profile;
  return toAuditedBroker(profile, state.licenses.map(store.toLicenseRecord));
};

/** Records the plan for one broker. Returns the changes, or undefined if its source states nothing new. */
export const recordPlanned = async (
  c: TxContext,
  planned: PlannedStatement<BrokerState>,
  occasion: WriteCause,
): Promise<FactChange<BrokerState> | undefined> => {
  const [recorded] = await recordStatements(c, brokerFacts, [planned], occasion);
  if (recorded && !isSame(recorded.before, recorded.after)) await markSubjectsDirty(c, [planned.known.subject]);
  return recorded;
};

/** Records a source's claims about one broker. Returns the same as `recordPlanned`. */
export const recordClaims = (
  c: TxContext,
  known: KnownBroker,
  said: readonly PropertyClaim[],
  { occasion, ...from }: StatementContext & { readonly occasion: WriteCause },
): Promise<FactChange<BrokerState> | undefined> =>
  recordPlanned(c, planStatement(brokerFacts, known, said, from), occasion);
