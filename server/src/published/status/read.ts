import { SHOWN, type StatusState } from '@broker-transparency/portal/status';
import {
  computeDayStates,
  DAY_MINUTES,
  type MeasuredDay,
  type MinuteState,
  minuteNumber,
  minuteText,
  SETTLE_MINUTES,
  type SpeedName,
  type SpeedValues,
  speedValues,
} from '@broker-transparency/service-level';
import { type Incident, publishedIncidents } from '../../features/incidents/facts.ts';
import { findFirstMinute, listProbers, listSealedDays, readMeasured } from '../../features/service-level/facts.ts';
import type { Db } from '../../platform/mongo.ts';
import { type MinuteRange, matchIncidents, toCurrentState, toStatusDays, toStatusMonth } from '../../status/compose.ts';
import { countVotes, findDecidedEnd, toShownVotes } from './newest.ts';

/** Figures of the service; the page adds its own source and time. */
export type StatusFigures = Omit<StatusState, 'service' | 'source' | 'shownAt' | 'prober'>;

/** A day that was counted. */
interface CountedDay {
  readonly date: string;
  readonly states: readonly MinuteState[];
  readonly speeds: SpeedValues;
}

/** Number of days that are read at once. */
const AT_ONCE = 7;

const toMidnight = (date: string): number => minuteNumber(`${date}T00:00Z`);
const toDate = (minute: number): string => minuteText(minute).slice(0, 10);

/** Counts a day. Minutes from `end` on are not settled: they are in no figure. */
const countDay = (day: MeasuredDay, end: number): CountedDay => {
  const midnight = toMidnight(day.date);
  const to = Math.max(midnight, Math.min(end, midnight + DAY_MINUTES));
  const span = { days: [day], from: minuteText(midnight), to: minuteText(to) };
  return { date: day.date, states: computeDayStates(day), speeds: speedValues(span) };
};

const joinSpeeds = (days: readonly CountedDay[]): SpeedValues => {
  const all = (name: SpeedName): number[] => days.flatMap(({ speeds }) => speeds[name]);
  return {
    publicReads: all('publicReads'),
    enterpriseReads: all('enterpriseReads'),
    freshness: all('freshness'),
    webhooks: all('webhooks'),
  };
};

/** The minutes of consecutive days from `first` to before `end`. */
const selectSpan = (days: readonly CountedDay[], first: number, end: number): MinuteRange => {
  const [day] = days;
  if (day === undefined || end <= first) return { first, states: [] };
  const midnight = toMidnight(day.date);
  return { first, states: days.flatMap(({ states }) => states).slice(first - midnight, end - midnight) };
};

const toShownIncident = ({ _id: id, title, from, to, updates }: Incident) => ({
  id,
  title,
  from: from.toISOString(),
  to: to?.toISOString() ?? null,
  updates: updates.map(({ at, text }) => ({ at: at.toISOString(), text })),
});

/** Reads days that can still change, and caches sealed ones. */
const createDays = (db: Db) => {
  const kept = new Map<string, CountedDay>();
  return async (first: number, end: number) => {
    const sealed = new Set(await listSealedDays(db));
    const dates: string[] = [];
    for (let at = first - (first % DAY_MINUTES); at < end; at += DAY_MINUTES) dates.push(toDate(at));
    const missing = dates.filter((date) => !kept.has(date));
    const fresh = new Map<string, MeasuredDay>();
    for (let at = 0; at < missing.length; at += AT_ONCE) {
      const [from = '', to = from] = [missing[at], missing[Math.min(at + AT_ONCE, missing.length) - 1]];
      const { days } = await readMeasured(db, `${from}T00:00Z`, minuteText(toMidnight(to) + DAY_MINUTES));
      for (const day of days) {
        if (sealed.has(day.date)) kept.set(day.date, countDay(day, end));
        else fresh.set(day.date, day);
      }
    }
    for (const date of kept.keys()) if (date < (dates[0] ?? '')) kept.delete(date);
    return { dates, kept, fresh };
  };
};

/** Reads the figures of the page. A sealed day is read once. */
export const createStatusReader = (db: Db) => {
  const readDays = createDays(db);
  return async (now: Date): Promise<StatusFigures> => {
    const [began, incidents] = await Promise.all([findFirstMinute(db), publishedIncidents(db, now)]);
    const running = minuteNumber(now.toISOString());
    const settled = running - SETTLE_MINUTES;
    const begun = began === undefined ? running : minuteNumber(began);
    const first = Math.max(begun, (Math.floor(running / DAY_MINUTES) - SHOWN.days + 1) * DAY_MINUTES);
    const { dates, kept, fresh } = await readDays(first, running + 1);
    const days = dates.flatMap((date) => {
      const day = fresh.get(date);
      return kept.get(date) ?? (day ? countDay(day, settled) : []);
    });
    const raw = [...fresh.values()];
    const end = findDecidedEnd(raw, now);
    const settledSpan = selectSpan(days, first, settled);
    const month = minuteText(Math.max(first, settled - 1)).slice(0, 7);
    const monthFirst = Math.max(begun, toMidnight(`${month}-01`));
    const monthDays = days.filter(({ date }) => date.startsWith(month));
    const monthSpan = selectSpan(monthDays, monthFirst, settled);
    const probers = (await listProbers(db)).filter(
      ({ since, until }) => minuteNumber(since) <= running && (until === undefined || minuteNumber(until) > running),
    );
    return {
      generatedAt: now.toISOString(),
      now: toCurrentState(
        selectSpan(days, first, end),
        end > first ? toShownVotes(countVotes(raw, end - 1)) : { said: 0, of: probers.length },
      ),
      probers: probers.slice(0, SHOWN.probers).map(({ name }) => ({ name, minute: findNewestMinute(raw, name) })),
      days: toStatusDays(settledSpan),
      month:
        monthSpan.states.length === 0 ? null : toStatusMonth({ ...monthSpan, month, speeds: joinSpeeds(monthDays) }),
      ...matchIncidents(incidents.map(toShownIncident), settledSpan),
    };
  };
};

/** Returns the newest minute that a prober reported. */
const findNewestMinute = (days: readonly MeasuredDay[], prober: string): string | null => {
  const minutes = days.flatMap(({ probers }) =>
    probers.flatMap(({ name, results }) => (name === prober ? results.map(({ minute }) => minute) : [])),
  );
  return minutes.reduce<string | null>(
    (newest, minute) => (newest === null || minute > newest ? minute : newest),
    null,
  );
};
