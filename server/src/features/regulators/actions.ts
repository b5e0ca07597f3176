import { auditedChange, type FieldChange, fieldChanges, keyed } from '../../ledger/audit/fields.rule.ts';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { markDirty } from '../../ledger/dirty-marks.ts';
import { auditedContest } from '../../ledger/statements/audited.rule.ts';
import {
  type Circumstances,
  type Facts,
  type Known,
  misstatedNames,
  type Occasion,
  type Origin,
  ownSaid,
  type Planned,
  planStatement,
  type Recorded,
  readKnown,
  recordStatements,
  refuseWithdrawal,
  republish,
  type StatedRow,
  type StoredStatement,
  wholeRow,
  withdrawStatements,
} from '../../ledger/statements/record.ts';
import { isSame, type Said, type Source } from '../../ledger/statements/statement.rule.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Tx } from '../../platform/mongo.ts';
import { brokersChanged } from '../brokers/changed.ts';
import { hasLicensesOf, slugsLicensedBy } from '../brokers/facts.ts';
import { regulatorEntries } from './entries.rule.ts';
import { RegulatorRecord, type RegulatorState } from './record.rule.ts';
import { resolveRegulator } from './resolve.rule.ts';
import * as store from './store.ts';

const regulatorFacts: Facts<RegulatorState> = {
  kind: 'regulator',
  read: store.readRegulators,
  write: store.replaceRegulators,
  idOf: (code) => code,
  resolve: resolveRegulator,
  entries: regulatorEntries,
};

export type KnownRegulator = Known<RegulatorState>;
export type PlannedRegulator = Planned<RegulatorState>;

/** Reads what is known of these regulators, by code. */
export const knownRegulators = (codes: readonly string[], tx: Tx): Promise<ReadonlyMap<string, KnownRegulator>> =>
  readKnown(regulatorFacts, codes, tx);

/**
 * Returns what is stored of a regulator in the form of an import: what the source said, else what is published, if
 * anything is.
 */
export const storedRegulator = (known: KnownRegulator, source: Source): object => {
  const said = Object.fromEntries(ownSaid(source, known));
  if (known.state === null) return said;
  const { _id: code, ...fields } = known.state;
  return { code, ...fields, ...said };
};

/** Returns what a source says of a regulator in the form of an import; undefined if it says nothing. */
export const statedRegulator = (known: KnownRegulator, source: Source): object | undefined => {
  const said = [...ownSaid(source, known)].filter(
    ([property, value]) => value !== undefined && Object.hasOwn(RegulatorRecord.shape, property),
  );
  return said.length === 0 ? undefined : { code: known.subject.name, ...Object.fromEntries(said) };
};

/** Returns what is published of a regulator in the form of an import. */
export const publishedRegulator = ({ state }: KnownRegulator): object | undefined => {
  if (state === null) return undefined;
  const { _id: code, ...fields } = state;
  return { code, ...fields };
};

/** Finds out what a row of an import changes. Writes nothing. */
export const planRegulator = (
  { record: { code, ...fields }, given, takenBack }: StatedRow<RegulatorRecord>,
  known: KnownRegulator,
  from: Circumstances,
): PlannedRegulator => {
  const stated = Object.entries(fields).filter(([property]) => given.has(property) && !takenBack.has(property));
  const said: Said[] = [
    ...stated.map(([property, value]) => ({ property, value })),
    ...[...takenBack].map((property) => ({ property })),
  ];
  return planStatement(regulatorFacts, known, said, from);
};

/** Returns the facts of a regulator for the audit trail. */
const auditedState = (state: RegulatorState | null) => {
  if (!state) return null;
  const sources = keyed(state.sources, ({ fact, url }) => `${fact} ${url}`);
  return { ...state, _id: undefined, sources, order: { sources: Object.keys(sources) } };
};

/** Returns the fields of a regulator that a plan changes. */
export const regulatorChanges = ({ known, after }: PlannedRegulator): FieldChange[] =>
  fieldChanges(auditedState(known.state), auditedState(after));

/** Adds what changed to the audit trail, and marks the brokers of every regulator whose tier has changed. */
const published = async (
  c: TxContext,
  recorded: readonly Recorded<RegulatorState>[],
  reason: string,
  actionOf: (
    after: RegulatorState | null,
  ) => 'regulator.imported' | 'regulator.restored' | 'regulator.removed' | 'regulator.verified',
): Promise<void> => {
  for (const { known, before, after } of recorded) {
    if (isSame(before, after)) continue;
    const code = known.subject.name;
    const change = auditedChange(auditedState(before), auditedState(after));
    c.audit(actionOf(after), { kind: 'regulator', id: code }, { ...change, reason });
    if (after && (before?.lastVerifiedAt ?? null) !== after.lastVerifiedAt) await markDirty('regulator', [code], c.tx);
    if (before && after && before.tier !== after.tier) await brokersChanged(c, await slugsLicensedBy(code, c.tx));
  }
};

