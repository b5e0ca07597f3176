import type { Entry, ProberVote } from '@broker-transparency/contract/record';
import type { ServiceLevelDay } from '@broker-transparency/service-level';

/** A vote begins a minute after the operator decided so; its entry gets its time when it is numbered. */
const NUMBERED_WITHIN_MS = 600_000;

/**
 * Checks entries about the service itself: a day or month has only one entry, since different readers could be shown
 * different ones; and votes do not change for the past, since they could be invented after an outage.
 */
export const createServiceLevelCheck = (find: (number: number, message: string) => void) => {
  const first = new Map<string, number>();
  const votes = new Map<string, ProberVote>();

  const checkVote = ({ number, key, time, value }: Entry): void => {
    const { verifierKey, since, until } = value as ProberVote;
    const decided = until ?? since;
    if (!(Date.parse(decided) >= Date.parse(time) - NUMBERED_WITHIN_MS))
      find(number, `entry ${number} says at ${time} that ${key} has a vote ${until ? 'until' : 'since'} ${decided}`);
    const known = votes.get(key);
    const isKept = known?.verifierKey === verifierKey && known.since === since && (known.until ?? until) === until;
    if (known && !isKept) find(number, `${key} has another key or vote in entry ${number} than before`);
    votes.set(key, value as ProberVote);
  };
  const checkOnce = ({ number, key }: Entry): void => {
    const before = first.get(key);
    if (before === undefined) first.set(key, number);
    else find(number, `${key} is written twice: entry ${number} says it again after entry ${before}`);
  };
  const checkVoters = ({ number, value }: Entry): void => {
    for (const { name, key, since, until } of (value as Partial<ServiceLevelDay>).probers ?? []) {
      const vote = votes.get(`service-level/prober/${name}`);
      if (vote?.verifierKey !== key || vote.since !== since)
        find(number, `entry ${number} counts the prober ${name}, to whom no entry before gave this vote`);
      else if (until !== undefined && vote.until !== until)
        find(number, `entry ${number} ends the vote of ${name} at ${until}, which no entry before it did`);
    }
  };

  return (entry: Entry): void => {
    const { number, key, value } = entry;
    if (key.startsWith('service-level/canary/')) return;
    if (value === null) find(number, `entry ${number} takes ${key} back, which is final`);
    else if (key.startsWith('service-level/prober/')) checkVote(entry);
    else {
      checkOnce(entry);
      checkVoters(entry);
    }
  };
};
