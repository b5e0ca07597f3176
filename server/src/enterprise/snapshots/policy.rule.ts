import type { EntryKind } from '@broker-transparency/contract/record';

/** Maximum bytes of the lines of a part, before compression. A longer line gets its own part. */
export const PART_BYTES = 32 * 2 ** 20;

/** Kinds whose entries have texts that people wrote. */
export const KINDS_WITH_TEXTS: ReadonlySet<string> = new Set<EntryKind>(['broker', 'review', 'news']);

/** Maximum changed keys that are merged into the snapshot before. With more, it is faster to read all keys again. */
export const MOST_CHANGED = 100_000;

/** The duty of every customer concerning erased texts. */
export const ERASURE_TERM =
  'Delete a text at once when the feed has an entry for its key whose commitments do not include it any more, such as ' +
  'one with the cause "erasure", and in every copy within 24 hours. Read texts files again before each use of an older ' +
  'snapshot: a text that was erased is taken out of them.';
