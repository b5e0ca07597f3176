import type { Tx } from '../mongo.ts';
import type { Checkpoint } from './store.ts';

/** What a run of a job is given. */
export interface JobRun {
  /** Aborted when the process is to end, or has lost the job: throw its reason between two batches. */
  readonly signal: AbortSignal;
  /** Where an earlier run of the same round, of whichever process, stopped. */
  readonly checkpoint: Checkpoint | undefined;
  /** Notes how far of `total` the work has come, in the transaction that does it. @throws LockLost */
  readonly advance: (checkpoint: Checkpoint, total: number, tx: Tx) => Promise<void>;
}

/** A job: when it runs, and what it does. */
export interface JobSpec {
  readonly name: string;
  /** Five fields of cron, in UTC; or `ON_COMMAND`. */
  readonly schedule: string;
  /** A process that gives no sign of life for so long has lost the job. */
  readonly lockMs: number;
  readonly work: (run: JobRun) => Promise<unknown>;
}

/** What happens to jobs in this process. */
export interface JobEvents {
  readonly onStart: (name: string) => void;
  readonly onSuccess: (name: string, ms: number) => void;
  readonly onFailure: (name: string, error: unknown, nextRunAt: Date | null) => void;
  /** The queue itself, such as a database that does not answer. */
  readonly onError: (error: unknown) => void;
}

/** Schedule of a job that only `runNow` runs. */
export const ON_COMMAND = 'on command';

/** Another process has the job: this one was silent for longer than the lock lives. */
export class LockLost extends Error {
  constructor(name: string) {
    super(`another process has taken over the job ${name}`);
  }
}
