import {
  addComplaintMonths,
  type BrokerValue,
  type ComplaintsValue,
  entryKey,
  type LicenseValue,
  mayReply,
  parseEntryKey,
  type RatedFacts,
  type RegulatorValue,
  type ReviewValue,
  scoreFromRecord,
  type WarningValue,
} from '@broker-transparency/contract/record';
import { METHODOLOGIES } from '@broker-transparency/contract/score';
import { canonicalJson, type DayPart } from '@broker-transparency/log';
import { compareFields, type Difference } from '../audit/compare.ts';
import { compareBroker, compareReview } from '../audit/compare-answers.ts';
import { expectBroker, type ReviewedBroker, reviewKey } from '../audit/expected.ts';
import { FIELDS } from '../audit/fields.ts';
import { lacksRandomBytes } from '../audit/texts.ts';
import { isShown } from '../audit/values.ts';
import type { BrokerDetail, Review } from '../generated/api.ts';
import type { BrokerAt } from '../generated/record.ts';
import { checkDay } from '../verify/day.ts';
import { hashText } from '../verify/platform.ts';
import type { ScoreEvidence } from './answer-level.ts';
import { type AnswerTexts, brokerKey, type Evidence, type LoggedEntry } from './evidence.ts';

/** The score of a broker on the newest day of the log, not yet proven. */
export interface DayScore {
  readonly key: string;
  readonly part: DayPart;
}

/** The result of a comparison with the record. */
export interface ComparedAnswer {
  /** Fields that differ. */
  readonly differences: readonly Difference[];
  /** Fields that the record does not determine, or whose text nobody can check any more. */
  readonly unproven: readonly string[];
  readonly score?: ScoreEvidence;
}

/** Returns the texts of a review by field. */
export const listReviewTexts = ({ id, title, content, author, reply }: Review) =>
  [reviewKey(id), { title, content, author: author?.displayName, reply: reply?.content }] as const;

/** Parts differences from texts that nobody can check any more: their random bytes go when they change. */
const partUnopened = (all: readonly Difference[]): Pick<ComparedAnswer, 'differences' | 'unproven'> => ({
  differences: all.filter(({ log }) => !lacksRandomBytes(log)),
  unproven: all.filter(({ log }) => lacksRandomBytes(log)).map(({ path }) => path),
});

/** Returns the fields of a review that are of another form than the contract's, and that the comparison reads. */
const describeMalformedReview = ({ createdAt, author }: Review): Difference[] => [
  ...(typeof createdAt === 'string' ? [] : [{ path: 'createdAt', answer: createdAt, log: undefined }]),
  ...(typeof author === 'object' && author !== null ? [] : [{ path: 'author', answer: author, log: undefined }]),
];

const UNPROVEN_OF_REVIEWS = /* @__PURE__ */ Object.keys(FIELDS.review.apart).filter((path) => path !== 'createdAt');

/** A broker with its names in entries. */
export interface NamedBroker extends ReviewedBroker {
  readonly names: readonly string[];
}

/**
 * Compares a review with its entry.
 * @param isOld true if it is compared with an earlier entry, whose texts may be erased
 */
export const compareReviewAnswer = (
  review: Review,
  { slug, names, isMute }: NamedBroker,
  { entries, open }: Evidence,
  isOld: boolean,
): ComparedAnswer => {
  const value = entries.get(reviewKey(review.id))?.value as ReviewValue | null | undefined;
  if (!value || !isShown(value))
    return { differences: [{ path: 'id', answer: review.id, log: value?.state }], unproven: [] };
  const malformed = describeMalformedReview(review);
  if (malformed.length > 0) return { differences: malformed, unproven: [] };
  const owner = names.includes(value.broker) ? slug : value.broker;
  const all = compareReview(review, value, { slug: owner, isMute }, open);
  const { differences, unproven } = isOld ? partUnopened(all) : { differences: all, unproven: [] };
  return { differences, unproven: [...UNPROVEN_OF_REVIEWS, ...unproven] };
};

/** Returns whether this package has the arithmetic by which the record scores a broker. */
export const canScore = ({ score: { methodologyVersion } }: BrokerAt): boolean =>
  METHODOLOGIES.some(({ version }) => version === methodologyVersion);

/** Fields of an answer that are lists, which the comparison reads. */
const LISTS = ['complaintsByMonth', 'provenance', 'recentReviews', 'warnings'] as const;

/** Counts of a month. None is above the first. */
const COUNTS = ['closed', 'resolved', 'timely'] as const;

