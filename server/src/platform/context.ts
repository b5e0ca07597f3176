import { type Actor, type AuditEntry, record, type StoredEntry, toStored } from './audit/store.ts';
import type { Clock } from './clock.ts';
import { type Tx, transaction } from './mongo.ts';

/** What every action is given: who acts, and the time. HTTP, command line and jobs differ in nothing else. */
export interface Context {
  readonly actor: Actor;
  readonly clock: Clock;
}

/**
 * The context of one transaction: what is done with it is done together, or not at all. A function that takes it runs
 * in its caller's transaction.
 */
export interface TxContext extends Context {
  /** What stores take. */
  readonly tx: Tx;
  /** When the transaction began. */
  readonly now: Date;
  /**
   * Notes what is done for the audit trail. The transaction ends with one insert of all that was noted.
   * @throws Error as `toStored`
   */
  readonly audit: (
    action: AuditEntry['action'],
    subject: AuditEntry['subject'],
    change: Pick<AuditEntry, 'before' | 'after' | 'reason'>,
  ) => void;
}

/**
 * Does work in one transaction, with the audit entries that it notes. Where the database asks for it, the work is done
 * again: each try has a context of its own.
 */
export const inTransaction = <T>({ actor, clock }: Context, work: (c: TxContext) => Promise<T>): Promise<T> =>
  transaction(async (tx) => {
    const now = clock();
    const entries: StoredEntry[] = [];
    const audit: TxContext['audit'] = (action, subject, change) => {
      entries.push(toStored(actor, now, { action, subject, ...change }));
    };
    const result = await work({ actor, clock, tx, now, audit });
    await record(entries, tx);
    return result;
  });

/** The same actor at one time: for work of several transactions that counts as done at once. */
export const fixedAt = ({ actor }: Context, now: Date): Context => ({ actor, clock: () => now });

/** Why many things are written at once, and how they were before, as far as they were there. */
export interface BulkWrite<T> {
  /** For the audit trail. */
  readonly reason: string;
  readonly states: ReadonlyMap<string, T>;
}

/** Something cannot be taken away, because something else is about it. */
export class InUse extends Error {}
