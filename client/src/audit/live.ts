import {
  type DisputeValue,
  type Entry,
  entryKey,
  MOST_ENDED_DISPUTES,
  mayReply,
  type NewsValue,
  parseEntryKey,
  type ReviewValue,
  ratingMonths,
} from '@broker-transparency/contract/record';
import type { BrokerDetail, BrokerSummary, NewsItem, Regulator, RegulatorDetail, Review } from '../generated/api.ts';
import { compareFields, formatDifference, formatValue } from './compare.ts';
import { compareBroker, compareReview, sortWarnings } from './compare-answers.ts';
import {
  byText,
  expectBroker,
  expectNews,
  expectRegulator,
  listBrokerKeys,
  newsKey,
  regulatorKey,
  reviewKey,
} from './expected.ts';
import { type AnswerKind, FIELDS } from './fields.ts';
import type { Finding } from './log.ts';
import { isCommitted } from './openings.ts';
import type { RecordState, ReplayedBroker } from './record-state.ts';
import { createOpener, type Openings } from './texts.ts';
import { isShown } from './values.ts';

/** Reviews of one broker as its list begins. */
export interface LiveReviews {
  readonly broker: string;
  readonly reviews: readonly Review[];
  /** True if the list has more pages. */
  readonly hasMore: boolean;
}

/** Answers of the API that are compared with the log. */
export interface LiveAnswers {
  readonly brokers: readonly BrokerDetail[];
  /** The same brokers as the list has them. */
  readonly summaries: readonly BrokerSummary[];
  /** Number of brokers in the list. */
  readonly total: number;
  /** Every regulator as the list has it. */
  readonly regulators: readonly Regulator[];
  readonly regulatorDetails: readonly RegulatorDetail[];
  readonly reviews: readonly LiveReviews[];
  readonly news: readonly NewsItem[];
}

/** The result of a comparison of answers. */
export interface AnswerComparison {
  readonly findings: readonly Finding[];
  /** Counts of complaints that are not those of the last night. */
  readonly pending: readonly string[];
  /** Answers that cannot be compared, since the log changed while they were read. */
  readonly changing: readonly string[];
  /** Numbers of compared answers by kind. */
  readonly answers: Readonly<Record<AnswerKind, number>>;
}

const listSlugs = ({ slug, predecessors = [] }: BrokerDetail): string[] => [
  slug,
  ...predecessors.map((former) => former.slug),
];

const ABOUT_BROKERS: readonly string[] = ['broker', 'license', 'warning', 'complaints'] satisfies Entry['kind'][];

/** Returns every review that these answers have. */
const collectReviews = ({ reviews, brokers }: LiveAnswers): Review[] => [
  ...reviews.flatMap((list) => list.reviews),
  ...brokers.flatMap(({ recentReviews }) => recentReviews),
];

/** Returns a function that is true for entries to be kept whole, for the comparison with these answers. */
export const createWatch = (live: LiveAnswers): ((entry: Pick<Entry, 'key' | 'kind'>) => boolean) => {
  const names = new Set(live.brokers.flatMap(listSlugs).map(encodeURIComponent));
  const keys = new Set([
    ...collectReviews(live).map(({ id }) => reviewKey(id)),
    ...live.news.map(({ id }) => newsKey(id)),
  ]);
  return ({ key, kind }) =>
    kind === 'regulator' ||
    keys.has(key) ||
    (ABOUT_BROKERS.includes(kind) && names.has(key.split('/', 2)[1] as string));
};

/** Returns the keys of entries whose texts these answers have. */
export const listTextKeys = (live: LiveAnswers): string[] => [
  ...new Set([
    ...live.brokers.flatMap(listSlugs).map((name) => entryKey('broker', name)),
    ...collectReviews(live).map(({ id }) => reviewKey(id)),
    ...live.news.map(({ id }) => newsKey(id)),
  ]),
];

/** The keys of entries that came while the answers were read. */
type TouchedKeys = ReadonlySet<string>;

/** Returns the keys of what an entry changes the answers about. */
export const listTouchedKeys = ({ key, kind, value }: Pick<Entry, 'key' | 'kind' | 'value'>): string[] => {
  const [, about = ''] = key.split('/');
  if (ABOUT_BROKERS.includes(kind)) return [`broker/${about}`];
  if (kind === 'review' || kind === 'dispute')
    return [key, entryKey('broker', (value as ReviewValue | DisputeValue | null)?.broker ?? '')];
  return [key];
};

