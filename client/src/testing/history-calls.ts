import type {
  BrokerThen,
  BrokerTimeline,
  Correction,
  EnterpriseBrokersListQuery,
  EnterpriseBrokersTimelineQuery,
  EnterpriseMediaCorrectionsQuery,
  EnterpriseMediaMoversQuery,
  EnterpriseRegulatorsGetQuery,
  EnterpriseRegulatorsListQuery,
  Mover,
  Movers,
  RegulatorThen,
} from '@broker-transparency/client/enterprise';
import { entryKey, type LicenseValue, parseEntryKey } from '@broker-transparency/contract/record';
import { isHeld } from './build-broker.ts';
import type { CallContext } from './call.ts';
import { LOG_ORIGIN } from './log.ts';
import { CallRefusal } from './policy.ts';
import { type EffectiveEntry, type NumberedEntry, type ScoredDay, toEntryView, toPublishedValue } from './record.ts';
import { requireBroker } from './submissions.ts';

/** A query after validation, with its defaults. */
type PagedQuery<Query> = Query & { readonly limit: number };

/** Causes that one change of a score names at most. */
const MOST_CAUSES = 20;

const toWinnerView = (entry: NumberedEntry) => ({ ...toEntryView(entry), value: toPublishedValue(entry) ?? {} });

const getName = (subject: string): string => parseEntryKey(subject)[1] as string;

/** Returns a page of subjects behind a cursor, which is the name of the last one before. */
const sliceSubjects = (
  subjects: readonly string[],
  { cursor = '', limit }: PagedQuery<{ readonly cursor?: string | undefined }>,
) => {
  const rest = subjects.filter((subject) => getName(subject) > cursor);
  const page = rest.slice(0, limit);
  const nextCursor = rest.length > limit ? getName(page.at(-1) as string) : null;
  return { page, pagination: { limit, nextCursor } };
};

const countLicenses = (winners: readonly EffectiveEntry[]): number =>
  winners.flatMap(({ kind, value }) => (kind === 'license' ? (value as LicenseValue).holders.filter(isHeld) : []))
    .length;

/** Answers `brokers.list`. */
export const listBrokersThen = (
  query: PagedQuery<EnterpriseBrokersListQuery>,
  { state: { record }, at }: CallContext,
) => {
  const times = record.resolveTimes(query, at);
  const subjects = record.listSubjects('broker').filter((subject) => record.findScored(subject, times));
  const { page, pagination } = sliceSubjects(subjects, query);
  const data = page.flatMap((subject): BrokerThen[] => {
    const found = record.findScored(subject, times);
    const profile = found?.winners.find(({ kind }) => kind === 'broker');
    if (found === undefined || profile === undefined) return [];
    const { slug, name, score, winners } = found;
    const licenses = countLicenses(winners);
    return [{ slug, name, score: score.value, color: score.color, licenses, entry: profile.number }];
  });
  return { ...times, data, pagination };
};

/** Answers `regulators.list`. */
export const listRegulatorsThen = (query: EnterpriseRegulatorsListQuery, { state: { record }, at }: CallContext) => {
  const times = record.resolveTimes(query, at);
  const winners = record.listSubjects('regulator').flatMap((subject) => record.findWinners(subject, times));
  return { ...times, data: winners.map(toWinnerView) };
};

/**
 * Answers `regulators.get`.
 * @throws CallRefusal `regulator_not_found`
 */
export const readRegulatorThen = (
  code: string,
  query: PagedQuery<EnterpriseRegulatorsGetQuery>,
  { state: { record }, at }: CallContext,
): RegulatorThen => {
  const times = record.resolveTimes(query, at);
  const [regulator] = record.findWinners(entryKey('regulator', code), times);
  if (regulator === undefined)
    throw new CallRefusal('regulator_not_found', `No regulator had the code "${code}" then.`);
  const findLicenses = (subject: string) =>
    record
      .findWinners(subject, times)
      .filter(({ kind, value }) => kind === 'license' && (value as LicenseValue).regulator === code);
  const subjects = record.listSubjects('broker').filter((subject) => findLicenses(subject).length > 0);
  const { page, pagination } = sliceSubjects(subjects, query);
  const brokers = page.map((subject) => {
    const { slug, name } = record.findScored(subject, times) ?? { slug: getName(subject), name: '' };
    return { slug, name, licenses: findLicenses(subject).map(toWinnerView) };
  });
  return { ...times, regulator: toWinnerView(regulator), brokers, pagination };
};

/**
 * Answers `brokers.timeline`.
 * @throws CallRefusal `broker_not_found`
 */
