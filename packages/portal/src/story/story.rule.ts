import type { BrokerAt, BrokerHistory } from '@broker-transparency/client/record';
import { parseEntryKey } from '@broker-transparency/contract/record';
import { type EventKind, listFactEvents, type StoryEvent } from './events.rule.ts';

/** Points from which a fall of the score is explained. Smaller ones come and go with the age of reviews. */
export const FALL_FROM = 0.5;

type HistoryStep = BrokerHistory['data'][number];

/** The facts and the score that the answers of the record use here. */
export type FactsAt = Pick<BrokerAt, 'facts' | 'score'>;

/** A change of the record, with the score before it, and the facts just before and just after it if they were read. */
export interface StoryStep extends Pick<HistoryStep, 'number' | 'time' | 'cause' | 'entries' | 'value' | 'color'> {
  /** Null: not rated; undefined: unknown. */
  readonly valueBefore: number | null | undefined;
  /** Both at the time of the change, so that they differ by nothing else. */
  readonly facts?: { readonly before: FactsAt | undefined; readonly after: FactsAt } | undefined;
}

/** A fall of the score. */
interface Fall {
  /** Greater than 0, with one decimal. */
  readonly points: number;
  /** The only event of the change that can have caused it; undefined: the record names no single cause. */
  readonly reason: StoryEvent | undefined;
  /** Keys of the parts of the score that the change lowered. */
  readonly parts: readonly string[];
  /** True if most of it happened before the change, since reviews fade and old complaints no longer count. */
  readonly isByAge: boolean;
  /** False: nobody has looked for the reason, since the facts around the change were not read. */
  readonly isExamined: boolean;
}

/** A change as a story tells it. */
export interface StoryItem {
  readonly step: StoryStep;
  readonly events: readonly StoryEvent[];
  readonly fall: Fall | undefined;
}

const PART_KINDS: Readonly<Record<string, readonly EventKind[]>> = {
  regulation: ['licence', 'company', 'regulator', 'status'],
  userRating: ['reviews', 'company'],
  complaints: ['complaints', 'company'],
  transparency: ['disclosures'],
  longevity: ['licence', 'company'],
};

const CAP_KINDS: Readonly<Record<string, readonly EventKind[]>> = {
  noScoringLicense: ['licence', 'company'],
  onlyLowTiers: ['licence', 'company', 'regulator'],
  fewReviews: ['reviews', 'company'],
  officialWarning: ['warning'],
  uncheckedWarning: ['warning'],
};

/** Kinds of events that a story tells also where the score did not fall. */
const TOLD: ReadonlySet<EventKind> = new Set([
  'start',
  'licence',
  'warning',
  'name',
  'domain',
  'company',
  'status',
  'regulator',
  'methodology',
]);

const round1 = (value: number): number => Math.round(value * 10) / 10;

/** Points by which parts of the score fell, by key; parts that rose or stayed are left out. */
const listDrops = (before: FactsAt, after: FactsAt): [key: string, points: number][] =>
  before.score.components.flatMap(({ key, contribution }): [string, number][] => {
    const drop = contribution - (after.score.components.find((one) => one.key === key)?.contribution ?? 0);
    return drop > 0.005 ? [[key, drop]] : [];
  });

/** Kinds of events that can have caused a fall by a change. */
const listKinds = (before: FactsAt, after: FactsAt, drops: readonly (readonly [string, number])[]): EventKind[] => {
  if (before.score.methodologyVersion !== after.score.methodologyVersion) return ['methodology'];
  const { rawValue, caps } = after.score;
  const lowest = Math.min(...caps.map(({ limit }) => limit));
  const known = new Set(before.score.caps.map(({ code }) => code));
  const added = rawValue > lowest ? caps.filter(({ code, limit }) => limit === lowest && !known.has(code)) : [];
  if (added.length > 0) return added.flatMap(({ code }) => CAP_KINDS[code] ?? []);
  return drops.flatMap(([key]) => PART_KINDS[key] ?? []);
};

/** Returns the fall of the score by a change; undefined if it fell by less than {@link FALL_FROM}. */
const explainFall = ({ value, valueBefore, facts }: StoryStep, events: readonly StoryEvent[]): Fall | undefined => {
  if (typeof valueBefore !== 'number' || value === null) return undefined;
  const points = round1(valueBefore - value);
  if (points < FALL_FROM) return undefined;
  const { before, after } = facts ?? {};
  const valueThen = before?.score.value ?? null;
  const unexplained = { points, reason: undefined, isExamined: facts !== undefined };
  if (!before || !after || valueThen === null) return { ...unexplained, parts: [], isByAge: false };
  const drops = listDrops(before, after);
  const parts = drops.map(([key]) => key);
  if ((valueThen - value) * 2 < points) return { ...unexplained, parts, isByAge: true };
  const kinds = listKinds(before, after, drops);
  // neither a warning about a clone nor another licence nor where clients live lowers a score
  const isAble = ({ kind, effect, to, countries }: StoryEvent): boolean =>
    kinds.includes(kind) &&
    to !== 'clone_of_it' &&
    countries === undefined &&
    !(kind === 'licence' && effect === 'added');
  const able = events.filter(isAble);
  return { ...unexplained, reason: able.length === 1 ? able[0] : undefined, parts, isByAge: false };
};

/** Returns the events of a change. Its reviews and its complaints are one event each. */
const listEvents = ({ entries, facts, valueBefore }: StoryStep): StoryEvent[] => {
  const keysBy = Map.groupBy(entries, ({ key }) => parseEntryKey(key)[0] ?? '');
  const listKeys = (kind: string): string[] => (keysBy.get(kind) ?? []).map(({ key }) => key);
  const isStart = valueBefore === undefined;
  const startKeys = isStart ? [...listKeys('broker'), ...listKeys('license'), ...listKeys('warning')] : [];
  const reviews = listKeys('review');
  const others = entries.map(({ key }) => key).filter((key) => !key.startsWith('review/') && !startKeys.includes(key));
  return [
    ...(startKeys.length > 0 ? [{ kind: 'start' as const, keys: startKeys }] : []),
    ...others.flatMap((key) => listFactEvents(key, facts)),
    ...(reviews.length > 0 ? [{ kind: 'reviews' as const, keys: reviews }] : []),
  ];
};

/**
 * Returns the story of a broker from changes of its record, in their order: each event of licences, warnings, names,
 * domains, companies and rules once, and each fall of the score with the event that explains it. A fall that no single
 * event explains has no reason.
 * @param steps oldest first
 */
export const tellStory = (steps: readonly StoryStep[]): StoryItem[] =>
  steps.flatMap((step) => {
    const events = listEvents(step);
    const fall = explainFall(step, events);
    const told = fall === undefined ? events.filter(({ kind }) => TOLD.has(kind)) : events;
    return told.length > 0 || fall !== undefined ? [{ step, events: told, fall }] : [];
  });

/** Returns whether the score fell by a change so far that a story gives the reason. */
export const isFall = ({ value, valueBefore }: StoryStep): boolean =>
  typeof valueBefore === 'number' && value !== null && round1(valueBefore - value) >= FALL_FROM;

/** Returns whether the facts around a change are needed to tell it. */
export const isToBeRead = (step: StoryStep): boolean =>
  isFall(step) ||
  (step.valueBefore !== undefined && step.entries.some(({ key }) => /^(broker|license|warning)\//.test(key)));
