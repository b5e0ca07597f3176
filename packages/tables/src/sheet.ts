import { readFile, stat } from 'node:fs/promises';
import type { SheetRow } from './cell.rule.ts';
import { type CsvOptions, readCsv } from './csv.ts';
import { type DetectedEncoding, detectEncoding } from './encoding.ts';
import { readChunks } from './file-chunks.ts';
import { UnreadableFileError } from './unreadable-file.ts';
import { MOST_PACKED, readXlsx, type XlsxOptions } from './xlsx.ts';

/** The format of a file, as far as the file does not state it, and callbacks for what is found. */
export interface SheetOptions extends CsvOptions, XlsxOptions {
  readonly onChunk?: (chunk: Buffer) => void;
  /** Called if the encoding is not certain. */
  readonly onEncoding?: ((detected: DetectedEncoding) => void) | undefined;
}

const NO_ENCODING =
  'is neither UTF-8 nor Windows-1252: save it as "CSV UTF-8", or state its encoding, such as --encoding windows-1251';

/** Detects the encoding of a text file. */
const requireEncoding = async (file: string, { onEncoding }: SheetOptions): Promise<string> => {
  const detected = await detectEncoding(readChunks(file, () => {}));
  if (!detected) throw new UnreadableFileError(NO_ENCODING);
  if (detected.sample !== undefined) onEncoding?.(detected);
  return detected.encoding;
};

/** Reads the rows of a text table in a file, in constant memory. @throws UnreadableFileError */
const readText = async function* (file: string, options: SheetOptions): AsyncGenerator<SheetRow> {
  const encoding = options.encoding ?? (await requireEncoding(file, options));
  yield* readCsv(
    readChunks(file, (chunk) => options.onChunk?.(chunk)),
    { ...options, encoding },
  );
};

const readWorkbook = async function* (file: string, options: SheetOptions): AsyncGenerator<SheetRow> {
  const { size } = await stat(file);
  if (size > MOST_PACKED) throw new UnreadableFileError('is too large to be read as a workbook: save the sheet as CSV');
  const bytes = await readFile(file);
  options.onChunk?.(bytes);
  if (bytes.subarray(0, 4).equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0])))
    throw new UnreadableFileError('is an old (.xls) or encrypted workbook: save it as .xlsx without a password');
  if (bytes.subarray(0, 2).toString('latin1') !== 'PK')
    throw new UnreadableFileError('is no .xlsx file: is it CSV by another name?');
  yield* readXlsx(bytes, options);
};

const READERS = { csv: readText, xlsx: readWorkbook };
export type SheetFormat = keyof typeof READERS;

/** Reads the rows of a table, the first one too. @throws UnreadableFileError */
export const readSheet = (file: string, format: SheetFormat, options: SheetOptions): AsyncGenerator<SheetRow> =>
  READERS[format](file, options);
