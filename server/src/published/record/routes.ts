import { transparencyContract } from '@broker-transparency/contract';
import { initServer } from '@ts-rest/express';
import { ProblemError } from '../../http/problem/problem.ts';
import type { Clock } from '../../platform/clock.ts';
import { readAt, readHistory, readProof } from './history.ts';

/** Routes about what was published of a broker at any time. */
export const brokerHistoryRoutes = (clock: Clock) =>
  initServer().router(transparencyContract.brokers, {
    history: async ({ params: { slug }, query: { from, limit } }) => ({
      status: 200,
      body: await readHistory(slug, from, limit),
    }),
    at: async ({ params: { slug }, query }) => ({ status: 200, body: await readAt(slug, query, clock()) }),
    proof: async ({ params: { slug }, query }) => {
      const body = await readProof(slug, query);
      if (body) return { status: 200, body };
      throw new ProblemError(
        'not_found',
        `No signed checkpoint covers this of "${slug}" yet, or there is no such entry: its history has the numbers.`,
        { headers: { 'Cache-Control': 'no-store' } },
      );
    },
  });
