import { NEWS_CATEGORIES } from '@broker-transparency/contract';
import type { NewsRecord } from '../../features/news/record.rule.ts';
import type { DemoBroker } from './brokers.ts';
import { subtractDays } from './calendar.ts';
import { HEADLINES, SOURCES } from './headlines.ts';
import { createRandom } from './random.ts';

const findLicenses = ({ record }: DemoBroker, statuses: readonly string[]) =>
  (record.licenses ?? []).filter(({ status }) => statuses.includes(status));

/** A broker for a headline, with the regulators that the headline is about. */
interface HeadlineSubject {
  readonly broker: DemoBroker;
  readonly codes: string[];
}

/** Returns the brokers that each kind of headline may name, so that headlines agree with the brokers' facts. */
const groupSubjects = (brokers: readonly DemoBroker[]) => {
  const withLicense = (statuses: readonly string[]): HeadlineSubject[] =>
    brokers.flatMap((broker) => {
      const [license] = findLicenses(broker, statuses);
      return license === undefined ? [] : [{ broker, codes: [license.regulatorCode] }];
    });
  const where = (test: (broker: DemoBroker) => boolean): HeadlineSubject[] =>
    brokers.filter(test).map((broker) => ({ broker, codes: [] }));
  return {
    warned: where(({ record }) => record.warnings.some(({ about }) => about === 'this_firm')),
    licensed: withLicense(['active']),
    sanctioned: withLicense(['restricted', 'suspended', 'revoked']),
    operating: where(({ record }) => record.status === 'operating'),
  };
};

/** Returns `count` news items. Their addresses do not depend on the anchor, so that another load replaces them. */
export const createDemoNews = (
  brokers: readonly DemoBroker[],
  seed: string,
  anchor: Date,
  count: number,
): NewsRecord[] => {
  const subjects = groupSubjects(brokers);
  return Array.from({ length: count }, (_, index) => {
    const random = createRandom(seed, 'news', index);
    const category = NEWS_CATEGORIES[index % NEWS_CATEGORIES.length] as NewsRecord['category'];
    const { about, severities, language, title, summary } = random.pick(HEADLINES[category]);
    const subject = about && random.pick(subjects[about]);
    const name = subject?.broker.record.name ?? '';
    const { source, host } = random.pick(SOURCES);
    return {
      title: `[Demo] ${title.replace('{broker}', name)}`,
      summary: summary.replace('{broker}', name),
      url: `https://${host}/${category.replace('_', '-')}/${index + 1}`,
      source,
      category,
      severity: random.pick(severities),
      brokerSlugs: subject ? [subject.broker.record.slug] : [],
      regulatorCodes: subject?.codes ?? [],
      language,
      publishedAt: subtractDays(anchor, 0.1 + random.next() * 700).toISOString(),
    };
  });
};
