import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import * as z from 'zod';

/** Reason codes of a block. Free text could name the person, and the audit trail outlives people. */
export const BLOCK_REASONS = ['abuse', 'compromised', 'fraud', 'legal', 'requested'] as const;
export type BlockReason = (typeof BLOCK_REASONS)[number];

const Row = z.strictObject({
  /** `person:` or `subject:`, and the hash by which the block recognises somebody. */
  _id: z.string().regex(/^(person|subject):[0-9a-f]{64}$/),
  /** Id of the block. A block has one row for each hash by which it recognises the person. */
  block: z.string().regex(/^[0-9a-f]{12}$/),
  accountId: z.string().min(1),
  reason: z.enum(BLOCK_REASONS),
  at: z.iso.datetime().transform((text) => new Date(text)),
});
export type BlockRow = z.output<typeof Row>;

/** A line of the list outside the database: a row of a block, or the record that a block was lifted. */
const Line = z.union([Row, z.strictObject({ lifted: Row.shape.block })]);
export type BlockLine = z.output<typeof Line>;

/** Uses the same hash of the provider's reference as accounts do. */
export const personRowId = (personHash: string): string => `person:${personHash}`;

const slowly = promisify<string, string, number, Buffer>(scrypt);

/** Hashes a subject slowly, because a subject may be an e-mail address, which could be guessed. */
export const subjectRowId = async (subject: string): Promise<string> =>
  `subject:${(await slowly(subject, 'broker-rating block', 32)).toString('hex')}`;

const readLine = (text: string): BlockLine | undefined => {
  try {
    return Line.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};

/** The result of reading the list: rows of blocks in force, and lifted blocks. */
export interface BlockList {
  readonly rows: ReadonlyMap<string, BlockRow>;
  readonly lifted: ReadonlySet<string>;
  /** Numbers of the lines that cannot be read. */
  readonly unreadable: readonly number[];
}

/** Reads the list. Later lines override earlier ones. */
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
