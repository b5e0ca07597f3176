import { isDeepStrictEqual } from 'node:util';
import { LICENSE_STATUSES } from '@broker-transparency/contract';
import { auditedChange, type FieldChange, fieldChanges } from '../../platform/audit/fields.rule.ts';
import { type BulkWrite, type Context, inTransaction, type TxContext } from '../../platform/context.ts';
import { markDirty } from '../../platform/dirty-marks.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { auditedBroker } from './audited.rule.ts';
import { isHeld } from './license-status.rule.ts';
import { type LicenseCheck, recheck } from './recheck.rule.ts';
import { type BrokerRecord, licenseKey } from './record.rule.ts';
import * as store from './store.ts';

/** Marks the documents of these brokers as dirty, so that `published/refresh.ts` builds them again within a second. */
export const brokersChanged = ({ tx }: TxContext, slugs: readonly string[]): Promise<void> =>
  markDirty('broker', slugs, tx);

/** Inserts or replaces brokers and their licences by slug. */
export const importBrokers = (context: Context, records: readonly BrokerRecord[], reason: string): Promise<void> =>
  inTransaction(context, async (c) => {
    const slugs = records.map(({ slug }) => slug);
    await importBrokersIn(c, records, { reason, states: await store.readStates(slugs, c.tx) });
  });

/** Returns the facts of a broker for the audit trail. */
const factsOf = (state: store.BrokerState | null | undefined) => {
  if (!state) return null;
  const { _id, id, ...profile } = state.profile;
  return auditedBroker(profile, state.licenses.map(store.toLicenseRecord));
};

/** Returns what an import of this record changes. A record without licences keeps those that are there. */
const changeBy = ({ slug, licenses, ...profile }: BrokerRecord, state: store.BrokerState | undefined) =>
  [factsOf(state), auditedBroker(profile, licenses ?? state?.licenses.map(store.toLicenseRecord) ?? [])] as const;

/** Returns the fields that an import of this record changes; none if it says nothing new. */
export const brokerChanges = (record: BrokerRecord, state: store.BrokerState | undefined): FieldChange[] => {
  const [before, after] = changeBy(record, state);
  return isDeepStrictEqual(before, after) ? [] : fieldChanges(before, after); // the first is fast; most rows are equal
};

/**
 * Returns what is stored of a broker in the form of an import. Its licences are among it only if the row says who the
 * entities are, since each licence names one of them.
 */
export const storedBroker = (
  { profile: { _id: slug, id: _, ...profile }, licenses }: store.BrokerState,
  given: ReadonlySet<string>,
) => ({
  slug,
  ...profile,
  ...(given.has('entities') ? { licenses: licenses.map(store.toLicenseRecord) } : {}),
});

/** Does the same in a running transaction that has already read the states before. */
export const importBrokersIn = async (
  c: TxContext,
  records: readonly BrokerRecord[],
  { reason, states }: BulkWrite<store.BrokerState>,
): Promise<void> => {
  await store.upsertBrokers(records, c.tx);
  const slugs = records.map(({ slug }) => slug);
  await brokersChanged(c, slugs);
  for (const record of records) {
    const change = auditedChange(...changeBy(record, states.get(record.slug)));
    c.audit('broker.imported', { kind: 'broker', id: record.slug }, { ...change, reason });
  }
};

/** Reads what is stored about these brokers, in the form that `restoreBrokers` takes. */
export const brokerStates = store.readStates;

/** Restores brokers to earlier states. Null removes a broker: callers first check that nothing refers to it. */
export const restoreBrokers = async (
  c: TxContext,
  former: ReadonlyMap<string, store.BrokerState | null>,
  { reason, states }: BulkWrite<store.BrokerState>,
): Promise<void> => {
  await store.replaceStates(former, c.tx);
  await brokersChanged(c, [...former.keys()]);
  for (const [slug, state] of former) {
    const action = state === null ? 'broker.removed' : 'broker.restored';
    const change = auditedChange(factsOf(states.get(slug)), factsOf(state));
    c.audit(action, { kind: 'broker', id: slug }, { ...change, reason });
  }
};

/**
 * Records what a register says about a broker's licences.
 * @throws DomainError state_conflict if the broker was changed meanwhile
 */
export const recordLicenseCheck = async (
  c: TxContext,
  slug: string,
  check: LicenseCheck,
  reason: string,
): Promise<void> => {
  const state = (await store.readStates([slug], c.tx)).get(slug);
  if (!state) throw new DomainError('state_conflict', `There is no broker "${slug}" any more: check again.`);
  const next = recheck(slug, state, check);
  const licenses = next.licenses.map((license) => ({ ...license, _id: licenseKey(slug, license) }));
  await store.replaceStates(new Map([[slug, { profile: next.profile, licenses }]]), c.tx);
  await brokersChanged(c, [slug]);
  for (const { compared, status, newName } of check.licenses) {
    const { regulatorCode: regulator, referenceNumber } = compared;
    const before = { regulator, referenceNumber, status: compared.status };
    const after = { regulator, referenceNumber, status, renamed: newName !== undefined };
    c.audit('license.checked', { kind: 'broker', id: slug }, { before, after, reason });
  }
};

/** States that end when a licence expires. */
const LAPSING = LICENSE_STATUSES.filter((status) => isHeld({ status }));

/** Expires one batch of licences. Returns their number. */
const expireBatch = async (c: TxContext): Promise<number> => {
  const licenses = await store.findLapsedLicenses(LAPSING, c.now, 100, c.tx);
  if (licenses.length === 0) return 0;
  await store.expireLicenses(licenses, c.tx);
  await brokersChanged(c, [...new Set(licenses.map((license) => license.broker))]);
  for (const { _id, status, expiresAt = null } of licenses) {
    const change = { before: { status }, after: { status: 'expired', expiresAt }, reason: 'lapsed' };
    c.audit('license.expired', { kind: 'license', id: _id }, change);
  }
  return licenses.length;
};

/**
 * Sets lapsed licences to expired, in transactions of 100. Each is changed once, even if several processes run this.
 * Returns the number of expired licences.
 */
export const expireLicenses = async (context: Context, signal?: AbortSignal): Promise<number> => {
  for (let count = 0; ; ) {
    signal?.throwIfAborted();
    const expired = await inTransaction(context, expireBatch);
    if (expired === 0) return count;
    count += expired;
  }
};
