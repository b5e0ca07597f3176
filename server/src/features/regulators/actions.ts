import type { Tier } from '@broker-transparency/contract';
import { type Context, inTransaction, type TxContext } from '../../platform/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Tx } from '../../platform/mongo.ts';
import { brokersChanged } from '../brokers/actions.ts';
import { hasLicensesOf, slugsLicensedBy } from '../brokers/facts.ts';
import type { RegulatorRecord } from './record.rule.ts';
import * as store from './store.ts';

/** Stores the reference facts of regulators by code, new or again. A changed tier changes the scores of its brokers. */
export const importRegulators = (
  context: Context,
  records: readonly RegulatorRecord[],
  reason: string,
): Promise<void> => inTransaction(context, (c) => importRegulatorsIn(c, records, { reason }));

/** The same in a running transaction. */
export const importRegulatorsIn = async (
  c: TxContext,
  records: readonly RegulatorRecord[],
  { reason }: { readonly reason: string },
): Promise<void> => {
  const before = await tiers(c.tx);
  await store.upsertRegulators(
    records.map(({ code, ...fields }) => ({ _id: code, ...fields })),
    c.tx,
  );
  for (const { code, tier } of records) {
    const change = { before: factsOf(before.get(code)), after: factsOf(tier), reason };
    c.audit('regulator.imported', { kind: 'regulator', id: code }, change);
  }
  await tiersChanged(c, before);
};

/** What the audit trail hears of a regulator. */
const factsOf = (tier: Tier | undefined) => (tier === undefined ? null : { tier });

const tiers = async (tx: Tx) => new Map((await store.findTiers(tx)).map(({ _id, tier }) => [_id, tier]));

/** Makes the brokers due whose regulator has another tier than before. */
const tiersChanged = async (c: TxContext, before: ReadonlyMap<string, Tier>): Promise<void> => {
  for (const [code, tier] of await tiers(c.tx))
    if (before.has(code) && before.get(code) !== tier) await brokersChanged(c, await slugsLicensedBy(code, c.tx));
};

/** What is stored of these regulators, to be put back by `restoreRegulators`. */
export const regulatorStates = store.readRegulators;

/** A regulator whose licences are known cannot go. @throws DomainError state_conflict */
export const refuseRegulatorsInUse = async (codes: readonly string[], tx: Tx): Promise<void> => {
  for (const code of codes)
    if (await hasLicensesOf(code, tx))
      throw new DomainError('state_conflict', `regulator "${code}" has licences by now and cannot be taken away.`);
};

/** Puts regulators back as they were; null takes one away: ask `refuseRegulatorsInUse` first. */
export const restoreRegulators = async (
  c: TxContext,
  former: ReadonlyMap<string, store.RegulatorState | null>,
  { reason }: { readonly reason: string },
): Promise<void> => {
  const before = await tiers(c.tx);
  await store.replaceRegulators(former, c.tx);
  await tiersChanged(c, before);
  for (const [code, state] of former) {
    const action = state === null ? 'regulator.removed' : 'regulator.restored';
    const change = { before: factsOf(before.get(code)), after: factsOf(state?.tier), reason };
    c.audit(action, { kind: 'regulator', id: code }, change);
  }
};

export const listRegulators = store.listRegulators;
