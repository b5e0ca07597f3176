import { readdir, readFile } from 'node:fs/promises';
import type { MonthFiles, RecomputedMonth } from '@broker-transparency/client/service-level';
import { VerifyError } from '@broker-transparency/client/verify';
import { UsageError, type Values } from './usage.ts';
import { policyIn, type Sources } from './verify.ts';

/** The result of a check of a month. */
export type MonthCheck = { readonly fits: boolean } & RecomputedMonth;

interface Asked extends Sources {
  readonly given: string;
  readonly values: Values;
}

const library = () => import('@broker-transparency/client/service-level'); // other commands need none of it

type FileError = Error & { readonly code?: string };

/** Says what is wrong with a file or folder, and what helps. */
const asUsage = (path: string, { code, message }: FileError): UsageError => {
  const CURES: Readonly<Record<string, string>> = {
    ENOENT: 'it does not exist: `service-level get MONTH DIR` makes it',
    ENOTDIR: 'it is no folder',
    EACCES: 'you may not read it',
    EISDIR: 'it is a folder, and a file should be there',
  };
  return new UsageError(`${path}: ${CURES[code ?? ''] ?? message}`);
};

/** The most bytes of a file: a prober's day has less than one megabyte. */
const MOST_BYTES = 16_000_000;

/** A folder on this machine. It is only read. */
export const folderOf = (folder: string): MonthFiles => ({
  list: async () => {
    const found = await readdir(folder, { recursive: true }).catch((error: FileError) => {
      throw asUsage(folder, error);
    });
    return found.map((path) => path.replaceAll('\\', '/'));
  },
  read: async (path) => {
    try {
      const bytes = await readFile(`${folder}/${path}`);
      if (bytes.length > MOST_BYTES) throw new UsageError(`${folder}/${path}: it is too long for what it should be`);
      return bytes.toString();
    } catch (error) {
      if ((error as FileError).code === 'ENOENT') return undefined;
      throw error instanceof UsageError ? error : asUsage(`${folder}/${path}`, error as FileError);
    }
  },
});

/** The only month that a folder has. @throws UsageError if there is none, or several */
const monthIn = (paths: readonly string[], folder: string): string => {
  const months = new Set(paths.flatMap((path) => /^months\/(\d{4}-\d\d)\.(?:json|proof)$/.exec(path)?.[1] ?? []));
  const [month, ...more] = months;
  if (month === undefined) throw new UsageError(`${folder} has no month: it needs months/YYYY-MM.proof`);
  if (more.length > 0) throw new UsageError(`${folder} has several months: ${[...months].sort().join(', ')}: name one`);
  return month;
};

/** Splits words with commas between them. */
const listed = (text: string | undefined): string[] | undefined => text?.split(',').map((word) => word.trim());

/**
 * Recomputes the month in a folder, without asking anybody.
 * @throws UsageError if there is none, or no policy
 */
export const checkMonth = async ({ given, values, ...sources }: Asked): Promise<MonthCheck> => {
  const files = folderOf(given);
  const month = values.month ?? monthIn(await files.list(), given);
  const kept = values.policy === undefined && values.key === undefined ? await files.read('policy') : undefined;
  const policy = kept ?? (await policyIn('service-level check', values, sources));
  const { recomputeMonth } = await library();
  try {
    const found = await recomputeMonth({
      month,
      files,
      policy,
      only: listed(values.only),
      proberKeys: listed(values['prober-key']),
    });
    return { fits: found.problems.length === 0 && found.differences.length === 0, ...found };
  } catch (error) {
    if (error instanceof VerifyError || error instanceof RangeError) throw new UsageError(error.message);
    throw error;
  }
};
