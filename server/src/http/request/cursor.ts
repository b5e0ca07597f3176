import type { ListPosition } from '../../platform/position.ts';

/** Formats a position as the contract's `Cursor`. */
export const encodeCursor = ({ at, id }: ListPosition): string => `${at.getTime()}.${id}`;

/** Parses a text that the contract's `Cursor` accepts. */
export const decodeCursor = (text: string): ListPosition => {
  const end = text.indexOf('.');
  return { at: new Date(Number(text.slice(0, end))), id: text.slice(end + 1) };
};

/** Returns a page of a list that was read with one item too many. */
export const toPage = <T>(items: readonly T[], limit: number, toPosition: (item: T) => ListPosition) => {
  const data = items.slice(0, limit);
  const last = data.at(-1);
  const nextCursor = items.length > limit && last !== undefined ? encodeCursor(toPosition(last)) : null;
  return { data, pagination: { limit, nextCursor } };
};
