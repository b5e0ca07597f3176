import type { BrokerRecord, LicenseRecord } from '../../features/brokers/record.rule.ts';
import type { DemoBroker } from './brokers.ts';

const isBy = (time: string | null | undefined, at: string): boolean => time != null && time <= at;

/** Returns a licence as it was at a time: none before it was granted or asked for, and in force until that changed. */
const licensesAt = (license: LicenseRecord, at: string): LicenseRecord[] => {
  const { status, statusEffectiveAt, issuedAt } = license;
  if (status === 'unverified' || isBy(statusEffectiveAt, at)) return [license];
  return isBy(issuedAt, at) ? [{ ...license, status: 'active', statusEffectiveAt: issuedAt }] : [];
};

/** Returns when a broker came into its last state. */
const stateSince = ({ record: { status, warnings }, until }: DemoBroker): string =>
  status === 'suspected_clone'
    ? (warnings.map(({ publishedAt }) => publishedAt).sort()[0] as string)
    : until.toISOString();

/**
 * Returns what was known of a broker at a time.
 * @param lookedAt the latest time at which anybody looked at its sources
 */
export const recordAt = (broker: DemoBroker, time: Date, lookedAt: Date): BrokerRecord => {
  const at = time.toISOString();
  const looked = (look: string | null): string | null =>
    look === null || isBy(look, lookedAt.toISOString()) ? look : lookedAt.toISOString();
  const { successor, ...record } = broker.record;
  const { status, licensesCheckedAt, checklist, provenance, warnings, licenses = [] } = record;
  const hasState = status === 'operating' || stateSince(broker) <= at;
  return {
    ...record,
    ...(hasState && successor !== undefined ? { successor } : {}),
    status: hasState ? status : 'operating',
    licensesCheckedAt: looked(licensesCheckedAt),
    checklist: checklist.map((item) => ({ ...item, checkedAt: looked(item.checkedAt) })),
    provenance: provenance.map((one) => ({ ...one, lastVerifiedAt: looked(one.lastVerifiedAt) })),
    warnings: warnings
      .filter(({ publishedAt }) => isBy(publishedAt, at))
      .map(({ withdrawnAt, ...warning }) =>
        isBy(withdrawnAt, at) ? { ...warning, withdrawnAt } : warning,
      ) as BrokerRecord['warnings'],
    licenses: licenses
      .flatMap((license) => licensesAt(license, at))
      .map((license) => ({ ...license, lastVerifiedAt: looked(license.lastVerifiedAt) })),
  };
};
