import { auditedChange, type FieldChange, fieldChanges, keyMembers } from '../../ledger/audit/fields.rule.ts';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { markDirty } from '../../ledger/dirty-marks.ts';
import { auditContradictions } from '../../ledger/statements/contradictions.ts';
import {
  checkWithdrawal,
  type FactChange,
  type FactModel,
  findDriftedNames,
  findOwnClaims,
  type KnownSubject,
  type Origin,
  type PlannedStatement,
  planStatement,
  readKnownSubjects,
  recordStatements,
  republish,
  type StatementContext,
  type StatementRow,
  type StoredStatement,
  toWholeRow,
  type WriteCause,
  withdrawStatements,
} from '../../ledger/statements/record.ts';
import { isSame, type PropertyClaim, type StatementSource } from '../../ledger/statements/statement.rule.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Tx } from '../../platform/mongo.ts';
import { markBrokersDirty } from '../brokers/changed.ts';
import { hasRegulatorLicenses, listLicensedSlugs } from '../brokers/facts.ts';
import { toRegulatorEntries } from './entries.rule.ts';
import { RegulatorRecord, type RegulatorState } from './record.rule.ts';
import { resolveRegulator } from './resolve.rule.ts';
import * as store from './store.ts';

const regulatorFacts: FactModel<RegulatorState> = {
  kind: 'regulator',
  read: store.readRegulators,
  write: store.replaceRegulators,
  createId: (code) => code,
  resolve: resolveRegulator,
  entries: toRegulatorEntries,
};

export type KnownRegulator = KnownSubject<RegulatorState>;
export type PlannedRegulator = PlannedStatement<RegulatorState>;

/** Reads the known facts of these regulators, by code. */
export const readKnownRegulators = (codes: readonly string[], tx: Tx): Promise<ReadonlyMap<string, KnownRegulator>> =>
  readKnownSubjects(regulatorFacts, codes, tx);

/** Returns the published facts of a regulator as a row of an import. */
export const toPublishedRegulator = ({ state }: KnownRegulator): object | undefined => {
  if (state === null) return undefined;
  const { _id: code, registerReadAt, ...fields } = state;
  return { code, ...fields };
};

/**
 * Returns the stored facts of a regulator as a row of an import: the source's statements, or else the published values.
 */
export const toStoredRegulator = (known: KnownRegulator, source: StatementSource): object => ({
  ...toPublishedRegulator(known),
  ...Object.fromEntries(findOwnClaims(source, known)),
});

/** Returns a source's statements about a regulator as a row of an import; undefined if it has none. */
export const toStatedRegulator = (known: KnownRegulator, source: StatementSource): object | undefined => {
  const said = [...findOwnClaims(source, known)].filter(
    ([property, value]) => value !== undefined && Object.hasOwn(RegulatorRecord.shape, property),
  );
  return said.length === 0 ? undefined : { code: known.subject.name, ...Object.fromEntries(said) };
};

/** Plans the changes of a row of an import. Writes nothing. */
export const planRegulator = (
  { record: { code, ...fields }, given, takenBack }: StatementRow<RegulatorRecord>,
  known: KnownRegulator,
  from: StatementContext,
): PlannedRegulator => {
  const stated = Object.entries(fields).filter(([property]) => given.has(property) && !takenBack.has(property));
  const said: PropertyClaim[] = [
    ...stated.map(([property, value]) => ({ property, value })),
    ...[...takenBack].map((property) => ({ property })),
  ];
  return planStatement(regulatorFacts, known, said, from);
};

/** Returns the facts of a regulator for the audit trail. */
const toAuditedState = (state: RegulatorState | null) => {
  if (!state) return null;
  const sources = keyMembers(state.sources, ({ fact, url }) => `${fact} ${url}`);
  return { ...state, _id: undefined, sources, order: { sources: Object.keys(sources) } };
};

/** Returns the fields of a regulator that a plan changes. */
export const findRegulatorChanges = ({ known, after }: PlannedRegulator): FieldChange[] =>
  fieldChanges(toAuditedState(known.state), toAuditedState(after));

/** Returns true if a change of a regulator changes documents of brokers: their scores, or the countries they serve. */
const changesBrokers = (before: RegulatorState | null, after: RegulatorState | null): boolean =>
  before?.tier !== after?.tier ||
  before?.country !== after?.country ||
  before?.protections.retailLeveragedFx !== after?.protections.retailLeveragedFx;

/** Adds the changes to the audit trail, and marks as dirty the brokers of every regulator that changes them. */
const publishRecorded = async (
  c: TxContext,
  recorded: readonly FactChange<RegulatorState>[],
  reason: string,
  chooseAction: (
    after: RegulatorState | null,
  ) => 'regulator.imported' | 'regulator.restored' | 'regulator.removed' | 'regulator.verified',
): Promise<void> => {
  for (const { known, before, after } of recorded) {
    if (isSame(before, after)) continue;
    const code = known.subject.name;
    const change = auditedChange(toAuditedState(before), toAuditedState(after));
    c.audit(chooseAction(after), { kind: 'regulator', id: code }, { ...change, reason });
    if (after && (before?.lastVerifiedAt ?? null) !== after.lastVerifiedAt) await markDirty('regulator', [code], c.tx);
    if (changesBrokers(before, after)) await markBrokersDirty(c, await listLicensedSlugs(code, c.tx));
  }
};

