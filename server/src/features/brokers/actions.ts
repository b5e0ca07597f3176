import { auditedChange, type FieldChange, fieldChanges } from '../../ledger/audit/fields.rule.ts';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { auditContradictions } from '../../ledger/statements/contradictions.ts';
import { toPublishedSlug } from '../../ledger/statements/identity.rule.ts';
import {
  BY_EDITORS,
  checkWithdrawal,
  type FactChange,
  findDriftedNames,
  findOwnClaims,
  type PlannedStatement,
  planStatement,
  recordStatements,
  republish,
  type StatementContext,
  type StatementRow,
  type StoredStatement,
  toWholeRow,
  type WithdrawalGuard,
  type WriteCause,
  withdrawStatements,
} from '../../ledger/statements/record.ts';
import { isSame, type PropertyClaim, type StatementSource } from '../../ledger/statements/statement.rule.ts';
import type { Tx } from '../../platform/mongo.ts';
import { markSubjectsDirty } from './changed.ts';
import { brokerFacts, type KnownBroker, readKnownBrokers, toAuditedState } from './known.ts';
import { filterNamedSources } from './provenance.rule.ts';
import { BrokerRecord, type BrokerState, dateLicenses } from './record.rule.ts';
import * as store from './store.ts';

/**
 * Returns the stored facts of a broker as a row of an import: the source's own statements, and published values for all
 * other fields. Licences are included only if the row has entities, since each licence names one.
 */
export const toStoredBroker = (known: KnownBroker, given: ReadonlySet<string>, source: StatementSource): object => {
  const { licenses, ...said } = Object.fromEntries(
    [...findOwnClaims(source, known)].filter(([property]) => Object.hasOwn(BrokerRecord.shape, property)),
  );
  if (known.state === null) return { ...said, ...(given.has('entities') && licenses ? { licenses } : {}) };
  const { _id: slug, id: _, provenance: _p, identity: _i, ...profile } = known.state.profile;
  const all = licenses ?? known.state.licenses.map(store.toLicenseRecord);
  return { slug, ...profile, ...said, ...(given.has('entities') ? { licenses: all } : {}) };
};

/** Returns a source's statements about a broker as a row of an import; undefined if it has none. */
export const toStatedBroker = (known: KnownBroker, source: StatementSource): object | undefined => {
  const said = [...findOwnClaims(source, known)].filter(
    ([property, value]) => value !== undefined && Object.hasOwn(BrokerRecord.shape, property),
  );
  return said.length === 0 ? undefined : { slug: toPublishedSlug(known.subject), ...Object.fromEntries(said) };
};

/** Returns the published facts of a broker as a row of an import, without their sources. */
export const toPublishedBroker = ({ subject, state }: KnownBroker): object | undefined => {
  if (state === null) return undefined;
  const { _id, id, identity, provenance, ...profile } = state.profile;
  const licenses = state.licenses.map(store.toLicenseRecord);
  return { slug: toPublishedSlug(subject), ...profile, provenance: filterNamedSources(provenance), licenses };
};

/** Returns the claims of a row, given the earlier statements of its source. */
const toRowClaims = (
  { record, given, takenBack }: StatementRow<BrokerRecord>,
  own: ReadonlyMap<string, unknown>,
): PropertyClaim[] => {
  const { slug, ...fields } = record;
  // an import adds its own address to the sources named earlier
  const isGiven = (property: string, value: unknown): boolean =>
    given.has(property) || (property === 'provenance' && !isSame(value, own.get(property) ?? []));
  const stated = Object.entries(fields).flatMap(([property, value]): PropertyClaim[] =>
    isGiven(property, value) && !takenBack.has(property) && value !== undefined ? [{ property, value }] : [],
  );
  return [...stated, ...[...takenBack].map((property) => ({ property }))];
};

/** The changes to a broker that a statement causes. */
export type PlannedBroker = PlannedStatement<BrokerState>;

