import { hashFile } from '@broker-transparency/embedded-mongo/file-digest';
import { listRegulatorNames } from '../../features/regulators/facts.ts';
import { listReadings } from '../../features/warnings/actions.ts';
import { WarningEntry, type WarningList } from '../../features/warnings/warning.rule.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { formatCredit } from '../imports/runs.ts';
import type { WarningEntry as SourceEntry } from '../sources/entry.rule.ts';
import { findCountRefusal } from '../sources/expected.rule.ts';
import { readSource } from '../sources/read.ts';
import type { WarningSource } from '../sources/source.rule.ts';
import { listSourceNames, requireSource } from '../sources/sources.ts';
import { toUnreadableError } from '../unreadable.ts';
import { readPlainList } from './plain-list.ts';

/** The list of a file, and the rules for reading it if no mapping file covers it. */
export interface WarningListOptions {
  readonly source: string;
  /** Minimum number of entries, if the operator knows better than the mapping. */
  readonly least?: number | undefined;
  readonly authority?: string | undefined;
  readonly listUrl?: string | undefined;
  readonly newest?: boolean | undefined;
}

/** A list with the terms of its data. */
interface ParsedList {
  readonly list: WarningList;
  readonly license: string | null;
  readonly attribution: string | null;
}

type NamesByCode = ReadonlyMap<string, string>;

const readRegulatorNames = async (db: Db): Promise<NamesByCode> =>
  new Map((await listRegulatorNames(db)).map(({ code, name }) => [code, name]));

const toMidnight = (day: string | null): string | null => (day === null ? null : `${day}T00:00:00.000Z`);

/** Returns a row in the form of stored warnings. @throws DomainError unreadable_file with the row */
const toListedWarning = (row: SourceEntry, { publisher }: WarningSource, names: NamesByCode): WarningEntry => {
  const {
    at,
    authority: code,
    authorityText,
    id,
    lei,
    numbers,
    date,
    updated,
    url,
    category,
    text,
    mentionsClone,
  } = row;
  const name = (code === null ? undefined : names.get(code)) ?? (authorityText || publisher);
  const parsed = WarningEntry.safeParse({
    authority: { code, name },
    id,
    names: row.names,
    victims: row.victims,
    victimNumbers: row.victimNumbers,
    victimDomains: row.victimDomains,
    domains: row.domains,
    licenseNumbers: numbers,
    leis: lei === null ? [] : [lei],
    publishedAt: toMidnight(date),
    publishedBy: toMidnight(updated),
    url,
    category: category || null,
    text: text || null,
    mentionsClone,
  });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw toUnreadableError(`${at}, ${issue?.path.join('.')}: ${issue?.message}`);
};

/** Refuses a truncated list, which would withdraw the missing warnings. @throws DomainError invalid_input */
const refuseTruncated = async (
  db: Db,
  name: string,
  source: Parameters<typeof findCountRefusal>[0],
  { entries, least }: { readonly entries: number; readonly least: number | undefined },
): Promise<void> => {
  const last = (await listReadings(db)).find(({ _id }) => _id === name)?.warnings;
  const refusal = findCountRefusal(source, entries, { last, least });
  if (refusal !== undefined)
    throw new DomainError('invalid_input', `${refusal} If it is whole, add --least. Nothing was written.`);
};

/** Expected number of entries of a full list without a mapping file. */
const PLAIN = { min: 1, max: Number.POSITIVE_INFINITY, share: 0.8 };

const readMappedList = async (
  db: Db,
  file: string,
  asOf: string,
  { source: name, least }: WarningListOptions,
): Promise<ParsedList> => {
  const source = requireSource(name, 'warnings');
  const names = await readRegulatorNames(db);
  const entries: WarningEntry[] = [];
  for await (const row of readSource(file, source, asOf.slice(0, 10)))
    entries.push(toListedWarning(row, source, names));
  await refuseTruncated(db, name, source, { entries: entries.length, least });
  const { license, attribution } = source.terms;
  const credit = formatCredit({ license, attribution, sourceUrl: source.page }) ?? null;
  const sha256 = await hashFile(file);
  return {
    list: { source: name, url: source.page, isFull: !source.newestOnly, asOf, sha256, credit, entries },
    license,
    attribution,
  };
};

const readUnmappedList = async (
  db: Db,
  file: string,
  asOf: string,
  options: WarningListOptions,
): Promise<ParsedList> => {
  const { source, authority: code, listUrl: url, newest = false } = options;
  if (code === undefined || url === undefined)
    throw new DomainError(
      'invalid_input',
      `No mapping file is called "${source}": --source is one of ${listSourceNames('warnings').join(', ')}; or give ` +
        '--authority and --list-url with a list in the plain form.',
    );
  if (!/^[a-z0-9-]{2,40}$/.test(source))
    throw new DomainError(
      'invalid_input',
      '--source: give lower-case letters, digits and hyphens, such as "fca-by-hand".',
    );
  const name = (await readRegulatorNames(db)).get(code);
  if (name === undefined)
    throw new DomainError('invalid_input', `There is no regulator "${code}". See: GET /regulators`);
  const { entries, sha256 } = await readPlainList(file, { code, name });
  if (!newest)
    await refuseTruncated(
      db,
      source,
      { title: source, expected: PLAIN },
      { entries: entries.length, least: options.least },
    );
  return {
    list: { source, url, isFull: !newest, asOf, sha256, credit: null, entries },
    license: null,
    attribution: null,
  };
};

/**
 * Reads a list of warnings by its mapping file, or in the plain form.
 * @throws DomainError unreadable_file, invalid_input
 */
export const readList = (db: Db, file: string, asOf: string, options: WarningListOptions): Promise<ParsedList> =>
  listSourceNames('warnings').includes(options.source)
    ? readMappedList(db, file, asOf, options)
    : readUnmappedList(db, file, asOf, options);
