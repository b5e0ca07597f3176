import * as z from 'zod';
import { EntryNumber, MOST_NUMBER } from '../entry-fields.ts';
import { QueryInteger, Slug, Timestamp } from '../primitives.ts';
import { AUTH_PROBLEMS, problems } from '../problem.ts';
import { ENTRY_CAUSES, ENTRY_KINDS } from '../record/entry.ts';
import type { RouteGroup } from '../route.ts';
import { enterpriseMeta } from './metadata.ts';

const Hash = z.string().describe('SHA-256 in base64.');

/** Maximum entries of a page. */
const MOST_CHANGES = 1000;
/** Maximum seconds for which a request may wait for changes. */
const MOST_WAIT_SECONDS = 25;

/**
 * An entry of the record as in the log, which hashes the canonical JSON (RFC 8785) of this object. Kinds and causes are
 * open, so that a replica can hold entries of later versions.
 */
export const FeedEntry = z
  .object({
    number: EntryNumber,
    time: Timestamp,
    key: z.string(),
    kind: z.string().describe(`What kind of fact it is: ${ENTRY_KINDS.join(', ')}; there can be more.`),
    cause: z.string().describe(`Why it was written: ${ENTRY_CAUSES.join(', ')}; there can be more.`),
    last: z
      .literal(true)
      .optional()
      .describe('Set on the last entry of a change: entries that were written together, and that count together.'),
    validFrom: Timestamp.optional(),
    validTo: Timestamp.optional(),
    value: z
      .record(z.string(), z.unknown())
      .nullable()
      .optional()
      .describe('What is published under the key from now on; null: nothing. Absent where `valueHash` is there.'),
    valueHash: Hash.optional().describe('Hash of a value that is too long for the log. It stands in `values`.'),
  })
  .meta({ id: 'FeedEntry', description: 'An entry of the record as the log has it: its canonical JSON is hashed.' });
export type FeedEntry = z.infer<typeof FeedEntry>;

/** The root of the tree over all entries below a number. */
export const TreeHead = z
  .object({ size: z.int().min(0).describe('Number of entries.'), root: Hash.describe('Root of the tree, in base64.') })
  .meta({ id: 'TreeHead', description: 'The root of the Merkle tree (RFC 6962) over the first entries.' });
export type TreeHead = z.infer<typeof TreeHead>;

/** A signed checkpoint that covers a tree, with the proof that it continues that tree. */
export const CoveringCheckpoint = z
  .object({
    checkpoint: z.string().describe('The signed note, with the signatures of witnesses that there are.'),
    size: z.int().min(0).describe('Number of entries that it covers.'),
    consistency: z.array(Hash).describe('Proof that its tree continues `tree` (RFC 6962, 2.1.2).'),
  })
  .meta({ id: 'CoveringCheckpoint', description: 'A signed checkpoint that covers a tree, and the proof of that.' });
export type CoveringCheckpoint = z.infer<typeof CoveringCheckpoint>;

/** The texts that people wrote, as far as they are public now, with the random bytes of their commitments. */
export const FeedTexts = z
  .record(z.string(), z.record(z.string(), z.object({ salt: z.string(), text: z.string() })))
  .meta({ id: 'FeedTexts', description: 'Texts by key of the entry and field. They must be deleted once erased.' });
export type FeedTexts = z.infer<typeof FeedTexts>;

/** A page of the feed. */
export const ChangesPage = z
  .object({
    after: z.int().min(-1).describe('The page begins behind this number; -1: at the beginning of the record.'),
    through: z.int().min(-1).describe('The page covers all numbers up to this one. Ask for what comes `after` it.'),
    isFiltered: z.boolean().describe('Whether entries of the range are left out. Only a whole page proves itself.'),
    entries: z.array(FeedEntry).describe('Entries in the order of their numbers: whole changes.'),
    values: z.record(z.string(), z.unknown()).describe('Values that are too long for the log, by number.'),
    texts: FeedTexts.optional().describe('Needs the scope `texts:read`; absent without it.'),
    tree: TreeHead.describe('The tree over all entries up to `through`.'),
    signed: CoveringCheckpoint.nullable().describe('The newest signed checkpoint that covers the page, if one does.'),
    end: z.int().min(-1).describe('The last number of the record when the page was made.'),
  })
  .meta({ id: 'ChangesPage', description: 'Entries of the record behind a number, and how to prove them.' });
export type ChangesPage = z.infer<typeof ChangesPage>;

/** Routes of the feed. */
export const enterpriseFeed = {
  changes: {
    method: 'GET',
    path: '/changes',
    summary: 'What was published after a number',
    description:
      'Begin with `after=-1` or without it, then ask for what comes after `through`. With `wait` the answer comes when there is ' +
      'something new, or after that time without entries; meanwhile blanks are sent every few seconds.',
    query: z.strictObject({
      after: QueryInteger(-1, MOST_NUMBER).default(-1).describe('The last number you have; -1: none.'),
      limit: QueryInteger(1, MOST_CHANGES)
        .default(200)
        .describe('Most entries of the page. It has more if one change has.'),
      wait: QueryInteger(0, MOST_WAIT_SECONDS).default(0).describe('Most seconds to wait for something new.'),
      kind: z.enum(ENTRY_KINDS).optional().describe('Only entries of this kind.'),
      broker: Slug.optional().describe('Only entries about this broker.'),
      watchlist: z.string().max(60).optional().describe('Only entries about the brokers of this watchlist.'),
    }),
    responses: { 200: ChangesPage, ...problems(...AUTH_PROBLEMS, 'broker_not_found', 'not_found', 'state_conflict') },
    metadata: enterpriseMeta('record:read'),
  },
} as const satisfies RouteGroup;
