import type { EntryKind } from '@broker-transparency/contract/record';

/** A parsed entry with its value. */
export interface TableEntry {
  readonly key: string;
  readonly number: number;
  readonly time: string;
  readonly cause: string;
  readonly validFrom?: string;
  readonly validTo?: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** A value of a cell. Several values in one cell are separated by `; `. */
type TableValue = string | number | boolean | null | undefined | readonly TableValue[];

/** Characters that a spreadsheet could take for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const QUOTED = /[",\r\n]/;

const toPlainText = (cell: TableValue): string => {
  if (cell === null || cell === undefined) return '';
  return Array.isArray(cell) ? cell.map(toPlainText).join('; ') : String(cell);
};

/** Formats a cell by RFC 4180. A text that a spreadsheet would compute begins with an apostrophe. */
export const formatCsvCell = (cell: TableValue): string => {
  const text = toPlainText(cell);
  const safe = typeof cell !== 'number' && FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const formatCsvLine = (cells: readonly TableValue[]): string => `${cells.map(formatCsvCell).join(',')}\r\n`;

const COMMON = ['key', 'number', 'time', 'cause', 'validFrom', 'validTo'] as const;

type TableRows = readonly Readonly<Record<string, TableValue>>[] | undefined;

/** A column of each row in a list, such as the names of all entities. */
const listField =
  (list: string, field: string) =>
  (value: TableEntry['value']): TableValue =>
    ((value[list] ?? []) as NonNullable<TableRows>).map((row) => row[field]);

const sumField =
  (list: string, field: string) =>
  (value: TableEntry['value']): TableValue =>
    ((value[list] ?? []) as NonNullable<TableRows>).reduce((total, row) => total + Number(row[field]), 0);

const countRows =
  (list: string) =>
  (value: TableEntry['value']): TableValue =>
    ((value[list] ?? []) as readonly unknown[]).length;

/** Columns by name: a field of the value, or a function of the entry. */
type TableColumns = Readonly<Record<string, true | ((value: TableEntry['value']) => TableValue)>>;

/** The columns of each kind, after the common ones. Columns are added at the end, and never removed. */
const COLUMNS: Readonly<Record<EntryKind, TableColumns>> = {
  broker: {
    slug: true,
    name: true,
    status: true,
    checked: true,
    legalName: true,
    lei: true,
    country: true,
    website: true,
    domains: true,
    tradingNames: true,
    foundedYear: true,
    entities: listField('entities', 'legalName'),
    disclosed: (value) =>
      ((value['checklist'] ?? []) as { key: string; met: boolean | null }[]).flatMap(({ key, met }) =>
        met ? key : [],
      ),
    successor: true,
    predecessors: true,
    merged: true,
  },
  license: {
    broker: true,
    regulator: true,
    licenseNumber: (value) => value['number'] as TableValue,
    holders: listField('holders', 'legalName'),
    leis: listField('holders', 'lei'),
    types: listField('holders', 'type'),
    statuses: listField('holders', 'status'),
    statusEffectiveAt: listField('holders', 'statusEffectiveAt'),
    activeSince: listField('holders', 'activeSince'),
    issuedAt: listField('holders', 'issuedAt'),
    expiresAt: listField('holders', 'expiresAt'),
    sourceUrls: listField('holders', 'sourceUrl'),
  },
  warning: {
    broker: true,
    about: true,
    source: true,
    title: true,
    url: true,
    publishedAt: true,
    withdrawnAt: true,
    match: true,
    correctedAt: true,
  },
  regulator: { code: true, name: true, country: true, tier: true, website: true, registerUrl: true },
  check: { regulator: true, asOf: true, sha256: true, unconfirmed: countRows('unconfirmed') },
  review: { broker: true, rating: true, month: true, state: true },
  complaints: {
    broker: true,
    months: countRows('months'),
    closed: sumField('months', 'closed'),
    resolved: sumField('months', 'resolved'),
    timely: sumField('months', 'timely'),
  },
  news: {
    url: true,
    source: true,
    category: true,
    severity: true,
    language: true,
    publishedAt: true,
    brokers: true,
    regulators: true,
  },
  methodology: { version: true, sha256: true },
  day: { date: true, through: true, count: true, root: true },
  'service-level': {
    date: true,
    month: true,
    objectives: true,
    root: true,
    minutes: true,
    up: true,
    availability: true,
    mark: true,
    verifierKey: true,
    since: true,
    until: true,
  },
  customer: { name: true, broker: true, since: true, until: true },
  dispute: {
    broker: true,
    field: true,
    status: true,
    since: true,
    dueAt: true,
    decidedAt: true,
    change: true,
    statement: true,
  },
  statement: { broker: true, decision: true, reasonCode: true, ground: true, origin: true, automatedMeans: true },
};

/** Returns the names of the columns of a kind. */
export const listColumns = (kind: EntryKind): readonly string[] => [...COMMON, ...Object.keys(COLUMNS[kind])];

/** Returns the first line of a table. */
export const formatTableHead = (kind: EntryKind): string => formatCsvLine(listColumns(kind));

/** Returns the line of an entry in the table of its kind. */
export const formatTableLine = (kind: EntryKind, entry: TableEntry): string =>
  formatCsvLine([
    ...COMMON.map((name) => entry[name]),
    ...Object.entries(COLUMNS[kind]).map(([name, from]) =>
      from === true ? (entry.value[name] as TableValue) : from(entry.value),
    ),
  ]);
