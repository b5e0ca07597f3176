import mongoose from 'mongoose';
import { inBatches } from '../../platform/jobs/batches.ts';
import { type Db, database } from '../../platform/mongo.ts';
import type { Migration } from './migration.ts';

const { ObjectId } = mongoose.mongo;

const BATCH = 1000;
/** Replaces a missing reason, and a free text: a text could name a person, and the trail outlives people. */
const NOT_RECORDED = 'not_recorded';
const CODE = '^[a-z][a-z_]*(:[0-9a-f]+)?$';
const UNFINISHED = {
  $or: [
    { reason: null },
    { reason: { $not: { $regex: CODE } } },
    { before: { $exists: false } },
    { after: { $exists: false } },
  ],
};
const FINISHED = [
  {
    $set: {
      before: { $ifNull: ['$before', null] },
      after: { $ifNull: ['$after', null] },
      reason: {
        $cond: [{ $regexMatch: { input: { $ifNull: ['$reason', ''] }, regex: CODE } }, '$reason', NOT_RECORDED],
      },
    },
  },
];

const audit = (db: Db) => database(db).collection('audit');

const countUnfinished = (db: Db): Promise<number> => audit(db).countDocuments(UNFINISHED);

const nextUnfinished = async (db: Db, after: string | undefined): Promise<string[]> => {
  const rows = await audit(db)
    .find(
      { ...(after === undefined ? {} : { _id: { $gt: new ObjectId(after) } }), ...UNFINISHED },
      { projection: { _id: 1 } },
    )
    .sort({ _id: 1 })
    .limit(BATCH)
    .toArray();
  return rows.map(({ _id }) => String(_id));
};

/** Adds reasons and states to audit entries of releases that did not record them. */
export const auditReasons: Migration = {
  version: 2,
  name: 'audit-reasons',
  what: `gives audit entries of earlier releases a reason (${NOT_RECORDED}) and the states before and after`,
  count: countUnfinished,
  run: async (context, run) =>
    inBatches(context, run, {
      total: (run.checkpoint?.done ?? 0) + (await countUnfinished(context.db)),
      next: (one) => nextUnfinished(context.db, one),
      work: ({ tx, db }, ids) =>
        audit(db).updateMany({ _id: { $in: ids.map((id) => new ObjectId(id)) } }, FINISHED, { session: tx }),
    }),
};
