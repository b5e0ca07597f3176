import { record } from '../audit/store.ts';
import { brokersChanged } from '../brokers/actions.ts';
import { countRegulated, slugsLicensedBy } from '../brokers/facts.ts';
import type { Context } from '../context.ts';
import { clearDue, dueKeys, dueMarks } from '../platform/due.ts';
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
  for (const code of await dueKeys('regulator', 100))
    await transaction(async (tx) => {
      const marks = await dueMarks('regulator', [code], tx);
      await store.setBrokerCount(code, await countRegulated(code, tx), tx);
      await clearDue(marks, tx);
    });
};

export const listRegulators = store.listRegulators;
