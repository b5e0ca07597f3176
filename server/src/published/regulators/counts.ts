import { findDriftedRegulators, republishRegulators } from '../../features/regulators/actions.ts';
import { findCounts, findVerified, listRegulators, setComputed } from '../../features/regulators/facts.ts';
import { isStale } from '../../features/regulators/staleness.rule.ts';
import { type Context, inTransaction } from '../../ledger/context.ts';
import { clearDirty, dirtyKeys, dirtyMarks, markDirty } from '../../ledger/dirty-marks.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Db, type Tx, transaction } from '../../platform/mongo.ts';
import { countRegulated } from '../brokers/facts.ts';

/** Updates the computed fields of a regulator: the number of its brokers, and whether its last check is too old. */
const refreshRegulator = async (code: string, now: Date, tx: Tx): Promise<void> => {
  const marks = await dirtyMarks('regulator', [code], tx);
  const [regulator] = await findVerified(tx.db, [code], tx);
  const stale = isStale(regulator?.lastVerifiedAt ?? null, code, now);
  await setComputed(code, { brokerCount: await countRegulated(code, tx), stale }, tx);
  await clearDirty(marks, tx);
};

/** Updates the computed fields of every regulator with a dirty mark. */
export const refreshDirtyRegulators = async (db: Db, clock: Clock): Promise<void> => {
  for (const code of await dirtyKeys(db, 'regulator', 100))
    await transaction(db, (tx) => refreshRegulator(code, clock(), tx));
};

/** Updates the computed fields of every regulator, since checks of registers age by the day. */
export const refreshAllRegulators = async (db: Db, clock: Clock): Promise<void> => {
  for (const { _id } of await listRegulators(db)) await transaction(db, (tx) => refreshRegulator(_id, clock(), tx));
};

/**
 * Counts the brokers of every regulator again, and compares its facts with their statements. With `repair`, facts are
 * published again, and regulators with a wrong count get a dirty mark. Returns the number of compared regulators, and
 * the codes of those with a wrong count.
 */
export const recountRegulators = (
  context: Context,
  repair: boolean,
): Promise<{ compared: number; different: string[] }> =>
  inTransaction(context, async (c) => {
    const { tx, audit } = c;
    const regulators = await findCounts(tx);
    const codes = regulators.map(({ _id }) => _id);
    const due = new Set((await dirtyMarks('regulator', codes, tx)).map((mark) => mark.key));
    const different: string[] = [];
    for (const { _id: id, brokerCount } of regulators) {
      const counted = due.has(id) ? brokerCount : await countRegulated(id, tx);
      if (counted === brokerCount) continue;
      different.push(id);
      const change = { before: { brokerCount }, after: { brokerCount: counted }, reason: 'rebuild_differed' };
      if (repair) audit('regulator.repaired', { kind: 'regulator', id }, change);
    }
    const misstated = await findDriftedRegulators(codes, tx);
    if (repair) {
      await markDirty('regulator', different, tx);
      await republishRegulators(c, misstated, 'rebuild_differed');
    }
    return { compared: regulators.length - due.size, different: [...new Set([...different, ...misstated])] };
  });
