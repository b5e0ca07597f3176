import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db } from '../../platform/mongo.ts';
import { replaceFile } from '../../platform/replace-file.ts';
import { formatPreviousMonth } from './quota.rule.ts';
import { buildMonthlyFiles } from './reports.ts';

const readIfThere = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

/** Writes what each organisation used in the month before, to `usage/YYYY-MM/ORG.csv`. Files that are right stay. */
export const writeUsageFiles = async (db: Db, dataDir: string, now: Date): Promise<void> => {
  const month = formatPreviousMonth(now);
  const folder = join(dataDir, 'usage', month);
  for (const [name, content] of await buildMonthlyFiles(db, month)) {
    const path = join(folder, name);
    if ((await readIfThere(path)) === content) continue;
    await replaceFile(path, content);
  }
};
