import { readFileSync } from 'node:fs';
import {
  BROKER_STATUSES,
  CHECKLIST_KEYS,
  COLORS,
  COMPLAINT_CATEGORIES,
  COMPLAINT_STATUSES,
  ComplaintSubmission,
  LICENSE_STATUSES,
  LICENSE_TYPES,
  NEWS_CATEGORIES,
  NEWS_SEVERITIES,
  REVIEW_STATUSES,
  ReviewSubmission,
  type Tier,
} from '@broker-transparency/contract';
import { describe, expect, test } from 'vitest';
import { BrokerRecord } from '../../features/brokers/record.rule.ts';
import { COMPLAINT_CLOCK } from '../../features/complaints/policy.rule.ts';
import { countComplaints } from '../../features/complaints/summary.rule.ts';
import { NewsRecord } from '../../features/news/record.rule.ts';
import { RegulatorRecord } from '../../features/regulators/record.rule.ts';
import { sumMonths } from '../../features/reviews/months.rule.ts';
import { isLive } from '../../features/reviews/status.rule.ts';
import { buildBroker } from '../../published/brokers/build.rule.ts';
import { HISTORY_DAYS } from './mark.ts';
import { toRecordAt } from './past.ts';
import { createDemoSet } from './set.ts';
import { findTime, STORIES } from './stories.ts';

const file = new URL('../../../data/regulators.json', import.meta.url);
const regulators = RegulatorRecord.array().parse(JSON.parse(readFileSync(file, 'utf8')));
const anchor = new Date('2026-11-21T00:00:00Z');
const DAY = 86_400_000;

const set = createDemoSet({ anchor, regulators });
const { brokers, reviews, complaints, news } = set;

const reviewsByBroker = Map.groupBy(reviews, (review) => review.broker);
const complaintsByBroker = Map.groupBy(complaints, (complaint) => complaint.broker);
const tiers = new Map<string, Tier>(regulators.map(({ code, tier }) => [code, tier]));
const states = new Map(regulators.map(({ code, ...state }) => [code, { ...state, _id: code, registerReadAt: null }]));
const documents = brokers.map(({ licenses = [], ...profile }) =>
  buildBroker(
    {
      key: profile.slug,
      id: profile.slug,
      profile,
      licenses,
      regulators: states,
      ratingsByMonth: sumMonths(
        (reviewsByBroker.get(profile.slug) ?? []).filter(({ status }) => status === 'published'),
      ),
      recentReviews: [],
      complaints: countComplaints(complaintsByBroker.get(profile.slug) ?? [], anchor),
    },
    anchor.toISOString(),
  ),
);
const licenses = brokers.flatMap((broker) => broker.licenses ?? []);
const checklist = brokers.flatMap((broker) => broker.checklist);
const warnings = brokers.flatMap((broker) => broker.warnings);

const collectValues = <T>(rows: readonly T[]) => new Set(rows);
const count = <T>(rows: readonly T[], test: (row: T) => boolean): number => rows.filter(test).length;

test('the same seed and anchor give the same data, and another seed or anchor gives different data', () => {
  const text = JSON.stringify(set);
  expect(JSON.stringify(createDemoSet({ anchor, regulators }))).toBe(text);
  expect(JSON.stringify(createDemoSet({ anchor, regulators, seed: 'other' }))).not.toBe(text);
  expect(JSON.stringify(createDemoSet({ anchor: new Date(anchor.getTime() + DAY), regulators }))).not.toBe(text);
});

test('the keys by which a second load recognises records do not depend on the anchor', () => {
  const later = createDemoSet({ anchor: new Date(anchor.getTime() + 40 * DAY), regulators });
  const keys = (of: typeof set) => ({
    persons: of.reviews.map(({ broker, personKey }) => `${broker} ${personKey}`),
    references: of.complaints.map(({ broker, _id }) => `${broker} ${_id}`),
    addresses: of.news.map(({ url }) => url),
    brokers: of.brokers.map(({ slug, name }) => `${slug} ${name}`),
  });
  expect(keys(later)).toEqual(keys(set));
});

test('the demo has the expected counts', () => {
  expect([brokers.length, reviews.length, complaints.length, news.length]).toEqual([300, 20_000, 1500, 120]);
});

