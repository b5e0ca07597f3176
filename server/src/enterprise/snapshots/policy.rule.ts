import type { EntryKind } from '@broker-transparency/contract/record';

/** Maximum bytes of the lines of a part, before compression. A longer line gets its own part. */
export const PART_BYTES = 32 * 2 ** 20;

/** Kinds whose entries have texts that people wrote. */
export const KINDS_WITH_TEXTS: ReadonlySet<string> = new Set<EntryKind>(['broker', 'review', 'news']);

/** Maximum changed keys that are merged into the snapshot before. With more, it is faster to read all keys again. */
export const MOST_CHANGED = 100_000;
