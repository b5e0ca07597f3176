import type { NewsRecord } from '../../features/news/record.rule.ts';
import type { LicenceSource } from '../sources/source.rule.ts';
import type { Finding, LicenseChange } from './compare.rule.ts';

/** The changes that become news, with their severity. */
const SEVERITIES: Partial<Record<LicenseChange, NewsRecord['severity']>> = {
  cancelled: 'serious',
  ceased: 'serious',
  suspended: 'serious',
  restricted: 'notice',
  reinstated: 'info',
};

const formatSentence = ({ ours, changes }: Finding, { publisher, title }: LicenceSource, day: string): string => {
  const { entity, referenceNumber, status } = ours.license;
  const holder = `Licence ${referenceNumber} of ${entity.legalName}, ${status} until now,`;
  return changes.includes('ceased')
    ? `${holder} is no longer in ${title} as of ${day}. The list does not say why.`
    : `${holder} is ${changes[0]} in the register of ${publisher} as of ${day}.`;
};

/**
 * Returns the news item of a finding, if there is one. Its address contains licence, change and day, so that an item
 * never appears twice.
 */
export const toNewsRecords = (finding: Finding, source: LicenceSource, asOf: string): NewsRecord[] => {
  const { ours, changes } = finding;
  const [change] = changes;
  const severity = change && SEVERITIES[change];
  if (!severity) return [];
  const day = asOf.slice(0, 10);
  const { referenceNumber } = ours.license;
  const place = [ours.broker, referenceNumber, change, day].map(encodeURIComponent).join('/');
  return [
    {
      title: `${ours.brokerName}: ${source.publisher} licence ${referenceNumber} ${change}`,
      summary: formatSentence(finding, source, day).slice(0, 1000),
      url: `${source.page}#${place}`,
      source: source.publisher,
      category: 'license_change',
      severity,
      brokerSlugs: [ours.broker],
      regulatorCodes: [ours.license.regulatorCode],
      language: 'en',
      publishedAt: asOf,
    },
  ];
};
