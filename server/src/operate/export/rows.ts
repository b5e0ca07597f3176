import { toPublishedBroker, toStatedBroker } from '../../features/brokers/actions.ts';
import { listNextProfiles } from '../../features/brokers/facts.ts';
import { type KnownBroker, readKnownBrokers } from '../../features/brokers/known.ts';
import {
  type KnownRegulator,
  readKnownRegulators,
  toPublishedRegulator,
  toStatedRegulator,
} from '../../features/regulators/actions.ts';
import { nextRegulators } from '../../features/regulators/facts.ts';
import type { StatementSource } from '../../ledger/statements/statement.rule.ts';
import { type Db, snapshot } from '../../platform/mongo.ts';

/** Number of records read at once. */
const PAGE = 500;

/** The exported statements: those of one source, or the published facts. */
export type ExportShare = StatementSource | 'published';

/** A record in the form of an import; undefined if the source states nothing about it. */
type ExportRow = Record<string, unknown> | undefined;

const readBrokers = async (
  db: Db,
  after: string,
  share: ExportShare,
): Promise<{ last: string | undefined; rows: ExportRow[] }> => {
  const keys = await listNextProfiles(db, after, PAGE);
  const all = await snapshot(db, (tx) => readKnownBrokers(keys, tx));
  const rows = keys.map((key) => {
    const known = all.get(key) as KnownBroker;
    return share === 'published' ? toPublishedBroker(known) : toStatedBroker(known, share);
  });
  return { last: keys.at(-1), rows: rows as ExportRow[] };
};

const readRegulators = async (
  db: Db,
  after: string,
  share: ExportShare,
): Promise<{ last: string | undefined; rows: ExportRow[] }> => {
  const codes = await nextRegulators(db, after, PAGE);
  const all = await snapshot(db, (tx) => readKnownRegulators(codes, tx));
  const rows = codes.map((code) => {
    const known = all.get(code) as KnownRegulator;
    return share === 'published' ? toPublishedRegulator(known) : toStatedRegulator(known, share);
  });
  return { last: codes.at(-1), rows: rows as ExportRow[] };
};

const READERS = { brokers: readBrokers, regulators: readRegulators } as const;
export type ExportKind = keyof typeof READERS;

/** Returns all published records in pages, in the form of an import. */
export const readExportRows = async function* (
  db: Db,
  what: ExportKind,
  share: ExportShare,
): AsyncGenerator<readonly ExportRow[]> {
  let after = '';
  for (;;) {
    const { last, rows } = await READERS[what](db, after, share);
    if (last === undefined) return;
    yield rows;
    after = last;
  }
};
