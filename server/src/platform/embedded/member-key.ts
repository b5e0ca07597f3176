import { randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The one secret of a data directory. Who has it is a member of the replica set, which may do anything. */
export interface MemberKey {
  /** mongod reads it there: it stands on no command line. */
  readonly file: string;
  readonly secret: string;
}

const BYTES = 48;
const FORMAT = /^[A-Za-z0-9+/]{64}\n$/;

/** The key in `dataDir`; a new one where there is none, since nothing that is stored depends on it. */
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

/** Whole or not at all, and never over another: of two starts at once both use the first one's. */
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
