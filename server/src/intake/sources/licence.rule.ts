import { hasLicenseEnded, type LicenseStatus } from '@broker-transparency/contract';
import { leiOf } from '@broker-transparency/matching';
import type { LicenceEntry } from './entry.rule.ts';
import { dayAt, filledOf, firstOf, hostsOf, plainWord, type SourceRow, valuesOf } from './row.rule.ts';
import type { LicenceSource, Source } from './source.rule.ts';

type Words = Readonly<Record<string, readonly string[] | undefined>>;

/** Returns the code whose words contain this text. */
const codeOf = (words: Words, text: string): string | undefined => {
  const plain = plainWord(text);
  return Object.entries(words).find(([, known]) => known?.some((word) => plainWord(word) === plain))?.[0];
};

/** Returns the regulator of a row: its code, or null, and the words that name it. */
export const regulatorOf = (
  row: SourceRow,
  { regulator }: Extract<Source, { regulator: unknown }>,
): { readonly code: string | null; readonly text: string } => {
  if ('code' in regulator) return { code: regulator.code, text: '' };
  const text = regulator.columns.map((column) => row.get(column)[0] ?? '').join(' / ');
  return { code: codeOf(regulator.words, text) ?? null, text };
};

const withoutZeros = (digits: string): string => digits.replace(/^0+/, '');

/** Returns a number as it is compared; empty if it has nothing to compare. */
export const normalNumber = ({ number }: LicenceSource, text: string): string => {
  const plain = plainWord(text.normalize('NFKC'));
  const digits = withoutZeros(plain.replace(/\D/g, ''));
  if (number === undefined || digits === '') return '';
  const { form } = number;
  if (form === 'digits') return digits;
  if (form === 'letters-digits') return plain.replace(/[^\p{L}\p{N}]/gu, '');
  const bureau = Object.entries(form.bureau).find(([, words]) => words.some((word) => plain.includes(plainWord(word))));
  return bureau ? `${bureau[0]} ${digits}` : '';
};

const statusOf = ({ status }: LicenceSource, text: string): LicenseStatus | null =>
  text === '' ? status.empty : ((codeOf(status.words, text) as LicenseStatus | undefined) ?? null);

/**
 * Reads a row of a register.
 * @param today day that the file tells of, YYYY-MM-DD: an end that is to come has not come
 * @throws DomainError unreadable_file naming line and column
 */
export const licenceEntry = (row: SourceRow, source: LicenceSource, today: string): LicenceEntry => {
  const { holder, number, status } = source;
  const { code, text } = regulatorOf(row, source);
  const end = dayAt(row, source.end, source);
  const ended = end !== undefined && end <= today;
  const word = firstOf(row, status.place);
  const said = ended ? 'withdrawn' : statusOf(source, word);
  const sincePlace =
    said !== null && hasLicenseEnded({ status: said }) ? (status.endedSince ?? status.since) : status.since;
  const statusSince = ended ? end : dayAt(row, sincePlace, source);
  const since = dayAt(row, source.since, source);
  const numbers = (number?.places ?? []).flatMap((place) =>
    valuesOf(row, place).map((value) => normalNumber(source, value)),
  );
  return {
    at: row.at,
    regulator: code,
    regulatorText: text,
    numbers: [...new Set(numbers)].filter((one) => one !== ''),
    lei: leiOf(firstOf(row, holder.lei)) ?? null,
    name: filledOf(row, holder.name),
    otherNames: valuesOf(row, holder.otherNames),
    domains: hostsOf(valuesOf(row, holder.domains)),
    country: firstOf(row, holder.country) || null,
    status: said,
    statusText: ended ? `ended on ${end}` : word,
    ...(statusSince === undefined ? {} : { statusSince }),
    ...(since === undefined ? {} : { since }),
  };
};
