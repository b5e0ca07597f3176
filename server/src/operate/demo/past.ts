import type { BrokerRecord, LicenseRecord } from '../../features/brokers/record.rule.ts';
import type { DemoBroker } from './brokers.ts';

const isNotAfter = (time: string | null | undefined, at: string): boolean => time != null && time <= at;

/**
 * Returns a licence as it was at a time: none before its grant or application, then in force until its status changed.
 */
const toLicensesAt = (license: LicenseRecord, at: string): LicenseRecord[] => {
  const { status, statusEffectiveAt, issuedAt } = license;
  if (status === 'unverified' || isNotAfter(statusEffectiveAt, at)) return [license];
  return isNotAfter(issuedAt, at) ? [{ ...license, status: 'active', statusEffectiveAt: issuedAt }] : [];
};

/** Returns the time at which a broker came into its last state. */
const findStateSince = ({ record: { status, warnings }, until }: DemoBroker): string =>
  status === 'suspected_clone'
    ? (warnings.map(({ publishedAt }) => publishedAt).sort()[0] as string)
    : until.toISOString();

/** Returns the known facts of a broker at a time. @param lookedAt the latest time at which its sources were checked */
export const toRecordAt = (broker: DemoBroker, time: Date, lookedAt: Date): BrokerRecord => {
  const at = time.toISOString();
  const toLookTime = (look: string | null): string | null =>
    look === null || isNotAfter(look, lookedAt.toISOString()) ? look : lookedAt.toISOString();
  const { successor, ...record } = broker.record;
  const { status, licensesCheckedAt, checklist, provenance, warnings, entities, licenses = [] } = record;
  const hasState = status === 'operating' || findStateSince(broker) <= at;
  return {
    ...record,
    ...(hasState && successor !== undefined ? { successor } : {}),
    status: hasState ? status : 'operating',
    licensesCheckedAt: toLookTime(licensesCheckedAt),
    entities: entities.map(({ serves, ...entity }) =>
      serves === undefined ? entity : { ...entity, serves: { ...serves, asOf: toLookTime(serves.asOf) as string } },
    ),
    checklist: checklist.map((item) => ({ ...item, checkedAt: toLookTime(item.checkedAt) })),
    provenance: provenance.map((one) => ({ ...one, lastVerifiedAt: toLookTime(one.lastVerifiedAt) })),
    warnings: warnings
      .filter(({ publishedAt }) => isNotAfter(publishedAt, at))
      .map(({ withdrawnAt, ...warning }) =>
        isNotAfter(withdrawnAt, at) ? { ...warning, withdrawnAt } : warning,
      ) as BrokerRecord['warnings'],
    licenses: licenses
      .flatMap((license) => toLicensesAt(license, at))
      .map((license) => ({ ...license, lastVerifiedAt: toLookTime(license.lastVerifiedAt) })),
  };
};
