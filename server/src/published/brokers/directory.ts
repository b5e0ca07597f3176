import type { BrokerList, Color } from '@broker-transparency/contract';
import type * as z from 'zod';
import { type ReadyJson, readyList } from '../../http/response/ready-json.ts';
import type { Db } from '../../platform/mongo.ts';
import { summariesOf } from './answers.ts';
import type { RankedFilter, Ranking } from './ranking.rule.ts';

/** Which brokers are asked for. */
interface DirectoryQuery extends RankedFilter {
  readonly limit: number;
  readonly offset: number;
}

/** Brokers as the API lists them, and what there is to choose from. */
type DirectoryPage = z.infer<typeof BrokerList> & {
  readonly colors: Readonly<Record<Color, number>>;
  readonly countries: readonly { readonly code: string; readonly count: number }[];
};

/** Reads one page of a list. */
export type Directory = (query: DirectoryQuery) => Promise<Uint8Array>;

/**
 * Lists brokers as the API does, but also by country, regulator, licence and warning: for the pages that people read.
 * Filters look at the fields in the ranking, and the rows are those of the API.
 */
export const createDirectory =
  (db: Db, ranking: Ranking): Directory =>
  async ({ limit, offset, ...filter }) => {
    const found = ranking.matches(filter);
    const rows = await summariesOf(db, found.slice(offset, offset + limit));
    const colors = {
      green: ranking.count('green'),
      yellow: ranking.count('yellow'),
      red: ranking.count('red'),
      gray: ranking.count('gray'),
    };
    const countries = [...ranking.countries()].map(([code, count]) => ({ code, count }));
    const pagination = { limit, offset, total: found.length };
    const page: unknown = readyList<DirectoryPage>(rows, { pagination, colors, countries });
    return (page as ReadyJson).bytes;
  };
