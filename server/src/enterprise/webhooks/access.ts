import { PLANS } from '@broker-transparency/contract/enterprise';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/mongo.ts';
import { listOrganisations } from '../organisations/actions.ts';

/** Reads which organisations get events by their agreement and plan. */
export const readAccess = async (db: Db, clock: Clock): Promise<ReadonlySet<string>> => {
  const now = clock();
  const entitled = (await listOrganisations(db)).filter(
    ({ plan, agreement: { endsAt } }) =>
      (endsAt === undefined || endsAt > now) && PLANS[plan].scopes.includes('webhooks:write'),
  );
  return new Set(entitled.map(({ _id }) => _id));
};
