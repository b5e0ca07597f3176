import { BrokerTransparencyError } from '../base-error.ts';
import { KeyHistory } from './key-history.ts';
import { committedTexts } from './memory-store.ts';
import { type FileHandle, loadNodeFiles, type NodeFiles, readAt, readFileLines, writeAt } from './node-files.ts';
import type {
  ReplicaBatch,
  ReplicaEntry,
  ReplicaPosition,
  ReplicaReader,
  ReplicaStore,
  TextsOfKey,
} from './replica-store.ts';
import { TextFile } from './text-file.ts';

/** The place of an entry in the file. The line of its long value follows it. */
interface EntryPlace {
  readonly key: string;
  readonly number: number;
  readonly isGone: boolean;
  readonly at: number;
  readonly length: number;
  readonly valueLength: number;
}

/** The line that ends a batch: without it nothing of the batch counts. */
interface Commit {
  readonly position: ReplicaPosition | null;
  readonly backTo?: number;
  /** SHA-256 of the lines of the batch: after a power failure this line can be there without them. */
  readonly sha256: string;
}

const COMMIT = '=';
const VALUE = 'v';
/** Bytes of superseded entries beyond which the file is rewritten. */
const MOST_WASTE = 2 ** 24;
/** Entries that are written at once then. */
const SHRUNK_AT_ONCE = 1000;
const [ENTRIES, TEXTS] = ['entries.ndjson', 'texts.ndjson'];

const utf8 = new TextEncoder();
const decodeText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** The lines of an entry, without their ends. */
const toLines = ({ line, value }: ReplicaEntry): string[] => (value === undefined ? [line] : [line, VALUE + value]);

const parseCommit = (bytes: Uint8Array): Commit | undefined => {
  try {
    return JSON.parse(decodeText(bytes)) as Commit;
  } catch {
    return undefined;
  }
};

/** Stores the place of a line's entry or value. Returns true if the line has one. */
const addPlace = (places: EntryPlace[], bytes: Uint8Array, at: number): boolean => {
  const last = places.at(-1);
  if (String.fromCharCode(bytes[0] ?? 0) === VALUE && last) {
    places[places.length - 1] = { ...last, valueLength: bytes.length };
    return true;
  }
  try {
    const { key, number, value } = JSON.parse(decodeText(bytes)) as { key: string; number: number; value: unknown };
    places.push({ key, number, isGone: value === null, at, length: bytes.length, valueLength: 0 });
    return true;
  } catch {
    return false;
  }
};

