import * as z from 'zod';
import { MOST_NUMBER } from '../entry-fields.ts';
import { Extensible, NoQuery, QueryInteger, Timestamp } from '../primitives.ts';
import { AUTH_PROBLEMS, problems } from '../problem.ts';
import type { RouteGroup } from '../route.ts';
import { CoveringCheckpoint, TreeHead } from './feed.ts';
import { enterpriseMeta } from './metadata.ts';

const Count = z.int().min(0);
const SnapshotNumber = z.int().min(0).describe('It contains what entries up to this number say.');

/** A stored file of a snapshot. */
export const SnapshotFile = z
  .object({
    name: z.string().describe('Its address is `/snapshots/{number}/files/{name}`.'),
    content: Extensible(z.enum(['entries', 'table', 'texts'])).describe(
      '`entries`: the last entry of each key, as the log has it. `table`: the same for spreadsheets. ' +
        '`texts`: what people wrote; such a file is rewritten when a text is erased.',
    ),
    format: Extensible(z.enum(['ndjson', 'csv'])),
    compression: Extensible(z.enum(['gzip', 'zstd'])),
    kind: z.string().describe('Kind of its entries.'),
    lines: Count.describe('Number of entries or rows.'),
    bytes: Count.describe('Size of the file.'),
    sha256: z.string().describe('SHA-256 of the file, in hexadecimal.'),
    rewrittenAt: Timestamp.optional().describe('When a text was last taken out of it; absent: never.'),
  })
  .meta({ id: 'SnapshotFile', description: 'A stored file of a snapshot.' });
export type SnapshotFile = z.infer<typeof SnapshotFile>;

const place = {
  number: SnapshotNumber,
  time: Timestamp.describe('Time of its last entry.'),
  builtAt: Timestamp,
  entries: Count.describe('Number of keys that say something.'),
  tree: TreeHead.describe('The tree over all entries up to the number.'),
};

/** The contents of a snapshot. */
export const SnapshotManifest = z
  .object({
    ...place,
    hashes: z.array(z.string()).describe('Hashes of the largest complete subtrees, left to right: the tree grows on.'),
    signed: CoveringCheckpoint.nullable().describe(
      'A signed checkpoint that covers it, if one did when it was asked for.',
    ),
    counts: z.record(z.string(), Count).describe('Number of entries by kind.'),
    files: z.array(SnapshotFile),
    terms: z.object({
      agreement: z.string().describe('Version of the agreement.'),
      section: z.string().describe('Its section about the use of data.'),
      erasure: z.string().describe('What you must do when a text is erased.'),
    }),
  })
  .meta({ id: 'SnapshotManifest', description: 'What a snapshot contains, and how to prove it.' });
export type SnapshotManifest = z.infer<typeof SnapshotManifest>;

/** The snapshots that are kept. */
export const SnapshotList = z
  .object({ data: z.array(z.object(place).meta({ id: 'SnapshotSummary' })).describe('The newest first.') })
  .meta({ id: 'SnapshotList', description: 'The snapshots that are kept, the newest first.' });
export type SnapshotList = z.infer<typeof SnapshotList>;

/** Routes of snapshots. Their files are served beside them, at `/snapshots/{number}/files/{name}`. */
export const enterpriseSnapshots = {
  list: {
    method: 'GET',
    path: '/snapshots',
    summary: 'The snapshots that are kept',
    query: NoQuery,
    responses: { 200: SnapshotList, ...problems(...AUTH_PROBLEMS) },
    metadata: enterpriseMeta('snapshots:read'),
  },
  get: {
    method: 'GET',
    path: '/snapshots/:number',
    summary: 'What a snapshot contains',
    pathParams: z.strictObject({
      number: QueryInteger(0, MOST_NUMBER).meta({ description: 'Number of the snapshot.', examples: [12] }),
    }),
    query: NoQuery,
    responses: { 200: SnapshotManifest, ...problems(...AUTH_PROBLEMS, 'not_found') },
    metadata: enterpriseMeta('snapshots:read'),
  },
} as const satisfies RouteGroup;
