import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashFile } from '@broker-transparency/embedded-mongo/file-digest';
import * as z from 'zod';
import { DomainError } from '../../platform/domain-error.ts';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** A name that MongoDB allows and that cannot escape a path. Names with `system.` belong to the database. */
const CollectionName = z.string().regex(/^(?!system\.)[\w.-]{1,120}$/);

/** A path below the folder of the backup, which it cannot leave. */
const BelowIt = z.string().regex(/^outside(\/\w[\w.-]*)+$/);

/** The manifest of a backup. */
const Manifest = z.strictObject({
  format: z.literal(1),
  service: z.string(),
  /** Highest migration of the database; 0 if there is none. */
  databaseVersion: z.int().min(0),
  database: z.string().regex(/^[\w-]{1,63}$/),
  createdAt: z.iso.datetime(),
  collections: z.array(
    z.strictObject({
      name: CollectionName,
      documents: z.int().min(0),
      bytes: z.int().min(0),
      sha256: Sha256,
      metadataSha256: Sha256,
    }),
  ),
  /** Files outside the database. */
  outside: z.array(z.strictObject({ path: BelowIt, sha256: Sha256 })),
});
export type Manifest = z.infer<typeof Manifest>;
export type CollectionEntry = Manifest['collections'][number];

export const MANIFEST = 'manifest.json';

/** Paths of a collection's files, as in a dump by mongodump. */
export const toCollectionPaths = (dir: string, database: string, name: string) => ({
  documents: join(dir, database, `${name}.bson`),
  metadata: join(dir, database, `${name}.metadata.json`),
});

/** @throws DomainError if a file is missing or was changed */
const verifyFile = async (file: string, sha256: string): Promise<void> => {
  const found = await hashFile(file).catch(() => undefined);
  if (found === undefined)
    throw new DomainError('invalid_input', `${file} is missing or cannot be read: the backup is not whole.`);
  if (found !== sha256)
    throw new DomainError('invalid_input', `${file} was changed after the backup: its SHA-256 differs.`);
};

/** Reads a manifest and verifies every file that it names. @throws DomainError if the backup is not complete */
export const verifyBackup = async (dir: string): Promise<Manifest> => {
  const text = await readFile(join(dir, MANIFEST), 'utf8').catch(() => undefined);
  if (text === undefined)
    throw new DomainError(
      'invalid_input',
      `"${dir}" is not a backup of this service: it has no ${MANIFEST}. For mongodump's, use mongorestore.`,
    );
  const json = z.string().transform((source, ctx): unknown => {
    try {
      return JSON.parse(source);
    } catch {
      ctx.addIssue({ code: 'custom', message: 'is not JSON' });
      return z.NEVER;
    }
  });
  const manifest = json.pipe(Manifest).safeParse(text);
  if (!manifest.success)
    throw new DomainError('invalid_input', `${join(dir, MANIFEST)} is damaged, or of another version of the service.`);
  for (const { name, sha256, metadataSha256 } of manifest.data.collections) {
    const files = toCollectionPaths(dir, manifest.data.database, name);
    await verifyFile(files.documents, sha256);
    await verifyFile(files.metadata, metadataSha256);
  }
  for (const { path, sha256 } of manifest.data.outside) await verifyFile(join(dir, path), sha256);
  return manifest.data;
};
