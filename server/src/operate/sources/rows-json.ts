import { JsonRow } from './json-row.rule.ts';
import { type SourceRow, unreadable } from './row.rule.ts';

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];
/** Largest row in bytes. A longer one means a broken file, or one of another form. */
const MAX_ROW = 4_000_000;

interface Level {
  readonly isArray: boolean;
  key: string;
}

/**
 * Finds the rows of a JSON file and parses each by itself, so that a file of any size takes constant memory. A file may
 * hold several documents after one another, such as pages. What stands around the rows is only skipped.
 */
class RowFinder {
  private readonly way: readonly string[];
  private readonly stack: Level[] = [];
  private rest: Buffer = Buffer.alloc(0);
  private inString = false;
  private stringStart = 0;
  /** Where the row begins in `rest`, and how deep it stands; -1 outside of rows. */
  private rowStart = -1;
  private rowDepth = 0;
  private at = 0;
  rows = 0;
  documents = 0;

  private readonly onlyOne: boolean;

  /** @param onlyOne whether what follows the first document is no JSON */
  constructor(path: string, onlyOne: boolean) {
    this.onlyOne = onlyOne;
    this.way = path === '' ? [] : path.split('.');
  }

  /** True between documents: the file may end here. */
  get isComplete(): boolean {
    return this.stack.length === 0 && !this.inString;
  }

  *feed(chunk: Buffer): Generator<unknown> {
    this.rest = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const { rest } = this;
    for (; this.at < rest.length; this.at++) {
      if (this.onlyOne && this.documents > 0) return;
      if (this.inString) {
        if (!this.endString()) break;
        continue;
      }
      const byte = rest[this.at] as number;
      if (byte === QUOTE) {
        this.inString = true;
        this.stringStart = this.at;
      } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.open(byte === OPEN_ARRAY);
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        if (this.close(byte === CLOSE_ARRAY)) yield this.row(rest.subarray(this.rowStart, this.at + 1));
      } else if (byte === COLON && this.rowStart < 0) this.nameKey();
      else if (byte !== COMMA && byte > 0x20 && this.rowStart < 0) this.plain(byte);
    }
    this.keep();
  }

  /** Goes to the end of the string, and returns false if it lies in the next chunk. */
  private endString(): boolean {
    let end = this.rest.indexOf(QUOTE, this.at);
    while (end >= 0) {
      let slashes = 0;
      while (this.rest[end - 1 - slashes] === BACKSLASH) slashes++;
      if (slashes % 2 === 0) break;
      end = this.rest.indexOf(QUOTE, end + 1);
    }
    if (end < 0) {
      this.at = this.rest.length;
      return false;
    }
    this.inString = false;
    this.lastString = [this.stringStart, end + 1];
    this.at = end;
    return true;
  }
  private lastString: [number, number] = [0, 0];

  private nameKey(): void {
    const level = this.stack.at(-1);
    if (!level || level.isArray || this.stack.length > this.way.length + 1) return;
    try {
      level.key = JSON.parse(this.rest.subarray(...this.lastString).toString('utf8')) as string;
    } catch {
      throw unreadable(`after row ${this.rows}: is no JSON`);
    }
  }

  private open(isArray: boolean): void {
    const isRow = this.rowStart < 0 && !isArray && this.isAtRows();
    this.stack.push({ isArray, key: '' });
    if (!isRow) return;
    this.rowStart = this.at;
    this.rowDepth = this.stack.length;
  }

  /** Whether what begins here is a row: it stands in the array that the way leads to, or alone where there is none. */
  private isAtRows(): boolean {
    const array = this.stack.at(-1);
    if (!array) return this.way.length === 0;
    return (
      array.isArray &&
      this.stack.length === this.way.length + 1 &&
      this.way.every((name, depth) => this.stack[depth]?.key === name)
    );
  }

  /** Returns true if a row ends here. */
  private close(isArray: boolean): boolean {
    const level = this.stack.pop();
    if (level?.isArray !== isArray) throw unreadable(`after row ${this.rows}: is no JSON: brackets do not match`);
    if (this.stack.length === 0) this.documents++;
    return this.rowStart >= 0 && this.stack.length < this.rowDepth;
  }

  private row(bytes: Buffer): unknown {
    this.rows++;
    this.rowStart = -1;
    try {
      return JSON.parse(bytes.toString('utf8'));
    } catch {
      throw unreadable(`row ${this.rows}: is no JSON`);
    }
  }

  /** A number, word or stray text outside of rows. At the top of a file it is none of JSON. */
  private plain(byte: number): void {
    const isMark = this.documents === 0 && [0xef, 0xbb, 0xbf].includes(byte);
    if (this.stack.length === 0 && !isMark) throw unreadable(`after row ${this.rows}: is no JSON`);
  }

  /** Forgets what is read, but for a row or a string that has begun. */
  private keep(): void {
    const from = this.rowStart >= 0 ? this.rowStart : this.inString ? this.stringStart : this.keyStart();
    if (this.at - from > MAX_ROW) throw unreadable(`row ${this.rows + 1}: is longer than ${MAX_ROW} bytes`);
    this.rest = this.rest.subarray(from);
    this.at -= from;
    this.stringStart -= from;
    this.lastString = [this.lastString[0] - from, this.lastString[1] - from];
    if (this.rowStart >= 0) this.rowStart = 0;
  }

  /** The last string may be a key whose colon comes with the next chunk. */
  private keyStart(): number {
    const [start, end] = this.lastString;
    return end > 0 && this.rest.subarray(end, this.at).every((byte) => byte <= 0x20) ? Math.max(0, start) : this.at;
  }
}

/** Skips what stands before a text, and everything after the JSON value that follows it. */
const valueAfter = async function* (chunks: AsyncIterable<Buffer>, text: string): AsyncGenerator<Buffer> {
  let head = Buffer.alloc(0);
  let isFound = false;
  for await (const chunk of chunks) {
    if (isFound) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    const start = head.indexOf(text);
    const value =
      start < 0 ? -1 : head.subarray(start).findIndex((byte) => byte === OPEN_ARRAY || byte === OPEN_OBJECT);
    if (value >= 0) {
      isFound = true;
      yield head.subarray(start + value);
    } else if (head.length > MAX_ROW) break;
  }
  if (!isFound) throw unreadable(`has no "${text}"`);
};

interface JsonFormat {
  readonly rows: string;
  readonly after?: string | undefined;
}

/** Reads the rows of a JSON file, in constant memory. @throws DomainError unreadable_file */
export const jsonRows = async function* (
  chunks: AsyncIterable<Buffer>,
  { rows, after }: JsonFormat,
): AsyncGenerator<SourceRow> {
  const finder = new RowFinder(rows, after !== undefined);
  let number = 0;
  for await (const chunk of after === undefined ? chunks : valueAfter(chunks, after)) {
    for (const value of finder.feed(chunk)) yield new JsonRow(`row ${++number}`, value as object);
    if (after !== undefined && finder.documents > 0) return;
  }
  if (!finder.isComplete) throw unreadable(`after row ${number}: the file ends too early`);
};