/** Returns the paths of what the comparison cannot read as a list, a month or a count. */
const listUnreadable = (answer: BrokerDetail): string[] => {
  const lists = LISTS.filter((name) => !Array.isArray(answer[name]));
  if (lists.length > 0) return lists;
  return answer.complaintsByMonth.flatMap((one, at) => [
    ...(/^\d{4}-\d\d$/.test(one?.month) ? [] : [`complaintsByMonth[${at}].month`]),
    ...(COUNTS.every((name) => Number.isInteger(one?.[name]) && one[name] <= one.closed)
      ? []
      : COUNTS.map((name) => `complaintsByMonth[${at}].${name}`)),
  ]);
};

/** Returns the difference of an answer that has another form than an API's. */
export const describeMalformed = (answer: BrokerDetail, error: Error): Difference[] => {
  const wrong = listUnreadable(answer);
  return (wrong.length === 0 ? ['*'] : wrong).map((path) => ({ path, answer: error.message, log: undefined }));
};

/** Returns the values of facts of a kind. */
const listValues = <T>({ facts }: BrokerAt, kind: string): T[] =>
  facts.flatMap((fact) => (fact.kind === kind ? [fact.value as T] : []));

const toRatedFacts = (at: BrokerAt, broker: BrokerValue): RatedFacts => ({
  broker,
  licenses: listValues<LicenseValue>(at, 'license'),
  warnings: listValues<WarningValue>(at, 'warning'),
  tiers: new Map(listValues<RegulatorValue>(at, 'regulator').map(({ code, tier }) => [code, tier])),
  ratingsByMonth: at.ratingsByMonth,
  complaintsByMonth: addComplaintMonths(listValues<ComplaintsValue>(at, 'complaints').flatMap(({ months }) => months)),
});

/** Returns the entry about the broker itself. */
export const findProfile = ({ facts }: BrokerAt) => facts.find(({ kind }) => kind === 'broker');

/** Returns a broker with the names by which entries about its reviews call it. */
export const nameBroker = (slug: string, key: string, { merged = [], status }: BrokerValue): NamedBroker => ({
  slug,
  names: [parseEntryKey(key)[1] as string, ...merged],
  isMute: !mayReply({ status }),
});

const methodologyKey = (version: string): string => entryKey('methodology', version);

/** Returns the keys of the entries that the answer about a broker rests on. */
export const listBrokerAnswerKeys = (answer: BrokerDetail, at: BrokerAt, day: DayScore | undefined): string[] => {
  const { successor } = (findProfile(at)?.value ?? {}) as { successor?: string };
  return [
    ...at.facts.map(({ key }) => key),
    ...answer.recentReviews.map(({ id }) => reviewKey(id)),
    ...[answer.score.methodologyVersion, at.score.methodologyVersion].map(methodologyKey),
    ...(successor === undefined ? [] : [brokerKey(successor)]),
    ...(day ? [day.key] : []),
  ];
};

/** Returns the texts of the answer about a broker. */
export const listBrokerTexts = ({ recentReviews, description }: BrokerDetail, at: BrokerAt): AnswerTexts =>
  new Map<string, Readonly<Record<string, string | undefined>>>([
    [findProfile(at)?.key ?? '', { description }],
    ...recentReviews.map(listReviewTexts),
  ]);

/** Returns the facts that the log has otherwise. */
const compareFacts = async (at: BrokerAt, entries: Evidence['entries']): Promise<Difference[]> => {
  const differences: Difference[] = [];
  for (const { key, number, value } of at.facts) {
    const logged: LoggedEntry | undefined = entries.get(key);
    const text = canonicalJson(value);
    const isSame =
      logged?.valueHash === undefined
        ? canonicalJson(logged?.value ?? null) === text
        : (await hashText(text)) === logged.valueHash;
    if (logged?.number !== number || !isSame)
      differences.push({ path: `record of ${key}`, answer: value, log: logged?.value });
  }
  return differences;
};

const NIGHTLY = ['complaintSummary', 'complaintsByMonth'] as const;

/** Returns the differences from the counts of complaints that the record has since the last night. */
const compareComplaints = (
  answer: BrokerDetail,
  at: BrokerAt,
  { complaintsByMonth }: Pick<RatedFacts, 'complaintsByMonth'>,
): Difference[] => {
  const own = listValues<ComplaintsValue>(at, 'complaints').find(({ summary }) => summary !== undefined);
  const counts = { complaintSummary: own?.summary, complaintsByMonth };
  return NIGHTLY.flatMap((name) => {
    const paths = Object.keys(FIELDS.broker.apart).filter((path) => path.replace('[]', '').startsWith(`${name}.`));
    return compareFields({ [name]: answer[name] }, { [name]: counts[name] }, paths);
  });
};

