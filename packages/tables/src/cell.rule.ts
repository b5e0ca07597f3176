/** A cell of a table. Text files have text alone; a workbook knows numbers, booleans and times (in UTC) too. */
export type SheetCell = string | number | boolean | Date;

/** A row of a table. Lines count from 1. If cells of a text file contain line feeds, `line` is its last one. */
export interface SheetRow {
  readonly line: number;
  readonly cells: readonly SheetCell[];
}

/** Orders in which a day can be written in a table. YYYY-MM-DD needs no order. */
export const DAY_ORDERS = ['dmy', 'mdy', 'ymd'] as const;
export type DayOrder = (typeof DAY_ORDERS)[number];

/** Signs that separate the decimals of a number. */
export const DECIMAL_SIGNS = ['point', 'comma'] as const;
export type DecimalSign = (typeof DECIMAL_SIGNS)[number];

/** The notation of a table for ambiguous values. A notation that is not stated is not guessed. */
export interface CellNotation {
  readonly dates?: DayOrder | undefined;
  readonly decimals?: DecimalSign | undefined;
}

/** A value, or the fault of the text as the rest of a sentence: `must be …, not "…"`. */
export type ParseResult<T> = { readonly value: T } | { readonly fault: string };

const QUOTED = 40;
const quoteText = (text: string): string => JSON.stringify(text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text);

/** Maximum digits of a number that a spreadsheet keeps. */
const MOST_DIGITS = 15;

/** Returns a number as a spreadsheet shows it: 15 digits, no exponent. */
const formatNumber = (number: number): string => {
  const text = String(Number(number.toPrecision(MOST_DIGITS)));
  return /e/.test(text) ? number.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 }) : text;
};

/** Returns a time of a workbook as text: a day alone at midnight. */
const formatTime = (time: Date): string => {
  if (Number.isNaN(time.getTime())) return 'a time out of range';
  const text = time.toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text;
};

/** Returns the trimmed text of a cell: days as YYYY-MM-DD, numbers with a decimal point. */
export const toCellText = (cell: SheetCell | undefined): string => {
  if (cell === undefined) return '';
  if (typeof cell === 'string') return cell.trim();
  if (typeof cell === 'number') return formatNumber(cell);
  return typeof cell === 'boolean' ? String(cell) : formatTime(cell);
};

/** Texts of failed formulas in spreadsheets, in several languages. */
const FORMULA_ERROR = /^#(N\/?[AV]\b|[A-ZÄÖÜÉ0-9/]{2,16}[!?])/;

/** Returns why no column of any type can hold this cell; undefined if one can. */
export const describeBrokenCell = (cell: SheetCell): string | undefined => {
  if (typeof cell === 'string' && FORMULA_ERROR.test(cell))
    return `has ${quoteText(cell)}, the error of a formula: correct the cell`;
  return undefined;
};

/** Words that spreadsheets write for a boolean. No word is in both lists. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'wahr', 'vrai', 'verdadero', 'verdadeiro', 'vero', 'waar', 'prawda', 'sant', 'sann', 'sand', 'tosi'].map(
    (word) => [word, true] as const,
  ),
  ...['false', 'falsch', 'faux', 'falso', 'onwaar', 'fałsz', 'falskt', 'usann', 'falsk', 'epätosi'].map(
    (word) => [word, false] as const,
  ),
]);

export const parseBoolean = (cell: SheetCell): ParseResult<boolean> => {
  if (typeof cell === 'boolean') return { value: cell };
  const text = toCellText(cell);
  const value = BOOLEANS.get(text.toLowerCase());
  return value === undefined ? { fault: `must be true or false, not ${quoteText(text)}` } : { value };
};

/** The forms of numbers, by decimal sign. Separated thousands are accepted only if the decimal sign is stated. */
const NUMBERS = {
  plain: /^-?\d+(\.\d+)?$/,
  point: /^-?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/,
  comma: /^-?(\d+|\d{1,3}([. \u00a0\u202f]\d{3})+)(,\d+)?$/,
} as const;

/** Returns why a text is no number, with the remedy. */
const describeNumberFault = (text: string, { decimals }: CellNotation): string => {
  const given = quoteText(text);
  if (decimals === undefined && NUMBERS.comma.test(text) && NUMBERS.point.test(text))
    return `must be a number: ${given} can be two; state --decimals comma or --decimals point`;
  if (decimals === undefined && NUMBERS.comma.test(text))
    return `must be a number with a decimal point, not ${given}: state --decimals comma`;
  if (decimals === undefined && NUMBERS.point.test(text))
    return `must be a number without signs between thousands, not ${given}: state --decimals point`;
  return `must be a number${decimals === 'comma' ? ' with a decimal comma' : ''}, not ${given}`;
};

/** Reads a number as plain digits with a decimal point. */
const parsePlainNumber = (cell: SheetCell, forms: CellNotation): ParseResult<string> => {
  const text = toCellText(cell);
  if (typeof cell === 'number') return { value: text };
  if (!NUMBERS[forms.decimals ?? 'plain'].test(text)) return { fault: describeNumberFault(text, forms) };
  const digits = forms.decimals === 'comma' ? text.replace(/[. \u00a0\u202f]/g, '').replace(',', '.') : text;
  return { value: digits.replaceAll(',', '') };
};

export const parseNumber = (cell: SheetCell, forms: CellNotation): ParseResult<number> => {
  const parsed = parsePlainNumber(cell, forms);
  return 'fault' in parsed ? parsed : { value: Number(parsed.value) };
};

