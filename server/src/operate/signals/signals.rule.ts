import { MOST_DRIFT_SECONDS } from '../../platform/clock-drift.rule.ts';

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

/** The conditions of a level. Any one of them is enough. */
interface SignalLimit {
  readonly atLeast?: number;
  readonly below?: number;
  readonly olderThan?: number;
  /** True if a reading without a time also counts. */
  readonly never?: true;
  /** A reading without a time also counts if `count`, the possible days, is more. */
  readonly neverForDays?: number;
}

interface SignalPolicy {
  /** Description of the counted or timed thing. */
  readonly what: string;
  /** The displayed value: `count`, `since` or both. */
  readonly shows: 'count' | 'age' | 'count and age' | 'percent';
  readonly look: SignalLimit;
  readonly act?: SignalLimit;
  /** The command or page with the remedy. */
  readonly help: string;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Minimum change of a score since the day began that is a jump, in points. */
export const JUMP_POINTS = 10;
/** Consecutive failures from which a feed, a register or a job counts as failing. */
export const FAILING = 3;
/** Milliseconds for which a job may be due before it counts as late. */
export const LATE_MS = HOUR / 4;

/** The policy: the watched signals, and the limits of their levels. */
export const SIGNALS = {
  reviews: {
    what: 'reviews that wait for a moderator',
    shows: 'count and age',
    look: { olderThan: 2 * DAY, atLeast: 200 },
    act: { olderThan: 7 * DAY },
    help: 'review next',
  },
  reports: {
    what: 'reports about published reviews that are open',
    shows: 'count and age',
    look: { olderThan: 2 * DAY },
    act: { olderThan: 7 * DAY },
    help: 'report list',
  },
  appeals: {
    what: 'appeals that are open',
    shows: 'count and age',
    look: { olderThan: 7 * DAY },
    act: { olderThan: 21 * DAY },
    help: 'appeal list',
  },
  'complaints-received': {
    what: 'complaints that nobody has taken up',
    shows: 'count and age',
    look: { olderThan: 2 * DAY },
    act: { olderThan: 7 * DAY },
    help: 'complaint list --status received',
  },
  'complaints-screening': {
    what: 'complaints that were taken up and not sent on',
    shows: 'count and age',
    look: { olderThan: 5 * DAY },
    act: { olderThan: 14 * DAY },
    help: 'complaint list --status screening',
  },
  'complaints-answered': {
    what: 'complaints that the broker answered and nobody has ended',
    shows: 'count and age',
    look: { olderThan: 5 * DAY },
    act: { olderThan: 14 * DAY },
    help: 'complaint list --status responded',
  },
  'complaints-overdue': {
    what: 'complaints whose broker is overdue with the answer',
    shows: 'count and age',
    look: { atLeast: 1 },
    help: 'complaint list --status forwarded',
  },
  disputes: {
    what: 'facts that a firm disputes and nobody has decided',
    shows: 'count and age',
    look: { olderThan: 7 * DAY },
    act: { olderThan: 14 * DAY },
    help: 'dispute list',
  },
  replies: {
    what: 'replies of firms to reviews that wait for a moderator',
    shows: 'count and age',
    look: { olderThan: 2 * DAY },
    act: { olderThan: 7 * DAY },
    help: 'reply list',
  },
  reminders: {
    what: 'reminders to brokers that nobody has sent',
    shows: 'count and age',
    look: { atLeast: 1 },
    act: { olderThan: 3 * DAY },
    help: 'complaint reminders',
  },
  'warnings-unchecked': {
    what: 'warnings of authorities that were matched automatically and published, and nobody has checked',
    shows: 'count and age',
    look: { atLeast: 1 },
    act: { olderThan: 2 * DAY },
    help: 'warning queue',
  },
  'warnings-waiting': {
    what: 'warnings of authorities that fit a broker and wait for somebody',
    shows: 'count and age',
    look: { olderThan: DAY },
    act: { olderThan: 3 * DAY },
    help: 'warning queue',
  },
  'broker-alarms': {
    what: 'licence numbers, LEIs and domains that several brokers have',
    shows: 'count',
    look: { atLeast: 1 },
    help: 'warning alarms',
  },
  'review-bursts': {
    what: 'brokers with a burst of reviews within a day',
    shows: 'count',
    look: { atLeast: 1 },
    help: 'review list',
  },
  'score-jumps': {
    what: `brokers whose score changed by ${JUMP_POINTS} points or more since the day began`,
    shows: 'count',
    look: { atLeast: 1 },
    help: 'score SLUG',
  },
  feeds: {
    what: `feeds of news that failed ${FAILING} times or more in a row`,
    shows: 'count',
    look: { atLeast: 1 },
    help: 'news feeds',
  },
  registers: {
    what: 'last comparison with a register',
    shows: 'age',
    look: { olderThan: 8 * DAY, never: true },
    help: 'license check',
  },
  'register-files': {
    what: `published lists that brought no good file ${FAILING} times or more in a row`,
    shows: 'count',
    look: { atLeast: 1 },
    help: 'register list',
  },
  'register-changes': {
    what: 'published lists that change so much that somebody has to look before it is written',
    shows: 'count and age',
    look: { atLeast: 1 },
    act: { olderThan: 2 * DAY },
    help: 'register list',
  },
  regulators: {
    what: 'regulators with brokers here whose register nobody looked at for too long',
    shows: 'count',
    look: { atLeast: 1 },
    help: 'docs/operating/regulators.md',
  },
  'mail-waiting': {
    what: 'mails that wait to be sent',
    shows: 'count and age',
    look: { olderThan: HOUR },
    act: { olderThan: DAY },
    help: 'mail list --status waiting',
  },
  'mail-failed': {
    what: 'mails that were refused, came back, or were tried in vain',
    shows: 'count',
    look: { atLeast: 10 },
    help: 'mail list --status failed',
  },
  jobs: {
    what: `jobs that failed ${FAILING} times in a row, or that nobody takes`,
    shows: 'count',
    look: { atLeast: 1 },
    act: { atLeast: 3 },
    help: 'admin job list',
  },
  record: {
    what: 'entries of the record that wait for a number',
    shows: 'age',
    look: { olderThan: 60_000 },
    act: { olderThan: HOUR },
    help: 'log show',
  },
  log: {
    what: 'processes that do not sign the log, since nobody knows what was signed last',
    shows: 'count',
    look: { atLeast: 1 },
    act: { atLeast: 1 },
    help: 'log show',
  },
  'log-held': {
    what: 'entries before which the log stops, since they do not say what the database publishes',
    shows: 'count and age',
    look: { atLeast: 1 },
    act: { atLeast: 1 },
    help: 'log show',
  },
  backup: {
    what: 'last backup',
    shows: 'age',
    look: { olderThan: 26 * HOUR, never: true },
    act: { olderThan: 3 * DAY, neverForDays: 7 },
    help: 'backup DIR',
  },
  disk: {
    what: 'free space where DATA_DIR lies',
    shows: 'percent',
    look: { below: 15 },
    act: { below: 5 },
    help: 'df',
  },
  clock: {
    what: 'seconds between the clocks of this machine and of the database',
    shows: 'count',
    look: { atLeast: 5 },
    act: { atLeast: MOST_DRIFT_SECONDS + 1 },
    help: 'timedatectl',
  },
  operators: {
    what: 'commands refused to operators within a day',
    shows: 'count',
    look: { atLeast: 5 },
    help: 'audit list --action operator.refused',
  },
} as const satisfies Record<string, SignalPolicy>;
export type SignalName = keyof typeof SIGNALS;
export const SIGNAL_NAMES = Object.keys(SIGNALS) as SignalName[];

const reaches = ({ count, since }: SignalReading, limit: SignalLimit | undefined, now: Date): boolean =>
  limit !== undefined &&
  ((limit.atLeast !== undefined && count >= limit.atLeast) ||
    (limit.below !== undefined && count < limit.below) ||
    (limit.never === true && since === null) ||
    (limit.neverForDays !== undefined && since === null && count > limit.neverForDays) ||
    (limit.olderThan !== undefined && since !== null && now.getTime() - since.getTime() > limit.olderThan));

/** Returns the level of a reading. */
export const computeLevel = (name: SignalName, reading: SignalReading, now: Date): Level => {
  const { look, act }: SignalPolicy = SIGNALS[name];
  if (reaches(reading, act, now)) return 'act';
  return reaches(reading, look, now) ? 'look' : 'fine';
};

/** Returns an age in the largest unit that fits: `5 days`, `3 h`, `20 min`. */
export const formatAge = (since: Date, now: Date): string => {
  const ms = Math.max(0, now.getTime() - since.getTime());
  if (ms >= 2 * DAY) return `${Math.floor(ms / DAY)} days`;
  return ms >= HOUR ? `${Math.floor(ms / HOUR)} h` : `${Math.floor(ms / 60_000)} min`;
};

const formatValue = (name: SignalName, { count, since }: SignalReading, now: Date): string => {
  const { shows }: SignalPolicy = SIGNALS[name];
  const age = since && formatAge(since, now);
  if (shows === 'percent') return `${count} %`;
  if (shows === 'age') return age === null ? (name === 'record' ? 'none' : 'never') : `${age} ago`;
  return shows === 'count and age' && count > 0 && age !== null ? `${count}, the oldest for ${age}` : String(count);
};

/** A displayed signal. */
export interface SignalRow {
  readonly signal: SignalName;
  readonly level: Level;
  readonly what: string;
  readonly value: string;
  readonly count: number;
  readonly since: string | null;
  readonly named: readonly string[];
  readonly help: string;
}

/** The readings by signal, without signals that this installation does not have. */
export type Readings = Partial<Readonly<Record<SignalName, SignalReading>>>;

/** Returns every signal that was read, in the order of the policy. */
export const toSignalRows = (readings: Readings, now: Date): SignalRow[] =>
  SIGNAL_NAMES.flatMap((signal) => {
    const reading = readings[signal];
    if (!reading) return [];
    const { what, help } = SIGNALS[signal];
    const { count, since, named } = reading;
    const level = computeLevel(signal, reading, now);
    const value = formatValue(signal, reading, now);
    return [{ signal, level, what, value, count, since: since?.toISOString() ?? null, named, help }];
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
