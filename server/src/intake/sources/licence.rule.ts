import { hasLicenseEnded, type LicenseStatus } from '@broker-transparency/contract';
import { parseLei } from '@broker-transparency/matching';
import {
  normaliseWord,
  type Row,
  readDay,
  readFirst,
  readValues,
  requireValue,
} from '@broker-transparency/tables/rules';
import type { LicenceEntry } from './entry.rule.ts';
import { parseHosts } from './hosts.rule.ts';
import type { LicenceSource, SourceMapping } from './source.rule.ts';

type WordsByCode = Readonly<Record<string, readonly string[] | undefined>>;

/** Returns the code for a text, by the words of the mapping. */
const findCode = (words: WordsByCode, text: string): string | undefined => {
  const plain = normaliseWord(text);
  return Object.entries(words).find(([, known]) => known?.some((word) => normaliseWord(word) === plain))?.[0];
};

/** Returns the regulator of a row: its code or null, and the words for it. */
export const readRegulator = (
  row: Row,
  { regulator }: Extract<SourceMapping, { regulator: unknown }>,
): { readonly code: string | null; readonly text: string } => {
  if ('code' in regulator) return { code: regulator.code, text: '' };
  const text = regulator.columns.map((column) => row.get(column)[0] ?? '').join(' / ');
  return { code: findCode(regulator.words, text) ?? null, text };
};

const trimZeros = (digits: string): string => digits.replace(/^0+/, '');

/** Returns a number in the form for comparison; empty if nothing is left of it. */
export const normaliseNumber = ({ number }: LicenceSource, text: string): string => {
  const plain = normaliseWord(text.normalize('NFKC'));
  const digits = trimZeros(plain.replace(/\D/g, ''));
  if (number === undefined || digits === '') return '';
  const { form } = number;
  if (form === 'digits') return digits;
  if (form === 'letters-digits') return plain.replace(/[^\p{L}\p{N}]/gu, '');
  const bureau = Object.entries(form.bureau).find(([, words]) =>
    words.some((word) => plain.includes(normaliseWord(word))),
  );
  return bureau ? `${bureau[0]} ${digits}` : '';
};

const parseStatus = ({ status }: LicenceSource, text: string): LicenseStatus | null =>
  text === '' ? status.empty : ((findCode(status.words, text) as LicenseStatus | undefined) ?? null);

/**
 * Parses a row of a register.
 * @param today day that the file describes, YYYY-MM-DD: later ends have not happened
 * @throws UnreadableFileError with line and column
 */
export const toLicenceEntry = (row: Row, source: LicenceSource, today: string): LicenceEntry => {
  const { holder, number, status } = source;
  const { code, text } = readRegulator(row, source);
  const end = readDay(row, source.end, source);
  const ended = end !== undefined && end <= today;
  const word = readFirst(row, status.place);
  const said = ended ? 'withdrawn' : parseStatus(source, word);
  const sincePlace =
    said !== null && hasLicenseEnded({ status: said }) ? (status.endedSince ?? status.since) : status.since;
  const statusSince = ended ? end : readDay(row, sincePlace, source);
  const since = readDay(row, source.since, source);
  const numbers = (number?.places ?? []).flatMap((place) =>
    readValues(row, place).map((value) => normaliseNumber(source, value)),
  );
  return {
    at: row.at,
    regulator: code,
    regulatorText: text,
    numbers: [...new Set(numbers)].filter((one) => one !== ''),
    lei: parseLei(readFirst(row, holder.lei)) ?? null,
    name: requireValue(row, holder.name),
    otherNames: readValues(row, holder.otherNames),
    domains: parseHosts(readValues(row, holder.domains)),
    country: readFirst(row, holder.country) || null,
    status: said,
    statusText: ended ? `ended on ${end}` : word,
    ...(statusSince === undefined ? {} : { statusSince }),
    ...(since === undefined ? {} : { since }),
  };
};
