import {
  type CurrentState,
  SHOWN,
  type StatusDay,
  type StatusIncident,
  type StatusMonth,
} from '@broker-transparency/portal/status';
import {
  allowedMinutes,
  computeFigures,
  DAY_MINUTES,
  findOutages,
  type MinuteState,
  minuteNumber,
  minuteText,
  monthSpan,
  OBJECTIVES,
  type Objectives,
  type Outage,
  objectivesFor,
  type SpeedValues,
} from '@broker-transparency/service-level';

/** Consecutive minutes that count. */
export interface MinuteRange {
  /** Number of the first minute. */
  readonly first: number;
  readonly states: readonly MinuteState[];
}

const toDate = (minute: number): string => minuteText(minute).slice(0, 10);

const countStates = (states: readonly MinuteState[], state: MinuteState): number =>
  states.filter((each) => each === state).length;

/** Returns the days of a range, oldest first, up to the number that the page shows. */
export const toStatusDays = ({ first, states }: MinuteRange): StatusDay[] => {
  const days: StatusDay[] = [];
  for (let at = 0; at < states.length; ) {
    const end = at + DAY_MINUTES - ((first + at) % DAY_MINUTES);
    const day = states.slice(at, end);
    days.push({
      date: toDate(first + at),
      minutes: day.length,
      up: countStates(day, 'up'),
      unmeasured: countStates(day, 'unmeasured'),
    });
    at = end;
  }
  return days.slice(-SHOWN.days);
};

/** Returns the state of the service in the last minute of a range, and its beginning. */
export const toCurrentState = (
  { first, states }: MinuteRange,
  votes: Pick<CurrentState, 'said' | 'of'>,
): CurrentState => {
  const last = states.at(-1);
  if (last === undefined) return { state: 'unknown', minute: null, since: null, ...votes };
  const changed = states.findLastIndex((state) => state !== last);
  return {
    state: last === 'unmeasured' ? 'unknown' : last,
    minute: minuteText(first + states.length - 1),
    since: minuteText(first + changed + 1),
    ...votes,
  };
};

/** The stated times of an incident. */
interface StatedPeriod {
  readonly from: string;
  readonly to: string | null;
}

/** Returns true if a measured outage has a minute in common with an incident. */
const overlaps = ({ from, to }: StatedPeriod, outage: Pick<Outage, 'from' | 'to'>): boolean =>
  minuteNumber(outage.to) > minuteNumber(from) && (to === null || Date.parse(outage.from) < Date.parse(to));

/** Returns incidents with their measured outages, and the outages of no incident. */
export const matchIncidents = (
  incidents: readonly Omit<StatusIncident, 'measured'>[],
  span: MinuteRange,
): { incidents: StatusIncident[]; unexplained: Outage[]; moreUnexplained: number } => {
  const outages = findOutages(span.states, span.first);
  const begin = span.first * 60_000;
  const isMeasured = ({ to }: StatedPeriod): boolean =>
    span.states.length > 0 && (to === null || Date.parse(to) > begin);
  const left = outages.filter((outage) => !incidents.some((incident) => overlaps(incident, outage))).reverse();
  return {
    incidents: incidents
      .toSorted((a, b) => Date.parse(b.from) - Date.parse(a.from))
      .slice(0, SHOWN.incidents)
      .map((incident) => ({
        ...incident,
        updates: incident.updates.slice(-SHOWN.updates),
        measured: isMeasured(incident)
          ? outages.filter((outage) => overlaps(incident, outage)).slice(-SHOWN.outages)
          : null,
      })),
    unexplained: left.slice(0, SHOWN.outages),
    moreUnexplained: Math.max(0, left.length - SHOWN.outages),
  };
};

/** The counted minutes of a month. */
export interface MonthSpan extends MinuteRange {
  /** Month as `YYYY-MM`. */
  readonly month: string;
  readonly speeds: SpeedValues;
}

/** Returns the figures of a month, as far as it was measured. */
export const toStatusMonth = ({ month, first, states, speeds }: MonthSpan): StatusMonth => {
  const objectives = OBJECTIVES[objectivesFor(month)] as Objectives;
  const [from, to] = [minuteText(first), minuteText(first + states.length)];
  const figures = computeFigures({ from, to, objectives, states, speeds });
  return {
    month,
    promised: objectives.availability,
    allowed: allowedMinutes(objectives, minuteNumber(monthSpan(month).to) - first),
    minutes: figures.minutes,
    up: figures.up,
    unmeasured: figures.unmeasured,
    availability: figures.availability,
    isMet: figures.isMet,
    speeds: figures.speeds,
  };
};
