import sax from 'sax';
import type { Row } from './row.rule.ts';
import { UnreadableFileError } from './unreadable-file.ts';

/** Longest row in characters, most values in one, and how deep elements nest: the name of a column grows with it. */
const [MAX_ROW, MOST_VALUES, MOST_DEEP] = [4_000_000, 200_000, 100];

interface XmlElement {
  readonly name: string;
  text: string;
}

/** A row of XML: `a.b` is the text of `b` within `a`, `@c` an attribute of the row. */
class XmlRow implements Row {
  readonly at: string;
  readonly values = new Map<string, string[]>();
  private count = 0;

  constructor(at: string) {
    this.at = at;
  }

  add(column: string, value: string): void {
    const text = value.normalize('NFC').trim();
    if (text === '') return;
    if (++this.count > MOST_VALUES) throw new UnreadableFileError(`${this.at}: has more than ${MOST_VALUES} values`);
    const values = this.values.get(column);
    if (values) values.push(text);
    else this.values.set(column, [text]);
  }

  get(column: string): readonly string[] {
    return this.values.get(column) ?? [];
  }

  all(): string[] {
    return [...this.values.values()].flat();
  }
}

/** Collects the rows at a path such as `rss/channel/item`. */
class RowCollector {
  readonly done: XmlRow[] = [];
  private readonly stack: XmlElement[] = [];
  private readonly way: string;
  private readonly depth: number;
  private row: XmlRow | undefined;
  private size = 0;
  private rows = 0;

  constructor(way: string) {
    this.way = way;
    this.depth = way.split('/').length;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    // Solr has field names in an attribute
    const isField = this.row && attributes['name'] !== undefined;
    if (this.stack.length >= MOST_DEEP) throw new UnreadableFileError(`nests more than ${MOST_DEEP} elements`);
    this.stack.push({ name: isField ? String(attributes['name']) : name, text: '' });
    if (this.stack.length === this.depth && this.stack.map((one) => one.name).join('/') === this.way) {
      this.row = new XmlRow(`row ${++this.rows}`);
      this.size = 0;
    }
    if (this.row) for (const [key, value] of Object.entries(attributes)) this.row.add(`${this.column()}@${key}`, value);
  }

  /** Returns the open element's column name. */
  private column(): string {
    return this.stack
      .slice(this.depth)
      .map(({ name }) => name)
      .join('.');
  }

  text(part: string): void {
    const element = this.stack.at(-1);
    if (!this.row || !element) return;
    this.size += part.length;
    if (this.size > MAX_ROW) throw new UnreadableFileError(`${this.row.at}: is longer than ${MAX_ROW} characters`);
    element.text += part;
  }

  close(): void {
    if (this.row && this.stack.length > this.depth) {
      const column = this.column();
      this.row.add(column.replace(/\.(str|date|int|long|bool)$/, ''), this.stack.at(-1)?.text ?? '');
    }
    this.stack.pop();
    if (!this.row || this.stack.length >= this.depth) return;
    this.done.push(this.row);
    this.row = undefined;
  }
}

/**
 * Reads the rows of an XML file, in constant memory. Only XML's own entities are allowed, so that none can expand.
 * @throws UnreadableFileError
 */
export const readXmlRows = async function* (chunks: AsyncIterable<Buffer>, way: string): AsyncGenerator<Row> {
  const collector = new RowCollector(way);
  const parser = new sax.SAXParser(true, { xmlns: false, position: true });
  let fault: Error | undefined;
  parser.onopentag = ({ name, attributes }) => collector.open(name, attributes as Record<string, string>);
  parser.ontext = (text) => collector.text(text);
  parser.oncdata = (text) => collector.text(text);
  parser.onclosetag = () => collector.close();
  parser.onerror = (error) => {
    fault ??= new UnreadableFileError(`line ${parser.line + 1}: is no XML: ${error.message.split('\n', 1)[0]}`);
  };
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  const feed = (text: string): void => {
    parser.write(text);
    if (fault) throw fault;
  };
  for await (const chunk of chunks) {
    decoder ??= new TextDecoder(detectXmlEncoding(chunk));
    feed(decoder.decode(chunk, { stream: true }));
    yield* collector.done.splice(0);
  }
  feed(decoder?.decode() ?? '');
  parser.close();
  if (fault) throw fault;
  yield* collector.done.splice(0);
};

/** Returns the encoding that an XML file declares in its first bytes. */
const detectXmlEncoding = (head: Buffer): string => {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const [, name = 'utf-8'] = /^[^>]{0,100}encoding\s*=\s*["']([\w-]{1,30})["']/.exec(head.toString('latin1')) ?? [];
  try {
    return new TextDecoder(name).encoding;
  } catch {
    throw new UnreadableFileError(`line 1: has the encoding ${name}, which is unknown`);
  }
};
