import { type DayProber, hasVoteOn, type ServiceLevelDay } from '@broker-transparency/service-level';
import type { Report } from './files.ts';

/**
 * Compares the probers of the days: votes do not change afterwards, and a name keeps its key, so that an inconvenient
 * prober cannot be left out of a day.
 * @param days in order
 */
export const checkVoters = (days: readonly ServiceLevelDay[], report: Report): void => {
  const known = new Map<string, DayProber>();
  for (const { date, probers } of days) {
    for (const prober of probers) {
      const before = known.get(prober.name);
      const say = (why: string): void => report({ prober: prober.name, date, why });
      if (before && before.key !== prober.key) say('it has another key than on the days before');
      if (before && before.since !== prober.since) say(`its vote begins ${prober.since}, and before ${before.since}`);
      if (before?.until !== undefined && before.until !== prober.until)
        say(`its vote ends ${prober.until ?? 'never'}, and before ${before.until}`);
      if (before && before.until === undefined && prober.until !== undefined && prober.until < `${date}T00:00Z`)
        say(`its vote ends ${prober.until}, and the days before counted it`);
      known.set(prober.name, prober);
    }
  }
  for (const { date, probers } of days) {
    const names = new Set(probers.map(({ name }) => name));
    for (const prober of known.values())
      if (!names.has(prober.name) && hasVoteOn(prober, date))
        report({ prober: prober.name, date, why: 'it had a vote, and the entry of the day does not have it' });
  }
};
