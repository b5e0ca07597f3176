import type { EntryKind } from '@broker-transparency/contract/record';
import { computeRoot } from '@broker-transparency/log';
import { findCoveringCheckpoint, readFrontier, readTreeSize } from '../../ledger/log/covering.ts';
import { type EntryRange, readLastNumber, readPublicTexts, readRange } from '../../ledger/record/page.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { type Db, inReadOrder } from '../../platform/mongo.ts';
import { sha256 } from '../../platform/sha256.rule.ts';
import { pageText } from './page.rule.ts';

/** A query of the feed. */
export interface FeedQuery {
  /** The page begins after this number; -1 for the beginning. */
  readonly after: number;
  readonly limit: number;
  readonly kind: EntryKind | undefined;
  /** Subjects of the entries; undefined for all. */
  readonly subjects: readonly string[] | undefined;
  readonly withTexts: boolean;
}

/** A page of the feed. */
export interface FeedPage {
  readonly text: string;
  readonly count: number;
  readonly through: number;
  /** Number of entries in the tree: if `through` is the last of them, there are no more yet. */
  readonly size: number;
}

/** Maximum bytes of the entries of a page. */
const MOST_BYTES = 4 * 2 ** 20;

/**
 * @throws DomainError state_conflict if the number does not exist yet; unavailable if the tree does not include it yet
 */
const requireReached = (after: number, size: number, end: number): void => {
  if (after > end)
    throw new DomainError(
      'state_conflict',
      `The record ends at ${end}, so nothing can come after ${after}. If you have seen a higher number, a restore has taken entries back: go on from the last number that a checkpoint covers.`,
    );
  if (after >= size)
    throw new DomainError('unavailable', `The feed reaches ${size - 1} now; ${after} follows at once.`, {
      retryAfter: 1,
    });
};

/** @throws DomainError unavailable if an entry is missing, since the page would prove nothing */
const requireContiguous = ({ entries, through }: EntryRange, after: number): void => {
  if (entries.length === through - after && entries.every(({ number }, at) => number === after + 1 + at)) return;
  throw new DomainError('unavailable', `Entries after ${after} cannot be read now.`, { retryAfter: 5 });
};

/** Reads a page of the feed. @throws DomainError state_conflict or unavailable */
export const readPage = (db: Db, { after, limit, kind, subjects, withTexts }: FeedQuery): Promise<FeedPage> =>
  inReadOrder(db, async (session) => {
    const size = await readTreeSize(db, session);
    const end = await readLastNumber(session);
    if (after >= 0) requireReached(after, size, end);
    const isFiltered = kind !== undefined || subjects !== undefined;
    const range = await readRange({ from: after + 1, below: size, kind, subjects, limit, bytes: MOST_BYTES }, session);
    const { entries, through } = range;
    if (!isFiltered) requireContiguous(range, after);
    const texts = withTexts
      ? await readPublicTexts(
          entries.map(({ key }) => key),
          session,
        )
      : undefined;
    const tree = await readFrontier(db, through + 1, session);
    const text = pageText({
      after,
      through,
      isFiltered,
      entries,
      texts,
      tree: { size: tree.size, root: computeRoot(tree, sha256) },
      signed: await findCoveringCheckpoint(tree.size, session),
      end,
    });
    return { text, count: entries.length, through, size };
  });
