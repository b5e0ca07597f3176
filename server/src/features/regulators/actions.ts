import type { Tier } from '@broker-transparency/contract';
import { auditedChange, type FieldChange, fieldChanges, keyed } from '../../platform/audit/fields.rule.ts';
import { type BulkWrite, type Context, inTransaction, type TxContext } from '../../platform/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Tx } from '../../platform/mongo.ts';
import { brokersChanged } from '../brokers/actions.ts';
import { hasLicensesOf, slugsLicensedBy } from '../brokers/facts.ts';
import type { RegulatorRecord } from './record.rule.ts';
import * as store from './store.ts';

/** Inserts or replaces regulators by code. A changed tier changes the scores of its brokers. */
export const importRegulators = (
  context: Context,
  records: readonly RegulatorRecord[],
  reason: string,
): Promise<void> =>
  inTransaction(context, async (c) => {
    const codes = records.map(({ code }) => code);
    await importRegulatorsIn(c, records, { reason, states: await store.readRegulators(codes, c.tx) });
  });

/** Does the same in a running transaction that has already read the states before. */
export const importRegulatorsIn = async (
  c: TxContext,
  records: readonly RegulatorRecord[],
  { reason, states }: BulkWrite<store.RegulatorState>,
): Promise<void> => {
  const before = await tiers(c.tx);
  await store.upsertRegulators(records.map(stateOf), c.tx);
  for (const record of records) {
    const change = auditedChange(factsOf(states.get(record.code)), factsOf(stateOf(record)));
    c.audit('regulator.imported', { kind: 'regulator', id: record.code }, { ...change, reason });
  }
  await tiersChanged(c, before);
};

const stateOf = ({ code, ...fields }: RegulatorRecord): store.RegulatorState => ({ _id: code, ...fields });

/** Returns what is stored of a regulator in the form of an import. */
export const storedRegulator = ({ _id: code, ...fields }: store.RegulatorState): RegulatorRecord => ({
  code,
  ...fields,
});

/** Returns the facts of a regulator for the audit trail. */
const factsOf = (state: store.RegulatorState | null | undefined) => {
  if (!state) return null;
  const sources = keyed(state.sources, ({ fact, url }) => `${fact} ${url}`);
  return { ...state, _id: undefined, sources, order: { sources: Object.keys(sources) } };
};

/** Returns the fields that an import of this record changes; none if it says nothing new. */
export const regulatorChanges = (record: RegulatorRecord, state: store.RegulatorState | undefined): FieldChange[] =>
  fieldChanges(factsOf(state), factsOf(stateOf(record)));

const tiers = async (tx: Tx) => new Map((await store.findTiers(tx)).map(({ _id, tier }) => [_id, tier]));

/** Marks the brokers of every regulator whose tier has changed as dirty. */
const tiersChanged = async (c: TxContext, before: ReadonlyMap<string, Tier>): Promise<void> => {
  for (const [code, tier] of await tiers(c.tx))
    if (before.has(code) && before.get(code) !== tier) await brokersChanged(c, await slugsLicensedBy(code, c.tx));
};

/** Reads what is stored about these regulators, in the form that `restoreRegulators` takes. */
export const regulatorStates = store.readRegulators;

/** Refuses to remove a regulator that has licences. @throws DomainError state_conflict */
export const refuseRegulatorsInUse = async (codes: readonly string[], tx: Tx): Promise<void> => {
  for (const code of codes)
    if (await hasLicensesOf(code, tx))
      throw new DomainError('state_conflict', `regulator "${code}" has licences by now and cannot be taken away.`);
};

/** Restores regulators to earlier states. Null removes a regulator: callers first call `refuseRegulatorsInUse`. */
export const restoreRegulators = async (
  c: TxContext,
  former: ReadonlyMap<string, store.RegulatorState | null>,
  { reason, states }: BulkWrite<store.RegulatorState>,
): Promise<void> => {
  const before = await tiers(c.tx);
  await store.replaceRegulators(former, c.tx);
  await tiersChanged(c, before);
  for (const [code, state] of former) {
    const action = state === null ? 'regulator.removed' : 'regulator.restored';
    const change = auditedChange(factsOf(states.get(code)), factsOf(state));
    c.audit(action, { kind: 'regulator', id: code }, { ...change, reason });
  }
};

export const listRegulators = store.listRegulators;
