import { enterpriseContract, PLANS } from '@broker-transparency/contract/enterprise';
import { initServer } from '../../http/endpoints/rest.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/mongo.ts';
import { requireCustomer } from '../access/customer.ts';
import type { Environment } from '../organisations/environment.rule.ts';
import { formatMonth } from '../usage/quota.rule.ts';
import { readUsage } from '../usage/reports.ts';

/** Routes about the caller's own organisation. */
export const accountRoutes = (db: Db, clock: Clock, environment: Environment) =>
  initServer().router(enterpriseContract.account, {
    get: async ({ req }) => {
      const { organisation, name, plan, agreement, key, scopes } = requireCustomer(req);
      const { scopes: _, terms: __, ...limits } = PLANS[plan];
      return {
        status: 200,
        body: {
          organisation,
          name,
          plan,
          agreement: {
            version: agreement.version,
            acceptedAt: agreement.acceptedAt.toISOString(),
            endsAt: agreement.endsAt?.toISOString() ?? null,
          },
          environment,
          key: key ? { ...key, expiresAt: key.expiresAt.toISOString(), scopes: [...scopes] } : null,
          scopes: [...scopes],
          limits,
        },
      };
    },
    usage: async ({ req, query: { month } }) => {
      const { organisation, plan } = requireCustomer(req);
      return { status: 200, body: await readUsage(db, organisation, plan, month ?? formatMonth(clock())) };
    },
  });
