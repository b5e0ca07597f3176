import type { Tx } from '../mongo.ts';
import type { Checkpoint } from './store.ts';

/** Parameters of one run of a job. */
export interface JobRun {
  /** Aborted when the process is about to end or has lost the job. Throw its reason between two batches. */
  readonly signal: AbortSignal;
  /** Place where an earlier run of the same round stopped, in any process. */
  readonly checkpoint: Checkpoint | undefined;
  /** Saves how much of `total` is done, in the transaction that does it. @throws LockLost */
  readonly advance: (checkpoint: Checkpoint, total: number, tx: Tx) => Promise<void>;
}

/** A job with its schedule and its work. */
export interface JobSpec {
  readonly name: string;
  /** Cron expression with five fields, in UTC, or `ON_COMMAND`. */
  readonly schedule: string;
  /** Time without a heartbeat after which a process loses the job. */
  readonly lockMs: number;
  readonly work: (run: JobRun) => Promise<unknown>;
}

/** Callbacks for the jobs that run in this process. */
export interface JobEvents {
  readonly onStart: (name: string) => void;
  readonly onSuccess: (name: string, ms: number) => void;
  readonly onFailure: (name: string, error: unknown, nextRunAt: Date | null) => void;
  /** An error of the queue itself, for example if the database does not answer. */
  readonly onError: (error: unknown) => void;
}

/** Schedule of a job that runs only by `runNow`. */
export const ON_COMMAND = 'on command';

/**
 * Another process has taken over the job, because this one sent no heartbeat for longer than its lock lasts. The error
 * ends a run, also within a transaction, and does not count as a failure of the job.
 */
export class LockLost extends Error {
  constructor(name: string) {
    super(`another process has taken over the job ${name}`);
  }
}
