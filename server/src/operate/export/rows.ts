import { publishedBroker, statedBroker } from '../../features/brokers/actions.ts';
import { nextProfiles } from '../../features/brokers/facts.ts';
import { type KnownBroker, knownBrokers } from '../../features/brokers/known.ts';
import {
  type KnownRegulator,
  knownRegulators,
  publishedRegulator,
  statedRegulator,
} from '../../features/regulators/actions.ts';
import { nextRegulators } from '../../features/regulators/facts.ts';
import type { Source } from '../../ledger/statements/statement.rule.ts';
import { type Db, snapshot } from '../../platform/mongo.ts';

/** Number of records that are read at once. */
const PAGE = 500;

/** Whose words are exported: those of one source, or what is published of all. */
export type Share = Source | 'published';

/** A record in the form of an import. Undefined: the source says nothing of it. */
type Row = Record<string, unknown> | undefined;

const readBrokers = async (db: Db, after: string, share: Share): Promise<{ last: string | undefined; rows: Row[] }> => {
  const keys = await nextProfiles(db, after, PAGE);
  const all = await snapshot(db, (tx) => knownBrokers(keys, tx));
  const rows = keys.map((key) => {
    const known = all.get(key) as KnownBroker;
    return share === 'published' ? publishedBroker(known) : statedBroker(known, share);
  });
  return { last: keys.at(-1), rows: rows as Row[] };
};

const readRegulators = async (
  db: Db,
  after: string,
  share: Share,
): Promise<{ last: string | undefined; rows: Row[] }> => {
  const codes = await nextRegulators(db, after, PAGE);
  const all = await snapshot(db, (tx) => knownRegulators(codes, tx));
  const rows = codes.map((code) => {
    const known = all.get(code) as KnownRegulator;
    return share === 'published' ? publishedRegulator(known) : statedRegulator(known, share);
  });
  return { last: codes.at(-1), rows: rows as Row[] };
};

const READERS = { brokers: readBrokers, regulators: readRegulators } as const;
export type Exported = keyof typeof READERS;

/** Returns every record that is published, in pages, as an import takes it. */
export const exportedRows = async function* (db: Db, what: Exported, share: Share): AsyncGenerator<readonly Row[]> {
  let after = '';
  for (;;) {
    const { last, rows } = await READERS[what](db, after, share);
    if (last === undefined) return;
    yield rows;
    after = last;
  }
};
