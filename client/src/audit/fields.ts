/*
 * The fields of the API's answers that an audit compares with the log, and those that the log does not determine. Every
 * field of the contract is in one of both lists. A path has a dot before a field, and `[]` after a list.
 */

/** Reasons why the log does not determine a field. */
export const REASONS = {
  looked: 'when somebody looked at a source: it changes every day and says nothing new',
  computed: 'when the answer was computed: the score that it has must follow from the log for this time',
  nightly: 'the log has counts of complaints once a night: a difference is listed apart, as not in the log yet',
  month: 'the log has the month alone, which is compared',
  unlogged: 'it is in no entry, since no score follows from it',
  regulators: 'it repeats what the answers about regulators say, which are compared',
  dispute: 'it is in an entry of its own, which an audit compares apart',
  others: 'it repeats what the broker’s own answer says, which is compared if it is in the sample',
} as const;
/** One of {@link REASONS}. */
export type Reason = keyof typeof REASONS;

/** The fields of one kind of answer. */
export interface AnswerFields {
  /** Fields that follow from the log. */
  readonly compared: readonly string[];
  /** Fields that do not, each with the reason. */
  readonly apart: Readonly<Record<string, Reason>>;
}

const under = (prefix: string, ...names: readonly string[]): string[] => names.map((name) => `${prefix}.${name}`);
const because = (reason: Reason, ...paths: readonly string[]): Record<string, Reason> =>
  Object.fromEntries(paths.map((path) => [path, reason]));

const describeReviews = (): AnswerFields => ({
  compared: [
    'id',
    'brokerSlug',
    'rating',
    'identityVerified',
    'title',
    'content',
    'author.displayName',
    'reply.content',
  ],
  apart: {
    ...because('month', 'createdAt'),
    ...because('unlogged', 'language', 'author.country', 'publishedAt', 'reply.createdAt'),
  },
});

/** The facts of a regulator's rules, which answers about brokers repeat. */
const listRules = (): string[] => [
  'complaintsUrl',
  ...under('protections.compensationLimit', 'amount', 'currency'),
  ...under('protections', 'negativeBalance', 'segregation', 'retailLeverageCap', 'retailLeveragedFx'),
  ...under('sources[]', 'fact', 'url'),
];

const describeSummaries = (): AnswerFields => ({
  compared: [
    'id',
    'slug',
    'name',
    'legalName',
    'tradingNames',
    'lei',
    'website',
    'domains',
    'country',
    'foundedYear',
    'description',
    'status',
    'successor',
    ...under('predecessors[]', 'slug', 'name', 'how', 'until'),
    'color',
    ...under('score', 'value', 'rawValue', 'color', 'methodologyVersion'),
    ...under('score.confidence', 'level', 'effectiveReviews', 'low', 'high'),
    ...under('score.components[]', 'key', 'weight', 'score', 'contribution', 'inputs', 'explanation'),
    ...under('score.caps[]', 'code', 'limit', 'reason'),
    ...under('ratingSummary', 'average', 'bayesianAverage', 'count'),
    ...under('ratingSummary.distribution', '1', '2', '3', '4', '5'),
    'licenseCount',
    ...under('licenseCounts', 'confirmed', 'held', 'claimed'),
    'bestTier',
    ...under('warnings[]', 'source', 'url', 'title', 'publishedAt', 'dating', 'withdrawnAt'),
    ...under('warnings[]', 'about', 'match', 'correctedAt'),
    'updatedAt',
  ],
  apart: {
    ...because('computed', 'score.computedAt'),
    ...because('looked', 'licensesCheckedAt'),
    ...because(
      'nightly',
      ...under('complaintSummary', 'open', 'overdue', 'closed', 'resolvedRate', 'timelyRate', 'medianResponseDays'),
    ),
  },
});

const describeRegulators = (): AnswerFields => ({
  compared: ['code', 'name', 'country', 'tier', 'tierReason', 'website', 'registerUrl', ...listRules(), 'brokerCount'],
  apart: because('looked', 'lastVerifiedAt', 'registerReadAt', 'stale'),
});