/** Records what the rows of an import say, and publishes what follows. A changed tier changes the scores of brokers. */
export const importRegulatorsIn = async (
  c: TxContext,
  planned: readonly PlannedRegulator[],
  { reason, ...occasion }: Occasion & { readonly reason: string },
): Promise<void> => {
  const recorded = await recordStatements(c, regulatorFacts, planned, occasion);
  await published(c, recorded, reason, () => 'regulator.imported');
  for (const { known, overruled, draft } of planned)
    if (draft && overruled.length > 0) {
      const subject = { kind: 'regulator', id: known.subject.name } as const;
      c.audit('regulator.contradicted', subject, { ...auditedContest(overruled), reason });
    }
};

/** The reference data that comes with the service. */
export const REFERENCE: Origin = {
  source: { kind: 'reference', name: 'reference' },
  url: null,
  credit: null,
  validFrom: null,
};

/** Publishes again what the statements say of these regulators. */
export const republishRegulators = async (c: TxContext, codes: readonly string[], reason: string): Promise<void> =>
  published(c, await republish(c, regulatorFacts, codes), reason, (after) =>
    after ? 'regulator.restored' : 'regulator.removed',
  );

/** What the reference data came to. */
export interface ReferenceStated {
  /** Codes of regulators that are published otherwise, since somebody stronger says so. */
  readonly kept: readonly string[];
  /** The run that stated it; null where it said nothing new, or none was begun. */
  readonly run: string | null;
}

/**
 * Records what the reference data says of regulators, as an import does: what editors stated stays published.
 * @param begin called if it says anything new: why, and in which run
 */
export const stateReference = (
  context: Context,
  records: readonly RegulatorRecord[],
  begin: (c: TxContext) => Promise<Occasion & { readonly reason: string }>,
): Promise<ReferenceStated> =>
  inTransaction(context, async (c) => {
    const codes = records.map(({ code }) => code);
    const all = await knownRegulators(codes, c.tx);
    const from = { origin: REFERENCE, asOf: c.now };
    const planned = records.map((record) =>
      planRegulator(wholeRow(record), all.get(record.code) as KnownRegulator, from),
    );
    const fresh = planned.filter(({ draft }) => draft !== undefined);
    const occasion = fresh.length === 0 ? undefined : await begin(c);
    if (occasion) await importRegulatorsIn(c, fresh, occasion);
    await republishRegulators(c, codes, 'seed');
    const states = await store.readRegulators(codes, c.tx);
    // when somebody looked is no difference: every source looks for itself
    const kept = records
      .filter(({ code, lastVerifiedAt: _, ...fields }) => {
        const { lastVerifiedAt: _at, ...stated } = states.get(code) ?? {};
        return !isSame(stated, { _id: code, ...fields });
      })
      .map(({ code }) => code);
    return { kept, run: occasion?.run ?? null };
  });

/** The file of a register, and when it was looked at; null: what was said of that is taken back. */
export interface Look {
  readonly register: string;
  readonly url: string;
  readonly at: Date | null;
}

/** Records that a register was looked at for these regulators. Those that are not published are left out. */
export const stateVerified = async (
  c: TxContext,
  codes: readonly string[],
  { register, url, at }: Look,
): Promise<void> => {
  const known = [...(await knownRegulators(codes, c.tx)).values()].filter(({ state }) => state !== null);
  const origin: Origin = { source: { kind: 'register', name: register }, url, credit: null, validFrom: null };
  const property = 'lastVerifiedAt';
  const said: Said[] = [at === null ? { property } : { property, value: at.toISOString() }];
  const planned = known.map((one) => planStatement(regulatorFacts, one, said, { origin, asOf: at ?? c.now }));
  const recorded = await recordStatements(c, regulatorFacts, planned, { cause: 'check', run: null, batch: null });
  await published(c, recorded, 'register_file', () => 'regulator.verified');
};

/** Refuses to remove a regulator that has licences. @throws DomainError state_conflict */
const refuseInUse =
  ({ tx }: TxContext) =>
  async (codes: readonly string[]): Promise<void> => {
    for (const code of codes)
      if (await hasLicensesOf(code, tx))
        throw new DomainError('state_conflict', `regulator "${code}" has licences by now and cannot be taken away.`);
  };

/** Refuses if what a run said of regulators cannot be withdrawn. @throws DomainError state_conflict */
export const refuseRegulatorsWithdrawal = (c: TxContext, statements: readonly StoredStatement[]) =>
  refuseWithdrawal(c, regulatorFacts, statements, refuseInUse(c));

/** Withdraws what a run said of regulators, whatever was said later. @throws DomainError state_conflict */
export const withdrawRegulators = async (
  c: TxContext,
  statements: readonly StoredStatement[],
  reason: string,
): Promise<void> => {
  const recorded = await withdrawStatements(c, regulatorFacts, statements, refuseInUse(c));
  await published(c, recorded, reason, (after) => (after ? 'regulator.restored' : 'regulator.removed'));
};

/** Returns which of these regulators are published otherwise than the statements say. */
export const misstatedRegulators = (codes: readonly string[], tx: Tx): Promise<string[]> =>
  misstatedNames(regulatorFacts, codes, tx);

export const listRegulators = store.listRegulators;
