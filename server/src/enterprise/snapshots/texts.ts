import { join } from 'node:path';
import { canonicalJson } from '@broker-transparency/log';
import { findChangedKeys, type PublicTexts, readCurrentTexts } from '../../ledger/record/latest.ts';
import type { Tx } from '../../platform/mongo.ts';
import {
  getDiskName,
  getSnapshotFolder,
  removeUnlisted,
  type StoredFile,
  type StoredHead,
  type StoredManifest,
  writeManifest,
} from './folder.ts';
import { isContinued } from './history.ts';
import { readLines } from './lines.ts';
import { rewriteTexts } from './parts.ts';
import { KINDS_WITH_TEXTS } from './policy.rule.ts';
import { filterPublic, parseLineKey } from './texts.rule.ts';

/** Keys whose texts are looked up together. */
const AT_ONCE = 500;

/** Returns the current public texts of keys, including keys without any. */
const loadCurrentTexts = async (keys: readonly string[], session: Tx): Promise<ReadonlyMap<string, PublicTexts>> => {
  const found = new Map<string, PublicTexts>();
  for (let at = 0; at < keys.length; at += AT_ONCE) {
    const some = keys.slice(at, at + AT_ONCE);
    const texts = await readCurrentTexts(some, session);
    for (const key of some) found.set(key, texts.get(key) ?? {});
  }
  return found;
};

/** Returns the keys with entries that can have texts, since a tree. */
const listChangedKeys = async (from: number, below: number, session: Tx): Promise<string[]> => {
  const changed = await findChangedKeys(from, below, Number.POSITIVE_INFINITY, session);
  return [...(changed?.keys() ?? [])].filter((key) => KINDS_WITH_TEXTS.has(key.slice(0, key.indexOf('/')))).sort();
};

const isInFile = ({ keys }: StoredFile, key: string): boolean => keys !== undefined && keys[0] <= key && key <= keys[1];

/** Iterates over the lines of a file, without texts that are no longer public. */
async function* renewLines(
  lines: AsyncIterable<string>,
  now: ReadonlyMap<string, PublicTexts>,
  onGone: () => void,
): AsyncIterable<string> {
  for await (const line of lines) {
    const current = now.get(parseLineKey(line));
    if (!current) {
      yield line;
      continue;
    }
    const { key, texts } = JSON.parse(line) as { readonly key: string; readonly texts: PublicTexts };
    const kept = filterPublic(texts, current);
    if (Object.keys(kept).length < Object.keys(texts).length) onGone();
    if (Object.keys(kept).length > 0) yield canonicalJson({ key, texts: kept });
  }
}

const renewFile = async (
  folder: string,
  file: StoredFile,
  now: ReadonlyMap<string, PublicTexts>,
  at: string,
): Promise<StoredFile> => {
  let isChanged = false;
  const lines = renewLines(readLines(join(folder, getDiskName(file))), now, () => {
    isChanged = true;
  });
  const written = await rewriteTexts(folder, file, lines, at);
  return isChanged ? written : file;
};

/** The state of the record when texts are checked. */
export interface Renewal {
  readonly dataDir: string;
  /** The current tree. */
  readonly head: StoredHead;
  readonly at: Date;
  readonly signal: AbortSignal;
  readonly session: Tx;
}

/** Returns the first number whose entry may have withdrawn texts. A restore reuses numbers. */
const findFirstNumber = async ({ number, renewed }: StoredManifest, { head, session }: Renewal): Promise<number> =>
  (await isContinued(renewed, head.size, session)) ? renewed.size : number + 1;

/** Removes texts that are no longer public from a snapshot. Returns true if there were any. */
export const renewTexts = async (manifest: StoredManifest, renewal: Renewal): Promise<boolean> => {
  const { dataDir, head, at, signal, session } = renewal;
  const folder = getSnapshotFolder(dataDir, manifest.number);
  await removeUnlisted(dataDir, manifest);
  const keys = await listChangedKeys(await findFirstNumber(manifest, renewal), head.size, session);
  const files: StoredFile[] = [];
  for (const file of manifest.files) {
    signal.throwIfAborted();
    const own = file.content === 'texts' ? keys.filter((key) => isInFile(file, key)) : [];
    const renewed =
      own.length === 0 ? file : await renewFile(folder, file, await loadCurrentTexts(own, session), at.toISOString());
    files.push(renewed);
  }
  const isChanged = files.some((file, index) => file !== manifest.files[index]);
  const next = { ...manifest, files, renewed: head };
  if (isChanged || manifest.renewed.root !== head.root) await writeManifest(folder, next);
  await removeUnlisted(dataDir, next);
  return isChanged;
};
