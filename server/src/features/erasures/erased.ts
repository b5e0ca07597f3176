import type { InspectedRow, RowFault } from '../../ledger/import-kind.ts';
import type { Db, Tx } from '../../platform/mongo.ts';
import { hashSubject } from './record.rule.ts';
import * as store from './store.ts';

/**
 * Returns a function that gives the time of a person's last erasure, or undefined. The person is named by the
 * operator's name for them. Names are hashed slowly, each once, and only if anybody was ever erased.
 */
const createErasureLookup = (db: Db) => {
  const found = new Map<string, Date | undefined>();
  return async (subject: string): Promise<Date | undefined> => {
    if (!found.has(subject)) {
      const isAny = await store.hasErasures(db);
      const [last] = isAny ? await store.findSubjectErasures(db, hashSubject(subject)) : [];
      found.set(subject, last?.erasedAt);
    }
    return found.get(subject);
  };
};

/** Adds to a check that erased persons do not return: texts from before an erasure stay erased. */
export const createPersonalCheck =
  <T extends { readonly createdAt: string }, K>(
    toPerson: (record: T) => readonly [column: string, subject: string],
    check: (db: Db) => (rows: readonly InspectedRow<T, K>[], tx: Tx, now: Date) => Promise<readonly RowFault[]>,
  ) =>
  (db: Db) => {
    const [erasedAt, inspect] = [createErasureLookup(db), check(db)];
    return async (rows: readonly InspectedRow<T, K>[], tx: Tx, now: Date): Promise<readonly RowFault[]> => {
      const faults = [...(await inspect(rows, tx, now))];
      for (const { line, record } of rows) {
        const [column, subject] = toPerson(record);
        const erased = await erasedAt(subject);
        if (erased && new Date(record.createdAt) <= erased) {
          const detail = `The person was erased on ${erased.toISOString().slice(0, 10)}: leave the row out.`;
          faults.push({ line, column, detail });
        }
      }
      return faults;
    };
  };
