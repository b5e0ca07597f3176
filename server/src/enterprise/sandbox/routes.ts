import { enterpriseContract } from '@broker-transparency/contract/enterprise';
import { initServer } from '../../http/endpoints/rest.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/mongo.ts';
import { publishTestEvent } from './actions.ts';

/** Routes of the sandbox. */
export const sandboxRoutes = (db: Db, clock: Clock) =>
  initServer().router(enterpriseContract.sandbox, {
    publish: async ({ body: { broker } }) => {
      const context = { actor: { type: 'system', name: 'sandbox' }, clock, db } as const;
      return { status: 201, body: await publishTestEvent(context, broker) };
    },
  });