test('nothing happens after the anchor', () => {
  const late = (time: Date | string | null | undefined) => time != null && new Date(time) > anchor;
  for (const { createdAt, publishedAt, reply } of reviews)
    expect([createdAt, publishedAt, reply?.createdAt].some(late)).toBe(false);
  for (const { createdAt, forwardedAt, respondedAt, closedAt } of complaints)
    expect([createdAt, forwardedAt, respondedAt, closedAt].some(late)).toBe(false);
  for (const { issuedAt, statusEffectiveAt, lastVerifiedAt } of licenses)
    expect([issuedAt, statusEffectiveAt, lastVerifiedAt].some(late)).toBe(false);
  expect(news.some(({ publishedAt }) => late(publishedAt))).toBe(false);
  expect(warnings.some(({ publishedAt, withdrawnAt }) => late(publishedAt) || late(withdrawnAt))).toBe(false);
});

describe('what was known of a broker at a time', () => {
  test('the state of a broker on the last day is its record', () => {
    for (const broker of set.lives) expect(toRecordAt(broker, anchor, anchor)).toEqual(broker.record);
  });

  test.each([30, 200, 548])('%i days before has nothing that happened or was looked at since', (days) => {
    const at = new Date(anchor.getTime() - days * DAY);
    const late = (time: string | null | undefined) => time != null && new Date(time) > at;
    for (const broker of set.lives) {
      const record = toRecordAt(broker, at, at);
      expect(BrokerRecord.safeParse(record).error).toBeUndefined();
      for (const { issuedAt, statusEffectiveAt, lastVerifiedAt } of record.licenses ?? [])
        expect([issuedAt, statusEffectiveAt, lastVerifiedAt].some(late), record.slug).toBe(false);
      expect(record.warnings.some(({ publishedAt, withdrawnAt }) => late(publishedAt) || late(withdrawnAt))).toBe(
        false,
      );
      expect([record.licensesCheckedAt, ...record.checklist.map(({ checkedAt }) => checkedAt)].some(late)).toBe(false);
      if (record.status === 'operating') expect(record.successor).toBeUndefined();
    }
  });
});

test('the stories happen within the history, each in the order of its events', () => {
  expect(Object.keys(STORIES).length).toBeGreaterThan(12);
  for (const [title, events] of Object.entries(STORIES)) {
    const times = events.map((event) => findTime(event, anchor).getTime());
    expect(times, title).toEqual(times.toSorted((a, b) => a - b));
    expect(times.every((time) => time > anchor.getTime() - HISTORY_DAYS * DAY && time < anchor.getTime())).toBe(true);
  }
});

test('every broker that was merged names its successor', () => {
  const slugs = new Set(brokers.map(({ slug }) => slug));
  const merged = brokers.filter(({ status }) => status === 'merged');
  expect(merged.length).toBeGreaterThan(0);
  for (const { successor } of merged) expect(slugs.has(successor ?? '')).toBe(true);
});

