import { createFamily, createFamilyCalls, type Family, type FamilyBudget } from './families.ts';
import type { RecordOperations } from './generated/record.ts';
import { recordRoutes } from './generated/record-routes.ts';
import type { Calls } from './operations.ts';
import { RateLimiter } from './rate-limit.ts';

export type * from './generated/record.ts';

/**
 * Calls about what was published at any time, and how the service and its moderation did.
 * @example const scores = (record: RecordCalls) => record.brokers.history('alpha-markets').toArray();
 */
export interface RecordCalls extends Calls<RecordOperations, typeof recordRoutes, 'throwing'>, FamilyBudget {}

/**
 * The calls of {@link RecordCalls} that resolve with `{ data, error, response }`.
 * @example const { data, error } = await client.safe.record.brokers.at('alpha-markets');
 */
export interface SafeRecordCalls extends Calls<RecordOperations, typeof recordRoutes, 'safe'> {}

/**
 * Gives a client the calls about what was published at any time, as `client.record`. Their budget is not that of the
 * other calls.
 * @example
 * const client = createClient({ baseUrl: 'https://brokers.example/api/v1', with: [record()] });
 * for await (const { time, value } of client.record.brokers.history('alpha-markets')) console.log(time, value);
 */
export const record = (): Family<'record', RecordCalls, SafeRecordCalls> =>
  createFamily('record', (settings) =>
    createFamilyCalls({
      name: 'record',
      api: '/transparency/v1',
      routes: recordRoutes,
      settings: { ...settings, rateLimiter: new RateLimiter() },
      publicSettings: settings,
    }),
  );
