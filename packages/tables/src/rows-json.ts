import { JSONParser } from '@streamparser/json';
import { JsonRow } from './json-row.rule.ts';
import type { Row } from './row.rule.ts';
import { UnreadableFileError } from './unreadable-file.ts';

const [OPEN_OBJECT, OPEN_ARRAY] = [0x7b, 0x5b];

/** Maximum length of a script before its JSON. */
const MOST_BEFORE = 4_000_000;

interface JsonFormat {
  /** Path of the array of rows. Empty: the file is the array, or a sequence of objects. */
  readonly rows: string;
  /** Text before the JSON. If set, other text follows the JSON. */
  readonly after?: string | undefined;
}

/** Skips a text and everything before it. */
const skipToValue = async function* (chunks: AsyncIterable<Buffer>, text: string): AsyncGenerator<Buffer> {
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
    } else if (head.length > MOST_BEFORE) break;
  }
  if (!isFound) throw new UnreadableFileError(`has no "${text}"`);
};

const toRowsPath = (rows: string, start: Buffer): string => {
  if (rows !== '') return `$.${rows}.*`;
  return start[start.findIndex((byte) => byte === OPEN_ARRAY || byte === OPEN_OBJECT)] === OPEN_ARRAY ? '$.*' : '$';
};

/** A parser that collects the rows. It accepts several consecutive documents, such as pages. */
class RowParser {
  private readonly found: unknown[] = [];
  private readonly parser: JSONParser;
  private readonly onlyOne: boolean;
  private documents = 0;
  private rows = 0;

  constructor({ rows, after }: JsonFormat, start: Buffer) {
    this.onlyOne = after !== undefined;
    const path = toRowsPath(rows, start);
    // a whole document is requested only if its end matters: it would be kept in memory
    const paths = this.onlyOne ? [path, '$'] : [path];
    this.parser = new JSONParser({ paths, keepStack: false, separator: '' });
    this.parser.onValue = ({ value, stack }) => {
      if (stack.length === 0) this.documents++;
      if (stack.length === 0 && path !== '$') return;
      if (!this.isOver && typeof value === 'object' && value !== null && !Array.isArray(value)) this.found.push(value);
    };
  }

  /** True after the one value of a script. */
  get isOver(): boolean {
    return this.onlyOne && this.documents > 0;
  }

  /** @throws UnreadableFileError */
  *read(step: (parser: JSONParser) => void): Generator<Row> {
    let fault: Error | undefined;
    try {
      step(this.parser);
    } catch (error) {
      fault = error as Error;
    }
    for (const value of this.found.splice(0)) yield new JsonRow(`row ${++this.rows}`, value as object);
    if (!fault || this.isOver) return;
    const isCut = /\bended (in mid-parsing|in the middle)/.test(fault.message);
    throw new UnreadableFileError(
      `after row ${this.rows}: ${isCut ? 'the file ends too early' : `is no JSON: ${fault.message}`}`,
    );
  }
}

/** Reads the rows of a JSON file one by one, for files of any size. @throws UnreadableFileError */
export const readJsonRows = async function* (chunks: AsyncIterable<Buffer>, format: JsonFormat): AsyncGenerator<Row> {
  let rows: RowParser | undefined;
  for await (const chunk of format.after === undefined ? chunks : skipToValue(chunks, format.after)) {
    rows ??= new RowParser(format, chunk);
    yield* rows.read((parser) => parser.write(chunk));
    if (rows.isOver) return;
  }
  if (rows) yield* rows.read((parser) => parser.end());
};
