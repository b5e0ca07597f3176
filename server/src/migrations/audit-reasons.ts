import mongoose from 'mongoose';
import { database, transaction } from '../platform/mongo.ts';
import type { Migration } from './migration.ts';

const { ObjectId } = mongoose.mongo;

const BATCH = 1000;
/** What stands for a reason that nobody gave, and for a text: one could name a person, and the trail outlives people. */
const NOT_RECORDED = 'not_recorded';
const IS_NO_CODE = { $or: [{ reason: null }, { reason: { $not: /^[a-z][a-z_]*(:[0-9a-f]+)?$/ } }] };
const UNFINISHED = { $or: [...IS_NO_CODE.$or, { before: { $exists: false } }, { after: { $exists: false } }] };
const FINISHED = [
  {
    $set: {
      before: { $ifNull: ['$before', null] },
      after: { $ifNull: ['$after', null] },
      reason: {
        $cond: [
          { $regexMatch: { input: { $ifNull: ['$reason', ''] }, regex: '^[a-z][a-z_]*(:[0-9a-f]+)?$' } },
          '$reason',
          NOT_RECORDED,
        ],
      },
    },
  },
];

const audit = () => database().collection('audit');

/** Entries of before the trail said why. */
export const auditReasons: Migration = {
  version: 2,
  name: 'audit-reasons',
  what: `gives audit entries of earlier releases a reason (${NOT_RECORDED}) and the states before and after`,
  count: () => audit().countDocuments(UNFINISHED),
  run: async (_context, { signal, checkpoint, advance }) => {
    let { cursor, done } = checkpoint ?? { cursor: '', done: 0 };
    const total = done + (await audit().countDocuments(UNFINISHED));
    for (;;) {
      signal.throwIfAborted();
      const after = cursor === '' ? {} : { _id: { $gt: new ObjectId(cursor) } };
      const rows = await audit()
        .find({ ...after, ...UNFINISHED }, { projection: { _id: 1 } })
        .sort({ _id: 1 })
        .limit(BATCH)
        .toArray();
      const last = rows.at(-1);
      if (last === undefined) return done;
      const reached = { cursor: String(last._id), done: done + rows.length };
      await transaction(async (tx) => {
        await advance(reached, total, tx);
        await audit().updateMany({ _id: { $in: rows.map(({ _id }) => _id) } }, FINISHED, { session: tx });
      });
      ({ cursor, done } = reached);
    }
  },
};
