import type { Position } from '../../platform/position.ts';
import { invalidRequest } from '../problem/problem.ts';

/** A date can hold every time of up to 15 digits. */
const FORM = /^(-?\d{1,15})\.([A-Za-z0-9-]{1,64})$/;

export const encodeCursor = ({ at, id }: Position): string =>
  Buffer.from(`${at.getTime()}.${id}`).toString('base64url');

/** @throws ProblemError naming the parameter where the text is not a cursor of ours */
export const decodeCursor = (text: string): Position => {
  const [, time, id] = FORM.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (time === undefined || id === undefined)
    throw invalidRequest([
      { parameter: 'cursor', code: 'invalid_format', detail: '"cursor" must be a nextCursor of an earlier answer.' },
    ]);
  return { at: new Date(Number(time)), id };
};

/** Makes a page of a list that was read with one item too many. */
export const toPage = <T>(items: readonly T[], limit: number, positionOf: (item: T) => Position) => {
  const data = items.slice(0, limit);
  const last = data.at(-1);
  const nextCursor = items.length > limit && last !== undefined ? encodeCursor(positionOf(last)) : null;
  return { data, pagination: { limit, nextCursor } };
};
