import { randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The only secret of a data directory. Its holder counts as a member of the replica set, with all rights. */
export interface MemberKey {
  /** Path of the key file, from which mongod reads the secret, so that it is on no command line. */
  readonly file: string;
  readonly secret: string;
}

const BYTES = 48;
const FORMAT = /^[A-Za-z0-9+/]{64}\n$/;

/**
 * Returns the key in `dataDir`, or creates one if there is none; stored data does not depend on it.
 * @throws Error if the key is damaged or others may read it
 */
export async function memberKey(dataDir: string): Promise<MemberKey> {
  const file = join(dataDir, 'mongod.key');
  try {
    return { file, secret: await readSecret(file) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') throw new Error(unusable(file, message), { cause: error });
  }
  await create(file);
  return memberKey(dataDir);
}

const unusable = (file: string, reason: string) =>
  `the key of the embedded database, ${file}, cannot be used: ${reason}; delete it, and the next start makes a new one`;

async function readSecret(file: string) {
  const text = await readFile(file, 'utf8');
  if (((await stat(file)).mode & 0o077) !== 0) throw new Error('others may read it');
  if (!FORMAT.test(text)) throw new Error('it is damaged');
  return text.trim();
}

/** Creates the key file atomically and never overwrites one, so that two simultaneous starts use the same key. */
async function create(file: string) {
  const temporary = `${file}.${randomUUID()}`;
  await writeFile(temporary, `${randomBytes(BYTES).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    await link(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(temporary);
  }
}
