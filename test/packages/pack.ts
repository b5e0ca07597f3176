import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');

/** The folder of each package published to npm. */
export const FOLDERS = {
  contract: 'contract',
  client: 'client',
  server: 'server',
  'client-conformance': 'packages/client-conformance',
} as const;
export type PublishedName = keyof typeof FOLDERS;

/** The packages published to npm. */
export const PUBLISHED = Object.keys(FOLDERS) as PublishedName[];

export interface PackedPackage {
  readonly tarball: string;
  /** The unpacked content. */
  readonly folder: string;
  readonly manifest: Readonly<Record<string, unknown>>;
}

const listFiles = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).map((name) => join(folder, name));

/** Packs a built package as it would be published, and unpacks it to `into/node_modules/@broker-transparency`. */
export const pack = async (name: PublishedName, into: string): Promise<PackedPackage> => {
  const packed = join(into, 'packed', name);
  const folder = join(into, 'node_modules/@broker-transparency', name);
  await Promise.all([mkdir(packed, { recursive: true }), mkdir(folder, { recursive: true })]);
  await run('pnpm', ['pack', '--pack-destination', packed], { cwd: join(ROOT, FOLDERS[name]) });
  const [tarball] = await listFiles(packed);
  if (tarball === undefined) throw new Error(`pnpm pack wrote nothing for ${name}`);
  await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
  return { tarball, folder, manifest: JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) };
};

/** The entries of a package as users import them, such as `@broker-transparency/contract/openapi`. */
export const listEntries = ({ manifest }: PackedPackage): string[] =>
  Object.keys(manifest['exports'] ?? {})
    .filter((entry) => !entry.endsWith('.json'))
    .map((entry) => `${manifest['name']}${entry.slice(1)}`);
