import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { CalendarDate, Timestamp } from '@broker-transparency/contract';
import * as z from 'zod';
import { type WarningAuthority, WarningEntry } from '../../features/warnings/warning.rule.ts';
import { splitLines } from '../imports/rows.ts';
import { toUnreadableError } from '../unreadable.ts';

const DayOrTime = z
  .union([Timestamp, CalendarDate.transform((day) => `${day}T00:00:00.000Z`)])
  .nullable()
  .default(null);

/** A line of a list in the plain form, for lists without a mapping file. */
const PlainLine = WarningEntry.omit({ authority: true }).extend({
  publishedAt: DayOrTime,
  publishedBy: DayOrTime,
});

/** Entries of a file, and its digest. */
export interface ParsedEntries {
  readonly entries: readonly WarningEntry[];
  readonly sha256: string;
}

const MOST_LINES = 500_000;

const parseLine = (bytes: Buffer, number: number, authority: WarningAuthority): WarningEntry => {
  if (!isUtf8(bytes)) throw toUnreadableError(`line ${number} is not UTF-8: save the file as UTF-8`);
  const line = bytes.toString().replace(/^\uFEFF/, '');
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    throw toUnreadableError(`line ${number} is not JSON`);
  }
  const parsed = PlainLine.safeParse(json);
  if (parsed.success) return { ...parsed.data, authority };
  const [issue] = parsed.error.issues;
  throw toUnreadableError(`line ${number}, ${issue?.path.join('.') || 'line'}: ${issue?.message}`);
};

/** Reads a list with one warning per line, as JSON. @throws DomainError unreadable_file */
export const readPlainList = async (file: string, authority: WarningAuthority): Promise<ParsedEntries> => {
  const digest = createHash('sha256');
  const entries: WarningEntry[] = [];
  for await (const { line: number, bytes } of splitLines(file, (chunk) => digest.update(chunk))) {
    if (number > MOST_LINES) throw toUnreadableError(`it has more than ${MOST_LINES} lines`);
    if (bytes.toString('latin1').trim() !== '') entries.push(parseLine(bytes, number, authority));
  }
  if (entries.length === 0) throw toUnreadableError('it has no warnings');
  return { entries, sha256: digest.digest('hex') };
};
