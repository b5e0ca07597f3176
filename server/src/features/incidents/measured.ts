import {
  computeStates,
  findOutages,
  minuteNumber,
  minuteText,
  type Outage,
  SETTLE_MINUTES,
} from '@broker-transparency/service-level';
import type { Db } from '../../platform/mongo.ts';
import { findFirstMinute, readMeasured } from '../service-level/facts.ts';
import { LOOK_DAYS } from './policy.rule.ts';
import type { IncidentTimes } from './times.rule.ts';

const DAY_MS = 86_400_000;

/**
 * Returns the measured outages in and around the time of an incident, each as a whole if it is no longer than a week.
 */
export const findOutagesAround = async (db: Db, { from, to }: IncidentTimes, now: Date): Promise<Outage[]> => {
  const began = await findFirstMinute(db);
  if (began === undefined) return [];
  const end = minuteNumber(now.toISOString()) - SETTLE_MINUTES;
  const around = LOOK_DAYS * DAY_MS;
  const first = Math.max(minuteNumber(began), minuteNumber(new Date(from.getTime() - around).toISOString()));
  const last = Math.min(end, minuteNumber(new Date((to ?? now).getTime() + around).toISOString()));
  if (last <= first) return [];
  const span = { from: minuteText(first), to: minuteText(last) };
  const { days } = await readMeasured(db, span.from, span.to);
  return findOutages(computeStates({ days, ...span }), first);
};
