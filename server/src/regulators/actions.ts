import { record } from '../audit/store.ts';
import { brokersChanged } from '../brokers/actions.ts';
import { countRegulated, slugsLicensedBy } from '../brokers/facts.ts';
import type { Context } from '../context.ts';
import { clearDue, dueKeys, dueMarks, dueNow, markDue } from '../platform/due.ts';
import { transaction } from '../platform/mongo.ts';
import type { RegulatorRecord } from './record.ts';
import * as store from './store.ts';

/** Stores the reference facts of regulators by code, new or again. A changed tier changes the scores of its brokers. */
export const importRegulators = ({ actor, clock }: Context, records: readonly RegulatorRecord[]): Promise<void> =>
  transaction(async (tx) => {
    const before = new Map((await store.findTiers(tx)).map(({ _id, tier }) => [_id, tier]));
    await store.upsertRegulators(
      records.map(({ code, ...fields }) => ({ _id: code, ...fields })),
      tx,
    );
    for (const { code, tier } of records) {
      const old = before.get(code);
      await record(
        actor,
        clock(),
        {
          action: 'regulator.imported',
          subject: { kind: 'regulator', id: code },
          ...(old === undefined ? {} : { before: { tier: old } }),
          after: { tier },
        },
        tx,
      );
      if (old !== undefined && old !== tier) await brokersChanged(await slugsLicensedBy(code, tx), tx);
    }
  });

/** Counts the brokers of every regulator that is due. */
export const refreshDueRegulators = async (): Promise<void> => {
  for (const code of await dueKeys('regulator', 100, dueNow()))
    await transaction(async (tx) => {
      const marks = await dueMarks('regulator', [code], tx);
      await store.setBrokerCount(code, await countRegulated(code, tx), tx);
      await clearDue(marks, tx);
    });
};

/** Counts every regulator's brokers again and compares. Returns how many, and the codes whose count differs; with `repair` they are made due. */
export const recountRegulators = (repair: boolean): Promise<{ compared: number; different: string[] }> =>
  transaction(async (tx) => {
    const regulators = await store.findCounts(tx);
    const codes = regulators.map(({ _id }) => _id);
    const due = new Set((await dueMarks('regulator', codes, tx)).map((mark) => mark.key));
    const different: string[] = [];
    for (const { _id, brokerCount } of regulators)
      if (!due.has(_id) && (await countRegulated(_id, tx)) !== brokerCount) different.push(_id);
    if (repair) await markDue('regulator', different, tx);
    return { compared: regulators.length - due.size, different };
  });

export const listRegulators = store.listRegulators;
