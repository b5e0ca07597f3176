import type { Context } from '../../ledger/context.ts';
import type { JobRun } from '../../platform/jobs/job.ts';
import type { Db } from '../../platform/mongo.ts';

/**
 * One step in the evolution of the database. A released migration never changes; a new one follows instead. It runs
 * while processes of this release and the previous one serve, so it may meet its own earlier changes and new writes of
 * older processes.
 */
export interface Migration {
  /** 1, 2, 3 … without gaps. */
  readonly version: number;
  readonly name: string;
  readonly what: string;
  /** Set if this release cannot serve a database without this migration. */
  readonly required?: true;
  /**
   * Set if older releases cannot serve a database with this migration. It is the last step of a change, applied when no
   * older process is left.
   */
  readonly breaksOlder?: true;
  /** Returns the number of documents that the migration would change now. */
  readonly count: (db: Db) => Promise<number>;
  /**
   * Works in batches, each a transaction that stores a checkpoint, from which the next run continues after a kill.
   * Returns the number of changes.
   */
  readonly run: (context: Context, run: JobRun) => Promise<number>;
}
