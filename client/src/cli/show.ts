import type {
  BrokerDetail,
  BrokerSummary,
  ComplaintReceipt,
  NewsItem,
  Regulator,
  RegulatorDetail,
  Review,
  SubmittedReview,
} from '@broker-transparency/client';
import type { VerifiedPublication } from '@broker-transparency/client/verify';
import type { AnswerComparison } from '@broker-transparency/client/verify/node';
import type { AuditCheck, FieldLists } from './audit.ts';
import type { ScoreCheck } from './check.ts';
import type { CopyResult, FolderCheck } from './enterprise.ts';
import { type Cell, plain, section, table, toJson } from './table.ts';
import type { ProofCheck } from './verify.ts';

/** Returns the date of a timestamp. */
const formatDay = (time: string | null | undefined): string => time?.slice(0, 10) ?? '–';

const formatFields = (rows: readonly (readonly [name: string, value: Cell])[]): string => {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${plain(value)}`).join('\n');
};

const roundPoints = (points: number): Cell => Math.round(points * 100) / 100;

export const showBrokers = (brokers: readonly BrokerSummary[]): string =>
  table(
    ['slug', 'name', 'color', 'score', 'confidence', 'licences', 'reviews', 'country'],
    brokers.map(({ slug, name, color, score, licenseCount, ratingSummary, country }) => [
      slug,
      name,
      color,
      score.value,
      score.confidence.level,
      licenseCount,
      ratingSummary.count,
      country,
    ]),
  );

const showScore = ({ score }: BrokerDetail): string[] => [
  ...section(
    `Score ${plain(score.value)}, ${plain(score.color)}, by methodology ${plain(score.methodologyVersion)}`,
    ['component', 'weight', 'score', 'points', ''],
    score.components.map(({ key, weight, score: points, contribution, explanation }) => [
      key,
      weight,
      roundPoints(points),
      roundPoints(contribution),
      explanation,
    ]),
  ),
  ...score.caps.map(({ limit, reason }) => `at most ${plain(limit)}: ${plain(reason)}`),
];

export const showBroker = (broker: BrokerDetail): string => {
  const { score, ratingSummary: rating, complaintSummary: complaints } = broker;
  const { level, low, high } = score.confidence;
  return [
    formatFields([
      ['name', `${broker.name} (${broker.slug})`],
      ['legal name', `${broker.legalName}, ${broker.country}`],
      ['website', broker.website],
      ['status', broker.status],
      ['rating', `${plain(rating.average)} stars of ${plain(rating.count)} reviews`],
      ['complaints', `${complaints.open} open, ${complaints.overdue} overdue, ${complaints.closed} closed`],
      ['confidence', `${level}, ${plain(low)} to ${plain(high)}`],
      ['licences checked', formatDay(broker.licensesCheckedAt)],
    ]),
    ...showScore(broker),
    ...section(
      'Licences',
      ['regulator', 'number', 'tier', 'type', 'status', 'verified', 'entity'],
      broker.licenses.map(({ regulatorCode, referenceNumber, tier, type, status, lastVerifiedAt, entity }) => [
        regulatorCode,
        referenceNumber,
        tier,
        type,
        status,
        formatDay(lastVerifiedAt),
        entity.legalName,
      ]),
    ),
    ...section(
      'Warnings',
      ['published', 'withdrawn', 'about', 'source', 'title'],
      broker.warnings.map(({ publishedAt, withdrawnAt, about, source, title }) => [
        formatDay(publishedAt),
        formatDay(withdrawnAt),
        about,
        source,
        title,
      ]),
    ),
  ].join('\n');
};

export const showRegulators = (regulators: readonly Regulator[]): string =>
  table(
    ['code', 'tier', 'country', 'brokers', 'name'],
    regulators.map(({ code, tier, country, brokerCount, name }) => [code, tier, country, brokerCount, name]),
  );

export const showRegulator = (regulator: RegulatorDetail): string =>
  [
    formatFields([
      ['name', `${regulator.name} (${regulator.code})`],
      ['country', regulator.country],
      ['tier', `${regulator.tier}: ${regulator.tierReason}`],
      ['register', regulator.registerUrl],
      ['complaints', regulator.complaintsUrl],
    ]),
    ...section(
      `Brokers: ${plain(regulator.brokerCount)}`,
      ['slug', 'name', 'color', 'score', 'numbers'],
      regulator.brokers.map(({ slug, name, color, score, licenses }) => [
        slug,
        name,
        color,
        score,
        licenses.map(({ referenceNumber }) => referenceNumber).join(', '),
      ]),
    ),
  ].join('\n');

export const showReviews = (reviews: readonly Review[]): string =>
  table(
    ['published', 'rating', 'author', 'verified', 'title'],
    reviews.map(({ publishedAt, rating, author, identityVerified, title }) => [
      formatDay(publishedAt),
      rating,
      author.displayName,
      identityVerified ? 'yes' : 'no',
      title,
    ]),
  );

export const showNews = (news: readonly NewsItem[]): string =>
  table(
    ['published', 'severity', 'category', 'source', 'title'],
    news.map(({ publishedAt, severity, category, source, title }) => [
      formatDay(publishedAt),
      severity,
      category,
      source,
      title,
    ]),
  );

export const showSubmitted = (submitted: SubmittedReview | ComplaintReceipt): string =>
  formatFields([
    ['reference' in submitted ? 'reference' : 'id', 'reference' in submitted ? submitted.reference : submitted.id],
    ['broker', submitted.brokerSlug],
    ['status', submitted.status],
  ]);

/** Returns the most important value of a part for a table: its points or level. */
const summarisePart = (value: unknown): Cell => {
  if (typeof value !== 'object' || value === null) return value as Cell;
  const { score, level } = value as { score?: number; level?: string };
  return score ?? level ?? JSON.stringify(value);
};

const VERDICTS = {
  true: 'the score is what the methodology makes of the answer',
  false: 'the score is not what the methodology makes of the answer',
};

export const showCheck = ({ slug, matches, parts }: ScoreCheck): string =>
  [
    table(
      ['part', '', 'published', 'recomputed'],
      parts.map((part) => [
        part.part,
        part.matches ? 'matches' : 'DIFFERS',
        summarisePart(part.published),
        summarisePart(part.recomputed),
      ]),
    ),
    ...parts
      .filter((part) => !part.matches)
      .map(({ part, published, recomputed }) => {
        const [was, is] = [published, recomputed].map((value) => plain(JSON.stringify(value)));
        return `\n${part}\n  published   ${was}\n  recomputed  ${is}`;
      }),
    `\n${plain(slug)}: ${VERDICTS[`${matches}`]}`,
  ].join('\n');

const LEVELS = {
  logged: 'logged: the log alone says so. Without witnesses its operator could show somebody else another history',
  witnessed: 'witnessed: enough witnesses have seen the same log',
};

const toLevelRows = ({ level, witnesses }: Pick<VerifiedPublication, 'level' | 'witnesses'>) => {
  const { verified, known, required, names } = witnesses;
  const whose = names.length === 0 ? '' : ` (${names.join(', ')})`;
  return [
    ['verified', LEVELS[level]],
    ['witnesses', `${verified} of ${known}${whose}; the policy requires ${required}`],
  ] as const;
};

const showPublication = (check: VerifiedPublication): string => {
  const { broker, rating, methodology, log, citation, terms } = check.publication;
  return formatFields([
    ...toLevelRows(check),
    ['log', `${log.origin}, ${check.size} entries`],
    ['seen', check.checkpointTime],
    ['broker', `${plain(broker.name)} (${broker.slug})`],
    ['rating', `${plain(rating.value)}, ${rating.color}, at 00:00 UTC on ${rating.date}`],
    ['methodology', `${methodology.version}, ${methodology.sha256}`],
    ['citation', plain(citation)],
    ['terms', `${terms.text} (not proven)`],
  ]);
};

export const showProof = (check: ProofCheck): string => {
  if (!check.verified) return `NOT VERIFIED: ${plain(check.message)}`;
  if (check.publication) return showPublication(check);
  const { origin, index, size, checkpointTime, score, entry, texts = {}, reviewId, decision, statement } = check;
  return [
    formatFields([
      ...toLevelRows(check),
      ['log', origin],
      ['entry', `number ${index} of ${size}`],
      ['seen', checkpointTime],
      ...(score === undefined
        ? []
        : [['score', `${score.slug} on ${score.date}: ${plain(score.value)}, ${score.color}`] as const]),
      ...Object.entries(texts),
      ...(decision === undefined ? [] : [['review', reviewId] as const, ['decision', decision] as const]),
    ]),
    ...(statement === undefined ? [] : [`\n${toJson(statement)}`]),
    `\n${toJson(entry)}`,
  ].join('\n');
};

/** Maximum printed findings, since one fault makes everything after it wrong. */
const SHOWN = 20;

const LOG_LEVELS = {
  signed: 'signed: by the log alone. Without witnesses its operator could show somebody else another history',
  witnessed: 'witnessed: enough witnesses have seen the same log',
};

const formatVerdict = ({ findings, days, liveFailure }: Extract<AuditCheck, { findings: unknown }>): string => {
  if (findings.length > 0) return 'NOT SOUND.';
  const log =
    days === 0
      ? 'its entries are those that were signed, and it has no day yet'
      : 'every score of every day is what the entries give';
  return liveFailure === undefined
    ? `Sound: ${log}.`
    : `NOT KNOWN: ${log}, but the answers of the API could not be compared.`;
};

/** Prints the compared fields of an answer, and why others were not compared. */
const showFields = (answers: AnswerComparison['answers'], { FIELDS, REASONS }: FieldLists): string[] =>
  Object.entries(FIELDS).flatMap(([kind, { compared, apart }]) => {
    const reasons = [...new Set(Object.values(apart))];
    return [
      `${answers[kind as keyof typeof FIELDS]} × ${kind}: compared ${compared.join(', ')}`,
      ...reasons.map((reason) => {
        const paths = Object.keys(apart).filter((path) => apart[path] === reason);
        return `  not compared, ${REASONS[reason]}: ${paths.join(', ')}`;
      }),
    ];
  });

/** Prints the results of a comparison of answers besides the faults. */
const showComparison = ({ pending, changing, answers }: AnswerComparison, lists: FieldLists): string[] => [
  ...showFields(answers, lists),
  '',
  ...pending.slice(0, SHOWN).map((message) => `NOT IN THE LOG YET: ${plain(message)}`),
  ...(pending.length > SHOWN ? [`and ${pending.length - SHOWN} more`] : []),
  ...(changing.length > 0 ? [`NOT COMPARED, since they changed meanwhile: ${changing.map(plain).join(', ')}`] : []),
];

export const showAudit = (check: AuditCheck): string => {
  if (!('findings' in check)) return `NOT SOUND: ${plain(check.message)}`;
  const { log, entries, days, lastDay, brokers, live, liveFailure, since, findings, sound, fields: lists } = check;
  const more = findings.length - SHOWN;
  return [
    formatFields([
      ['log', log.origin],
      ['entries', `${entries}, which ${sound ? 'lead' : 'should lead'} to the signed root ${log.root}`],
      ['level', LOG_LEVELS[log.level]],
      [
        'days',
        `${days}${lastDay === undefined || days === 0 ? '' : `, the last one ${lastDay} with ${brokers} brokers`}`,
      ],
      ['earlier', since === undefined ? undefined : `a checkpoint of ${since} entries`],
      ['live', liveFailure === undefined ? undefined : `not compared: ${plain(liveFailure)}`],
    ]),
    '',
    ...(live ? showComparison(live, lists) : []),
    ...findings.slice(0, SHOWN).map(({ message }) => `WRONG: ${plain(message)}`),
    ...(more > 0 ? [`and ${more} more`] : []),
    formatVerdict(check),
  ].join('\n');
};

/** Returns the rows of a copy's progress. −1 stands for no entry. */
const showProgress = ({ applied, signed, witnessed }: { applied: number; signed: number; witnessed: number }) =>
  formatFields([
    ['applied', `${applied + 1} entries`],
    ['signed', `${signed + 1} of them`],
    ['witnessed', `${witnessed + 1} of them`],
  ]);

export const showCopy = (copied: CopyResult): string => {
  if ('message' in copied) return `NOT SOUND: ${plain(copied.message)}`;
  const { takenBackTo: back, missingTexts } = copied;
  const more = missingTexts.length - SHOWN;
  return [
    showProgress(copied),
    '',
    ...(back === undefined ? [] : [`The service was restored: what nobody had signed after ${back} was taken back.`]),
    ...missingTexts
      .slice(0, SHOWN)
      .map((text) => `WRONG: the ${plain(text)} is missing, though its entry says that it is public`),
    ...(more > 0 ? [`and ${more} more`] : []),
    missingTexts.length === 0 ? 'Complete: every page has led to the root that it names.' : 'NOT SOUND.',
  ].join('\n');
};

export const showFolder = (check: FolderCheck): string => {
  const { entries, texts, findings } = check;
  const more = findings.length - SHOWN;
  return [
    showProgress(check),
    formatFields([
      ['keys', entries],
      ['texts', texts],
    ]),
    '',
    ...findings.slice(0, SHOWN).map((message) => `WRONG: ${plain(message)}`),
    ...(more > 0 ? [`and ${more} more`] : []),
    findings.length === 0
      ? `Sound: values and texts are those that the entries name, and a signed checkpoint covers the tree up to ${check.signed}.`
      : 'NOT SOUND.',
  ].join('\n');
};