/** A replica in the files of a folder. */
class Folder {
  readonly #files: NodeFiles;
  readonly #folder: string;
  readonly #texts: TextFile;
  #handle: FileHandle;
  /** End of the last complete batch. */
  #end = 0;
  #live = 0;
  readonly #keys = new KeyHistory<EntryPlace>(({ length, valueLength }) => {
    this.#live -= length + valueLength;
  });
  position: ReplicaPosition | null = null;

  private constructor(files: NodeFiles, folder: string, { handle, texts }: { handle: FileHandle; texts: TextFile }) {
    this.#files = files;
    this.#folder = folder;
    this.#handle = handle;
    this.#texts = texts;
  }

  static async open(path: string): Promise<Folder> {
    const files = await loadNodeFiles();
    await files.fs.mkdir(path, { recursive: true });
    await (await files.fs.open(`${path}/${ENTRIES}`, 'a')).close();
    const handle = await files.fs.open(`${path}/${ENTRIES}`, 'r+');
    const folder = new Folder(files, path, { handle, texts: await TextFile.open(files, `${path}/${TEXTS}`) });
    try {
      await folder.#read();
      return folder;
    } catch (error) {
      await folder.close();
      throw error;
    }
  }

  /**
   * Reads all complete batches, and cuts off an incomplete one.
   * @throws Error if a batch in the middle is damaged, which no crash causes
   */
  async #read(): Promise<void> {
    let places: EntryPlace[] = [];
    let hash = this.#files.newHash();
    let isBroken = false;
    for await (const { bytes, at } of readFileLines(this.#handle)) {
      const first = String.fromCharCode(bytes[0] ?? 0);
      if (first !== COMMIT) {
        hash.update(bytes).update('\n');
        isBroken = !addPlace(places, bytes, at) || isBroken;
        continue;
      }
      const commit = parseCommit(bytes.subarray(1));
      const isWhole = commit?.sha256 === hash.digest('hex');
      if (isWhole && isBroken)
        throw new BrokerTransparencyError(`${this.#folder}/${ENTRIES} is damaged after byte ${this.#end}`);
      if (commit && isWhole) this.#note(commit, places, at + bytes.length + 1);
      else isBroken = true;
      [places, hash] = [[], this.#files.newHash()];
    }
    await this.#handle.truncate(this.#end);
    await this.#forgetTexts(); // texts come before their entry, whose batch comes again
  }

  /** Notes a batch that is in the file. Returns the numbers of entries that count again. */
  #note(
    { position, backTo }: Pick<Commit, 'position' | 'backTo'>,
    places: readonly EntryPlace[],
    end: number,
  ): number[] {
    const again = backTo === undefined ? [] : this.#keys.backTo(backTo);
    for (const place of places) {
      this.#live += place.length + place.valueLength;
      this.#keys.add(place.key, place);
    }
    this.position = position;
    if (position) this.#keys.settle(position.signed?.size ?? 0);
    this.#end = end;
    return again.map(({ number }) => number);
  }

  /** Returns the bytes of a batch at a place, and where its entries are. */
  #encode(batch: Pick<ReplicaBatch, 'entries' | 'position' | 'backTo'>, at: number) {
    const places: EntryPlace[] = [];
    const lines: string[] = [];
    let end = at;
    for (const entry of batch.entries) {
      const [line = 0, value = 0] = toLines(entry).map((one) => utf8.encode(one).length);
      const { key, number, isGone } = entry;
      places.push({ key, number, isGone, at: end, length: line, valueLength: value });
      lines.push(...toLines(entry));
      end += line + 1 + (value > 0 ? value + 1 : 0);
    }
    const body = lines.map((line) => `${line}\n`).join('');
    const { position, backTo } = batch;
    const sha256 = this.#files.newHash().update(body).digest('hex');
    const commit: Commit = { position, ...(backTo === undefined ? {} : { backTo }), sha256 };
    return { bytes: utf8.encode(`${body}${COMMIT}${JSON.stringify(commit)}\n`), places };
  }

  async apply(batch: ReplicaBatch): Promise<readonly number[]> {
    if (batch.isReset) await this.#clear();
    // Texts go first: a text whose entry is not there yet says nothing, and the same batch comes again.
    await this.#texts.apply(batch.texts);
    const { bytes, places } = this.#encode(batch, this.#end);
    await this.#handle.truncate(this.#end); // what a failed batch has left
    await writeAt(this.#handle, bytes, this.#end);
    await this.#handle.sync();
    const again = this.#note(batch, places, this.#end + bytes.length);
    if (batch.backTo !== undefined) await this.#forgetTexts();
    if (this.position && this.#end > 2 * this.#live + MOST_WASTE) await this.#shrink(this.position);
    return again;
  }

  /** Deletes the texts of keys without entries, such as keys whose only entry was taken back. */
  async #forgetTexts(): Promise<void> {
    const gone = this.textKeys().filter((key) => this.#keys.get(key) === undefined);
    if (gone.length > 0) await this.#texts.apply(gone.map((key) => ({ key, texts: null })));
  }

  /** Deletes everything. Removes the position, so that an interrupted replica begins anew. */
  async #clear(): Promise<void> {
    await this.#swap(async () => {});
    this.#keys.clear();
    this.#live = 0;
    this.#note({ position: null }, [], 0);
    await this.#texts.clear();
  }

  /** Replaces the file atomically, so that a reader finds the old or the new one. */
  async #swap(write: (handle: FileHandle) => Promise<void>): Promise<void> {
    const { fs, syncFolder } = this.#files;
    const path = `${this.#folder}/${ENTRIES}`;
    const handle = await fs.open(`${path}.new`, 'w+');
    await write(handle);
    await handle.sync();
    await fs.rename(`${path}.new`, path);
    await syncFolder(this.#folder);
    await this.#handle.close();
    this.#handle = handle;
  }

  async #entryAt({ at, length, valueLength, key, number, isGone }: EntryPlace): Promise<ReplicaEntry> {
    const text = await readAt(this.#handle, at, length + (valueLength > 0 ? valueLength + 1 : 0));
    const [line = '', value] = text.split('\n');
    const { kind } = JSON.parse(line) as { kind: string };
    return { number, key, kind, line, isGone, ...(value === undefined ? {} : { value: value.slice(1) }) };
  }

  /** Writes only what is needed, some entries at a time: all of them are more than memory or a string may hold. */
  async #shrink(position: ReplicaPosition): Promise<void> {
    const kept = [...this.#keys.all()].sort((a, b) => a.number - b.number);
    const all: EntryPlace[] = [];
    let end = 0;
    await this.#swap(async (handle) => {
      for (let from = 0; from === 0 || from < kept.length; from += SHRUNK_AT_ONCE) {
        const entries: ReplicaEntry[] = [];
        for (const place of kept.slice(from, from + SHRUNK_AT_ONCE)) entries.push(await this.#entryAt(place));
        const isLast = from + SHRUNK_AT_ONCE >= kept.length;
        const { bytes, places } = this.#encode({ entries, position: isLast ? position : null }, end);
        await writeAt(handle, bytes, end);
        all.push(...places);
        end += bytes.length;
      }
    });
    this.#keys.clear();
    this.#live = 0;
    this.#note({ position }, all, end);
  }

  async get(key: string): Promise<ReplicaEntry | undefined> {
    const place = this.#keys.get(key);
    return place && this.#entryAt(place);
  }

  async readTexts(key: string): Promise<TextsOfKey> {
    return committedTexts(await this.get(key), await this.#texts.get(key));
  }

  /** The keys that say something, in order. */
  keys(): string[] {
    return this.#keys.keys();
  }

  /** The keys that have texts. */
  textKeys(): string[] {
    return [...this.#texts.keys()];
  }

  async keptTexts(key: string): Promise<TextsOfKey> {
    return (await this.#texts.get(key)) ?? {};
  }

  async close(): Promise<void> {
    await this.#handle.close();
    await this.#texts.close();
  }
}

/** A replica in a folder, and what it can be asked. */
export interface FileReplica extends ReplicaStore, ReplicaReader {
  /** The keys whose texts are kept, in no order. */
  textKeys(): Promise<string[]>;
  /** Everything that is kept of the texts of a key. */
  keptTexts(key: string): Promise<TextsOfKey>;
  /** Closes its files. */
  close(): Promise<void>;
}

/**
 * A store in the files of a folder, for Node: it survives a kill and a power failure at any moment. One process at a
 * time may use it. It keeps the places of entries in memory, about 200 bytes for each key.
 * @example const store = fileReplica('/var/lib/brokers');
 */
export const fileReplica = (folder: string): FileReplica => {
  let opened: Promise<Folder> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  /** One after the other, since reading must not see half of a batch. */
  const runInOrder = <T>(work: (store: Folder) => Promise<T> | T): Promise<T> => {
    opened ??= Folder.open(folder);
    const store = opened;
    const result = last.then(async () => work(await store));
    last = result.catch(() => {});
    return result;
  };
  return {
    load: () => runInOrder(({ position }) => position ?? undefined),
    apply: (batch) => runInOrder((store) => store.apply(batch)),
    get: (key) => runInOrder((store) => store.get(key)),
    readTexts: (key) => runInOrder((store) => store.readTexts(key)),
    textKeys: () => runInOrder((store) => store.textKeys()),
    keptTexts: (key) => runInOrder((store) => store.keptTexts(key)),
    async *entries() {
      for (const key of await runInOrder((store) => store.keys())) {
        const entry = await runInOrder((store) => store.get(key));
        if (entry) yield entry;
      }
    },
    close: async () => {
      const store = opened;
      opened = undefined;
      await last;
      await (await store)?.close();
    },
  };
};
