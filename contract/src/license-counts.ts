import { ENDED_LICENSE_STATUSES } from './ended-licenses.ts';
import type { LicenseCounts } from './licenses.ts';

const ENDED: ReadonlySet<string> = new Set(ENDED_LICENSE_STATUSES);
/**
 * States in which a register lists the holder. In a state that this release does not know, nothing is taken as listed.
 */
const LISTED: ReadonlySet<string> = new Set(['active', 'restricted', 'suspended']);
/** States in which a licence is in force. */
const IN_FORCE: ReadonlySet<string> = new Set(['active', 'restricted']);

/** The fields of a broker that decide how its licences count. */
export interface LicensedBroker {
  /** Null: nobody ever compared its licences with the registers. */
  readonly licensesCheckedAt: string | null;
  readonly entities: readonly { readonly legalName: string }[];
  readonly licenses: readonly {
    readonly status: string;
    readonly type: string;
    readonly entity: { readonly legalName: string };
  }[];
}

/**
 * `confirmed`: held and in force. `held`: held, and not in force or no authorisation. `claimed`: not known to be held.
 */
export type LicenseStanding = 'confirmed' | 'held' | 'claimed' | 'ended';

/**
 * Returns true if a licence has ended, so that its holder no longer has it.
 * @example hasLicenseEnded({ status: 'revoked' }) // true
 */
export const hasLicenseEnded = ({ status }: { readonly status: string }): boolean => ENDED.has(status);

/**
 * Returns the worth of a broker's licence to a client. A licence of a firm that is none of the broker's legal entities
 * is only claimed, since clones name the licences of their victims.
 * @example classifyLicense(broker, broker.licenses[0]) // 'confirmed'
 */
export const classifyLicense = (
  { licensesCheckedAt, entities }: LicensedBroker,
  { status, type, entity }: LicensedBroker['licenses'][number],
): LicenseStanding => {
  if (ENDED.has(status)) return 'ended';
  const isOwn = entities.some(({ legalName }) => legalName === entity.legalName);
  if (licensesCheckedAt === null || !isOwn || !LISTED.has(status)) return 'claimed';
  return type === 'authorisation' && IN_FORCE.has(status) ? 'confirmed' : 'held';
};

/** The fields of a licence that decide whether it is confirmed now. */
export interface DatedLicense {
  readonly lastVerifiedAt: string | null;
  readonly expiresAt?: string | undefined;
  /** True if the last check is too old. */
  readonly stale?: boolean | undefined;
}

/**
 * Returns true if a register confirms, within the term of its last check, that a legal entity of the broker holds a
 * licence in force. Verdicts and the filter by licence ask this function.
 * @example isLicenseCurrent(broker, broker.licenses[0], new Date()) // true
 */
export const isLicenseCurrent = (
  broker: LicensedBroker,
  license: LicensedBroker['licenses'][number] & DatedLicense,
  at: Date,
): boolean => {
  const standing = classifyLicense(broker, license);
  const { status, lastVerifiedAt, stale, expiresAt } = license;
  return (
    (standing === 'confirmed' || standing === 'held') &&
    IN_FORCE.has(status) &&
    lastVerifiedAt !== null &&
    stale === false &&
    (expiresAt === undefined || Date.parse(expiresAt) > at.getTime())
  );
};

/**
 * Counts the licences of a broker that have not ended. `held + claimed` is the broker's `licenseCount`.
 * @example countLicenses(broker) // { confirmed: 1, held: 1, claimed: 0 }
 */
export const countLicenses = (broker: LicensedBroker): LicenseCounts => {
  const standings = broker.licenses.map((license) => classifyLicense(broker, license));
  const count = (standing: LicenseStanding): number => standings.filter((one) => one === standing).length;
  const confirmed = count('confirmed');
  return { confirmed, held: confirmed + count('held'), claimed: count('claimed') };
};

/** The fields of a broker that decide which choices of the filter by licence include it. */
export interface LicenseFilteredBroker extends LicensedBroker {
  readonly status: string;
  readonly bestTier: number | null;
  readonly licenses: readonly (LicensedBroker['licenses'][number] & DatedLicense & { readonly tier: number })[];
}

/**
 * Returns the choices of the filter by licence (`LICENSE_FILTERS`) that include a broker at a time. Confirmed licences
 * count while their last check is within its term. None includes a broker whose confirmed licences were all last
 * checked too long ago: it is not known whether it still has one. None includes a suspected clone either, whose
 * licences are those of its victim.
 * @example listLicenseChoices(broker, new Date()) // ['confirmed', '1']
 */
export const listLicenseChoices = (broker: LicenseFilteredBroker, at: Date): readonly string[] => {
  const { status, bestTier } = broker;
  if (status === 'suspected_clone') return [];
  const confirmed = broker.licenses.filter((license) => classifyLicense(broker, license) === 'confirmed');
  if (confirmed.length === 0 || bestTier === null) return ['none'];
  const current = confirmed.filter((license) => isLicenseCurrent(broker, license, at));
  return [
    ...(current.length > 0 ? ['confirmed'] : []),
    ...(current.some(({ tier }) => tier === bestTier) ? [String(bestTier)] : []),
  ];
};
