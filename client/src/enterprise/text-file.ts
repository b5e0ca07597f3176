import { type FileHandle, type NodeFiles, readAt, readFileLines, writeAt } from './node-files.ts';
import type { KeyTexts, TextsOfKey } from './replica-store.ts';

interface Place {
  readonly at: number;
  readonly length: number;
}

const utf8 = new TextEncoder();

const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 32);

const parsed = (bytes: Uint8Array): KeyTexts | undefined => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined; // torn: it was being written or deleted
  }
};

/** Number of blanks beyond which the file is rewritten. */
const MOST_BLANK = 2 ** 22;

/**
 * A file of texts, one line for each key. Deleted texts are overwritten in place, so that no copy remains. A line is
 * complete or void, so the file can be cut off at any moment.
 */
export class TextFile {
  readonly #files: NodeFiles;
  readonly #path: string;
  readonly #places = new Map<string, Place>();
  #handle: FileHandle;
  #end = 0;
  #blank = 0;

  private constructor(files: NodeFiles, path: string, handle: FileHandle) {
    this.#files = files;
    this.#path = path;
    this.#handle = handle;
  }

  static async open(files: NodeFiles, path: string): Promise<TextFile> {
    await (await files.fs.open(path, 'a')).close();
    await files.fs.rm(`${path}.new`, { force: true }); // who was killed there left texts that nobody would delete
    const file = new TextFile(files, path, await files.fs.open(path, 'r+'));
    await file.#read();
    if (file.#blank > MOST_BLANK && file.#blank > file.#end / 2) await file.#shrink();
    return file;
  }

  async #read(): Promise<void> {
    const { size } = await this.#handle.stat();
    const former: Place[] = [];
    for await (const { bytes, at } of readFileLines(this.#handle)) {
      this.#end = at + bytes.length + 1;
      const place = { at, length: bytes.length };
      const line = isBlank(bytes) ? undefined : parsed(bytes);
      if (line) {
        const known = this.#places.get(line.key);
        if (known) former.push(known);
        this.#places.set(line.key, place);
      } else if (isBlank(bytes)) this.#blank += bytes.length;
      else former.push(place);
    }
    if (size > this.#end) await this.#handle.truncate(this.#end);
    await this.#erase(former);
  }

  async #erase(places: readonly Place[]): Promise<void> {
    for (const { at, length } of places) await writeAt(this.#handle, new Uint8Array(length).fill(32), at);
    for (const { length } of places) this.#blank += length;
    if (places.length > 0) await this.#handle.sync();
  }

  /** Writes and deletes texts. Doing it again changes nothing. */
  async apply(all: readonly KeyTexts[]): Promise<void> {
    const former = all.flatMap(({ key }) => this.#places.get(key) ?? []);
    const added = all.filter(({ texts }) => texts !== null);
    const lines = added.map((one) => `${JSON.stringify(one)}\n`);
    const places = new Map<string, Place>();
    let end = this.#end;
    for (const [at, { key }] of added.entries()) {
      const { length } = utf8.encode(lines[at]);
      places.set(key, { at: end, length: length - 1 });
      end += length;
    }
    if (lines.length > 0) {
      await writeAt(this.#handle, utf8.encode(lines.join('')), this.#end);
      await this.#handle.sync();
    }
    this.#end = end;
    await this.#erase(former);
    for (const { key } of all) this.#places.delete(key);
    for (const [key, place] of places) this.#places.set(key, place);
  }

  async clear(): Promise<void> {
    await this.#handle.truncate(0);
    await this.#handle.sync();
    this.#places.clear();
    [this.#end, this.#blank] = [0, 0];
  }

  keys(): IterableIterator<string> {
    return this.#places.keys();
  }

  async get(key: string): Promise<TextsOfKey | undefined> {
    const place = this.#places.get(key);
    return place && (JSON.parse(await readAt(this.#handle, place.at, place.length)) as { texts: TextsOfKey }).texts;
  }

  async #shrink(): Promise<void> {
    const { fs, syncFolder } = this.#files;
    const handle = await fs.open(`${this.#path}.new`, 'w+');
    let end = 0;
    for (const [key, place] of this.#places) {
      const line = utf8.encode(`${await readAt(this.#handle, place.at, place.length)}\n`);
      await writeAt(handle, line, end);
      this.#places.set(key, { at: end, length: line.length - 1 });
      end += line.length;
    }
    await handle.sync();
    await fs.rename(`${this.#path}.new`, this.#path);
    await syncFolder(this.#path.slice(0, this.#path.lastIndexOf('/'))); // else what is erased later could come back
    await this.#handle.close();
    [this.#handle, this.#end, this.#blank] = [handle, end, 0];
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}
