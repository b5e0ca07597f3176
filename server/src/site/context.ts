import { createClient, RequestError } from '@broker-transparency/client';
import { record } from '@broker-transparency/client/record';
import { BASE_PATH } from '@broker-transparency/contract';
import type {
  DirectoryPage,
  DirectoryQuery,
  Language,
  Library,
  LookAlikes,
  PageContext,
  Site,
} from '@broker-transparency/portal';
import type { ServedRoute } from '../http/cache/cached-routes.ts';
import { type AddAnswer, type CachedAnswer, type ResponseCache, toCachedAnswer } from '../http/cache/response-cache.ts';
import type { BudgetLimits } from '../http/rate-limit/limit.ts';
import type { Clock } from '../platform/clock.ts';
import type { Ranking } from '../published/brokers/ranking.rule.ts';
import type { Asset } from './assets.ts';
import { createLocalFetch } from './local-fetch.ts';

/** Reads a list of brokers as JSON in UTF-8. */
type DirectoryReader = (query: DirectoryQuery) => Promise<Uint8Array>;

/** The parts of pages' contexts. */
export interface ContextParts {
  readonly clock: Clock;
  readonly cache: ResponseCache;
  /** Returns true if there is a page with this path. */
  readonly has: Site['has'];
  /** The public routes that pages read. */
  readonly routes: readonly ServedRoute[];
  /** Lists brokers by criteria that the API does not have. */
  readonly directory: DirectoryReader;
  readonly assets: ReadonlyMap<string, Asset>;
  readonly library: Library;
  readonly publicUrl: string;
  readonly version: string;
  readonly ranking: Pick<Ranking, 'page'>;
  readonly lookAlikes: LookAlikes;
  readonly marks: Site['marks'];
  readonly follows: Site['follows'];
  /** Who operates the service. */
  readonly operator: Site['operator'];
  /** Counts what became of disputes. */
  readonly countDisputes: Site['countDisputes'];
  /** Reads how reviews were moderated. */
  readonly readModeration: Site['readModeration'];
  /** Reads which customers are brokers or belong to one. */
  readonly readCustomers: Site['readCustomers'];
}

/** Creates the function that gives each page its context: its reader, and the age of the data. */
export const createContexts = (parts: ContextParts) => {
  const { clock, cache, routes, has, directory, assets, library, publicUrl, version, ranking, lookAlikes } = parts;
  const { marks, follows, operator, countDisputes, readModeration, readCustomers } = parts;
  const localFetch = createLocalFetch(routes, publicUrl);
  const site: Site = {
    publicUrl,
    version,
    library,
    lookAlikes,
    marks,
    follows,
    operator,
    countDisputes,
    readModeration,
    readCustomers,
    asset: (name) => {
      const found = assets.get(name);
      if (!found) throw new Error(`the site has no file ${name}: run pnpm generate`);
      return found.path;
    },
    has,
    slugs: (limit, offset) => ranking.page({}, limit, offset).slugs,
  };

  /** Reads a list of brokers. All pages that show it share one read. */
  const readList = (query: DirectoryQuery): Promise<CachedAnswer> =>
    cache.obtain(
      `brokers ${JSON.stringify(query)}`,
      query.order === 'changed' ? ['brokers', 'record'] : ['brokers'],
      async () => {
        const made = { route: 'brokers', limit: 'pages', headers: {}, builtAt: Date.now() } as const;
        return toCachedAnswer({ ...made, body: Buffer.from(await directory(query)) });
      },
    );

  /**
   * Returns the context of one page, and the function that maps the client's errors to the service's problems. `costs`:
   * the budget of the page, which its reads may also use.
   */
  return (language: Language, address: string, addAnswer: AddAnswer, costs?: keyof BudgetLimits) => {
    const [path = '/', query] = address.split('?', 2);
    const now = clock();
    const faults = new Map<string, unknown>();
    let ageSeconds = 0;
    const onAnswer = (answer: CachedAnswer): void => {
      addAnswer(answer);
      ageSeconds = Math.max(ageSeconds, cache.readAge(answer));
    };
    const fetch = localFetch({
      costs,
      onAnswer,
      onFault: (error) => {
        const id = `read-${faults.size}`;
        faults.set(id, error);
        return id;
      },
    });
    const client = createClient({
      baseUrl: `${publicUrl}${BASE_PATH}`,
      fetch,
      retries: 0,
      store: false,
      clientVersion: false,
      with: [record()],
    });
    const context: PageContext = {
      ...site,
      ...language,
      path,
      query: query === undefined ? '' : `?${query}`,
      now,
      asOf: () => new Date(now.getTime() - ageSeconds * 1000),
      client,
      listBrokers: async (query) => {
        const answer = await readList(query);
        onAnswer(answer);
        return JSON.parse(answer.plain.toString()) as DirectoryPage;
      },
    };
    const findCause = (error: unknown): unknown =>
      (error instanceof RequestError && faults.get(error.requestId ?? '')) || error;
    return { context, findCause };
  };
};
export type ContextFor = ReturnType<typeof createContexts>;
