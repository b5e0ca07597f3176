import type { Context } from '../../platform/context.ts';
import type { JobRun } from '../../platform/jobs/job.ts';

/**
 * One step in the life of the database. Never changed once it is released: another one follows. It works while processes of this and
 * of the last release serve, so it may meet what it did already, and what an older process writes meanwhile.
 */
export interface Migration {
  /** 1, 2, 3 … without a gap. */
  readonly version: number;
  readonly name: string;
  readonly what: string;
  /** This release cannot serve a database without it. */
  readonly required?: true;
  /** Releases that do not know it cannot serve a database with it: the last step of a change, when none of them is left. */
  readonly breaksOlder?: true;
  /** How many things it would change now. */
  readonly count: () => Promise<number>;
  /** In batches, each a transaction with the bookmark from which it goes on after a kill. Returns how many things it changed. */
  readonly run: (context: Context, run: JobRun) => Promise<number>;
}
