import { access, chmod, constants, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Creates a folder and its missing parents, step by step: Node's recursive mode never ends on a file system where
 * folders cannot be created, such as /proc.
 */
async function makeFolder(path: string, isLastTry = false): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return;
    if (code !== 'ENOENT' || isLastTry) throw error;
    if (!(await isThere(dirname(path)))) await makeFolder(dirname(path));
    await makeFolder(path, true);
  }
}

export const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const unusable = (dataDir: string) => (error: Error) => {
  throw new Error(`DATA_DIR ${dataDir} cannot be used: ${error.message}`, { cause: error });
};

async function makeWritable(path: string): Promise<void> {
  await makeFolder(path);
  await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
}

/** Creates a data directory if missing. @throws Error naming DATA_DIR if it cannot be written */
export const requireWritable = (dataDir: string): Promise<void> => makeWritable(dataDir).catch(unusable(dataDir));

/** Returns the real path of a data directory for a database, and makes it private. @throws Error naming DATA_DIR */
export const databaseDirectory = async (dataDir: string): Promise<string> => {
  const make = async (): Promise<string> => {
    for (const directory of [dataDir, join(dataDir, 'mongodb')]) {
      await makeWritable(directory);
      await keepPrivate(directory);
    }
    return realpath(dataDir);
  };
  return make().catch(unusable(dataDir));
};

/**
 * Removes the access of others, who could otherwise place their own address and key in it. A directory with the sticky
 * bit, such as /tmp, is shared on purpose and is refused.
 */
async function keepPrivate(directory: string) {
  const { mode } = await stat(directory);
  if ((mode & 0o077) === 0) return;
  if ((mode & 0o1000) !== 0) throw new Error('it is shared with others; name a folder inside it');
  await chmod(directory, 0o700);
}
