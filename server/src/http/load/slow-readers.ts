import type { Socket } from 'node:net';

/** An answer, or a part of it, that its caller has yet to take: how many bytes were taken before, and since when it is no more. */
export interface Untaken {
  readonly taken: number;
  readonly since: number;
}

/** What a caller has yet to take; since when, if nothing was taken since `before`. */
export const untakenOf = (
  { writableLength, bytesWritten }: Pick<Socket, 'writableLength' | 'bytesWritten'>,
  before: Untaken | undefined,
  now: number,
): Untaken | undefined => {
  if (writableLength === 0) return undefined;
  const taken = bytesWritten - writableLength;
  return before?.taken === taken ? before : { taken, since: now };
};
