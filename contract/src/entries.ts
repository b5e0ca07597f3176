import * as z from 'zod';
import { EntryNumber, MOST_NUMBER, QueryEntryKeys } from './entry-fields.ts';
import { meta } from './metadata.ts';
import { Salts } from './openings.ts';
import { QueryInteger } from './primitives.ts';
import { problems } from './problem.ts';
import { ENTRY_KINDS } from './record/entry.ts';
import type { RouteGroup } from './route.ts';

/** Maximum keys in one request for entries. */
const MOST_ENTRY_KEYS = 50;

const Hashes = z.array(z.string());

/** The newest entry of a key, with the proof that it is in the log. */
export const ProvenEntry = z
  .object({
    key: z.string().meta({ description: 'What it is about.', examples: ['review/6730f1d2a3b4c5d6e7f80a01'] }),
    number: EntryNumber.describe('Its number in the record.'),
    entry: z.string().describe('Its bytes as text, canonical JSON: their hash is its leaf in the tree of the log.'),
    hashes: Hashes.nullable().describe(
      'Hashes from the sibling of the leaf to the root of `checkpoint`, in base64; null until a checkpoint covers it.',
    ),
    salts: Salts.optional().describe(
      'By field: the 32 random bytes in base64 that open those texts of this entry that are public now. A text that ' +
        'changed after this entry has no opening. Absent where nothing opens.',
    ),
  })
  .meta({ id: 'ProvenEntry', description: 'The newest entry of a key, with the proof that it is in the log.' });

/** The newest entries of several keys, all proven against one checkpoint. */
export const ProvenEntries = z
  .object({
    checkpoint: z
      .string()
      .nullable()
      .describe('The signed checkpoint that all hashes lead to; null if the service has signed none.'),
    consistency: Hashes.nullable().describe(
      'Hashes that show that `checkpoint` continues the tree of `since` entries, in base64; null if it has fewer.',
    ),
    data: z.array(ProvenEntry).describe('One for each of these keys that has an entry.'),
  })
  .meta({ id: 'ProvenEntries', description: 'The newest entries of several keys, all proven against one checkpoint.' });
export type ProvenEntries = z.infer<typeof ProvenEntries>;

/** The route that proves entries by their keys. */
export const entryRoutes = {
  list: {
    method: 'GET',
    path: '/entries',
    summary: 'The newest entries of several keys, with proofs against one checkpoint of the log',
    description:
      'Proves many entries by one request. `since` shows besides that the checkpoint continues an earlier one. An entry ' +
      'that no checkpoint covers yet has no proof.',
    query: z.strictObject({
      keys: QueryEntryKeys(ENTRY_KINDS, MOST_ENTRY_KEYS),
      knownAt: QueryInteger(0, MOST_NUMBER)
        .optional()
        .describe('Only entries up to this number count. By default: all.'),
      since: QueryInteger(0, MOST_NUMBER)
        .default(0)
        .describe('The size of an earlier checkpoint, which the new one is shown to continue.'),
    }),
    responses: { 200: ProvenEntries, ...problems() },
    metadata: meta({ access: 'public', limit: 'history', cache: 'none' }),
  },
} as const satisfies RouteGroup;
