import { ENDED_LICENSE_STATUSES } from './ended-licenses.ts';
import type { LicenseCounts } from './licenses.ts';

const ENDED: ReadonlySet<string> = new Set(ENDED_LICENSE_STATUSES);
/**
 * States in which a register lists the holder. In a state that this release does not know, nothing is taken as listed.
 */
const LISTED: ReadonlySet<string> = new Set(['active', 'restricted', 'suspended']);
/** States in which a licence is in force. */
export const IN_FORCE: ReadonlySet<string> = new Set(['active', 'restricted']);

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

/**
 * Returns the choices of the filter by licence (`LICENSE_FILTERS`) that include a broker. None includes a suspected
 * clone, whose licences are those of its victim.
 * @example listLicenseChoices({ status: 'operating', licenseCounts: { confirmed: 1 }, bestTier: 2 }) // ['confirmed', '2']
 */
export const listLicenseChoices = ({
  status,
  licenseCounts,
  bestTier,
}: {
  readonly status: string;
  readonly licenseCounts: Pick<LicenseCounts, 'confirmed'>;
  readonly bestTier: number | null;
}): readonly string[] => {
  if (status === 'suspected_clone') return [];
  return licenseCounts.confirmed === 0 || bestTier === null ? ['none'] : ['confirmed', String(bestTier)];
};
