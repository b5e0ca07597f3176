import { enterpriseContract } from '@broker-transparency/contract/enterprise';
import { initServer } from '../../http/endpoints/rest.ts';
import { ProblemError } from '../../http/problem/problem.ts';
import { logOrigin } from '../../ledger/log/files.ts';
import type { Db } from '../../platform/mongo.ts';
import { readCorrections, readMovers } from '../../published/record/movers.ts';
import { type Customer, requireCustomer } from '../access/customer.ts';
import { type CitedSource, formatCorrectionCitation, formatMoverCitation } from './citation.rule.ts';

/** Maximum entries named for a broker. */
const MOST_CAUSES = 20;

/** Returns the cited source. */
const findCitedSource = async (db: Db, publicUrl: string): Promise<CitedSource> => {
  const origin = await logOrigin(db);
  return { origin, host: origin?.split('/', 1)[0] ?? new URL(publicUrl).host };
};

/** Removes the reply unless the customer has the scope for texts. */
const redactReply = <T extends { readonly reply?: string }>({ scopes }: Customer, { reply, ...rest }: T) =>
  reply !== undefined && scopes.includes('texts:read') ? { ...rest, reply } : rest;

/** Routes for media. */
export const mediaRoutes = (db: Db, publicUrl: string) =>
  initServer().router(enterpriseContract.media, {
    movers: async ({ req, query: { since, limit } }) => {
      const customer = requireCustomer(req);
      const movers = await readMovers(db, { since, limit, causes: MOST_CAUSES });
      if (!movers)
        throw new ProblemError(
          'not_found',
          `There are no scores of a day since ${since}: they are written every night.`,
        );
      const source = await findCitedSource(db, publicUrl);
      const shown = (all: typeof movers.up) =>
        all.map((mover) => {
          const causes = mover.causes.map((cause) => redactReply(customer, cause));
          return { ...mover, causes, citation: formatMoverCitation({ ...mover, causes }, source) };
        });
      return { status: 200, body: { ...movers, up: shown(movers.up), down: shown(movers.down) } };
    },
    corrections: async ({ req, query }) => {
      const customer = requireCustomer(req);
      const { data, next } = await readCorrections(db, query);
      const source = await findCitedSource(db, publicUrl);
      const shown = data.map((one) => ({
        ...redactReply(customer, one),
        citation: formatCorrectionCitation(one, source),
      }));
      return { status: 200, body: { data: shown, next } };
    },
  });
