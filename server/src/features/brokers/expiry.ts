import { LICENSE_STATUSES } from '@broker-transparency/contract';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import type { Origin } from '../../ledger/statements/record.ts';
import type { PropertyClaim } from '../../ledger/statements/statement.rule.ts';
import { type KnownBroker, readKnownBrokers, recordClaims } from './known.ts';
import { isHeld } from './license-status.rule.ts';
import { type LicenseFinding, toFindingProperty } from './licenses.rule.ts';
import type { LicenseDocument } from './record.rule.ts';
import * as store from './store.ts';

/** States that end when a licence expires. */
const LAPSING = LICENSE_STATUSES.filter((status) => isHeld({ status }));

/** Number of brokers whose licences expire in one transaction. */
const EXPIRED_AT_ONCE = 50;

const CALENDAR: Origin = { source: { kind: 'calendar', name: 'calendar' }, url: null, credit: null, validFrom: null };

const toExpiryClaim = ({ regulatorCode, referenceNumber, entity, expiresAt = '' }: LicenseDocument): PropertyClaim => {
  const value: LicenseFinding = {
    regulatorCode,
    referenceNumber,
    holder: entity.legalName,
    status: 'expired',
    statusEffectiveAt: expiresAt,
    lastVerifiedAt: null,
    expiresAt,
  };
  return { property: toFindingProperty(value), value };
};

/** Expires the licences of one broker. Returns their number. */
const expireBrokerLicenses = async (
  c: TxContext,
  known: KnownBroker,
  licenses: readonly LicenseDocument[],
): Promise<number> => {
  const occasion = { cause: 'fact', run: null, batch: null } as const;
  const recorded = await recordClaims(c, known, licenses.map(toExpiryClaim), {
    origin: CALENDAR,
    asOf: c.now,
    occasion,
  });
  const held = new Set(recorded?.after?.licenses.filter(isHeld).map(({ _id }) => _id));
  const expired = recorded ? licenses.filter(({ _id }) => !held.has(_id)) : [];
  for (const { _id, status, expiresAt = null } of expired) {
    const change = { before: { status }, after: { status: 'expired', expiresAt }, reason: 'lapsed' };
    c.audit('license.expired', { kind: 'license', id: _id }, change);
  }
  return expired.length;
};

/** Expires the licences of some brokers. Returns their number and the last of these brokers. */
const expireBatch = async (c: TxContext, after: string) => {
  const lapsed = await store.findLapsedLicenses(LAPSING, c.now, { after, limit: EXPIRED_AT_ONCE }, c.tx);
  const known = await readKnownBrokers([...lapsed.keys()], c.tx);
  let count = 0;
  for (const [slug, licenses] of lapsed)
    count += await expireBrokerLicenses(c, known.get(slug) as KnownBroker, licenses);
  return { count, last: [...lapsed.keys()].at(-1) };
};

/**
 * Sets lapsed licences to expired, in transactions of some brokers. Each is changed once, even if several processes run
 * this. A licence that its register saw in force after its last day stays. Returns the number of expired licences.
 */
export const expireLicenses = async (context: Context, signal?: AbortSignal): Promise<number> => {
  let count = 0;
  for (let after = ''; ; ) {
    signal?.throwIfAborted();
    const batch = await inTransaction(context, (c) => expireBatch(c, after));
    count += batch.count;
    if (batch.last === undefined) return count;
    after = batch.last;
  }
};
