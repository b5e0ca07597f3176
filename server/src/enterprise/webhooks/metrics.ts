import type { ModuleMetrics } from '../../ledger/define-module.ts';
import { findPlaces, nextNumber } from '../../ledger/record/read.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/mongo.ts';
import { type Count, memoize, type Sample } from '../../platform/observe/counted.ts';
import type { Metrics } from '../../platform/observe/metrics.ts';
import type { DeliveryResult } from '../../platform/webhooks/deliver.ts';
import { readAccess } from './access.ts';
import { deriveEndpointState, ENDPOINT_STATES } from './state.rule.ts';
import { listEndpointStatuses } from './store.ts';

/** Creates the counter of deliveries, by outcome. */
export const createDeliveryCounter = (metrics: Metrics) => {
  const deliveries = metrics.counter<'outcome'>(
    'broker_rating_webhook_deliveries_total',
    'Events sent to endpoints of customers, by outcome.',
  );
  return memoize((outcome: DeliveryResult['outcome']): Count => deliveries({ outcome }));
};

/** Milliseconds for which one reading of the database is used. */
const KEPT_MS = 1000;

/** How the endpoints in one state are. */
interface StateSummary {
  readonly state: string;
  readonly endpoints: number;
  readonly blocked: number;
  /** Age in seconds of the oldest entry that one of them has not got yet. */
  readonly lag: number;
}

const computeLag = async (db: Db, next: number, end: number, now: Date): Promise<number> => {
  if (next >= end) return 0;
  const [oldest] = (await findPlaces(db, { from: next, below: next + 1 }, 1)).places;
  return oldest ? Math.max(0, (now.getTime() - Date.parse(oldest.time)) / 1000) : 0;
};

/** Endpoints of agreements that have ended get nothing, and are not counted. */
const summarize = async (db: Db, clock: Clock): Promise<StateSummary[]> => {
  const access = await readAccess(db, clock);
  const statuses = (await listEndpointStatuses(db)).filter(({ organisation }) => access.has(organisation));
  const [end, now] = [await nextNumber(db), clock()];
  const byState = Map.groupBy(statuses, deriveEndpointState);
  return Promise.all(
    ENDPOINT_STATES.map(async (state) => {
      const own = byState.get(state) ?? [];
      const next = own.reduce((least, { position }) => Math.min(least, position.next), end);
      const blocked = own.reduce((sum, { position }) => sum + position.blocked.length, 0);
      return { state, endpoints: own.length, blocked, lag: await computeLag(db, next, end, now) };
    }),
  );
};

/** Publishes how endpoints are. Every process that runs this reports the same values. */
export const watchWebhooks: ModuleMetrics = (db, { metrics: { register }, clock }) => {
  let [known, at] = [Promise.resolve<StateSummary[]>([]), Number.NEGATIVE_INFINITY];
  const readSummaries = (): Promise<StateSummary[]> => {
    if (performance.now() - at > KEPT_MS) [known, at] = [summarize(db, clock).catch(() => []), performance.now()];
    return known;
  };
  const registerGauge = (name: string, help: string, value: (one: StateSummary) => number): void =>
    register({
      name,
      help,
      type: 'gauge',
      read: async (): Promise<Sample[]> =>
        (await readSummaries()).map((one) => ({ labels: { state: one.state }, value: value(one) })),
    });
  registerGauge('broker_rating_webhook_endpoints', 'Endpoints of customers, by state.', ({ endpoints }) => endpoints);
  registerGauge(
    'broker_rating_webhook_blocked',
    'Brokers and other subjects whose events wait since one was refused.',
    ({ blocked }) => blocked,
  );
  registerGauge(
    'broker_rating_webhook_lag_seconds',
    'Age of the oldest entry that an endpoint in this state has not got yet; 0 where each has all.',
    ({ lag }) => lag,
  );
};
