import { InvalidResponseError } from './errors.ts';
import type { ApiResponse } from './exchange.ts';
import type { BrokerHistory, BrokersHistoryQuery, RecordOperations } from './generated/api.ts';
import { recordRoutes } from './generated/record-routes.ts';
import type { Pages, PagesFactory } from './list.ts';
import { type Calls, createCall, mapRoutes, type Operation, type Results } from './operations.ts';
import type { ClientOptions } from './options.ts';
import type { RateLimit } from './rate-limit.ts';
import { createPreparer } from './request.ts';
import { createSettings } from './settings.ts';

/**
 * Calls about what was published of a broker at any time. Each resolves with the body of the answer, or rejects with a
 * `RequestError`.
 * @example const scores = (record: RecordClient) => record.history('alpha-markets').toArray();
 */
export interface RecordClient extends Calls<RecordOperations, typeof recordRoutes, 'throwing'> {
  /**
   * The same calls, but they resolve with `{ data, error, response }`. They throw only for the caller's own mistakes
   * and with the caller's abort reason.
   * @example const { data, error } = await record.safe.at('alpha-markets', { knownAt: '2026-03-10T00:00:00Z' });
   */
  readonly safe: Calls<RecordOperations, typeof recordRoutes, 'safe'>;
  /** The current request budget, which is not that of the other calls; undefined before the first answer. */
  readonly rateLimit: RateLimit | undefined;
}

/**
 * Requests each further page when the reader asks for it. With `before` there is one page: the last steps before it.
 */
const turnByNumber: PagesFactory = (begin, [slug, query, ...rest], answered) => {
  const fetchFrom = (from: number) => answered([slug, { ...(query as object), from }, ...rest]);
  const pages: Pages<BrokerHistory> = async function* () {
    let page = (await begin()) as ApiResponse<BrokerHistory>;
    for (let last = -1; ; ) {
      yield page;
      const { next } = page.data;
      if (next === null || (query as BrokersHistoryQuery | undefined)?.before !== undefined) return;
      if (!(next > last)) throw new InvalidResponseError('a page that came before', page.request, page.response);
      last = next;
      page = (await fetchFrom(next)) as ApiResponse<BrokerHistory>;
    }
  };
  return pages;
};

/**
 * Creates a client for what was published of brokers at any time. It takes the options of `createClient`.
 * @throws TypeError, RangeError as `createClient` does
 * @example
 * const record = createRecordClient({ baseUrl: 'https://brokers.example/api/v1' });
 * for await (const { time, value } of record.history('alpha-markets')) console.log(time, value);
 */
export const createRecordClient = (options: ClientOptions): RecordClient => {
  const settings = createSettings(options);
  const calls = (way: keyof Results<Operation>) =>
    mapRoutes(
      recordRoutes,
      (name, route) => {
        const prepare = createPreparer(name, { ...route, api: '/transparency/v1' }, settings);
        return createCall(prepare, settings, route.list && turnByNumber)[way];
      },
      'brokers.',
    );
  return {
    ...calls('throwing'),
    safe: calls('safe'),
    get rateLimit() {
      return settings.rateLimiter.state;
    },
  } as unknown as RecordClient;
};