test('every host ends in .example', () => {
  const hosts = [...JSON.stringify(set).matchAll(/https?:\/\/([^/"]+)/g)].map(([, host]) => host ?? '');
  const domains = brokers.flatMap((broker) => broker.domains);
  expect(domains.length).toBeGreaterThan(300);
  expect([...hosts, ...domains].filter((host) => !host.endsWith('.example'))).toEqual([]);
});

describe('brokers', () => {
  test('brokers pass the import unchanged', () => {
    for (const broker of brokers) expect(BrokerRecord.parse(broker)).toEqual(broker);
  });

  test('brokers have unique names, slugs and legal names, and state that they are fictional', () => {
    for (const key of ['name', 'slug', 'legalName'] as const)
      expect(collectValues(brokers.map((broker) => broker[key])).size).toBe(300);
    expect(brokers.every(({ description }) => description.startsWith('Fictional demo broker.'))).toBe(true);
    expect(licenses.every(({ referenceNumber }) => referenceNumber.startsWith('DEMO-'))).toBe(true);
    expect(count(brokers, ({ name }) => /[^\x20-\x7e]/.test(name))).toBeGreaterThan(10);
    expect(brokers.map(({ slug }) => slug)).toContain('zurichberg-trading');
  });

  test('brokers begin with Alpha Markets, which is green', () => {
    expect(brokers[0]).toMatchObject({ slug: 'alpha-markets', name: 'Alpha Markets' });
    expect(documents[0]).toMatchObject({ color: 'green', bestTier: 1, status: 'operating' });
    expect(brokers[0]?.licenses?.map(({ regulatorCode }) => regulatorCode)).toEqual(
      expect.arrayContaining(['fca', 'cysec']),
    );
    expect(documents[0]?.ratingSummary.count).toBe(
      Math.max(...documents.map((document) => document.ratingSummary.count)),
    );
  });

  test('brokers have every color, each in at least a tenth of cases', () => {
    const histogram = COLORS.map((color) => [color, count(documents, (document) => document.color === color)]);
    for (const [color, number] of histogram) expect(number, String(color)).toBeGreaterThanOrEqual(30);
  });

  test('brokers have every status, licence, warning, disclosure and cap', () => {
    expect(collectValues(brokers.map(({ status }) => status))).toEqual(collectValues(BROKER_STATUSES));
    expect(collectValues(licenses.map(({ status }) => status))).toEqual(collectValues(LICENSE_STATUSES));
    expect(collectValues(licenses.map(({ type }) => type))).toEqual(collectValues(LICENSE_TYPES));
    expect(collectValues(checklist.map(({ key }) => key))).toEqual(collectValues(CHECKLIST_KEYS));
    expect(collectValues(checklist.map(({ met }) => met))).toEqual(new Set([true, false, null]));
    expect(collectValues(warnings.map(({ about }) => about))).toEqual(new Set(['this_firm', 'clone_of_it']));
    expect(count(warnings, ({ withdrawnAt }) => withdrawnAt !== undefined)).toBeGreaterThan(2);
    expect(collectValues(documents.flatMap(({ score }) => score.caps.map(({ code }) => code))).size).toBe(4);
    expect(collectValues(documents.map(({ score }) => score.confidence.level)).size).toBe(3);
    expect(collectValues(documents.map(({ bestTier }) => bestTier))).toEqual(new Set([1, 2, 3, 4, null]));
  });

  test('brokers include groups, offshore brokers, unchecked brokers and brokers without reviews', () => {
    expect(count(brokers, ({ entities }) => entities.length > 1)).toBeGreaterThan(60);
    const unlicensed = brokers.flatMap(({ entities, licenses = [] }) =>
      entities.filter(({ legalName }) => !licenses.some(({ entity }) => entity.legalName === legalName)),
    );
    expect(unlicensed.length).toBeGreaterThan(10);
    expect(count(brokers, ({ licensesCheckedAt }) => licensesCheckedAt === null)).toBeGreaterThan(10);
    expect(count(brokers, ({ slug }) => !reviewsByBroker.has(slug))).toBeGreaterThan(10);
    expect(count(licenses, ({ lastVerifiedAt }) => lastVerifiedAt === null)).toBeGreaterThan(10);
  });

  test('brokers have no verified licences if nobody checked them', () => {
    for (const { licensesCheckedAt, licenses = [] } of brokers)
      for (const { lastVerifiedAt } of licenses) expect([licensesCheckedAt, null]).toContain(lastVerifiedAt);
  });

  test('brokers have uniquely numbered licences of real regulators, for entities that they list', () => {
    expect(licenses.filter(({ regulatorCode }) => !tiers.has(regulatorCode))).toEqual([]);
    for (const { entities, licenses = [] } of brokers)
      for (const { entity } of licenses) expect(entities.map(({ legalName }) => legalName)).toContain(entity.legalName);
    const numbers = licenses.map(({ regulatorCode, referenceNumber }) => `${regulatorCode} ${referenceNumber}`);
    expect(collectValues(numbers).size).toBe(licenses.length);
  });
});

describe('reviews', () => {
  test('all of them would be accepted as submissions', () => {
    for (const { broker, rating, title, content, language } of reviews)
      expect(() => ReviewSubmission.parse({ broker, rating, title, content, language })).not.toThrow();
    expect(reviews.filter(({ title, content }) => /[{}]/.test(title + content))).toEqual([]);
  });

  test('reviews have unique ids and persons', () => {
    expect(collectValues(reviews.map(({ _id }) => String(_id))).size).toBe(reviews.length);
    expect(collectValues(reviews.map(({ broker, personKey }) => `${broker} ${personKey}`)).size).toBe(reviews.length);
  });

  test('reviews are in every state that lasts, with matching fields', () => {
    const lasting = REVIEW_STATUSES.filter((status) => status !== 'withheld');
    expect(collectValues(reviews.map(({ status }) => status))).toEqual(collectValues(lasting));
    expect(count(reviews, ({ status }) => status === 'published')).toBeGreaterThan(16_000);
    for (const { status, live, createdAt, publishedAt, reply } of reviews) {
      expect(live === true).toBe(isLive(status));
      if (status === 'published' || status === 'removed') expect(publishedAt).toBeDefined();
      if (status === 'pending' || status === 'rejected') expect(publishedAt ?? reply).toBeUndefined();
      if (publishedAt) expect(publishedAt >= createdAt).toBe(true);
    }
  });

  test('reviews vary in texts, languages, countries, fractions and replies, over five years', () => {
    expect(collectValues(reviews.map(({ content }) => content)).size).toBeGreaterThan(14_000);
    expect(collectValues(reviews.map(({ language }) => language)).size).toBeGreaterThan(8);
    expect(collectValues(reviews.map(({ rating }) => rating)).size).toBeGreaterThan(100);
    expect(count(reviews, ({ author }) => author.country === undefined)).toBeGreaterThan(1000);
    expect(count(reviews, ({ reply }) => reply !== undefined)).toBeGreaterThan(1000);
    const sizes = [...reviewsByBroker.values()].map((rows) => rows.length).sort((a, b) => b - a);
    expect(sizes[0]).toBeLessThan(1200);
    expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThan(80);
    const ages = reviews.map(({ createdAt }) => (anchor.getTime() - createdAt.getTime()) / DAY);
    expect(Math.max(...ages)).toBeGreaterThan(1700);
    expect(Math.max(...ages)).toBeLessThanOrEqual(5 * 365);
  });
});

describe('complaints', () => {
  test('all of them would be accepted as submissions', () => {
    for (const {
      _id,
      accountId,
      kycVerified,
      status,
      createdAt,
      forwardedAt,
      respondedAt,
      closedAt,
      ...rest
    } of complaints)
      expect(() =>
        ComplaintSubmission.parse({
          ...rest,
          ...(rest.occurredAt ? { occurredAt: rest.occurredAt.toISOString() } : {}),
        }),
      ).not.toThrow();
    expect(collectValues(complaints.map(({ _id }) => _id)).size).toBe(complaints.length);
    expect(complaints.every(({ _id }) => /^C-[2-9A-HJ-NP-TV-Z]{10}$/.test(_id))).toBe(true);
  });

  test('complaints are in every state and category', () => {
    expect(collectValues(complaints.map(({ status }) => status))).toEqual(collectValues(COMPLAINT_STATUSES));
    expect(collectValues(complaints.map(({ category }) => category))).toEqual(collectValues(COMPLAINT_CATEGORIES));
    expect(documents.reduce((sum, document) => sum + document.complaintSummary.overdue, 0)).toBeGreaterThan(10);
  });

  test('complaints have consistent dates', () => {
    for (const { status, createdAt, forwardedAt, respondedAt, closedAt, consentToForward } of complaints) {
      const times = [createdAt, forwardedAt, respondedAt, closedAt].filter((time) => time !== undefined);
      expect(times).toEqual(times.toSorted((a, b) => a.getTime() - b.getTime()));
      expect(closedAt !== undefined).toBe(['resolved', 'unresolved', 'rejected', 'withdrawn'].includes(status));
      if (['forwarded', 'responded', 'resolved', 'unresolved'].includes(status)) expect(forwardedAt).toBeDefined();
      if (['received', 'screening', 'rejected'].includes(status)) expect(forwardedAt).toBeUndefined();
      if (['responded', 'resolved'].includes(status)) expect(respondedAt).toBeDefined();
      if (forwardedAt) {
        expect(consentToForward).toBe(true);
        const end = closedAt ?? anchor;
        expect(end.getTime() - forwardedAt.getTime()).toBeLessThanOrEqual(COMPLAINT_CLOCK.finalDays * DAY);
      }
    }
  });
});

describe('news', () => {
  test('passes the import unchanged, with unique addresses', () => {
    for (const item of news) expect(NewsRecord.parse(item)).toEqual(item);
    expect(collectValues(news.map(({ url }) => url)).size).toBe(news.length);
  });

  test('news has every category and severity, is marked as a demo, and names existing brokers and regulators', () => {
    expect(collectValues(news.map(({ category }) => category))).toEqual(collectValues(NEWS_CATEGORIES));
    expect(collectValues(news.map(({ severity }) => severity))).toEqual(collectValues(NEWS_SEVERITIES));
    expect(news.every(({ title }) => title.startsWith('[Demo] ') && !/[{}]/.test(title))).toBe(true);
    const slugs = collectValues(brokers.map(({ slug }) => slug));
    expect(news.flatMap(({ brokerSlugs }) => brokerSlugs).filter((slug) => !slugs.has(slug))).toEqual([]);
    const codes = news.flatMap(({ regulatorCodes }) => regulatorCodes);
    expect(codes.length).toBeGreaterThan(10);
    expect(codes.filter((code) => !tiers.has(code))).toEqual([]);
  });
});
