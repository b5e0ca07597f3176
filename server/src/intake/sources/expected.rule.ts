import type { SourceMapping } from './source.rule.ts';

/** Known numbers of entries besides the expectation of the mapping. */
interface KnownEntryCounts {
  /** Entries of the last good file. */
  readonly last?: number | undefined;
  /** Minimum from the operator's own check. It replaces the expectation of the mapping. */
  readonly least?: number | undefined;
}

/** Returns the reason why a file is incomplete or another one, by its number of entries; undefined if there is none. */
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
