import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import * as z from 'zod';

/** Why a person is blocked: words, not texts, since the audit trail outlives the person. */
export const BLOCK_REASONS = ['abuse', 'compromised', 'fraud', 'legal', 'requested'] as const;
export type BlockReason = (typeof BLOCK_REASONS)[number];

const Row = z.strictObject({
  /** `person:` or `subject:` and a hash: whom the block knows again. */
  _id: z.string().regex(/^(person|subject):[0-9a-f]{64}$/),
  /** Id of the block; it has a row for each thing it knows the person by. */
  block: z.string().regex(/^[0-9a-f]{12}$/),
  accountId: z.string().min(1),
  reason: z.enum(BLOCK_REASONS),
  at: z.iso.datetime().transform((text) => new Date(text)),
});
export type BlockRow = z.output<typeof Row>;

/** A line of the list outside the database: a row, or that a block was lifted. */
const Line = z.union([Row, z.strictObject({ lifted: Row.shape.block })]);
export type BlockLine = z.output<typeof Line>;

/** The provider's reference is kept as the hash that accounts have. */
export const personRowId = (personHash: string): string => `person:${personHash}`;

const slowly = promisify<string, string, number, Buffer>(scrypt);

/** Slow on purpose: a subject may be an address, which could be guessed. */
export const subjectRowId = async (subject: string): Promise<string> =>
  `subject:${(await slowly(subject, 'broker-rating block', 32)).toString('hex')}`;

const readLine = (text: string): BlockLine | undefined => {
  try {
    return Line.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};

/** What a list says in the end: the rows of blocks that hold, and the blocks that were lifted. */
export interface BlockList {
  readonly rows: ReadonlyMap<string, BlockRow>;
  readonly lifted: ReadonlySet<string>;
  /** Numbers of lines that cannot be read. */
  readonly unreadable: readonly number[];
}

/** Reads the list; later lines count. */
export const readBlockLines = (text: string): BlockList => {
  const rows = new Map<string, BlockRow>();
  const lifted = new Set<string>();
  const unreadable: number[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const read = readLine(line);
    if (read === undefined) unreadable.push(index + 1);
    else if ('lifted' in read) {
      lifted.add(read.lifted);
      for (const [id, { block }] of rows) if (block === read.lifted) rows.delete(id);
    } else {
      lifted.delete(read.block);
      rows.set(read._id, read);
    }
  }
  return { rows, lifted, unreadable };
};