export const readTimeline = (
  asked: string,
  query: PagedQuery<EnterpriseBrokersTimelineQuery>,
  { state, at }: CallContext,
): BrokerTimeline => {
  const { record } = state;
  const { slug } = requireBroker(state, asked);
  const subject = entryKey('broker', slug);
  const { knownAt, validAt } = record.resolveTimes(query, at);
  const scoreAt = (number: number, time: string) => {
    const found = record.findScored(subject, { knownAt: number, validAt: time });
    return found ? { value: found.score.value, color: found.score.color } : null;
  };
  const findFormer = ({ key, number }: NumberedEntry) => {
    const former = record.findAbout(subject).findLast((entry) => entry.key === key && entry.number < number);
    return former ? toPublishedValue(former) : null;
  };
  const steps = record.listChanges(slug).map((change) => {
    const [first, last] = [change[0] as NumberedEntry, change.at(-1) as NumberedEntry];
    const score = { before: scoreAt(first.number - 1, last.time), after: scoreAt(last.number, last.time) };
    const isSame = JSON.stringify(score.before) === JSON.stringify(score.after);
    return change.flatMap((entry) => {
      if (entry.kind !== 'license') return isSame ? [] : [{ ...toEntryView(entry), score }];
      const license = { before: findFormer(entry), after: toPublishedValue(entry) };
      return [{ ...toEntryView(entry), score, license }];
    });
  });
  const { from = 0, limit } = query;
  const wanted = steps
    .filter((step) => step.some(({ number }) => number >= from && number <= knownAt))
    .filter((step) => step.every(({ time }) => query.validAt === undefined || time <= validAt));
  const data: BrokerTimeline['data'] = [];
  let read = 0;
  for (; read < wanted.length && data.length < limit; read++) data.push(...(wanted[read] ?? []));
  const since = record.findAbout(subject)[0]?.time ?? '';
  return { slug, since, knownAt, data, next: wanted[read]?.[0]?.number ?? null };
};

const formatSource = (...entries: readonly number[]): string =>
  `Source: ${LOG_ORIGIN.split('/')[0]}, ${entries.length > 1 ? 'entries' : 'entry'} ${entries.join(' and ')} of the log ${LOG_ORIGIN}.`;

const toDayScore = ({ date, number, rows }: ScoredDay, slug: string) => {
  const [, value = null, color = 'gray' as const] = rows.find((row) => row[0] === slug) ?? [];
  return { value, color, date, entry: number };
};

const buildMover = (slug: string, then: ScoredDay, now: ScoredDay, { state: { record } }: CallContext): Mover[] => {
  const [from, to] = [toDayScore(then, slug), toDayScore(now, slug)];
  if (from.value === null || to.value === null || from.value === to.value) return [];
  const change = Math.round((to.value - from.value) * 100) / 100;
  const causes = record
    .findAbout(entryKey('broker', slug))
    .filter(({ number }) => number >= then.through && number < now.through)
    .reverse();
  const formatScore = ({ value, color, date }: Mover['from']) => `${value} (${color}) on ${date}`;
  return [
    {
      slug,
      change,
      from,
      to,
      causes: causes.slice(0, MOST_CAUSES).map(toEntryView),
      more: causes.length > MOST_CAUSES,
      citation: `${slug}: from ${formatScore(from)} to ${formatScore(to)}, each at 00:00 UTC. ${formatSource(from.entry, to.entry)}`,
    },
  ];
};

/**
 * Answers `media.movers`.
 * @throws CallRefusal `not_found` if there is no day with scores
 */
export const findMovers = ({ since, limit }: PagedQuery<EnterpriseMediaMoversQuery>, context: CallContext): Movers => {
  const { days } = context.state.record;
  const [from, to] = [days.find(({ date }) => date >= since), days.at(-1)];
  if (from === undefined || to === undefined)
    throw new CallRefusal('not_found', `There are no scores of a day since ${since}: they are written every night.`);
  const movers = to.rows
    .flatMap(([slug]) => buildMover(slug, from, to, context))
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change) || (a.slug < b.slug ? -1 : 1));
  const up = movers.filter(({ change }) => change > 0).slice(0, limit);
  const down = movers.filter(({ change }) => change < 0).slice(0, limit);
  return { from: from.date, to: to.date, up, down };
};

const CORRECTING: readonly string[] = ['correction', 'undo'];

/** Answers `media.corrections`. */
export const listCorrections = (
  { since, from = 0, limit }: PagedQuery<EnterpriseMediaCorrectionsQuery>,
  { state }: CallContext,
): { readonly data: Correction[]; readonly next: number | null } => {
  const { entries } = state.record;
  const all = entries.filter(
    ({ cause, time, number }) => CORRECTING.includes(cause) && time >= since && number >= from,
  );
  const data = all.slice(0, limit).map((entry) => {
    const { key, number, subject, time } = entry;
    const former = entries.findLast((one) => one.key === key && one.number < number);
    return {
      ...toEntryView(entry),
      broker: subject.startsWith('broker/') ? state.currentSlug(getName(subject)) : null,
      before: former ? toPublishedValue(former) : null,
      after: toPublishedValue(entry),
      citation: `${key}: corrected on ${time.slice(0, 10)}. ${formatSource(number)}`,
    };
  });
  return { data, next: all[limit]?.number ?? null };
};
