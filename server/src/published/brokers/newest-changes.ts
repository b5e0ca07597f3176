import { nameIn } from '../../ledger/record/entry.rule.ts';
import type { Db } from '../../platform/mongo.ts';
import { readChangesFrom } from '../record/subtotals.ts';
import type { Ranking } from './ranking.rule.ts';

/** Brings the numbers of the newest entries about brokers in the ranking up to date. */
export type NoteChanges = () => Promise<void>;

/**
 * Returns the function that notes in the ranking what the record has about brokers since its last call. It reads one
 * number if there is nothing new. If the record was restored to an earlier state, it begins again.
 */
export const createNewestChanges = (db: Db, ranking: Pick<Ranking, 'noteChange' | 'forgetChanges'>): NoteChanges => {
  let from = 0;
  return async () => {
    const known = await readChangesFrom(db, from);
    if (known.end < from) {
      ranking.forgetChanges();
      Object.assign(known, await readChangesFrom(db, 0));
    }
    for (const { subject, number } of known.changes) ranking.noteChange(nameIn(subject), number);
    from = known.end;
  };
};
