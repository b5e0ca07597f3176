import { nameIn } from '../../ledger/record/entry.rule.ts';
import type { Db } from '../../platform/mongo.ts';
import { readChangesFrom } from '../record/subtotals.ts';
import type { Ranking } from './ranking.rule.ts';

/** Brings the numbers of the newest entries about brokers in the ranking up to date. */
export type NoteChanges = () => Promise<void>;

/**
 * Returns the function that notes in the ranking what the record has about brokers since its last call. It reads one
 * number if there is nothing new. If the record was restored to an earlier state, it begins again. Calls run one after
 * the other, so that none writes older numbers over newer ones.
 */
export const createNewestChanges = (db: Db, ranking: Pick<Ranking, 'noteChange' | 'forgetChanges'>): NoteChanges => {
  let from = 0;
  let last: Promise<void> = Promise.resolve();
  const note = async (): Promise<void> => {
    const known = await readChangesFrom(db, from);
    const isRestored = known.end < from;
    const { changes, end } = isRestored ? await readChangesFrom(db, 0) : known;
    if (isRestored) ranking.forgetChanges();
    for (const { subject, number } of changes) ranking.noteChange(nameIn(subject), number);
    from = end;
  };
  return () => {
    last = last.catch(() => undefined).then(note);
    return last;
  };
};
