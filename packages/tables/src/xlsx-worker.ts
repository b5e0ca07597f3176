import { parentPort, workerData } from 'node:worker_threads';
import { strFromU8, strToU8, type Unzipped, unzipSync, zipSync } from 'fflate';
import { readSheet } from 'read-excel-file/universal';

/** The input of a worker. */
export interface WorkerInput {
  readonly bytes: Uint8Array;
  /** Name of a sheet; the first one that is not hidden if omitted. */
  readonly sheet?: string | undefined;
  /** Maximum unpacked bytes. */
  readonly most: number;
}

/** A message of a worker: first the names of all sheets, then rows on each request, at the end none. */
export type WorkerMessage =
  | { readonly sheets: readonly string[]; readonly sheet: string }
  | { readonly rows: readonly (readonly (string | number | boolean | Date | null)[])[] }
  | { readonly refused: string };

/** Number of rows in one message. */
const BATCH = 500;

/** A fault of a file, in words for its owner. */
class WorkbookError extends Error {}

const MB = 1_000_000;

/** Returns true for the parts of a workbook that its cells need. */
const isNeeded = (name: string): boolean =>
  /\.(xml|xml\.rels)$/.test(name) && !/^(docProps|customXml)\/|\/(theme|drawings|media|charts)\//.test(name);

/** Unpacks the needed parts. Adds up their stated sizes before unpacking, and lets no part exceed its stated size. */
const unpack = ({ bytes, most }: WorkerInput): Unzipped => {
  let size = 0;
  const filter = ({ name, originalSize }: { name: string; originalSize: number }): boolean => {
    if (name === 'xl/workbook.bin') throw new WorkbookError('is a binary workbook (.xlsb): save it as .xlsx');
    if (name === 'content.xml') throw new WorkbookError('is an OpenDocument file: save it as .xlsx or CSV');
    if (!isNeeded(name)) return false;
    size += originalSize;
    if (size > most) throw new WorkbookError(`unpacks to more than ${most / MB} MB: save the sheet as CSV`);
    return true;
  };
  try {
    return unzipSync(bytes, { filter });
  } catch (error) {
    throw error instanceof WorkbookError ? error : new WorkbookError('is a broken .xlsx file: save it again');
  }
};

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const unescapeXml = (text: string): string =>
  text.replace(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);

/** Returns the sheets with their names, and true for hidden ones. */
const listSheets = (parts: Unzipped): { name: string; isHidden: boolean }[] => {
  const workbook = parts['xl/workbook.xml'];
  if (!workbook) throw new WorkbookError('is no .xlsx file, although it is packed like one');
  return [...strFromU8(workbook).matchAll(/<(?:\w+:)?sheet\s[^<>]*>/g)].map(([tag]) => ({
    name: unescapeXml(/\sname="([^"]*)"/.exec(tag)?.[1] ?? ''),
    isHidden: /\sstate="(hidden|veryHidden)"/.test(tag),
  }));
};

const chooseSheet = (sheets: readonly { name: string; isHidden: boolean }[], given: string | undefined): string => {
  const found = sheets.find(({ name, isHidden }) => (given === undefined ? !isHidden : name === given));
  if (found) return found.name;
  const names = sheets.map(({ name }) => `"${name}"`).join(', ');
  throw new WorkbookError(given === undefined ? 'has no sheet' : `has no sheet "${given}", but ${names}`);
};

/** The stated place of a row or a cell. */
const PLACE = /<(?:\w+:)?(?:c|row)\b[^<]*?\sr\s*=\s*["']([^"'<]*)["']/g;

/** The last row and column of an Excel sheet, and the maximum cells of a table. */
const [MOST_ROWS, MOST_COLUMNS, MOST_CELLS] = [1_048_576, 16_384, 50_000_000];

const parseColumn = (letters: string): number =>
  [...letters].reduce((sum, one) => sum * 26 + Number.parseInt(one, 36) - 9, 0);

/**
 * Refuses a file with invented places: the library creates every row and cell up to the last one, which could exhaust
 * the memory.
 */
const refuseInvented = (part: Uint8Array): void => {
  const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
  if (!bytes.includes('sheetData')) return;
  let [rows, columns] = [1, 1];
  for (const [, place = ''] of bytes.toString('latin1').matchAll(PLACE)) {
    const [, letters = '', digits] = /^([A-Z]{0,3})(\d{1,7})$/i.exec(place) ?? [];
    rows = Math.max(rows, Number(digits ?? Number.POSITIVE_INFINITY));
    columns = Math.max(columns, parseColumn(letters));
    if (rows > MOST_ROWS || columns > MOST_COLUMNS)
      throw new WorkbookError(`has a cell at "${place.slice(0, 20)}", where no sheet has one: save it again`);
  }
  if (rows * columns > MOST_CELLS)
    throw new WorkbookError(`has ${rows} rows of ${columns} columns: delete the empty ones, or save the sheet as CSV`);
};

/** A cell with a formula and no result, which its program did not compute. */
const UNCOMPUTED =
  /<((?:\w+:)?)c\b([^<>]*)>\s*(<\1f\b[^<>]*(?:\/>|>[^<]*<\/\1f>))(?:\s*<\1v(?:\s*\/>|>\s*<\/\1v>))?\s*<\/\1c>/g;

/** Converts errors of formulas, and formulas without results, to text. The library would read them as empty cells. */
const showErrors = (part: Uint8Array): Uint8Array => {
  const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
  if (!bytes.includes(' t="e"') && !bytes.includes('<f') && !bytes.includes(':f')) return part;
  const text = bytes
    .toString()
    .replace(/(<(?:\w+:)?c\b[^<>]*\st=)"e"/g, '$1"str"')
    .replace(UNCOMPUTED, (whole, prefix: string, attributes: string, formula: string) =>
      attributes.includes(' t="str"')
        ? whole // the result is an empty text
        : `<${prefix}c${attributes.replace(/\st="\w+"/, '')} t="str">${formula}<${prefix}v>#FORMULA!</${prefix}v></${prefix}c>`,
    );
  return strToU8(text);
};

/** Reads all rows of the requested sheet. @throws Refusal */
const readWorkbook = async (work: WorkerInput) => {
  const parts = unpack(work);
  const sheets = listSheets(parts);
  const sheet = chooseSheet(sheets, work.sheet);
  for (const part of Object.values(parts)) refuseInvented(part);
  const prepared = Object.entries(parts).map(([name, part]) => [
    name,
    name.includes('/worksheets/') ? showErrors(part) : part,
  ]);
  const packed = zipSync(Object.fromEntries(prepared), { level: 0 }) as Uint8Array<ArrayBuffer>;
  const rows = (await readSheet(new Blob([packed]), sheet).catch((error: Error) => {
    throw new WorkbookError(`cannot be read: ${error.message.replace(/\s+/g, ' ').slice(0, 200)}: save it again`);
  })) as Extract<WorkerMessage, { rows: unknown }>['rows'];
  return { sheets: sheets.map(({ name }) => name), sheet, rows };
};

const sendMessage = (said: WorkerMessage): void => parentPort?.postMessage(said);

const main = async (): Promise<void> => {
  const { rows, ...about } = await readWorkbook(workerData as WorkerInput);
  let at = 0;
  parentPort?.on('message', () => {
    sendMessage({ rows: rows.slice(at, at + BATCH) });
    at += BATCH;
  });
  sendMessage(about);
};

await main().catch((error: unknown) => {
  if (!(error instanceof WorkbookError)) throw error;
  sendMessage({ refused: error.message });
});
