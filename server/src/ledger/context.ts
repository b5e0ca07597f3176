import type { Clock } from '../platform/clock.ts';
import { type Db, perDb, type Tx, transaction } from '../platform/mongo.ts';
import { type Actor, type AuditEntry, insertAuditEntries, type StoredAuditEntry, toStored } from './audit/store.ts';
import { appendEntries } from './record/append.ts';
import type { CausedDraft } from './record/entry.rule.ts';

/**
 * Parameters of every action: the actor, the clock and the database. HTTP, the command line and jobs call actions in
 * the same way.
 */
export interface Context {
  readonly actor: Actor;
  readonly clock: Clock;
  readonly db: Db;
}

/**
 * The context of one transaction: all its writes are committed together or not at all. A function that takes it runs in
 * its caller's transaction.
 */
export interface TxContext extends Context {
  /** The session that stores pass to the database. */
  readonly tx: Tx;
  /** Time at which the transaction began. */
  readonly now: Date;
  /**
   * Adds an entry to the audit trail. The transaction ends with one insert of all its entries.
   * @throws Error as `toStored` does
   */
  readonly audit: (
    action: AuditEntry['action'],
    subject: AuditEntry['subject'],
    change: Pick<AuditEntry, 'before' | 'after' | 'reason'>,
  ) => void;
  /**
   * Adds an entry to the record: the value that is published under its key from now on. The transaction ends with one
   * insert of the entries that differ from the published ones.
   */
  readonly publish: (entry: CausedDraft) => void;
}

/**
 * Returns the entries that a dry run would have added to the audit trail. Transactions that are taken back add to them.
 */
export const foreseenEntries = perDb((): StoredAuditEntry[] => []);

/**
 * Runs `work` in one transaction and stores the entries that it adds to the record and to the audit trail. If the
 * database asks for a retry, `work` runs again with a fresh context.
 */
export const inTransaction = async <T>(
  { actor, clock, db }: Context,
  work: (c: TxContext) => Promise<T>,
): Promise<T> => {
  const { result, entries } = await transaction(db, async (tx) => {
    const now = clock();
    const entries: StoredAuditEntry[] = [];
    const audit: TxContext['audit'] = (action, subject, change) => {
      entries.push(toStored(actor, now, { action, subject, ...change }));
    };
    const published: CausedDraft[] = [];
    const publish: TxContext['publish'] = (entry) => {
      published.push(entry);
    };
    const result = await work({ actor, clock, db, tx, now, audit, publish });
    await appendEntries(published, tx);
    await insertAuditEntries(entries, tx);
    return { result, entries };
  });
  if (db.takesBack) foreseenEntries(db).push(...entries);
  return result;
};

/** Runs `work` as `inTransaction` does, and rolls all its writes back. Returns its result, for a dry run. */
export const performDryRun = <T>(context: Context, work: (c: TxContext) => Promise<T>): Promise<T> =>
  inTransaction({ ...context, db: { ...context.db, takesBack: true } }, work);

/**
 * Returns a context with the same actor and a fixed time, for work that spans several transactions but counts as one
 * moment.
 */
export const fixedAt = ({ actor, db }: Context, now: Date): Context => ({ actor, clock: () => now, db });

/** The reason for writing many records at once, and the former states of those that existed. */
export interface BulkWrite<T> {
  /** Reason for the audit entries. */
  readonly reason: string;
  readonly states: ReadonlyMap<string, T>;
}
