import { appendLines, readLinesOf } from '../../platform/append-only.ts';
import { type BlockLine, type BlockList, readBlockLines } from './block-record.ts';

/** The list of blocks outside the database. It is only ever added to. */
export const readBlockList = async (path: string): Promise<BlockList> =>
  readBlockLines(await readLinesOf(path, 'list of blocks'));

/** Adds lines. They are on disk when this returns. */
export const appendToBlockList = async (path: string, lines: readonly BlockLine[]): Promise<void> => {
  try {
    await appendLines(path, lines);
  } catch (error) {
    throw new Error(
      `The list of blocks ${path} cannot be written: ${(error as Error).message}. The database has the change; set BLOCK_LIST and run: account blocks --replay`,
      { cause: error },
    );
  }
};
