import { publishComplaints } from '../../features/complaints/entries.ts';
import { inBatches } from '../../platform/jobs/batches.ts';
import { type Db, database } from '../../platform/mongo.ts';
import { publishMethodology } from '../../published/record/methodology.ts';
import { findUnstarted, nextNames } from '../../published/record/reconcile.ts';
import type { Migration } from './migration.ts';

/** Names per transaction. */
const BATCH = 200;

/** Collections of facts, by the kind of their entries. */
const FACTS = { regulator: 'regulators', broker: 'brokerProfiles', news: 'news', review: 'reviews' } as const;

/** Returns how many facts of a kind have no entry yet: about, since facts can be gone that have one. */
const countOf = async (db: Db, kind: keyof typeof FACTS): Promise<number> => {
  const published = kind === 'review' ? { publishedAt: { $exists: true } } : {};
  const facts = await database(db).collection(FACTS[kind]).countDocuments(published);
  const ofKind = { key: { $gte: `${kind}/`, $lt: `${kind}0` }, sequence: 0 }; // 0 is the character after /
  return Math.max(0, facts - (await database(db).collection('recordEntries').countDocuments(ofKind)));
};

const countUnstarted = async (db: Db): Promise<number> => {
  const counts = await Promise.all((Object.keys(FACTS) as (keyof typeof FACTS)[]).map((one) => countOf(db, one)));
  return counts.reduce((sum, count) => sum + count);
};

/** Older processes go on writing facts without entries meanwhile: the nightly job `record-day` adds them. */
export const record: Migration = {
  version: 7,
  name: 'record',
  what: 'begins the record with what is published; nothing public changes',
  count: countUnstarted,
  run: async (context, run) => {
    await publishMethodology(context);
    const begun = await inBatches(context, run, {
      total: (run.checkpoint?.done ?? 0) + (await countUnstarted(context.db)),
      next: (after) => nextNames(context.db, after, BATCH),
      work: async (c, names) => {
        for (const draft of await findUnstarted(names, c.tx)) c.publish({ ...draft, cause: 'start', isBulk: true });
      },
    });
    await publishComplaints(context, run.signal);
    return begun;
  },
};
