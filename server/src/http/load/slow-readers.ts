import type { Socket } from 'node:net';

/**
 * Progress of an answer that its caller has not read completely: bytes read, and the time since which no more were
 * read.
 */
export interface UnreadBytes {
  readonly taken: number;
  readonly since: number;
}

/**
 * Returns the progress of an unread answer; undefined if the caller has read everything.
 * @param before progress at the last check
 */
export const measureUnread = (
  { writableLength, bytesWritten }: Pick<Socket, 'writableLength' | 'bytesWritten'>,
  before: UnreadBytes | undefined,
  now: number,
): UnreadBytes | undefined => {
  if (writableLength === 0) return undefined;
  const taken = bytesWritten - writableLength;
  return before?.taken === taken ? before : { taken, since: now };
};
