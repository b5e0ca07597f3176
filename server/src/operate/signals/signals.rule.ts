import { type CheckLimit, type CheckPolicy, DAY, HOUR } from '../../ledger/checks.rule.ts';

/** Levels of urgency: nothing to do, to be checked today, to be done now. */
export const LEVELS = ['fine', 'look', 'act'] as const;
export type Level = (typeof LEVELS)[number];

/** The reading of one signal. */
export interface SignalReading {
  readonly count: number;
  /** Time since which the oldest waits, or of the last time; null if there is none. */
  readonly since: Date | null;
  /** Some names, such as slugs. */
  readonly named: readonly string[];
}

/** A check that was read. */
export interface Signal extends CheckPolicy {
  readonly name: string;
  readonly reading: SignalReading;
}

/** The order in which signals are shown: what waits for somebody comes first. */
const SHOWN_FIRST: readonly CheckPolicy['shows'][] = ['count and age', 'count', 'age', 'percent'];

/** Compares checks by the order in which they are shown. */
export const compareChecks = (a: CheckPolicy, b: CheckPolicy): number =>
  SHOWN_FIRST.indexOf(a.shows) - SHOWN_FIRST.indexOf(b.shows);

const reaches = ({ count, since }: SignalReading, limit: CheckLimit | undefined, now: Date): boolean =>
  limit !== undefined &&
  ((limit.atLeast !== undefined && count >= limit.atLeast) ||
    (limit.below !== undefined && count < limit.below) ||
    (limit.never === true && since === null) ||
    (limit.neverForDays !== undefined && since === null && count > limit.neverForDays) ||
    (limit.olderThan !== undefined && since !== null && now.getTime() - since.getTime() > limit.olderThan));

/** Returns the level of a reading. */
export const computeLevel = (
  { look, act }: Pick<CheckPolicy, 'look' | 'act'>,
  reading: SignalReading,
  now: Date,
): Level => {
  if (reaches(reading, act, now)) return 'act';
  return reaches(reading, look, now) ? 'look' : 'fine';
};

/** Returns an age in the largest unit that fits: `5 days`, `3 h`, `20 min`. */
export const formatAge = (since: Date, now: Date): string => {
  const ms = Math.max(0, now.getTime() - since.getTime());
  if (ms >= 2 * DAY) return `${Math.floor(ms / DAY)} days`;
  return ms >= HOUR ? `${Math.floor(ms / HOUR)} h` : `${Math.floor(ms / 60_000)} min`;
};

const formatValue = ({ shows, look, reading: { count, since } }: Signal, now: Date): string => {
  const age = since && formatAge(since, now);
  if (shows === 'percent') return `${count} %`;
  if (shows === 'age') return age === null ? (look.never ? 'never' : 'none') : `${age} ago`;
  return shows === 'count and age' && count > 0 && age !== null ? `${count}, the oldest for ${age}` : String(count);
};

/** A displayed signal. */
export interface SignalRow {
  readonly signal: string;
  readonly level: Level;
  readonly what: string;
  readonly value: string;
  readonly count: number;
  readonly since: string | null;
  readonly named: readonly string[];
  readonly help: string;
}

/** Returns the rows of signals, in their order. */
export const toSignalRows = (signals: readonly Signal[], now: Date): SignalRow[] =>
  signals.map((signal) => {
    const { name, what, help, reading } = signal;
    const { count, since, named } = reading;
    const level = computeLevel(signal, reading, now);
    const value = formatValue(signal, now);
    return { signal: name, level, what, value, count, since: since?.toISOString() ?? null, named, help };
  });

/** Returns the most urgent level; `fine` if there are no rows. */
export const findWorstLevel = (rows: readonly SignalRow[]): Level =>
  LEVELS[Math.max(0, ...rows.map(({ level }) => LEVELS.indexOf(level)))] as Level;

/** Returns the text of the daily mail: first the signals to act on, then those to check, then the rest in short. */
export const formatSummary = (
  rows: readonly SignalRow[],
  now: Date,
): { readonly subject: string; readonly text: string } => {
  const selectLevel = (level: Level): SignalRow[] => rows.filter((row) => row.level === level);
  const formatLine = ({ what, value, named, help }: SignalRow): string =>
    [`- ${what}: ${value}`, ...named.map((name) => `    ${name}`), `    see: ${help}`].join('\n');
  const formatPart = (title: string, level: Level): string[] =>
    selectLevel(level).length === 0 ? [] : [`${title}\n\n${selectLevel(level).map(formatLine).join('\n')}`];
  const rest = selectLevel('fine').map(({ what, value }) => `- ${what}: ${value}`);
  const [act, look] = [selectLevel('act').length, selectLevel('look').length];
  const counts = [...(act > 0 ? [`${act} to do`] : []), ...(look > 0 ? [`${look} to look at`] : [])];
  return {
    subject: `${now.toISOString().slice(0, 10)}: ${counts.join(', ') || 'nothing to do'}`,
    text: [
      ...formatPart('To be done now', 'act'),
      ...formatPart('Worth a look', 'look'),
      ...(rest.length > 0 ? [`As it should be\n\n${rest.join('\n')}`] : []),
    ].join('\n\n'),
  };
};