/** Plans the changes of a row of an import. Writes nothing. */
export const planBroker = (
  row: StatementRow<BrokerRecord>,
  known: KnownBroker,
  from: StatementContext,
): PlannedBroker =>
  planStatement(brokerFacts, known, toRowClaims(dateLicenses(row), findOwnClaims(from.origin.source, known)), from);

/** Returns the fields of a broker that a plan changes. */
export const findBrokerChanges = ({ known, after }: PlannedBroker): FieldChange[] =>
  fieldChanges(toAuditedState(known.state), toAuditedState(after));

/** Returns true if a plan changes the published facts, apart from the marks of contradicted sources. */
export const isBrokerChanged = ({ known: { state }, after }: PlannedBroker): boolean => {
  const facts = (one: BrokerState | null) =>
    one && { ...one, profile: { ...one.profile, provenance: filterNamedSources(one.profile.provenance) } };
  return !isSame(state, after) && !isSame(facts(state), facts(after));
};

/** Marks the changed brokers as dirty and adds the changes to the audit trail. */
const publishRecorded = async (
  c: TxContext,
  recorded: readonly FactChange<BrokerState>[],
  reason: string,
  chooseAction: (after: BrokerState | null) => 'broker.imported' | 'broker.restored' | 'broker.removed',
): Promise<void> => {
  const changed = recorded.filter(({ before, after }) => !isSame(before, after));
  await markSubjectsDirty(
    c,
    changed.map(({ known }) => known.subject),
  );
  for (const { known, before, after } of changed) {
    const change = auditedChange(toAuditedState(before), toAuditedState(after));
    c.audit(chooseAction(after), { kind: 'broker', id: known.subject.name }, { ...change, reason });
  }
};

/** Records the statements of the rows of an import, and publishes the resulting facts. */
export const importBrokersIn = async (
  c: TxContext,
  planned: readonly PlannedBroker[],
  { reason, ...occasion }: WriteCause & { readonly reason: string },
): Promise<void> => {
  const recorded = await recordStatements(c, brokerFacts, planned, occasion);
  await publishRecorded(c, recorded, reason, () => 'broker.imported');
  auditContradictions(c, { action: 'broker.contradicted', kind: 'broker' }, planned, reason);
};

/** Records whole records, as editors or the demo set state them. */
export const importBrokers = (context: Context, records: readonly BrokerRecord[], reason: string): Promise<void> =>
  inTransaction(context, async (c) => {
    const all = await readKnownBrokers(
      records.map(({ slug }) => slug),
      c.tx,
    );
    const from = { origin: BY_EDITORS, asOf: c.now };
    const planned = records.map((record) => planBroker(toWholeRow(record), all.get(record.slug) as KnownBroker, from));
    await importBrokersIn(c, planned, { reason, cause: 'fact', run: null, batch: null });
  });

/** Checks if a run's statements about brokers may be withdrawn, given the slugs of the brokers that would go. */
export const refuseBrokersWithdrawal = (
  c: TxContext,
  statements: readonly StoredStatement[],
  refuse: WithdrawalGuard,
) => checkWithdrawal(c, brokerFacts, statements, refuse);

/** Withdraws a run's statements about brokers, even if there are later ones. @throws the errors of `refuse` */
export const withdrawBrokers = async (
  c: TxContext,
  statements: readonly StoredStatement[],
  reason: string,
  refuse: WithdrawalGuard,
): Promise<void> => {
  const recorded = await withdrawStatements(c, brokerFacts, statements, refuse);
  await publishRecorded(c, recorded, reason, (after) => (after ? 'broker.restored' : 'broker.removed'));
};

/** Returns the brokers whose published facts differ from their statements. Brokers without statements do not count. */
export const findDriftedBrokers = async (slugs: readonly string[], tx: Tx): Promise<ReadonlySet<string>> =>
  new Set(await findDriftedNames(brokerFacts, slugs, tx));

/** Publishes the facts of these brokers again from their statements. */
export const republishBrokers = async (c: TxContext, slugs: readonly string[], reason: string): Promise<void> =>
  publishRecorded(c, await republish(c, brokerFacts, slugs), reason, (after) =>
    after ? 'broker.restored' : 'broker.removed',
  );
