import { expireLicenses } from '../brokers/actions.ts';
import { refreshAllBrokers } from '../brokers/refresh.ts';
import type { Context } from '../context.ts';
import type { JobRun } from '../platform/jobs/queue.ts';

/** A job of the service. Its effect must come about once, even where it is run again: by transactions, or since it is the same. */
export interface ServiceJob {
  readonly name: string;
  readonly what: string;
  /** Five fields of cron, in UTC. */
  readonly schedule: string;
  /** How long after its last sign of life a killed process's job is taken over. */
  readonly lockMs: number;
  readonly run: (context: Context, run: JobRun) => Promise<unknown>;
}

const LOCK_MS = 30_000;

/** Everything that the service does by itself at a time. Any number of processes may run; each due job runs in one. */
export const JOBS: readonly ServiceJob[] = [
  {
    name: 'license-expiry',
    what: 'sets licences whose time is over to expired',
    schedule: '5 * * * *',
    lockMs: LOCK_MS,
    run: (context, { signal }) => expireLicenses(context, signal),
  },
  {
    name: 'score-refresh',
    what: 'computes every score again: reviews age by the UTC day',
    schedule: '15 0 * * *',
    lockMs: LOCK_MS,
    run: refreshAllBrokers,
  },
];
