import { open } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import type { Pace } from './pace.ts';

const CHUNK = 65_536;

/** Range of bytes of a file, both ends included. */
export interface FilePart {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Writes a part of a file and ends `to`; ends early if `to` closes. All bytes pass through one buffer: a new buffer per
 * chunk would make V8 collect its whole heap several times a second, and every request waits for that.
 */
export const writePart = async ({ path, start, end }: FilePart, to: Writable, pace: Pace): Promise<void> => {
  const closed = new Promise<void>((resolve) => to.once('close', resolve));
  const buffer = Buffer.allocUnsafeSlow(CHUNK);
  const file = await open(path);
  try {
    for (let at = start; at <= end && !to.destroyed; ) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(CHUNK, end + 1 - at), at);
      if (bytesRead === 0 && at < end) throw new Error(`${path} is shorter than it was`);
      if (bytesRead === 0) break; // an empty file
      const taken = Promise.withResolvers<void>();
      to.write(buffer.subarray(0, bytesRead), () => taken.resolve()); // a caller that does not read closes it
      await Promise.race([taken.promise, closed]);
      at += bytesRead;
      await pace(bytesRead);
    }
  } finally {
    await file.close();
  }
  to.end();
};