const UNTIL_MIDNIGHT = ['complaintSummary', 'complaintsByMonth'] as const;

/** The log with which answers are compared, what opens its commitments, and how many entries it has. */
interface ComparedLog {
  readonly log: RecordState;
  readonly openings: Openings;
  /** The keys of entries that came while the answers were read. */
  readonly touched: TouchedKeys;
  readonly size: number;
}

/** Creates what all comparisons read of the log, and where they note what differs. */
const createNotes = (live: LiveAnswers, { log, openings, touched, size }: ComparedLog) => {
  const findings: Finding[] = [];
  const pending: string[] = [];
  const changing = new Set<string>();
  const addFinding = (message: string): void => {
    findings.push({ message });
  };
  /** Reports what another reading of the log could explain, or notes that the log changed meanwhile. */
  const report = (about: string, keys: readonly string[], messages: readonly string[]): void => {
    if (messages.length === 0) return;
    if (keys.some((key) => touched.has(key))) changing.add(about);
    else for (const message of messages) addFinding(message);
  };
  const compare = (kind: AnswerKind, about: string, answer: object, expected: object): string[] =>
    compareFields(answer, expected, FIELDS[kind].compared).map((difference) => formatDifference(about, difference));

  const known = live.brokers.flatMap(({ slug }) => log.brokers.get(slug) ?? []);
  const keysBySlug = new Map(known.map((broker) => [broker.facts.broker.slug, listBrokerKeys(broker)]));
  const reviews = log.reviewsAbout(new Set([...keysBySlug.values()].flat()));
  /** Returns every review about a broker that is shown. */
  const listReviews = (broker: ReplayedBroker) => listBrokerKeys(broker).flatMap((key) => reviews.get(key) ?? []);
  const open = createOpener(openings, isCommitted);
  /** Returns the keys whose entries change the answers about a broker. */
  const listKeysAbout = (slug: string): string[] => {
    const broker = log.brokers.get(slug);
    if (!broker) return [entryKey('broker', slug)];
    const regulators = broker.facts.licenses.map(({ regulator }) => regulatorKey(regulator));
    return [...listBrokerKeys(broker).map((key) => entryKey('broker', key)), ...regulators];
  };
  return {
    log,
    size,
    open,
    findings,
    pending,
    changing,
    addFinding,
    report,
    compare,
    listReviews,
    listKeysAbout,
    keysBySlug,
  };
};
type Notes = ReturnType<typeof createNotes>;

/** Creates the comparison of reviews, which several answers have. */
const createReviewComparison = ({ log, open, report, listReviews, listKeysAbout }: Notes) => {
  const compared = new Set<Review>();
  const compareListed = (review: Review, slug: string): void => {
    compared.add(review);
    const key = reviewKey(review.id);
    const value = log.findValue(key) as ReviewValue | null | undefined;
    const about = `review ${review.id} of ${slug}`;
    const owner = value ? log.findSlug(value.broker) : undefined;
    const isMute = !mayReply(log.brokers.get(owner ?? '')?.facts.broker ?? { status: '' });
    const keys = [key, ...listKeysAbout(slug)];
    if (!value) report(about, keys, [`${about}: the API publishes it, and the log does not know it`]);
    else if (!isShown(value))
      report(about, keys, [`${about}: the API publishes it, and the log says that it is ${value.state}`]);
    else
      report(about, keys, [
        ...compareReview(review, value, { slug: owner, isMute }, open).map((difference) =>
          formatDifference(about, difference),
        ),
        ...(review.brokerSlug === slug ? [] : [`${about}: the API says brokerSlug ${review.brokerSlug} in its list`]),
      ]);
  };
  const compareReviews = ({ broker: slug, reviews: shown, hasMore }: LiveReviews): void => {
    for (const review of shown) compareListed(review, slug);
    const broker = log.brokers.get(slug);
    if (!broker) return;
    const { length } = listReviews(broker);
    if (hasMore ? shown.length < length : shown.length === length) return;
    report(slug, listKeysAbout(slug), [`${slug}: the API lists ${shown.length} reviews, the log has ${length}`]);
  };
  return { compared, compareListed, compareReviews };
};

