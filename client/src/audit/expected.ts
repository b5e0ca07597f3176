import {
  countLicenses,
  entryKey,
  hasLicenseEnded,
  type LicenseValue,
  type NewsValue,
  type RatedFacts,
  type ReviewValue,
} from '@broker-transparency/contract/record';
import {
  bayesianAverage,
  entityRegulation,
  METHODOLOGIES,
  type Methodology,
  nano,
  ratingSums,
  recomputeScore,
  scoringLicenses,
} from '@broker-transparency/contract/score';
import type {
  BrokerDetail,
  License,
  NewsItem,
  RatingMonth,
  RatingSummary,
  Regulator,
  RegulatorDetail,
  Review,
} from '../generated/api.ts';
import type { RecordState, ReplayedBroker } from './record-state.ts';
import type { TextOpener } from './texts.ts';

/*
 * The answers that the API must give, by the log. Values in the log have more fields than the arithmetic of scores
 * reads. They have the names that the contract gives them.
 */

/** The fields of an answer that follow from the log. */
type ExpectedFields<T> = { readonly [K in keyof T]?: unknown };

const UNKNOWN_TIER = 4;

/** Compares in code-unit order. */
export const byText =
  <T>(toText: (one: T) => string) =>
  (a: T, b: T): number => {
    const [x, y] = [toText(a), toText(b)];
    return x < y ? -1 : x > y ? 1 : 0;
  };

const toExpectedLicenses = ({ licenses, tiers }: Pick<RatedFacts, 'licenses' | 'tiers'>): License[] =>
  licenses
    .flatMap(({ regulator, number, holders }) =>
      holders.map((holder) => {
        const { legalName, lei, ...license } = holder as LicenseValue['holders'][number] & { readonly lei?: string };
        return {
          ...license,
          entity: { legalName, lei },
          regulatorCode: regulator,
          referenceNumber: number,
          tier: tiers.get(regulator) ?? UNKNOWN_TIER,
        } as License; // the log has its other fields, under the names of the contract
      }),
    )
    .sort(byText((one) => `${one.regulatorCode}\0${one.referenceNumber}\0${one.entity.legalName}`));

const STARS = [1, 2, 3, 4, 5] as const;

const toExpectedSummary = (months: readonly RatingMonth[], computedAt: string): RatingSummary => {
  const sumMonths = (count: (month: RatingMonth) => number): number =>
    months.reduce((sum, month) => sum + count(month), 0);
  const count = sumMonths((month) => month.count);
  const stars = STARS.map((star) => [star, sumMonths(({ distribution }) => distribution[star])]);
  return {
    average: count === 0 ? null : Math.round(sumMonths(({ sum }) => sum) / count) / 100,
    bayesianAverage: nano(bayesianAverage(ratingSums(months, new Date(computedAt)))),
    count,
    distribution: Object.fromEntries(stars) as RatingSummary['distribution'],
  };
};

/** Returns the methodology that the answer names if it can be in use, or else the one in force. */
const chooseMethodology = (
  { score }: BrokerDetail,
  { versions }: Pick<RecordState, 'versions'>,
): Methodology | undefined => {
  // after an upgrade, scores of the version before stay until the next daily round
  const used = METHODOLOGIES.filter(({ version }) => versions.slice(-2).includes(version));
  return used.find(({ version }) => version === score.methodologyVersion) ?? used.at(-1);
};

/** Entries of the log about a broker. */
export interface BrokerEvidence {
  readonly known: ReplayedBroker;
  /** Its published reviews by month. */
  readonly ratingsByMonth: readonly RatingMonth[];
}

/** Returns the keys under which reviews and complaints about a broker are stored. */
export const listBrokerKeys = ({ key, facts }: ReplayedBroker): string[] => [key, ...(facts.broker.merged ?? [])];

/**
 * Returns every field of a broker's answer that follows from the log, at the time for which the answer was computed.
 * @throws RangeError if no score can be computed, as for a version of the methodology that this package does not know
 */
