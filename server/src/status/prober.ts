import { SHOWN, type StatusState } from '@broker-transparency/portal/status';
import {
  findOutages,
  isUp,
  type MinuteState,
  minuteNumber,
  type ProbeResult,
} from '@broker-transparency/service-level';
import { type MinuteRange, toCurrentState, toStatusDays } from './compose.ts';

/** A prober's own results. */
export interface OwnMinutes {
  readonly prober: string;
  /** Address of the service. */
  readonly service: string;
  /** Results in any order; minutes without a result were not measured. */
  readonly results: readonly Pick<ProbeResult, 'minute' | 'checks'>[];
}

/** Returns the minutes from the first result to the last one. Of several results about one minute the worst counts. */
const toMinuteRange = ({ results }: OwnMinutes): MinuteRange => {
  const said = new Map<number, boolean>();
  for (const result of results) {
    const minute = minuteNumber(result.minute);
    said.set(minute, isUp(result) && said.get(minute) !== false);
  }
  const minutes = [...said.keys()].sort((a, b) => a - b).slice(-SHOWN.days * 1440);
  const last = minutes.at(-1);
  if (last === undefined) return { first: 0, states: [] };
  const first = Math.max(minutes[0] as number, last - SHOWN.days * 1440 + 1);
  const states = Array.from({ length: last - first + 1 }, (_, at): MinuteState => {
    const says = said.get(first + at);
    if (says === undefined) return 'unmeasured';
    return says ? 'up' : 'down';
  });
  return { first, states };
};

/** Returns the status of a service that has never answered. */
const createUnheardPage = (service: string, span: MinuteRange): Omit<StatusState, 'prober' | 'source' | 'shownAt'> => ({
  service,
  generatedAt: null,
  now: { state: 'unknown', minute: null, since: null, said: 0, of: 0 },
  probers: [],
  days: toStatusDays(span),
  month: null,
  incidents: [],
  unexplained: [],
  moreUnexplained: 0,
});

/**
 * Returns the status on a prober's host: the service's last status, and the prober's own view.
 * @param lastKnown the last `/status.json` of the service, as `readStatus` returns it
 */
export const toProberStatus = (lastKnown: StatusState | undefined, own: OwnMinutes, now: Date): StatusState => {
  const span = toMinuteRange(own);
  const last = span.states.at(-1);
  const votes = last === undefined ? { said: 0, of: 1 } : { said: 1, of: 1 };
  const known = lastKnown ?? createUnheardPage(own.service, span);
  const heardAt = known.generatedAt === null ? 0 : minuteNumber(known.generatedAt);
  const outages = findOutages(span.states, span.first).filter(
    ({ to, minutes, unmeasured }) => minuteNumber(to) > heardAt && unmeasured < minutes,
  );
  return {
    ...known,
    source: 'prober',
    shownAt: now.toISOString(),
    prober: { name: own.prober, now: toCurrentState(span, votes), outages: outages.reverse().slice(0, SHOWN.outages) },
  };
};
