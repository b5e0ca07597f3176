import { appendLines, readAppendOnly } from '../../platform/append-only.ts';
import { type BlockLine, type BlockList, readBlockLines } from './block-record.ts';

/** Reads the list of blocks, which lies outside the database. Lines are only ever appended. */
export const readBlockList = async (path: string): Promise<BlockList> =>
  readBlockLines(await readAppendOnly(path, 'list of blocks'));

/** Appends lines. They are on disk when this resolves. */
export const appendToBlockList = async (path: string, lines: readonly BlockLine[]): Promise<void> => {
  try {
    await appendLines(path, lines);
  } catch (error) {
    throw new Error(
      `The list of blocks ${path} cannot be written: ${(error as Error).message}. The database has the ` +
        'change; set BLOCK_LIST and run: admin account replay-blocks',
      { cause: error },
    );
  }
};
