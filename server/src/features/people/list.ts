import { appendLines, readAppendOnly } from '../../platform/append-only.ts';
import { type Erasure, type ErasureList, readLines } from '../erasures/record.rule.ts';

/** Reads the list of erasures, which lies outside the database. Lines are only ever appended. */
export const readList = async (path: string): Promise<ErasureList> =>
  readLines(await readAppendOnly(path, 'list of erasures'));

/** Appends erasures, or the time up to which the list is complete. They are on disk when this resolves. */
export const appendToList = async (
  path: string,
  lines: readonly (Erasure | { readonly completeAt: Date })[],
): Promise<void> => {
  try {
    await appendLines(path, lines);
  } catch (error) {
    throw new Error(
      `The list of erasures ${path} cannot be written, so nothing was erased: ${(error as Error).message}. ` +
        'Set ERASURE_LIST',
      { cause: error },
    );
  }
};
