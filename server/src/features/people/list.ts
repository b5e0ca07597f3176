import { appendLines, readLinesOf } from '../../platform/append-only.ts';
import { type Erasure, readLines } from './record.rule.ts';

/** The list of erasures outside the database. It is only ever added to. */
export const readList = async (path: string) => readLines(await readLinesOf(path, 'list of erasures'));

/** Adds erasures. They are on disk when this returns. */
export const appendToList = async (path: string, erasures: readonly Erasure[]): Promise<void> => {
  try {
    await appendLines(path, erasures);
  } catch (error) {
    throw new Error(
      `The list of erasures ${path} cannot be written, so nothing was erased: ${(error as Error).message}. Set ERASURE_LIST`,
      { cause: error },
    );
  }
};
