import { hashFile } from './file-digest.ts';

/** Checks the SHA-256 of a file. @throws Error if it differs from `expected` */
export async function requireSha256(file: string, expected: string) {
  const found = await hashFile(file);
  if (found !== expected) throw new Error(`its SHA-256 is ${found} and must be ${expected}: it is not run`);
}
