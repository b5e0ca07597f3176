import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { prependHead } from './file-chunks.ts';
import type { TableFormat, TableMapping } from './mapping.rule.ts';
import { UnreadableFileError } from './unreadable-file.ts';
import { isGzip, isZip, readZipMember, unpackGzip } from './zip.ts';

type FormatName = TableFormat['type'];

const beginsWith = (start: string, ...beginnings: readonly string[]): boolean =>
  beginnings.some((beginning) => start.startsWith(beginning));

const ZIP = 'PK\x03\x04';
const GZIP = '\x1f\x8b';
const UTF16 = ['\xff\xfe', '\xfe\xff'];
const isPage = (start: string): boolean => /^<(!doctype )?html/i.test(start);

/** Tests for the beginning of each format, after BOM and blanks. */
const BEGINNINGS: Readonly<Record<FormatName, (start: string) => boolean>> = {
  csv: (start) => !beginsWith(start, '<', '{', '[', '%PDF', ZIP, GZIP, ...UTF16),
  xlsx: (start) => beginsWith(start, ZIP),
  json: (start) => beginsWith(start, '{', '['),
  xml: (start) => beginsWith(start, '<') && !isPage(start),
};

/** Other kinds of files, with their names. */
const OTHERS: readonly [is: (start: string) => boolean, what: string][] = [
  [(start) => beginsWith(start, ZIP), 'a ZIP or Excel file: unpack it, or download the right one'],
  [(start) => beginsWith(start, GZIP), 'a GZIP file: unpack it'],
  [(start) => beginsWith(start, ...UTF16), 'UTF-16: save it as UTF-8'],
  [(start) => beginsWith(start, '%PDF'), 'a PDF file'],
  [isPage, 'a web page: download the file behind it'],
  [(start) => beginsWith(start, '<'), 'a web page or XML'],
  [(start) => beginsWith(start, '{', '['), 'JSON'],
];

const NAMES: Readonly<Record<FormatName, string>> = { csv: 'CSV', xlsx: 'XLSX', json: 'JSON', xml: 'XML' };

/** Number of bytes that identify a file. */
const HEAD = 512;

const readHead = async (file: string): Promise<Buffer> => {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
};

/** Returns whether bytes begin like a format. */
const matchesFormat = (format: TableFormat, start: string): boolean =>
  ('after' in format && format.after !== undefined) || BEGINNINGS[format.type](start);

const detectFormat = (head: Buffer, { title, formats }: TableMapping): TableFormat => {
  const start = head
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  if (start === '') throw new UnreadableFileError(`line 1: is not ${title}: it has no rows`);
  const format = formats.find((one) => matchesFormat(one, start));
  if (format) return format;
  const [, what] = OTHERS.find(([is]) => is(start)) ?? [];
  throw new UnreadableFileError(
    `line 1: is not ${title} but ${what ?? `no ${formats.map(({ type }) => NAMES[type]).join(' or ')}`}`,
  );
};

/** The bytes of a table, and their format. */
export interface OpenTable {
  readonly format: TableFormat;
  readonly chunks: AsyncIterable<Buffer>;
}

/** Detects the format of bytes, and returns all of them. */
const withFormat = async (bytes: AsyncIterable<Buffer>, mapping: TableMapping): Promise<OpenTable> => {
  const rest = bytes[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  for (let part = await rest.next(); !part.done; part = await rest.next()) {
    head = Buffer.concat([head, part.value]);
    if (head.length >= HEAD) break;
  }
  try {
    return { format: detectFormat(head.subarray(0, HEAD), mapping), chunks: prependHead(head, rest) };
  } catch (error) {
    await rest.return?.();
    throw error;
  }
};

/** Returns the bytes of a file, unpacked from ZIP or GZIP. */
const unpackFile = async (file: string, { zip }: TableMapping): Promise<AsyncIterable<Buffer>> => {
  const head = await readHead(file);
  if (zip && isZip(head)) return readZipMember(file, zip);
  const bytes = createReadStream(file) as AsyncIterable<Buffer>;
  return zip && isGzip(head) ? unpackGzip(bytes, zip.maxBytes) : bytes;
};

/**
 * Opens the bytes of a table's file, packed or already unpacked.
 * @throws UnreadableFileError if it is a file of another kind
 */
export const openTable = async (file: string, mapping: TableMapping): Promise<OpenTable> =>
  withFormat(await unpackFile(file, mapping), mapping);

/** Like `openTable`, for unpacked bytes. */
export const openBytes = withFormat;