/** Creates the comparison of what people and firms sent about a broker. */
const createSubmissionComparison = ({ log, pending, report, listKeysAbout }: Notes) => {
  const compareComplaints = (answer: BrokerDetail, broker: ReplayedBroker): void => {
    const counts = { complaintSummary: broker.complaints?.summary, complaintsByMonth: broker.facts.complaintsByMonth };
    for (const name of UNTIL_MIDNIGHT) {
      if (counts[name] === undefined) continue; // no night has counted yet
      const paths = Object.keys(FIELDS.broker.apart).filter((path) => path.replace('[]', '').startsWith(`${name}.`));
      const differences = compareFields({ [name]: answer[name] }, { [name]: counts[name] }, paths);
      for (const difference of differences) pending.push(formatDifference(answer.slug, difference));
    }
  };
  const compareDisputes = ({ slug, disputes = [] }: BrokerDetail, broker: ReplayedBroker): void => {
    const logged = [...log.disputes].flatMap(([key, { broker: about, ...fields }]) =>
      about === broker.key ? [{ reference: parseEntryKey(key)[1] as string, ...fields }] : [],
    );
    const told = new Set(disputes.map(({ reference }) => reference));
    const isWhole = logged.filter(({ status }) => status !== 'open').length <= MOST_ENDED_DISPUTES;
    const expected = logged.filter(({ reference, status }) => isWhole || status === 'open' || told.has(reference));
    const byReference = byText(({ reference }: { readonly reference?: string | undefined }) => String(reference));
    const differences = compareFields(
      { disputes: disputes.toSorted(byReference) },
      { disputes: expected.sort(byReference) },
      Object.keys(FIELDS.broker.apart).filter((path) => FIELDS.broker.apart[path] === 'dispute'),
    );
    report(
      slug,
      listKeysAbout(slug),
      differences.map((difference) => formatDifference(slug, difference)),
    );
  };
  return { compareComplaints, compareDisputes };
};

/** Creates the comparison of brokers, which several answers have. */
const createBrokerComparison = (
  live: LiveAnswers,
  notes: Notes,
  compareListed: ReturnType<typeof createReviewComparison>['compareListed'],
) => {
  const { log, size, open, addFinding, report, compare, listReviews, listKeysAbout } = notes;
  const { compareComplaints, compareDisputes } = createSubmissionComparison(notes);
  const expectedBySlug = new Map<string, ReturnType<typeof expectBroker>>();
  const compareDetail = (answer: BrokerDetail): void => {
    const { slug } = answer;
    const broker = log.brokers.get(slug);
    if (!broker) {
      report(slug, listKeysAbout(slug), [`the API publishes ${slug}, of which the first ${size} entries know nothing`]);
      return;
    }
    if (!listSlugs(answer).includes(broker.key)) {
      report(slug, listKeysAbout(slug), [
        `${slug}: the API says predecessors without ${broker.key}, its first slug in the log`,
      ]);
      return;
    }
    try {
      const ratingsByMonth = ratingMonths(listReviews(broker).filter(({ state }) => state === 'published'));
      const expected = expectBroker(answer, { known: broker, ratingsByMonth }, log, open);
      expectedBySlug.set(slug, expected);
      const differences = compareBroker(answer, expected);
      report(
        slug,
        listKeysAbout(slug),
        differences.map((difference) => formatDifference(slug, difference)),
      );
      if (Date.parse(answer.score.computedAt) > Date.now() + CLOCKS_DIFFER_MS)
        addFinding(`${slug}: the API says score.computedAt ${answer.score.computedAt}, which is to come`);
    } catch (error) {
      addFinding(`${slug}: its score cannot be recomputed: ${(error as Error).message}`);
    }
    compareComplaints(answer, broker);
    compareDisputes(answer, broker);
    for (const review of answer.recentReviews) compareListed(review, slug);
  };
  const compareSummary = (answer: BrokerSummary): void => {
    const expected = expectedBySlug.get(answer.slug);
    const detail = live.brokers.find(({ slug }) => slug === answer.slug);
    const about = `${answer.slug} in the list`;
    if (!detail) report(about, listKeysAbout(answer.slug), [`${about}: the API has no answer about it`]);
    if (!expected || !detail) return;
    const told = sortWarnings(answer);
    report(about, listKeysAbout(answer.slug), compare('summary', about, told, expected));
    const apart = compareFields(answer, detail, Object.keys(FIELDS.summary.apart));
    report(
      about,
      listKeysAbout(answer.slug),
      apart.map(
        ({ path, answer: said, log: own }) =>
          `${about}: the API says ${path} ${formatValue(said)}, and ${formatValue(own)} by itself`,
      ),
    );
  };
  /** Compares what a regulator's answer repeats of brokers with their own answers. */
  const compareRegulated = ({ code, brokers }: RegulatorDetail): void => {
    for (const { slug, name, status, color, score } of brokers) {
      const expected = expectedBySlug.get(slug) as Partial<BrokerDetail> | undefined;
      if (!expected) continue;
      const own = {
        name: expected.name,
        status: expected.status,
        color: expected.color,
        score: expected.score?.value,
      };
      const about = `${slug} at the regulator ${code}`;
      const differences = compareFields({ name, status, color, score }, own, Object.keys(own));
      report(
        about,
        listKeysAbout(slug),
        differences.map((difference) => formatDifference(about, difference)),
      );
    }
  };
  return { compareDetail, compareSummary, compareRegulated };
};