/**
 * Records the statements of the rows of an import, and publishes the resulting facts. A changed tier changes the scores
 * of brokers.
 */
export const importRegulatorsIn = async (
  c: TxContext,
  planned: readonly PlannedRegulator[],
  { reason, ...occasion }: WriteCause & { readonly reason: string },
): Promise<void> => {
  const recorded = await recordStatements(c, regulatorFacts, planned, occasion);
  await publishRecorded(c, recorded, reason, () => 'regulator.imported');
  auditContradictions(c, { action: 'regulator.contradicted', kind: 'regulator' }, planned, reason);
};

/** The reference data that comes with the service. */
export const REFERENCE: Origin = {
  source: { kind: 'reference', name: 'reference' },
  url: null,
  credit: null,
  validFrom: null,
};

/** Publishes the facts of these regulators again from their statements. */
export const republishRegulators = async (c: TxContext, codes: readonly string[], reason: string): Promise<void> =>
  publishRecorded(c, await republish(c, regulatorFacts, codes), reason, (after) =>
    after ? 'regulator.restored' : 'regulator.removed',
  );

/** The result of stating the reference data. */
export interface ReferenceOutcome {
  /** Codes of regulators with other published values, which a stronger source states. */
  readonly kept: readonly string[];
  /** The run that stated the data; null if nothing was new or no run began. */
  readonly run: string | null;
}

/**
 * Records the reference data on regulators, as an import does. Editors' values stay published.
 * @param begin called if any statement is new; returns the reason and the run
 */
export const stateReference = (
  context: Context,
  records: readonly RegulatorRecord[],
  begin: (c: TxContext) => Promise<WriteCause & { readonly reason: string }>,
): Promise<ReferenceOutcome> =>
  inTransaction(context, async (c) => {
    const codes = records.map(({ code }) => code);
    const all = await readKnownRegulators(codes, c.tx);
    const from = { origin: REFERENCE, asOf: c.now };
    const planned = records.map((record) =>
      planRegulator(toWholeRow(record), all.get(record.code) as KnownRegulator, from),
    );
    const fresh = planned.filter(({ draft }) => draft !== undefined);
    const occasion = fresh.length === 0 ? undefined : await begin(c);
    if (occasion) await importRegulatorsIn(c, fresh, occasion);
    await republishRegulators(c, codes, 'seed');
    const states = await store.readRegulators(codes, c.tx);
    // the time of a check is no difference, since every source checks for itself
    const kept = records
      .filter(({ code, lastVerifiedAt: _, ...fields }) => {
        const { lastVerifiedAt: _at, registerReadAt, ...stated } = states.get(code) ?? {};
        return !isSame(stated, { _id: code, ...fields });
      })
      .map(({ code }) => code);
    return { kept, run: occasion?.run ?? null };
  });

/** The file of a register, and the time of the check; null withdraws the statement. */
export interface RegisterLook {
  readonly register: string;
  readonly url: string;
  readonly at: Date | null;
  /** True if the file lists every holder of a licence, so that a firm that is missing has none. */
  readonly listsAll: boolean;
}

/** Records that a register was checked for these regulators. Skips regulators that are not published. */
export const stateVerified = async (
  c: TxContext,
  codes: readonly string[],
  { register, url, at, listsAll }: RegisterLook,
): Promise<void> => {
  const known = [...(await readKnownRegulators(codes, c.tx)).values()].filter(({ state }) => state !== null);
  const origin: Origin = { source: { kind: 'register', name: register }, url, credit: null, validFrom: null };
  const said: PropertyClaim[] = ['lastVerifiedAt', ...(listsAll ? ['registerReadAt'] : [])].map((property) =>
    at === null ? { property } : { property, value: at.toISOString() },
  );
  const planned = known.map((one) => planStatement(regulatorFacts, one, said, { origin, asOf: at ?? c.now }));
  const recorded = await recordStatements(c, regulatorFacts, planned, { cause: 'check', run: null, batch: null });
  await publishRecorded(c, recorded, 'register_file', () => 'regulator.verified');
};

/** Refuses to remove a regulator that has licences. @throws DomainError state_conflict */
const refuseInUse =
  ({ tx }: TxContext) =>
  async (codes: readonly string[]): Promise<void> => {
    for (const code of codes)
      if (await hasRegulatorLicenses(code, tx))
        throw new DomainError('state_conflict', `regulator "${code}" has licences by now and cannot be taken away.`);
  };

/** Refuses if a run's statements about regulators cannot be withdrawn. @throws DomainError state_conflict */
export const refuseRegulatorsWithdrawal = (c: TxContext, statements: readonly StoredStatement[]) =>
  checkWithdrawal(c, regulatorFacts, statements, refuseInUse(c));

/** Withdraws a run's statements about regulators, even if there are later ones. @throws DomainError state_conflict */
export const withdrawRegulators = async (
  c: TxContext,
  statements: readonly StoredStatement[],
  reason: string,
): Promise<void> => {
  const recorded = await withdrawStatements(c, regulatorFacts, statements, refuseInUse(c));
  await publishRecorded(c, recorded, reason, (after) => (after ? 'regulator.restored' : 'regulator.removed'));
};

/** Returns the regulators whose published facts differ from their statements. */
export const findDriftedRegulators = (codes: readonly string[], tx: Tx): Promise<string[]> =>
  findDriftedNames(regulatorFacts, codes, tx);

export const listRegulators = store.listRegulators;
