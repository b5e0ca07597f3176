import type { BrokerList } from '@broker-transparency/contract';
import type * as z from 'zod';
import { type ReadyJson, readyList } from '../../http/response/ready-json.ts';
import type { Db } from '../../platform/mongo.ts';
import { readSummaries } from './answers.ts';
import type { NoteChanges } from './newest-changes.ts';
import type { ChoiceCounts, RankedFilter, RankedOrder, Ranking } from './ranking.rule.ts';

/** Filter, order and page of a list of brokers. */
interface DirectoryQuery extends RankedFilter {
  readonly limit: number;
  readonly offset: number;
  readonly order?: RankedOrder | undefined;
}

/** Brokers in the form of the API, and the number of brokers for each choice of the filter. */
type DirectoryPage = z.infer<typeof BrokerList> & {
  readonly choices: ChoiceCounts;
};

/** Reads one page of a list. */
export type Directory = (query: DirectoryQuery) => Promise<Uint8Array>;

/**
 * Lists brokers for the site: as the API does, and also lowest first and by name.
 * Filters use the fields of the ranking; the rows are those of the API.
 */
export const createDirectory =
  (db: Db, ranking: Ranking, noteChanges: NoteChanges): Directory =>
  async ({ limit, offset, order, ...filter }) => {
    if (order === 'changed') await noteChanges();
    const found = ranking.matches(filter, order);
    const rows = await readSummaries(db, found.slice(offset, offset + limit));
    const pagination = { limit, offset, total: found.length };
    const page: unknown = readyList<DirectoryPage>(rows, { pagination, choices: ranking.choices(filter) });
    return (page as ReadyJson).bytes;
  };
