import type { Socket } from 'node:net';

/**
 * An answer that its caller has not read to its end: how many bytes they have read, and since when they have read no
 * more.
 */
export interface UnreadBytes {
  readonly taken: number;
  readonly since: number;
}

/** What a caller has not read yet; undefined where they have read all. `before` is how it was at the last look. */
export const measureUnread = (
  { writableLength, bytesWritten }: Pick<Socket, 'writableLength' | 'bytesWritten'>,
  before: UnreadBytes | undefined,
  now: number,
): UnreadBytes | undefined => {
  if (writableLength === 0) return undefined;
  const taken = bytesWritten - writableLength;
  return before?.taken === taken ? before : { taken, since: now };
};
