import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import type { Fetch } from '@broker-transparency/client';
import { VerifyError } from '@broker-transparency/client/verify';
import type { MonthFiles, RecomputedMonth } from '@broker-transparency/client/verify/node';
import { EXIT, SourceError } from './failures.ts';
import { UsageError, type Values } from './usage.ts';
import { policyIn, type Sources } from './verify.ts';

/** The result of a check of a month. */
export type MonthCheck = { readonly fits: boolean } & RecomputedMonth;

interface MonthInput extends Sources {
  readonly given: string;
  readonly values: Values;
}

const loadLibrary = () => import('@broker-transparency/client/verify/node'); // other commands need none of it

type FileError = Error & { readonly code?: string };

/** Returns the error about a file or folder, with the remedy. */
const toUsageError = (path: string, { code, message }: FileError): UsageError => {
  const CURES: Readonly<Record<string, string>> = {
    ENOENT: 'it does not exist: `service-level get MONTH DIR` makes it',
    ENOTDIR: 'it is not a folder',
    EACCES: 'you may not read it',
    EISDIR: 'it is a folder, and a file should be there',
  };
  return new UsageError(`${path}: ${CURES[code ?? ''] ?? message}`);
};

/** The most bytes of a file: a prober's day has less than one megabyte. */
const MOST_BYTES = 16_000_000;

/** Returns all files below a folder. Node 18.3 cannot do so by itself. */
const listPaths = async (folder: string, below = ''): Promise<string[]> => {
  const found = await readdir(`${folder}/${below}`, { withFileTypes: true });
  const paths = found.map((each) =>
    each.isDirectory() ? listPaths(folder, `${below}${each.name}/`) : [`${below}${each.name}`],
  );
  return (await Promise.all(paths)).flat();
};

/** A folder on this machine. It is only read. */
const openFolder = (folder: string): MonthFiles => ({
  list: async () => {
    try {
      return await listPaths(folder);
    } catch (error) {
      throw toUsageError(folder, error as FileError);
    }
  },
  read: async (path) => {
    try {
      const bytes = await readFile(`${folder}/${path}`);
      if (bytes.length > MOST_BYTES) throw new UsageError(`${folder}/${path}: it is longer than it may be`);
      return bytes.toString();
    } catch (error) {
      if ((error as FileError).code === 'ENOENT') return undefined;
      throw error instanceof UsageError ? error : toUsageError(`${folder}/${path}`, error as FileError);
    }
  },
});

/** The only month that a folder has. @throws UsageError if there is none, or several */
const findMonth = (paths: readonly string[], folder: string): string => {
  const months = new Set(paths.flatMap((path) => /^months\/(\d{4}-\d\d)\.(?:json|proof)$/.exec(path)?.[1] ?? []));
  const [month, ...more] = months;
  if (month === undefined) throw new UsageError(`${folder} has no month: it needs months/YYYY-MM.proof`);
  if (more.length > 0) throw new UsageError(`${folder} has several months: ${[...months].sort().join(', ')}: name one`);
  return month;
};

/** Splits words with commas between them. */
const splitList = (text: string | undefined): string[] | undefined => text?.split(',').map((word) => word.trim());

/**
 * Recomputes the month in a folder, without asking anybody.
 * @throws UsageError if there is none, or no policy
 */
export const checkMonth = async ({ given, values, ...sources }: MonthInput): Promise<MonthCheck> => {
  const files = openFolder(given);
  const month = values.month ?? findMonth(await files.list(), given);
  const kept = values.policy === undefined && values.key === undefined ? await files.read('policy') : undefined;
  const policy = kept ?? (await policyIn('service-level check', values, sources));
  const { recomputeMonth } = await loadLibrary();
  try {
    const found = await recomputeMonth({
      month,
      files,
      policy,
      only: splitList(values.only),
      proberKeys: splitList(values['prober-key']),
    });
    return { fits: found.problems.length === 0 && found.differences.length === 0, ...found };
  } catch (error) {
    if (error instanceof VerifyError || error instanceof RangeError) throw new UsageError(error.message);
    throw error;
  }
};

/** The downloaded files. */
export interface MonthCopy {
  readonly month: string;
  /** Number of files. */
  readonly files: number;
  /** Files that the service lacks, or that differ from the folder. */
  readonly missing: readonly { readonly path: string; readonly why: string }[];
}

interface MonthDownloadInput extends MonthInput {
  /** Address of the API. */
  readonly anyBase: string;
  readonly fetch: Fetch;
}

/** Returns the number of an entry from its file or its proof. */
const findEntryNumber = (text: string): string | undefined =>
  /^index (\d+)$|"number":\s*(\d+)/m.exec(text)?.slice(1).find(Boolean);

/** Returns true if a file may replace an older one: it has further lines, or a newer proof of the same entry. */
const isContinuation = (path: string, text: string, known: string): boolean =>
  path === 'policy' ||
  (path.startsWith('results/') ? text.startsWith(known) : findEntryNumber(text) === findEntryNumber(known));

/**
 * Writes a file. Probers' lines are replaced only by their continuation, and an entry never by another one, since an
 * earlier copy is evidence.
 * @returns why it was not written
 */
const writeMonthFile = async (files: MonthFiles, folder: string, { path, text }: { path: string; text: string }) => {
  const known = await files.read(path);
  if (known !== undefined && !isContinuation(path, text, known))
    return 'the service has another one now: yours was kept';
  const file = `${folder}/${path}`;
  try {
    await mkdir(file.slice(0, file.lastIndexOf('/')), { recursive: true });
    await writeFile(file, text);
  } catch (error) {
    throw toUsageError(file, error as FileError);
  }
  return undefined;
};

/**
 * Downloads a month to a folder.
 * @throws UsageError if the folder cannot be written
 * @throws SourceError if the service cannot be read
 */
export const getMonth = async ({ given, values, anyBase, fetch, read }: MonthDownloadInput): Promise<MonthCopy> => {
  const [, month = '', folder = ''] = /^(\S+) (.+)$/s.exec(given) ?? [];
  const files = openFolder(folder);
  const isPolicyGiven = values.policy !== undefined || values.key !== undefined;
  const policy = isPolicyGiven ? await policyIn('service-level get', values, { read, fetch }) : undefined;
  const missing: { path: string; why: string }[] = [];
  let count = 0;
  let hasBegun = false; // what nobody measured before the first day of all is not missing
  const { downloadMonth, DownloadError } = await loadLibrary();
  try {
    for await (const { path, text, why } of downloadMonth({
      month,
      baseUrl: anyBase,
      fetch,
    })) {
      const reason = text === undefined ? why : await writeMonthFile(files, folder, { path, text });
      if (text !== undefined && !hasBegun) [hasBegun, missing.length] = [true, 0];
      if (reason === undefined) count++;
      else if (path.startsWith(`days/${month}`) || !path.startsWith('days/')) missing.push({ path, why: reason });
    }
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message);
    if (!(error instanceof DownloadError)) throw error;
    throw new SourceError(error.message, error.isAnswered ? EXIT.refused : EXIT.unanswered);
  }
  if (policy !== undefined) await writeMonthFile(files, folder, { path: 'policy', text: policy });
  return { month, files: count, missing };
};
