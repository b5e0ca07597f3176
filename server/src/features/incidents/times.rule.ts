import type { Outage } from '@broker-transparency/service-level';
import { OLDEST_DAYS } from './policy.rule.ts';

/** The stated times of an incident. */
export interface IncidentTimes {
  readonly from: Date;
  /** null while the incident is ongoing. */
  readonly to: Date | null;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Returns true if a measured outage has a minute in common with the stated times. */
export const overlaps = ({ from, to }: IncidentTimes, outage: Pick<Outage, 'from' | 'to'>): boolean =>
  Date.parse(outage.to) > from.getTime() && (to === null || Date.parse(outage.from) < to.getTime());

const formatOutage = ({ from, to, minutes }: Outage): string =>
  `from ${from} to ${to} (${minutes} ${minutes === 1 ? 'minute' : 'minutes'})`;

/**
 * Returns the contradiction between stated times and measurements: the incident begins later or ends earlier than a
 * measured outage that it overlaps. Seconds within a minute are not measured. Returns undefined if there is none.
 */
export const findContradiction = (stated: IncidentTimes, outages: readonly Outage[]): string | undefined => {
  const { from, to } = stated;
  const met = outages.filter((outage) => overlaps(stated, outage));
  const late = met.find((outage) => Date.parse(outage.from) + MINUTE_MS <= from.getTime());
  if (late) return `It began later than the outage that the probers measured ${formatOutage(late)}.`;
  const early = met.findLast((outage) => to !== null && Date.parse(outage.to) >= to.getTime() + MINUTE_MS);
  return early && `It ended earlier than the outage that the probers measured ${formatOutage(early)}.`;
};

/** Returns the reason why times are impossible, regardless of measurements; undefined if they are possible. */
export const findImpossibility = ({ from, to }: IncidentTimes, now: Date): string | undefined => {
  if (from > now) return 'It cannot begin in the future.';
  if (now.getTime() - from.getTime() > OLDEST_DAYS * DAY_MS)
    return `It cannot begin more than ${OLDEST_DAYS} days ago: was another year meant?`;
  if (to === null) return undefined;
  if (to > now) return 'It cannot end in the future.';
  return to > from ? undefined : 'It cannot end before it begins.';
};
