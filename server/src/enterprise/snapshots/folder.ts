import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SnapshotFile } from '@broker-transparency/contract/enterprise';
import { hashFile } from '@broker-transparency/embedded-mongo/file-digest';
import { replaceFile, syncFolder } from '../../platform/replace-file.ts';

/** A file of a snapshot, with fields that only the service needs. */
export interface StoredFile extends SnapshotFile {
  /** Keys of the first and the last line of texts, as it was built. */
  readonly keys?: readonly [first: string, last: string];
}

/** A stored head of the tree over the first entries. */
export interface StoredHead {
  readonly size: number;
  /** Root in base64. */
  readonly root: string;
}

/** The contents of a snapshot, as stored in its folder. */
export interface StoredManifest {
  readonly number: number;
  readonly time: string;
  readonly builtAt: string;
  readonly entries: number;
  readonly tree: StoredHead;
  readonly hashes: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly files: readonly StoredFile[];
  /** The tree up to which withdrawn texts have been removed. */
  readonly renewed: StoredHead;
}

const MANIFEST = 'manifest.json';
const UNFINISHED = '.unfinished-';
/** The name of the folder of a snapshot. */
const IS_NUMBER = /^\d{1,12}$/;

const getSnapshotsRoot = (dataDir: string): string => join(dataDir, 'snapshots');

/** Returns the folder of a snapshot. */
export const getSnapshotFolder = (dataDir: string, number: number): string =>
  join(getSnapshotsRoot(dataDir), String(number));

/**
 * Returns the name of a file on disk. A file of texts gets a new one at each rewrite, so that the manifest names the
 * current one.
 */
export const getDiskName = ({ name, content, sha256 }: Pick<SnapshotFile, 'name' | 'content' | 'sha256'>): string =>
  content === 'texts' ? `${name}.${sha256.slice(0, 16)}` : name;

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');

const ignoreMissing = (error: unknown): undefined => {
  if (!isMissing(error)) throw error;
  return undefined;
};

/** Returns the contents of a snapshot; undefined if it is not kept. */
export const readManifest = async (dataDir: string, number: number): Promise<StoredManifest | undefined> => {
  const text = await readFile(join(getSnapshotFolder(dataDir, number), MANIFEST), 'utf8').catch(ignoreMissing);
  return text === undefined ? undefined : JSON.parse(text);
};

/** Returns the kept snapshots, the newest first. */
export const listManifests = async (dataDir: string): Promise<StoredManifest[]> => {
  const names = (await readdir(getSnapshotsRoot(dataDir)).catch(ignoreMissing)) ?? [];
  const numbers = names.filter((name) => IS_NUMBER.test(name)).map(Number);
  const found: StoredManifest[] = [];
  for (const number of numbers.sort((a, b) => b - a)) {
    const manifest = await readManifest(dataDir, number);
    if (manifest) found.push(manifest);
  }
  return found;
};

/** Writes the manifest of a folder, which is effective from then on. */
export const writeManifest = (folder: string, manifest: StoredManifest): Promise<void> =>
  replaceFile(join(folder, MANIFEST), JSON.stringify(manifest));

/**
 * Removes the remains of a process that was killed while it built or removed a snapshot. Only one may run at a time.
 */
export const removeUnfinished = async (dataDir: string): Promise<void> => {
  const root = getSnapshotsRoot(dataDir);
  for (const name of (await readdir(root).catch(ignoreMissing)) ?? [])
    if (name.startsWith(UNFINISHED) || (IS_NUMBER.test(name) && !(await readManifest(dataDir, Number(name)))))
      await rm(join(root, name), { recursive: true, force: true });
};

/** Makes the folder in which a snapshot is built. */
export const beginFolder = async (dataDir: string, number: number): Promise<string> => {
  const folder = join(getSnapshotsRoot(dataDir), `${UNFINISHED}${number}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
};

/** Moves a built snapshot into place, with its manifest. */
export const finishFolder = async (dataDir: string, folder: string, manifest: StoredManifest): Promise<void> => {
  await writeManifest(folder, manifest);
  await rename(folder, getSnapshotFolder(dataDir, manifest.number));
  await syncFolder(getSnapshotsRoot(dataDir));
};

/** Removes a snapshot: first its manifest, so that nobody finds half of it. */
export const removeSnapshot = async (dataDir: string, number: number): Promise<void> => {
  const folder = getSnapshotFolder(dataDir, number);
  await rm(join(folder, MANIFEST), { force: true });
  await rm(folder, { recursive: true, force: true });
};

/** Removes files that the manifest does not list, such as earlier texts. */
export const removeUnlisted = async (dataDir: string, { number, files }: StoredManifest): Promise<void> => {
  const folder = getSnapshotFolder(dataDir, number);
  const known = new Set([MANIFEST, ...files.map(getDiskName)]);
  for (const name of (await readdir(folder).catch(ignoreMissing)) ?? [])
    if (!known.has(name)) await rm(join(folder, name), { force: true });
};

/** Returns true if a file matches its manifest. */
export const isIntact = async (folder: string, file: StoredFile): Promise<boolean> => {
  try {
    return (await hashFile(join(folder, getDiskName(file)))) === file.sha256;
  } catch (error) {
    ignoreMissing(error);
    return false;
  }
};
