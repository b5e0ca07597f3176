import { appendLines, readLinesOf } from '../../platform/append-only.ts';
import { type Erasure, readLines } from './record.rule.ts';

/** Reads the list of erasures, which lies outside the database. Lines are only ever appended. */
export const readList = async (path: string) => readLines(await readLinesOf(path, 'list of erasures'));

/** Appends erasures. They are on disk when this resolves. */
export const appendToList = async (path: string, erasures: readonly Erasure[]): Promise<void> => {
  try {
    await appendLines(path, erasures);
  } catch (error) {
    throw new Error(
      `The list of erasures ${path} cannot be written, so nothing was erased: ${(error as Error).message}. ` +
        'Set ERASURE_LIST',
      { cause: error },
    );
  }
};
