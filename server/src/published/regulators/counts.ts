import { findCounts, setBrokerCount } from '../../features/regulators/facts.ts';
import { type AuditEntry, recordAll } from '../../platform/audit/store.ts';
import type { Context } from '../../platform/context.ts';
import { clearDirty, dirtyKeys, dirtyMarks, markDirty } from '../../platform/dirty-marks.ts';
import { transaction } from '../../platform/mongo.ts';
import { countRegulated } from '../brokers/facts.ts';

/** Counts the brokers of every regulator that is due. */
export const refreshDirtyRegulators = async (): Promise<void> => {
  for (const code of await dirtyKeys('regulator', 100))
    await transaction(async (tx) => {
      const marks = await dirtyMarks('regulator', [code], tx);
      await setBrokerCount(code, await countRegulated(code, tx), tx);
      await clearDirty(marks, tx);
    });
};

/** Counts every regulator's brokers again and compares. Returns how many, and the codes whose count differs; with `repair` they are made due. */
export const recountRegulators = (
  { actor, clock }: Context,
  repair: boolean,
): Promise<{ compared: number; different: string[] }> =>
  transaction(async (tx) => {
    const regulators = await findCounts(tx);
    const codes = regulators.map(({ _id }) => _id);
    const due = new Set((await dirtyMarks('regulator', codes, tx)).map((mark) => mark.key));
    const repairs: AuditEntry[] = [];
    for (const { _id, brokerCount } of regulators) {
      const counted = due.has(_id) ? brokerCount : await countRegulated(_id, tx);
      if (counted !== brokerCount)
        repairs.push({
          ...{ action: 'regulator.repaired', subject: { kind: 'regulator', id: _id } },
          ...{ before: { brokerCount }, after: { brokerCount: counted }, reason: 'rebuild_differed' },
        });
    }
    const different = repairs.map(({ subject }) => subject.id);
    if (repair) await markDirty('regulator', different, tx);
    if (repair) await recordAll(actor, clock(), repairs, tx);
    return { compared: regulators.length - due.size, different };
  });
