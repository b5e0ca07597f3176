import { randomUUID } from 'node:crypto';
import { toBase64 } from '@broker-transparency/log';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/mongo.ts';
import type { Log } from '../../platform/observe/log.ts';
import { type SigningSettings, signIfDue } from './checkpoint.ts';
import { CURE, computeRootAt, findDoubt, type SigningDoubt } from './doubt.ts';
import { keepLog, readOwnCheckpoint, replaceLog } from './kept-log.ts';
import { dropRefusal, type SignedTree, saveRefusal, vouchFor } from './refusals.ts';
import type { LogProgress } from './standing.ts';
import type { StoredCheckpoint } from './store.ts';

/** Time in milliseconds for which a process that has looked need not look again for the checkpoints of others. */
const FOLLOWING_MS = 60_000;

/** Time in milliseconds within which another signing process answers. */
const ANSWER_MS = 5000;

/** Dependencies of signing. */
interface Parts {
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Signs the log while this machine knows the last signed checkpoint. Otherwise it asks the other signing processes
 * through the database: an answer shows that a process with the newest copy sees the same database.
 */
export const createSigner = (db: Db, signing: SigningSettings, { clock, log }: Parts) => {
  const { keptIn } = signing;
  const id = randomUUID();
  let refusing: { readonly why: string; readonly since: Date; isTold: boolean } | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  /** The published checkpoint at the last time without a doubt. */
  let settled: string | undefined;

  /** Continues from the last tree that another process has signed, if the stored tree continues it. */
  const goOn = async ({ size, root }: SignedTree, { tree, published }: LogProgress): Promise<void> => {
    if (!tree || !published || tree.size < size || published.size < size) return;
    if ((await computeRootAt(db, size, tree.size)) === root) await replaceLog(db, keptIn, published.text, clock());
  };

  const refuse = async ({ why, isOpen }: SigningDoubt, standing: LogProgress): Promise<void> => {
    settled = undefined;
    if (refusing?.why !== why) refusing = { why, since: refusing?.since ?? clock(), isTold: false };
    const isUnanswered = !isOpen || clock().getTime() - refusing.since.getTime() > ANSWER_MS;
    if (isUnanswered && !refusing.isTold) log.error({ reason: why }, `the log is not signed. ${CURE}`);
    refusing.isTold ||= isUnanswered;
    const vouched = await saveRefusal(db, { _id: id, why, since: refusing.since, at: clock(), isOpen });
    if (isOpen && vouched) await goOn(vouched, standing);
  };

  const stop = async (): Promise<void> => {
    if (refusing) await dropRefusal(db, id);
    refusing = undefined;
  };

  /** Keeps the published checkpoint, and reports the last signed tree to processes that ask. */
  const follow = async ({ published, isAsked }: LogProgress): Promise<void> => {
    const own = await readOwnCheckpoint(keptIn);
    if (published && (own?.size ?? 0) < published.size) await keepLog(db, keptIn, published.text);
    else if (own && isAsked) await vouchFor(db, { size: own.size, root: toBase64(own.root) });
  };

  return {
    /** Signs the tree if it is due and not in doubt. Returns the published checkpoint. */
    sign: async (standing: LogProgress): Promise<StoredCheckpoint | undefined> => {
      const { tree, published, isAsked } = standing;
      const isFollowing = performance.now() - lookedAt < FOLLOWING_MS;
      const isQuiet = tree?.waitingSince === null && published?.text === settled && !isAsked;
      const doubt = isQuiet ? undefined : await findDoubt(db, keptIn, isFollowing);
      if (doubt) {
        await refuse(doubt, standing);
        return published;
      }
      lookedAt = performance.now();
      if (isQuiet) return published;
      await stop();
      await follow(standing);
      const signed = await signIfDue(db, signing, standing, clock);
      settled = signed?.text;
      return signed;
    },
    stop,
  };
};
