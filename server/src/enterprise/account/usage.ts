import { type EnterpriseUsage, PLANS, type PlanName } from '@broker-transparency/contract/enterprise';
import { type DayUse, findUses } from '../access/usage-store.ts';

type Used = Pick<DayUse, 'requests' | 'bytes'>;

const total = (uses: readonly Used[]): Used => ({
  requests: uses.reduce((sum, { requests }) => sum + requests, 0),
  bytes: uses.reduce((sum, { bytes }) => sum + bytes, 0),
});

/** Returns what an organisation has used in a month. */
export const readUsage = async (organisation: string, plan: PlanName, month: string): Promise<EnterpriseUsage> => {
  const uses = await findUses(organisation, month);
  const by = <K extends 'date' | 'route'>(field: K) =>
    [...Map.groupBy(uses, (use) => use[field])].map(
      ([name, own]) => ({ [field]: name, ...total(own) }) as Record<K, string> & Used,
    );
  return { month, quota: PLANS[plan].requestsPerMonth, ...total(uses), days: by('date'), routes: by('route') };
};