export const expectBroker = (
  answer: BrokerDetail,
  { known: { key, facts }, ratingsByMonth }: BrokerEvidence,
  log: Pick<RecordState, 'findSlug' | 'versions'>,
  open: TextOpener,
): ExpectedFields<BrokerDetail> => {
  const { broker, warnings } = facts;
  const { successor, ...profile } = broker as typeof broker & { readonly successor?: string };
  const methodology = chooseMethodology(answer, log);
  const { computedAt } = answer.score;
  const licenses = toExpectedLicenses(facts);
  const checklist = (methodology?.checklist ?? []).map(
    (key) => broker.checklist.find((item) => item.key === key) ?? { key, met: null, sourceUrl: null },
  );
  const score = recomputeScore({
    status: broker.status,
    licensesCheckedAt: broker.checked ? computedAt : null,
    entities: broker.entities,
    licenses,
    ratingsByMonth,
    complaintsByMonth: answer.complaintsByMonth,
    checklist,
    warnings,
    score: { computedAt, methodologyVersion: methodology?.version ?? '', components: [] },
  } as Parameters<typeof recomputeScore>[0]);
  const tiers = scoringLicenses({ entities: broker.entities, licenses } as never).map(({ tier }) => tier);
  const heir = successor === undefined ? undefined : log.findSlug(successor);
  return {
    ...profile,
    description: open(entryKey('broker', key), broker.texts, 'description', answer.description),
    successor: heir === broker.slug ? undefined : heir,
    score,
    color: score.color,
    updatedAt: computedAt,
    ratingSummary: toExpectedSummary(ratingsByMonth, computedAt),
    ratingsByMonth,
    licenseCount: licenses.filter((license) => !hasLicenseEnded(license)).length,
    licenseCounts: countLicenses({
      licensesCheckedAt: broker.checked ? computedAt : null,
      entities: broker.entities,
      licenses,
    }),
    bestTier: tiers.length === 0 ? null : Math.min(...tiers),
    warnings: warnings.toSorted(byText((warning) => String((warning as { readonly url?: unknown }).url))),
    entities: broker.entities.map((entity) => ({
      ...entity,
      regulationScore: entityRegulation(entity.legalName, licenses as never),
    })),
    licenses,
    checklist,
  };
};

/** Returns every field of a regulator's answer that follows from the log. */
export const expectRegulator = (
  { code }: Pick<Regulator, 'code'>,
  value: object,
  log: RecordState,
): ExpectedFields<RegulatorDetail> => {
  const brokers = [...log.brokers.values()].flatMap(({ facts }) => {
    const held = toExpectedLicenses(facts).filter(
      (license) => license.regulatorCode === code && !hasLicenseEnded(license),
    );
    const licenses = held.map(({ entity, referenceNumber, status }) => {
      return { entity: entity.legalName, referenceNumber, status };
    });
    return held.length === 0 ? [] : [{ slug: facts.broker.slug, licenses }];
  });
  return { ...value, brokerCount: brokers.length, brokers: brokers.sort(byText(({ slug }) => slug)) };
};

/** The broker of a review, as its entry has it. */
export interface ReviewedBroker {
  /** Undefined if it is not published. */
  readonly slug: string | undefined;
  /** True while answers may leave its replies out: it is a suspected clone, or was until now. */
  readonly isMute: boolean;
}

/** Returns every field of a review that follows from its entry and from that of its broker. */
export const expectReview = (
  review: Review,
  value: ReviewValue,
  { slug, isMute }: ReviewedBroker,
  open: TextOpener,
): ExpectedFields<Review> => {
  const openText = (field: string, text: string | undefined) => open(reviewKey(review.id), value.texts, field, text);
  const reply = isMute && !review.reply ? undefined : openText('reply', review.reply?.content);
  return {
    id: review.id,
    brokerSlug: slug,
    rating: value.rating,
    identityVerified: value.state === 'published',
    title: openText('title', review.title),
    content: openText('content', review.content),
    author: { displayName: openText('author', review.author.displayName) },
    ...(reply === undefined ? {} : { reply: { content: reply } }),
  };
};

/** Returns every field of a news item that follows from its entry. */
export const expectNews = (
  item: NewsItem,
  value: NewsValue,
  log: Pick<RecordState, 'findSlug'>,
  open: TextOpener,
): ExpectedFields<NewsItem> => {
  const { brokers, regulators, texts, ...fields } = value;
  const key = newsKey(item.id);
  return {
    ...fields,
    id: item.id,
    title: open(key, texts, 'title', item.title),
    summary: open(key, texts, 'summary', item.summary),
    brokerSlugs: [...new Set(brokers.map((name) => log.findSlug(name) ?? name))],
    regulatorCodes: regulators,
  };
};

export const reviewKey = (id: string): string => entryKey('review', id);
export const newsKey = (id: string): string => entryKey('news', id);
export const regulatorKey = (code: string): string => entryKey('regulator', code);
