import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { ENTRY_KINDS, type EntryKind } from '@broker-transparency/contract/record';
import { canonicalJson, computeRoot, toBase64 } from '@broker-transparency/log';
import { readFrontier } from '../../ledger/log/covering.ts';
import {
  findChangedKeys,
  type KeyText,
  type LastNumbers,
  readCurrentTexts,
  readEntryAt,
  selectCommittedTexts,
  walkEntriesAt,
  walkLatest,
} from '../../ledger/record/latest.ts';
import type { Db, Tx } from '../../platform/mongo.ts';
import { sha256 } from '../../platform/sha256.rule.ts';
import {
  beginFolder,
  finishFolder,
  getSnapshotFolder,
  isIntact,
  removeUnfinished,
  type StoredFile,
  type StoredManifest,
} from './folder.ts';
import { readLines } from './lines.ts';
import { mergeByKey } from './merge.rule.ts';
import { createEntryParts, createTextParts, type SnapshotLine } from './parts.ts';
import { KINDS_WITH_TEXTS, MOST_CHANGED, PART_BYTES } from './policy.rule.ts';

/** Options of building a snapshot. */
export interface SnapshotBuild {
  readonly dataDir: string;
  /** Number of the last entry that it contains. */
  readonly number: number;
  /** A snapshot of the same record with a lower number, if there is one. */
  readonly before: StoredManifest | undefined;
  readonly builtAt: Date;
  readonly signal: AbortSignal;
  readonly session: Tx;
  /** True to rest between, so that others on the machine keep their pace. It takes several times as long. */
  readonly isGentle: boolean;
}

/** An entry of the snapshot before or of the record. */
type EntryLine = Pick<KeyText, 'key' | 'isGone' | 'text'> & { readonly parsed: ParsedEntry };
type ParsedEntry = Omit<SnapshotLine, 'text' | 'value'> & {
  readonly value?: Record<string, unknown>;
  readonly valueHash?: string;
};

async function* parseLines(each: AsyncIterable<KeyText>): AsyncIterable<EntryLine> {
  for await (const one of each) yield { ...one, parsed: JSON.parse(one.text) };
}

const createEntriesFilter =
  (kind: EntryKind) =>
  (file: StoredFile): boolean =>
    file.content === 'entries' && file.compression === 'gzip' && file.kind === kind;

/** Walks through the entries of a kind in the snapshot before. */
async function* readPreviousLines(folder: string, files: readonly StoredFile[]): AsyncIterable<EntryLine> {
  for (const { name } of files)
    for await (const text of readLines(join(folder, name))) {
      const parsed = JSON.parse(text) as ParsedEntry;
      yield { key: parsed.key, isGone: false, text, parsed };
    }
}

async function* skipGone(each: AsyncIterable<EntryLine>): AsyncIterable<EntryLine> {
  for await (const line of each) if (!line.isGone) yield line;
}

/** The snapshot before, as the base of a merge. */
interface MergeBase {
  readonly folder: string;
  readonly files: readonly StoredFile[];
  /** Keys that have changed since. */
  readonly changed: LastNumbers;
}

/** Returns what to merge with newer entries; undefined if there is nothing, or reading all keys is less work. */
const findMergeBase = async ({ dataDir, number, before, session }: SnapshotBuild): Promise<MergeBase | undefined> => {
  if (!before) return undefined;
  const folder = getSnapshotFolder(dataDir, before.number);
  const files = before.files.filter(({ content, compression }) => content === 'entries' && compression === 'gzip');
  for (const file of files) if (!(await isIntact(folder, file))) return undefined;
  const changed = await findChangedKeys(before.number + 1, number + 1, MOST_CHANGED, session);
  return changed && { folder, files, changed };
};

const listChangedNumbers = (kind: EntryKind, changed: LastNumbers): number[] =>
  [...changed.keys()]
    .filter((key) => key.startsWith(`${kind}/`))
    .sort()
    .map((key) => changed.get(key) as number);

/** Iterates over the last entry of each key of a kind, in the order of keys, without removed ones. */
const readEntryLines = (
  kind: EntryKind,
  base: MergeBase | undefined,
  { number, session }: SnapshotBuild,
): AsyncIterable<EntryLine> =>
  base
    ? mergeByKey(
        readPreviousLines(base.folder, base.files.filter(createEntriesFilter(kind))),
        parseLines(walkEntriesAt(listChangedNumbers(kind, base.changed), session)),
      )
    : skipGone(parseLines(walkLatest(kind, number + 1, session)));

