import { LICENSE_STATUSES } from '@broker-transparency/contract';
import { type AuditEntry, recordAll } from '../../platform/audit/store.ts';
import type { BulkWrite, Context } from '../../platform/context.ts';
import { markDirty } from '../../platform/dirty-marks.ts';
import { type Tx, transaction } from '../../platform/mongo.ts';
import { isHeld } from './license-status.rule.ts';
import { ChangedMeanwhile, type LicenseCheck, recheck } from './recheck.rule.ts';
import { type BrokerRecord, licenseKey } from './record.rule.ts';
import * as store from './store.ts';

/** Says that facts about these brokers changed: their documents follow within a second. */
export const brokersChanged = (slugs: readonly string[], tx: Tx): Promise<void> => markDirty('broker', slugs, tx);

/** Stores brokers and their licences by slug, new or again. */
export const importBrokers = (context: Context, records: readonly BrokerRecord[], reason: string): Promise<void> =>
  transaction(async (tx) => {
    const states = await store.readStates(
      records.map(({ slug }) => slug),
      tx,
    );
    await importBrokersIn(context, records, { reason, states }, tx);
  });

/** What the audit trail hears of a broker. */
const factsOf = (state: store.BrokerState | null | undefined) => (state ? { licenses: state.licenses.length } : null);

/** The same in a running transaction, where the states before are read already. */
export const importBrokersIn = async (
  { actor, clock }: Context,
  records: readonly BrokerRecord[],
  { reason, states }: BulkWrite<store.BrokerState>,
  tx: Tx,
): Promise<void> => {
  await store.upsertBrokers(records, tx);
  await brokersChanged(
    records.map((broker) => broker.slug),
    tx,
  );
  const entries = records.map(({ slug, licenses }): AuditEntry => {
    const before = factsOf(states.get(slug));
    const after = { licenses: licenses?.length ?? before?.licenses ?? 0 };
    return { action: 'broker.imported', subject: { kind: 'broker', id: slug }, before, after, reason };
  });
  await recordAll(actor, clock(), entries, tx);
};

/** What is stored of these brokers, to be put back by `restoreBrokers`. */
export const brokerStates = store.readStates;

/** Puts brokers back as they were; null takes one away: ask first whether something is about it. */
export const restoreBrokers = async (
  { actor, clock }: Context,
  former: ReadonlyMap<string, store.BrokerState | null>,
  { reason, states }: BulkWrite<store.BrokerState>,
  tx: Tx,
): Promise<void> => {
  await store.replaceStates(former, tx);
  await brokersChanged([...former.keys()], tx);
  const entries = [...former].map(
    ([slug, state]): AuditEntry => ({
      action: state === null ? 'broker.removed' : 'broker.restored',
      subject: { kind: 'broker', id: slug },
      before: factsOf(states.get(slug)),
      after: factsOf(state),
      reason,
    }),
  );
  await recordAll(actor, clock(), entries, tx);
};

/** Writes what a register says of a broker's licences. @throws ChangedMeanwhile */
export const recordLicenseCheck = async (
  { actor, clock }: Context,
  slug: string,
  check: LicenseCheck,
  reason: string,
  tx: Tx,
): Promise<void> => {
  const state = (await store.readStates([slug], tx)).get(slug);
  if (!state) throw new ChangedMeanwhile(`There is no broker "${slug}" any more: check again.`);
  const next = recheck(slug, state, check);
  const licenses = next.licenses.map((license) => ({ ...license, _id: licenseKey(slug, license) }));
  await store.replaceStates(new Map([[slug, { profile: next.profile, licenses }]]), tx);
  await brokersChanged([slug], tx);
  const entries = check.licenses.map(({ compared, status, newName }): AuditEntry => {
    const { regulatorCode: regulator, referenceNumber } = compared;
    return {
      action: 'license.checked',
      subject: { kind: 'broker', id: slug },
      before: { regulator, referenceNumber, status: compared.status },
      after: { regulator, referenceNumber, status, renamed: newName !== undefined },
      reason,
    };
  });
  await recordAll(actor, clock(), entries, tx);
};

/** States that end when the time of a licence is over. */
const LAPSING = LICENSE_STATUSES.filter((status) => isHeld({ status }));

/**
 * Sets licences whose time is over to expired, in transactions of 100: each once, however many processes are at it.
 * Returns how many.
 */
export const expireLicenses = async ({ actor, clock }: Context, signal?: AbortSignal): Promise<number> => {
  for (let count = 0; ; ) {
    signal?.throwIfAborted();
    const expired = await transaction(async (tx) => {
      const now = clock();
      const licenses = await store.findLapsedLicenses(LAPSING, now, 100, tx);
      if (licenses.length === 0) return 0;
      await store.expireLicenses(licenses, tx);
      await brokersChanged([...new Set(licenses.map((license) => license.broker))], tx);
      const entries = licenses.map(
        ({ _id, status, expiresAt = null }): AuditEntry => ({
          action: 'license.expired',
          subject: { kind: 'license', id: _id },
          before: { status },
          after: { status: 'expired', expiresAt },
          reason: 'lapsed',
        }),
      );
      await recordAll(actor, now, entries, tx);
      return licenses.length;
    });
    if (expired === 0) return count;
    count += expired;
  }
};
