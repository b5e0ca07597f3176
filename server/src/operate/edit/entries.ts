import { isObject } from '../../intake/imports/rows.ts';
import { DomainError } from '../../platform/domain-error.ts';

/** Returns true if a part can be null. Otherwise it is left out instead. */
export type NullCheck = (path: readonly string[]) => boolean;

/** A change of one entry of a list. */
export type EntryChange<E = unknown> =
  | { readonly what: 'add'; readonly entries: readonly E[] }
  | { readonly what: 'remove'; readonly like: readonly E[] }
  | { readonly what: 'change'; readonly like: E; readonly to: object; readonly takesNull: NullCheck };

/** Returns true if an entry has all parts of a description. */
const isLike = (entry: unknown, description: unknown): boolean => {
  if (!isObject(description)) return (entry ?? null) === (description ?? null);
  return isObject(entry) && Object.entries(description).every(([name, value]) => isLike(entry[name], value));
};

/** Applies the parts of a change to an object; null removes a part. */
export const applyPatch = (
  before: unknown,
  change: object,
  takesNull: NullCheck,
  at: readonly string[] = [],
): object => {
  const whole: Record<string, unknown> = isObject(before) ? { ...before } : {};
  for (const [name, value] of Object.entries(change)) {
    const path = [...at, name];
    if (value === null && !takesNull(path)) delete whole[name];
    else whole[name] = isObject(value) ? applyPatch(whole[name], value, takesNull, path) : value;
  }
  return whole;
};

const formatEntry = (entry: unknown): string => (typeof entry === 'string' ? `"${entry}"` : JSON.stringify(entry));

/** Returns the index of the one entry that matches a description. @throws DomainError invalid_input */
const findEntryIndex = (list: readonly unknown[], like: unknown, field: string): number => {
  const places = list.flatMap((entry, at) => (isLike(entry, like) ? [at] : []));
  const [place] = places;
  if (place === undefined)
    throw new DomainError('invalid_input', `No entry of ${field} that this source states is ${formatEntry(like)}.`);
  if (places.length > 1)
    throw new DomainError(
      'invalid_input',
      `${places.length} entries of ${field} are ${formatEntry(like)}: say more of the one.`,
    );
  return place;
};

/**
 * Returns a list after a change of its entries. An existing entry is not added again. @throws DomainError invalid_input
 * if a description does not match exactly one entry
 */
export const changeList = (list: readonly unknown[], change: EntryChange, field: string): unknown[] => {
  if (change.what === 'add')
    return [...list, ...change.entries.filter((entry) => !list.some((one) => isLike(one, entry)))];
  if (change.what === 'remove') {
    const gone = new Set(change.like.map((like) => findEntryIndex(list, like, field)));
    return list.filter((_, at) => !gone.has(at));
  }
  const place = findEntryIndex(list, change.like, field);
  return list.map((entry, at) => (at === place ? applyPatch(entry, change.to, change.takesNull) : entry));
};