/** The kinds of answers that an audit reads. */
export type AnswerKind = 'summary' | 'broker' | 'regulatorSummary' | 'regulator' | 'review' | 'news';

const describeBrokers = (summary: AnswerFields, review: AnswerFields): AnswerFields => ({
  compared: [
    ...summary.compared,
    ...under('entities[]', 'legalName', 'lei', 'country', 'retailClients', 'regulationScore'),
    ...under('entities[].serves', 'countries', 'sourceUrl', 'asOf'),
    ...under('licenses[].entity', 'legalName', 'lei'),
    ...under(
      'licenses[]',
      'regulatorCode',
      'referenceNumber',
      'type',
      'tier',
      'status',
      'statusEffectiveAt',
      'activeSince',
      'permissions',
      'notifiedCountries',
      'issuedAt',
      'expiresAt',
      'sourceUrl',
    ),
    ...under('ratingsByMonth[]', 'month', 'count', 'sum', 'sumOfSquares'),
    ...under('ratingsByMonth[].distribution', '1', '2', '3', '4', '5'),
    ...under('checklist[]', 'key', 'met', 'sourceUrl'),
    ...under('provenance[]', 'fact', 'sourceUrl', 'attribution'),
    ...under('provenance[].statedBy', 'kind', 'name'),
    ...under('provenance[].contradicted[]', 'field', 'says', 'sourceUrl'),
    ...under('provenance[].contradicted[].source', 'kind', 'name'),
    ...under('recentReviews[]', ...review.compared),
  ],
  apart: {
    ...summary.apart,
    ...because('looked', 'licenses[].lastVerifiedAt', 'licenses[].stale', 'checklist[].checkedAt'),
    ...because('looked', 'provenance[].lastVerifiedAt', 'provenance[].contradicted[].asOf'),
    ...because('unlogged', 'provenance[].contradicted[].overruledBecause'),
    ...because('looked', 'registers[].readAt', 'registers[].readUntil', 'registers[].rules.lastVerifiedAt'),
    ...because('regulators', ...under('registers[]', 'code', 'name', 'country', 'registerUrl')),
    ...because('regulators', ...under('registers[].rules', ...listRules())),
    ...because('dispute', ...under('disputes[]', 'reference', 'field', 'status', 'since', 'dueAt', 'decidedAt')),
    ...because('dispute', ...under('disputes[]', 'change', 'statement')),
    ...because('unlogged', 'disputes[].text'),
    ...because('nightly', ...under('complaintsByMonth[]', 'month', 'closed', 'resolved', 'timely')),
    ...Object.fromEntries(
      Object.entries(review.apart).map(([path, reason]): [string, Reason] => [`recentReviews[].${path}`, reason]),
    ),
  },
});

const describeAnswers = (): Readonly<Record<AnswerKind, AnswerFields>> => {
  const review = describeReviews();
  const summary = describeSummaries();
  const regulator = describeRegulators();
  return {
    summary,
    broker: describeBrokers(summary, review),
    regulatorSummary: regulator,
    regulator: {
      compared: [
        ...regulator.compared,
        'brokers[].slug',
        ...under('brokers[].licenses[]', 'entity', 'referenceNumber', 'status'),
      ],
      apart: { ...regulator.apart, ...because('others', ...under('brokers[]', 'name', 'status', 'color', 'score')) },
    },
    review,
    news: {
      compared: [
        'id',
        'url',
        'source',
        'category',
        'severity',
        'brokerSlugs',
        'regulatorCodes',
        'language',
        'publishedAt',
        'dating',
        'correctedAt',
        'title',
        'summary',
      ],
      apart: {},
    },
  };
};

/** The fields of each kind of answer that an audit reads. */
export const FIELDS: Readonly<Record<AnswerKind, AnswerFields>> = /* @__PURE__ */ describeAnswers();
