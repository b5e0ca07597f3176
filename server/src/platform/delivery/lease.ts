import { randomUUID } from 'node:crypto';
import type mongoose from 'mongoose';

/** The process that works on a document, and the time at which others may take it. */
export interface Lease {
  readonly by: string;
  readonly until: Date;
}

/** A lease in a schema. */
export const LEASE = { type: { by: String, until: Date }, _id: false } as const;

/** The terms on which processes share documents. */
interface LeaseTerms {
  /** Filter for the documents that are worked on. */
  readonly where: mongoose.mongo.Filter<mongoose.mongo.Document>;
  /** Milliseconds for which a process keeps a document without renewing its lease. */
  readonly lastsMs: number;
  /** Documents that one process takes at once, so that several share them. */
  readonly mostAtOnce: number;
  /** Documents of one process. */
  readonly most: number;
}

/**
 * Leases documents of a collection to this process, in their field `lease`. The time of the database decides, since
 * clocks of processes differ.
 */
export const createLeases = (
  { collection }: { readonly collection: mongoose.Collection },
  { where, lastsMs, mostAtOnce, most }: LeaseTerms,
) => {
  const by = randomUUID();
  const own = { 'lease.by': by };
  const until = { $add: ['$$NOW', lastsMs] };
  const free = { ...where, $expr: { $lt: [{ $ifNull: ['$lease.until', new Date(0)] }, '$$NOW'] } };
  let renewedAt = Number.NEGATIVE_INFINITY;
  let hadAt = Number.NEGATIVE_INFINITY;

  /** Takes documents that nobody has. Returns whether it may have got any. */
  const claim = async (): Promise<boolean> => {
    const found = await collection
      .find(free, { projection: { _id: 1 } })
      .limit(mostAtOnce)
      .toArray();
    if (found.length === 0) return false;
    const chosen = { ...free, _id: { $in: found.map(({ _id }) => _id) } };
    await collection.updateMany(chosen, [{ $set: { lease: { by, until } } }]);
    return true;
  };

  return {
    by,
    /** Returns true while others leave the documents of this process alone. */
    isHeld: (): boolean => performance.now() - renewedAt < lastsMs,
    /**
     * Renews the leases of this process, which knows of so many, and takes more if there are any. Returns whether it
     * can have some. The outcome counts from the time at which it is known, or stays unknown.
     */
    keep: async (known: number): Promise<boolean> => {
      const begunAt = performance.now();
      let mayHave = true;
      try {
        if (known > 0) await collection.updateMany(own, [{ $set: { 'lease.until': until } }]);
        const isTaken = known < most && (await claim());
        mayHave = isTaken || known > 0;
      } finally {
        if (mayHave) hadAt = performance.now();
      }
      renewedAt = begunAt;
      return performance.now() - hadAt <= lastsMs;
    },
    /** Lets others take one document at once, or all of this process. */
    release: async (id?: string): Promise<void> => {
      await collection.updateMany(id === undefined ? own : { ...own, _id: id as never }, { $set: { lease: null } });
    },
  };
};
export type Leases = ReturnType<typeof createLeases>;
