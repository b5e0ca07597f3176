import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

export async function sha256Of(file: string) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), hash);
  return hash.digest('hex');
}

/** Checks the SHA-256 of a file. @throws Error if it differs from `expected` */
export async function requireSha256(file: string, expected: string) {
  const found = await sha256Of(file);
  if (found !== expected) throw new Error(`its SHA-256 is ${found} and must be ${expected}: it is not run`);
}
