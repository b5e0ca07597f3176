import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { completeBlockList } from '../../features/accounts/blocking.ts';
import { completeErasureList } from '../../features/people/actions.ts';
import { folderCopy, type LogCopy, OF_BACKUP } from '../../ledger/log/copy.ts';
import { copyLog } from '../../ledger/log/kept-log.ts';
import { logName } from '../../ledger/log/name.rule.ts';
import { readCheckpoint } from '../../ledger/log/store.ts';
import type { Db } from '../../platform/mongo.ts';
import { type Config, resolveBlockList, resolveErasureList } from '../config.ts';

/** The folder of a backup with the files from outside the database. */
export const OUTSIDE = 'outside';

/** Returns the paths of a backup's files beside the dump. */
export const toOutsidePaths = (dir: string) => ({
  erasures: join(dir, OUTSIDE, 'erasures.ndjson'),
  blocks: join(dir, OUTSIDE, 'blocks.ndjson'),
  log: (origin: string): string => join(dir, OUTSIDE, 'log', logName(origin)),
});

const copyList = async (from: string, to: string): Promise<void> => {
  await copyFile(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    await writeFile(to, '', { mode: 0o600 }); // nobody was ever erased or blocked
  });
};

/** Copies the lists of erasures and blocks and the log, all of them as new as the database, beside a dump. */
export const copyOutside = async (db: Db, config: Config, dir: string): Promise<void> => {
  const { erasures, blocks, log } = toOutsidePaths(dir);
  await mkdir(join(dir, OUTSIDE), { mode: 0o700 });
  await completeBlockList(db, resolveBlockList(config));
  await completeErasureList(db, resolveErasureList(config));
  await copyList(resolveBlockList(config), blocks);
  await copyList(resolveErasureList(config), erasures);
  const published = await readCheckpoint(db);
  if (!published) return;
  await copyLog(db, log(published.origin), published.text);
  await writeFile(join(log(published.origin), OF_BACKUP), '', { mode: 0o600 });
};

/** Returns the copy of a log in a backup. */
export const openLogCopy = (dir: string, origin: string): LogCopy => folderCopy(toOutsidePaths(dir).log(origin));
