import { contract } from '@broker-transparency/contract';
import { initServer } from '@ts-rest/express';
import { createOnce } from '../http/idempotency.ts';
import { takeBackIfErased } from '../people/actions.ts';
import type { Clock } from '../platform/clock.ts';
import { submitComplaint } from './actions.ts';
import { receiptView } from './view.ts';

export const complaintRoutes = (clock: Clock) =>
  initServer().router(contract.complaints, {
    create: ({ body, req, res }) =>
      createOnce(
        ...([req, res, clock, body] as const),
        async (context, accountId, tx) => receiptView(await submitComplaint(context, accountId, body, tx)),
        takeBackIfErased,
      ),
  });
