import { transparencyContract } from '@broker-transparency/contract';
import { initServer } from '../../http/endpoints/rest.ts';
import { ProblemError } from '../../http/problem/problem.ts';
import { proveLatest } from '../../ledger/log/latest.ts';
import { readOpenings } from '../../ledger/record/read.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/mongo.ts';
import { readBrokerAt, readHistory, readProof } from './history.ts';

/** Routes for the published facts of a broker at any time. */
export const brokerHistoryRoutes = (db: Db, clock: Clock) =>
  initServer().router(transparencyContract.brokers, {
    history: async ({ params: { slug }, query }) => ({ status: 200, body: await readHistory(db, slug, query) }),
    at: async ({ params: { slug }, query }) => ({ status: 200, body: await readBrokerAt(db, slug, query, clock()) }),
    proof: async ({ params: { slug }, query }) => {
      const body = await readProof(db, slug, query);
      if (body) return { status: 200, body };
      throw new ProblemError(
        'not_found',
        `There is no proof of this for "${slug}": a score has one for each day since the record began, once a signed ` +
          'checkpoint covers the day. Other entries about it have one by the numbers in its history: ?number=N.',
        { headers: { 'Cache-Control': 'no-store' } },
      );
    },
  });

/** Route for checking public texts against the log. */
export const openingRoutes = (db: Db) =>
  initServer().router(transparencyContract.openings, {
    list: async ({ query: { keys } }) => ({ status: 200, body: { data: await readOpenings(db, keys) } }),
  });

/** Route for entries with their proofs. */
export const entryRoutes = (db: Db) =>
  initServer().router(transparencyContract.entries, {
    list: async ({ query: { keys, ...query } }) => ({ status: 200, body: await proveLatest(db, keys, query) }),
  });