/** Returns whether the newest day of the log has the score that these facts give. */
const compareDay = async (
  at: BrokerAt,
  facts: RatedFacts,
  day: DayScore | undefined,
  entries: Evidence['entries'],
): Promise<ScoreEvidence> => {
  const entry = day && entries.get(day.key);
  if (!entry) return 'unconfirmed';
  const { date, ...said } = await checkDay(day.part, entry);
  const { value, color } = scoreFromRecord(facts, at.score.methodologyVersion, `${date}T00:00:00.000Z`);
  const isSame = said.slug === facts.broker.slug && said.value === value && said.color === color;
  return isSame ? 'confirmed' : 'unconfirmed';
};

const UNPROVEN_OF_BROKERS = /* @__PURE__ */ Object.keys(FIELDS.broker.apart).filter(
  (path) => path !== 'recentReviews[].createdAt' && !NIGHTLY.some((name) => path.startsWith(name)),
);

/**
 * Fields that no proof of single entries shows. Each needs every licence, warning, complaint or review, as sums of
 * ratings do. The day confirms the value and the colour that follow from them, which other sums can give too.
 */
const UNPROVEN_WITHOUT_ALL_ENTRIES = [
  'ratingsByMonth',
  'ratingSummary',
  'score.rawValue',
  'score.confidence',
  'score.components',
  'score.caps',
  'complaintsByMonth.length',
  'licenses.length',
  'recentReviews.length',
  'warnings.length',
];

/**
 * Compares the answer about a broker with what the record says of it.
 * @param isOld true if it is compared with an earlier state of the record
 * @throws VerifyError if the score of the day is not that of its entry
 */
export const compareBrokerAnswer = async (
  answer: BrokerDetail,
  at: BrokerAt,
  {
    day,
    evidence,
    isOld,
  }: { readonly day: DayScore | undefined; readonly evidence: Evidence; readonly isOld: boolean },
): Promise<ComparedAnswer> => {
  const { entries, open } = evidence;
  const inForce = at.score.methodologyVersion;
  const profile = findProfile(at);
  if (!profile) return { differences: [{ path: 'slug', answer: answer.slug, log: undefined }], unproven: [] };
  const value = profile.value as unknown as BrokerValue;
  const facts = toRatedFacts(at, value);
  const broker = nameBroker(answer.slug, profile.key, value);
  const versions = [answer.score.methodologyVersion, inForce].filter((one) => entries.has(methodologyKey(one)));
  const findSlug = (name: string) => (entries.get(brokerKey(name))?.value as BrokerValue | null | undefined)?.slug;
  const known = { key: broker.names[0] as string, facts, complaints: null };
  const own = expectBroker(answer, { known, ratingsByMonth: at.ratingsByMonth }, { findSlug, versions }, open);
  const all = [...(await compareFacts(at, entries)), ...compareBroker(answer, own)];
  const { differences, unproven } = isOld ? partUnopened(all) : { differences: all, unproven: [] };
  const reviews = answer.recentReviews.map((review) => compareReviewAnswer(review, broker, evidence, isOld));
  const inReviews = reviews.flatMap((one, at) =>
    one.differences.map((each) => ({ ...each, path: `recentReviews[${at}].${each.path}` })),
  );
  const complaints = compareComplaints(answer, at, facts);
  const isScoredOtherwise = complaints.some(({ path }) => path.startsWith('complaintsByMonth'));
  const found = [...differences, ...inReviews];
  return {
    // complaints of today change the score before the record has them: they contradict nothing, and prove no score
    differences: found.length === 0 ? [] : [...found, ...complaints],
    unproven: [
      ...UNPROVEN_OF_BROKERS,
      ...UNPROVEN_WITHOUT_ALL_ENTRIES,
      ...unproven,
      ...reviews.flatMap(({ unproven: texts }, at) =>
        texts.filter((path) => !UNPROVEN_OF_REVIEWS.includes(path)).map((path) => `recentReviews[${at}].${path}`),
      ),
      ...complaints.map(({ path }) => path),
      ...(isScoredOtherwise ? ['score', 'color'] : []),
    ],
    score: isScoredOtherwise ? 'otherwise' : await compareDay(at, facts, day, entries),
  };
};
