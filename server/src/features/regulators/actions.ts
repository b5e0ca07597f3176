import type { Tier } from '@broker-transparency/contract';
import { type AuditEntry, recordAll } from '../../platform/audit/store.ts';
import { type Context, InUse } from '../../platform/context.ts';
import { type Tx, transaction } from '../../platform/mongo.ts';
import { brokersChanged } from '../brokers/actions.ts';
import { hasLicensesOf, slugsLicensedBy } from '../brokers/facts.ts';
import type { RegulatorRecord } from './record.rule.ts';
import * as store from './store.ts';

/** Stores the reference facts of regulators by code, new or again. A changed tier changes the scores of its brokers. */
export const importRegulators = (
  context: Context,
  records: readonly RegulatorRecord[],
  reason: string,
): Promise<void> => transaction((tx) => importRegulatorsIn(context, records, { reason }, tx));

/** The same in a running transaction. */
export const importRegulatorsIn = async (
  { actor, clock }: Context,
  records: readonly RegulatorRecord[],
  { reason }: { readonly reason: string },
  tx: Tx,
): Promise<void> => {
  const before = await tiers(tx);
  await store.upsertRegulators(
    records.map(({ code, ...fields }) => ({ _id: code, ...fields })),
    tx,
  );
  const entries = records.map(
    ({ code, tier }): AuditEntry => ({
      action: 'regulator.imported',
      subject: { kind: 'regulator', id: code },
      before: factsOf(before.get(code)),
      after: factsOf(tier),
      reason,
    }),
  );
  await recordAll(actor, clock(), entries, tx);
  await tiersChanged(before, tx);
};

/** What the audit trail hears of a regulator. */
const factsOf = (tier: Tier | undefined) => (tier === undefined ? null : { tier });

const tiers = async (tx: Tx) => new Map((await store.findTiers(tx)).map(({ _id, tier }) => [_id, tier]));

/** Makes the brokers due whose regulator has another tier than before. */
const tiersChanged = async (before: ReadonlyMap<string, Tier>, tx: Tx): Promise<void> => {
  for (const [code, tier] of await tiers(tx))
    if (before.has(code) && before.get(code) !== tier) await brokersChanged(await slugsLicensedBy(code, tx), tx);
};

/** What is stored of these regulators, to be put back by `restoreRegulators`. */
export const regulatorStates = store.readRegulators;

/** A regulator whose licences are known cannot go. @throws InUse */
export const refuseRegulatorsInUse = async (codes: readonly string[], tx: Tx): Promise<void> => {
  for (const code of codes)
    if (await hasLicensesOf(code, tx))
      throw new InUse(`regulator "${code}" has licences by now and cannot be taken away.`);
};

/** Puts regulators back as they were; null takes one away: ask `refuseRegulatorsInUse` first. */
export const restoreRegulators = async (
  { actor, clock }: Context,
  former: ReadonlyMap<string, store.RegulatorState | null>,
  { reason }: { readonly reason: string },
  tx: Tx,
): Promise<void> => {
  const before = await tiers(tx);
  await store.replaceRegulators(former, tx);
  await tiersChanged(before, tx);
  const entries = [...former].map(
    ([code, state]): AuditEntry => ({
      action: state === null ? 'regulator.removed' : 'regulator.restored',
      subject: { kind: 'regulator', id: code },
      before: factsOf(before.get(code)),
      after: factsOf(state?.tier),
      reason,
    }),
  );
  await recordAll(actor, clock(), entries, tx);
};

export const listRegulators = store.listRegulators;
