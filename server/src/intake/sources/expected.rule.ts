import type { SourceMapping } from './source.rule.ts';

/** What is known of the number of entries besides what the mapping expects. */
interface KnownEntryCounts {
  /** Entries of the last good file. */
  readonly last?: number | undefined;
  /** The operator looked: the file is whole if it has this many. It replaces what is expected. */
  readonly least?: number | undefined;
}

/** Why a file is not whole, or is another one, by the number of its entries; undefined if nothing speaks against it. */
export const findCountRefusal = (
  { title, expected }: Pick<SourceMapping, 'title' | 'expected'>,
  entries: number,
  { last, least }: KnownEntryCounts = {},
): string | undefined => {
  const { min, max, share } = expected;
  if (least !== undefined)
    return entries < least ? `It has ${entries} entries, fewer than the ${least} that it should have.` : undefined;
  if (entries > max) return `It has ${entries} entries, and ${title} has at most ${max}: it is another file.`;
  if (entries < min)
    return `It has ${entries} entries, and ${title} has at least ${min}: it is cut off, or another file.`;
  if (last !== undefined && entries < Math.floor(last * share))
    return `It has ${entries} entries, and the last good file had ${last}: it is cut off.`;
  return undefined;
};