/** Keys whose texts are looked up together. */
const TEXTS_AT_ONCE = 250;

/** Collects the texts of entries, and writes those that are public and match the entries' commitments. */
const createTextCollector = (parts: ReturnType<typeof createTextParts>, session: Tx) => {
  let waiting: { readonly key: string; readonly commitments: Readonly<Record<string, string>> }[] = [];
  const flush = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    const found = await readCurrentTexts(
      batch.map(({ key }) => key),
      session,
    );
    for (const { key, commitments } of batch) {
      const texts = selectCommittedTexts(found.get(key) ?? {}, commitments);
      if (Object.keys(texts).length > 0) await parts.add({ key, text: canonicalJson({ key, texts }) });
    }
  };
  return {
    add: async ({ key, value }: SnapshotLine): Promise<void> => {
      const commitments = value['texts'] as Readonly<Record<string, string>> | undefined;
      if (!commitments || Object.keys(commitments).length === 0) return;
      waiting.push({ key, commitments });
      if (waiting.length >= TEXTS_AT_ONCE) await flush();
    },
    flush,
  };
};

/** Returns an entry with its value, which the log has only as a hash if it is long. */
const withValue = async ({ text, parsed }: EntryLine, session: Tx): Promise<SnapshotLine> => {
  const { value, valueHash: _, ...entry } = parsed;
  return { ...entry, text, value: value ?? JSON.parse((await readEntryAt(entry.number, session)).value) };
};

/** Milliseconds of work after which others have their turn: a server may build beside its requests. */
const TURN_MS = 2;
/** A gentle builder rests this many times as long as its work took, compression included, up to a maximum. */
const [RESTS, MOST_REST_MS] = [6, 50];

/** Returns a function that yields to others: it returns a promise if their turn has come. */
const createYield = (isGentle: boolean) => {
  let since = performance.now();
  let used = process.cpuUsage();
  const rest = async (): Promise<void> => {
    const { user, system } = process.cpuUsage(used);
    used = process.cpuUsage();
    await sleep(Math.min(((user + system) / 1000) * RESTS, MOST_REST_MS));
  };
  return (): Promise<void> | undefined => {
    if (performance.now() - since < TURN_MS) return undefined;
    return (isGentle ? rest() : nextTurn()).then(() => {
      since = performance.now();
    });
  };
};

const writeKind = async (kind: EntryKind, folder: string, base: MergeBase | undefined, build: SnapshotBuild) => {
  const { session, signal, isGentle } = build;
  const settings = { folder, kind, most: PART_BYTES };
  const [entries, texts] = [createEntryParts(settings), createTextParts(settings)];
  const waiting = createTextCollector(texts, session);
  const othersTurn = createYield(isGentle);
  let count = 0;
  try {
    for await (const line of readEntryLines(kind, base, build)) {
      signal.throwIfAborted();
      const turn = othersTurn();
      if (turn) await turn;
      const whole = await withValue(line, session);
      await entries.add(whole);
      if (KINDS_WITH_TEXTS.has(kind)) await waiting.add(whole);
      count++;
    }
    await waiting.flush();
    return { count, files: [...(await entries.end()), ...(await texts.end())] };
  } catch (error) {
    await Promise.all([entries.abort(), texts.abort()]);
    throw error;
  }
};

/** Builds a snapshot. It appears only when complete; memory does not grow with its size. */
export const buildSnapshot = async (db: Db, build: SnapshotBuild): Promise<StoredManifest> => {
  const { dataDir, number, builtAt, session } = build;
  const tree = await readFrontier(db, number + 1, session);
  const head = { size: tree.size, root: toBase64(computeRoot(tree, sha256)) };
  const { time } = await readEntryAt(number, session);
  const folder = await beginFolder(dataDir, number);
  const counts: Record<string, number> = {};
  const files: StoredFile[] = [];
  try {
    const base = await findMergeBase(build);
    for (const kind of ENTRY_KINDS) {
      const written = await writeKind(kind, folder, base, build);
      if (written.count > 0) counts[kind] = written.count;
      files.push(...written.files);
    }
  } catch (error) {
    await removeUnfinished(dataDir);
    throw error;
  }
  const manifest: StoredManifest = {
    number,
    time,
    builtAt: builtAt.toISOString(),
    entries: Object.values(counts).reduce((sum, count) => sum + count, 0),
    tree: head,
    hashes: tree.hashes.map(toBase64),
    counts,
    files,
    renewed: head,
  };
  await finishFolder(dataDir, folder, manifest);
  return manifest;
};