/** Compares answers of the API with the log. */
export const compareLive = (live: LiveAnswers, compared: ComparedLog): AnswerComparison => {
  const notes = createNotes(live, compared);
  const { log, open, findings, pending, changing, report, compare, listKeysAbout, keysBySlug } = notes;
  const reviews = createReviewComparison(notes);
  const { compareDetail, compareSummary, compareRegulated } = createBrokerComparison(
    live,
    notes,
    reviews.compareListed,
  );
  const brokerKeys = [...keysBySlug.keys()].flatMap(listKeysAbout);
  const compareRegulator = (kind: 'regulator' | 'regulatorSummary', answer: Regulator): void => {
    const key = regulatorKey(answer.code);
    const value = log.findValue(key);
    if (!value) {
      report(answer.code, [key], [`the API publishes the regulator ${answer.code}, which the log does not`]);
      return;
    }
    const expected = expectRegulator(answer, value, log);
    const told =
      kind === 'regulator'
        ? { ...answer, brokers: (answer as RegulatorDetail).brokers.toSorted(byText(({ slug }) => slug)) }
        : answer;
    const about = kind === 'regulator' ? `regulator ${answer.code}` : `regulator ${answer.code} in the list`;
    report(about, [key, ...brokerKeys], compare(kind, about, told, expected));
    if (kind === 'regulator') compareRegulated(answer as RegulatorDetail);
  };
  const compareNews = (item: NewsItem): void => {
    const key = newsKey(item.id);
    const value = log.findValue(key) as NewsValue | null | undefined;
    const about = `news item ${item.id}`;
    if (!value) report(about, [key], [`${about}: the API publishes it, and the log does not`]);
    else report(about, [key], compare('news', about, item, expectNews(item, value, log, open)));
  };

  for (const answer of live.brokers) compareDetail(answer);
  for (const answer of live.summaries) compareSummary(answer);
  if (live.brokers.length > 0 && live.total !== log.brokers.size)
    report(
      'the list of brokers',
      [...compared.touched],
      [`the API lists ${live.total} brokers, the log has ${log.brokers.size}`],
    );
  for (const answer of live.regulators) compareRegulator('regulatorSummary', answer);
  for (const answer of live.regulatorDetails) compareRegulator('regulator', answer);
  for (const list of live.reviews) reviews.compareReviews(list);
  for (const item of live.news) compareNews(item);
  return {
    findings,
    pending,
    changing: [...changing],
    answers: {
      broker: live.brokers.length,
      summary: live.summaries.length,
      regulator: live.regulatorDetails.length,
      regulatorSummary: live.regulators.length,
      review: reviews.compared.size,
      news: live.news.length,
    },
  };
};

/** Clocks of two machines differ by less. */
const CLOCKS_DIFFER_MS = 300_000;
