import type { ServiceLevelReport } from '@broker-transparency/client/enterprise';
import { entryKey } from '@broker-transparency/contract/record';
import { formatVerifierKey, toBase64 } from '@broker-transparency/log';
import {
  allowedMinutes,
  burnStates,
  computeFigures,
  type MinuteState,
  minuteNumber,
  minuteText,
  monthSpan,
  OBJECTIVES,
  type Objectives,
  objectivesFor,
  SEAL_AFTER_DAYS,
  SETTLE_MINUTES,
} from '@broker-transparency/service-level';
import { PROBER_KEY } from './log.ts';
import { CallRefusal } from './policy.ts';
import type { TestRecord } from './record.ts';
import { sha256 } from './sha256.ts';
import { calendarDate, DAY_MS, daysBefore } from './times.ts';

/** The one prober, which found every minute up. */
export const PROBER = 'test-1';

/** A fictional measurement of each speed, in milliseconds. */
const SPEEDS = { publicReads: [40], enterpriseReads: [60], freshness: [400], webhooks: [900] };

const findObjectives = (month: string): Objectives => OBJECTIVES[objectivesFor(month)] as Objectives;

const findPreviousMonth = (at: Date): string =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 1)).toISOString().slice(0, 7);

/** Returns the figures of a period in which every minute was up. */
const computePeriod = (from: string, to: string, objectives: Objectives) => {
  const states: MinuteState[] = Array(Math.max(0, minuteNumber(to) - minuteNumber(from))).fill('up');
  return { states, figures: computeFigures({ from, to, objectives, states, speeds: SPEEDS }) };
};

const hashText = (text: string): string => toBase64(sha256(new TextEncoder().encode(text)));

const buildDay = (date: string, since: string) => ({
  date,
  objectives: objectivesFor(date.slice(0, 7)),
  probers: [{ name: PROBER, key: formatVerifierKey(PROBER_KEY), since, lines: 1440, head: hashText(`head ${date}`) }],
  root: hashText(`results ${date}`),
});

/** Adds the month before, and the last day whose results can no longer change. */
export const addServiceLevel = (record: TestRecord, at: Date): void => {
  const month = findPreviousMonth(at);
  const { from, to } = monthSpan(month);
  const date = calendarDate(daysBefore(at, SEAL_AFTER_DAYS + 1));
  const { figures } = computePeriod(from, to, findObjectives(month));
  const values = {
    [`prober/${PROBER}`]: { verifierKey: formatVerifierKey(PROBER_KEY), since: from },
    [month]: { month, objectives: objectivesFor(month), ...figures },
    [date]: buildDay(date, from),
  };
  const drafts = Object.entries(values).map(([name, value]) => ({
    kind: 'service-level' as const,
    key: entryKey('service-level', ...name.split('/')),
    value,
  }));
  record.publish('service-level', drafts, at, 'fact');
};

/**
 * Returns the report of a month.
 * @throws CallRefusal `not_found` if nothing of it counts
 */
export const reportServiceLevel = (record: TestRecord, month: string, now: Date): ServiceLevelReport => {
  const [began = ''] = record.findAbout('service-level').map(({ value }) => (value as { since: string }).since);
  const whole = monthSpan(month);
  if (whole.to <= began)
    throw new CallRefusal('not_found', `The service level began at ${began}: in ${month} no prober had a vote.`);
  if (now.getTime() < Date.parse(whole.from)) throw new CallRefusal('not_found', `${month} has not begun yet.`);
  const settled = minuteText(minuteNumber(now.toISOString()) - SETTLE_MINUTES);
  const to = [whole.to, settled].sort()[0] as string;
  const from = whole.from;
  const objectives = findObjectives(month);
  const { states, figures } = computePeriod(from, [from, to].sort()[1] as string, objectives);
  const findEntry = (name: string): number | null => record.findLast(entryKey('service-level', name))?.number ?? null;
  const { minutes, up } = figures;
  const allowed = allowedMinutes(objectives, minuteNumber(whole.to) - minuteNumber(from));
  const entry = findEntry(month);
  const midnights = Array.from({ length: Math.ceil(minutes / 1440) }, (_, at) => Date.parse(from) + at * DAY_MS);
  return {
    month,
    objectives: objectivesFor(month),
    isFinal: entry !== null,
    entry,
    figures: figures as ServiceLevelReport['figures'],
    budget: { minutes: allowed, spent: 0, left: allowed, credit: 0 },
    burn: to < whole.to ? burnStates(states, objectives) : [],
    outages: [],
    moreOutages: 0,
    probers: minutes === 0 ? [] : [{ name: PROBER, votes: minutes, measured: minutes, up }],
    days: midnights.map((midnight, at) => {
      const date = calendarDate(new Date(midnight));
      const counted = Math.min(1440, minutes - at * 1440);
      return { date, minutes: counted, up: counted, unmeasured: 0, entry: findEntry(date) };
    }),
  };
};
