import { LICENSE_STATUSES } from '@broker-transparency/contract';
import { type AuditEntry, recordAll } from '../audit/store.ts';
import { brokersComplainedOf } from '../complaints/facts.ts';
import { type Context, InUse, type Occasion } from '../context.ts';
import { markDue } from '../platform/due.ts';
import { bytesOf, snapshot, type Tx, transaction } from '../platform/mongo.ts';
import { brokersReviewed } from '../reviews/facts.ts';
import { recountMonths } from '../reviews/recount.ts';
import { isHeld } from './fold.ts';
import { ChangedMeanwhile, type LicenseCheck, recheck } from './recheck.ts';
import { type BrokerRecord, licenseKey } from './record.ts';
import { compareBatch, type Rebuilt } from './refresh.ts';
import * as store from './store.ts';

/** Says that facts about these brokers changed: their documents follow within a second. */
export const brokersChanged = (slugs: readonly string[], tx: Tx): Promise<void> => markDue('broker', slugs, tx);

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
  { reason, states }: Occasion<store.BrokerState>,
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

/** Puts brokers back as they were; null takes one away: ask `refuseBrokersInUse` first. */
export const restoreBrokers = async (
  { actor, clock }: Context,
  former: ReadonlyMap<string, store.BrokerState | null>,
  { reason, states }: Occasion<store.BrokerState>,
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

/** A broker that people wrote about cannot go: what they wrote would be about nobody. @throws InUse */
export const refuseBrokersInUse = async (slugs: readonly string[], tx: Tx): Promise<void> => {
  const [reviewed] = await brokersReviewed(slugs, tx);
  if (reviewed !== undefined) throw new InUse(`broker "${reviewed}" has reviews by now and cannot be taken away.`);
  const [complained] = await brokersComplainedOf(slugs, tx);
  if (complained !== undefined)
    throw new InUse(`broker "${complained}" has complaints by now and cannot be taken away.`);
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

const sameBytes = (a: object, b: object): boolean => Buffer.from(bytesOf(a)).equals(bytesOf(b));

/** Makes everything that was counted of these brokers follow from the facts again. */
const repairBrokers = ({ actor, clock }: Context, slugs: readonly string[]): Promise<void> =>
  transaction(async (tx) => {
    await recountMonths(slugs, tx);
    await brokersChanged(slugs, tx);
    const entries = slugs.map(
      (slug): AuditEntry => ({
        action: 'broker.repaired',
        subject: { kind: 'broker', id: slug },
        before: { followsFacts: false },
        after: { followsFacts: true },
        reason: 'rebuild_differed',
      }),
    );
    await recordAll(actor, clock(), entries, tx);
  });

/** Folds every broker again and compares, in parts, while writes go on. With `repair`, what differs is made to follow. */
export const rebuild = async (
  context: Context,
  repair: boolean,
  onBatch: (rows: readonly Rebuilt[]) => void,
): Promise<void> => {
  for (let slug = ''; ; ) {
    const slugs = await store.nextSlugs(slug, 50);
    const last = slugs.at(-1);
    if (last === undefined) return;
    const rows = await snapshot((tx) => compareBatch(slugs, sameBytes, tx));
    const different = rows.filter((row) => !row.identical).map((row) => row.slug);
    if (repair && different.length > 0) await repairBrokers(context, different);
    onBatch(rows);
    slug = last;
  }
};