export const parseInteger = (cell: SheetCell, forms: CellNotation): ParseResult<number> => {
  const parsed = parseNumber(cell, forms);
  return 'fault' in parsed || Number.isInteger(parsed.value)
    ? parsed
    : { fault: `must be a whole number, not ${quoteText(toCellText(cell))}` };
};

/** Reads an amount of money as text with two decimals. */
export const parseAmount = (cell: SheetCell, forms: CellNotation): ParseResult<string> => {
  const parsed = parsePlainNumber(cell, forms);
  if ('fault' in parsed) return parsed;
  const [whole = '', decimals = ''] = parsed.value.split('.');
  return decimals.length > 2
    ? { fault: `must have at most two decimals, not ${quoteText(toCellText(cell))}` }
    : { value: `${whole}.${decimals.padEnd(2, '0')}` };
};

const PLACES: Readonly<Record<DayOrder, readonly [year: number, month: number, day: number]>> = {
  dmy: [3, 2, 1],
  mdy: [3, 1, 2],
  ymd: [1, 2, 3],
};

const isDay = (iso: string): boolean => {
  const day = new Date(`${iso}T00:00:00.000Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(iso);
};

/** Returns the day of a serial number, as spreadsheets count days from 1900; undefined if it is out of range. */
const toSerialDay = (text: string): string | undefined => {
  const days = /^\d{5}(\.\d+)?$/.test(text) ? Math.floor(Number(text)) : 0;
  return days < 18_000 || days > 80_000 ? undefined : new Date((days - 25_569) * 86_400_000).toISOString().slice(0, 10);
};

/** Returns why a text is no day, with the remedy. */
const describeDayFault = (text: string, { dates }: CellNotation): string => {
  const given = quoteText(text);
  const serial = toSerialDay(text);
  if (serial !== undefined)
    return `must be a day, not ${given}: if it is a count of days, meant as ${serial}, format the column as a date`;
  if (/^\d{1,2}\D\d{1,2}\D\d{2}$/.test(text)) return `must be a day with four digits of the year, not ${given}`;
  if (dates === undefined && /^(\d{1,2}\D\d{1,2}\D\d{4}|\d{4}\D\d{1,2}\D\d{1,2})$/.test(text))
    return `must be a day as YYYY-MM-DD, not ${given}: state the order of its parts, --dates dmy, mdy or ymd`;
  return `must be a day as ${dates === undefined ? '' : `${dates} or `}YYYY-MM-DD, not ${given}`;
};

/** Reads a day as YYYY-MM-DD. Accepts that form always, and other forms only in the stated order. */
export const parseDay = (cell: SheetCell, forms: CellNotation): ParseResult<string> => {
  const text = toCellText(cell);
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && isDay(text)) return { value: text };
  if (cell instanceof Date) return { fault: `must be a day without a time, not ${quoteText(text)}` };
  const order = forms.dates;
  const parts = order && /^(\d{1,4})([./\- ])(\d{1,2})\2(\d{1,4})$/.exec(text);
  if (!order || !parts) return { fault: describeDayFault(text, forms) };
  const part = [text, parts[1] ?? '', parts[3] ?? '', parts[4] ?? ''];
  const [year = '', month = '', day = ''] = PLACES[order].map((place) => part[place] ?? '');
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return /^\d{4}-\d{2}-\d{2}$/.test(iso) && isDay(iso) ? { value: iso } : { fault: describeDayFault(text, forms) };
};

/** Reads a time as RFC 3339 in UTC. A time without a zone is in UTC; a day alone means its start. */
export const parseTime = (cell: SheetCell, forms: CellNotation): ParseResult<string> => {
  const text = toCellText(cell);
  if (cell instanceof Date && !Number.isNaN(cell.getTime())) return { value: cell.toISOString() };
  const zoned = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/.exec(text);
  if (zoned?.[2] === 'Z') return { value: text }; // unchanged, so that an import of an export changes nothing
  if (zoned && !text.endsWith('-00:00') && !Number.isNaN(Date.parse(text)))
    return { value: new Date(text).toISOString() };
  const [day = '', clock = '00:00:00'] = text.split(/[T ]+(?=\d{1,2}:\d{2})/);
  const read = parseDay(day, forms);
  if ('fault' in read) return { fault: read.fault.replace('a day', 'a day or a time') };
  const [, hour = '', minute = '', second = '00'] = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(clock) ?? [];
  return Number(hour || 99) < 24 && Number(minute) < 60 && Number(second) < 60
    ? { value: `${read.value}T${hour.padStart(2, '0')}:${minute}:${second}.000Z` }
    : { fault: `must be a time such as 2026-11-02T09:30:00Z, not ${quoteText(text)}` };
};

/** Reads plain text. A number of a workbook becomes its displayed text. */
export const parseText = (cell: SheetCell): ParseResult<string> => {
  const text = toCellText(cell);
  if (cell instanceof Date)
    return { fault: `must be text, not the date ${text}: format the column as text and enter it again` };
  const isShortened = typeof cell === 'string' && /^\d([.,]\d+)?E\+\d{2}$/.test(text);
  if (isShortened || (typeof cell === 'number' && Math.abs(cell) >= 10 ** MOST_DIGITS))
    return {
      fault: `must be text, not ${quoteText(text)}, which a spreadsheet shortened: format the column as text and enter it again`,
    };
  return { value: text };
};
