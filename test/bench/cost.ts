/**
 * Measures what one caller can cost: `pnpm bench:cost`. Each route and page is asked without a response cache, on the data
 * of the demonstration and for a broker with 10 000 reviews in the record. Its processor time (user and system, of service
 * and mongod) times its budget is its cost a minute. A caller who spends every budget on the dearest route of each costs
 * the sum. A route or page without a sample request makes it fail, and so does a sum above the goal.
 */
import type { BrokerList } from '@broker-transparency/client';
import {
  ACCOUNT_BASE_PATH,
  accountContract,
  BASE_PATH,
  contract,
  LIMITS,
  TRANSPARENCY_BASE_PATH,
  transparencyContract,
} from '@broker-transparency/contract';
import { ENTERPRISE_BASE_PATH, enterpriseContract, PLANS } from '@broker-transparency/contract/enterprise';
import { ObjectId } from 'mongodb';
import { PAGES } from '../../portal/src/pages.ts';
import { ADDRESSES, FILES, MOVED } from '../site/addresses.ts';
import { embeddedIn, inDatabase } from '../support/database.ts';
import { createToken, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { EMBEDDED, startProcess } from '../support/process.ts';
import { flatten, sampleOf } from '../support/routes.ts';
import { until } from '../support/until.ts';
import { cpuTicks, TICKS_PER_SECOND } from './processes.ts';

/** Share of a core that all budgets of one caller may cost. */
const GOAL = 0.1;
const REVIEWS = 10_000;
/** Requests that are measured of each route; fewer of those whose budget cannot be raised. */
const [ROUNDS, FEW] = [40, 8];

/** What is asked of a route: its target, and a body if it takes one. SLUG stands for the broker. */
const SAMPLES: Readonly<Record<string, readonly [target: string, body?: object]>> = {
  'GET /search': ['/search?q=markets'],
  'GET /brokers': ['/brokers?limit=100'],
  'GET /brokers/:slug': ['/brokers/SLUG'],
  'GET /regulators': ['/regulators'],
  'GET /regulators/:code': ['/regulators/fca'],
  'GET /reviews': ['/reviews?broker=SLUG&limit=100'],
  'POST /reviews': ['/reviews'],
  'POST /complaints': ['/complaints'],
  'GET /news': ['/news?limit=100'],
  'POST /reviews/:id/withdrawal': ['/reviews/0123456789abcdef01234567/withdrawal', {}],
  'POST /reviews/:id/appeal': ['/reviews/0123456789abcdef01234567/appeal', { reason: 'It is true.' }],
  'GET /complaints': ['/complaints'],
  'GET /reports': ['/reports'],
  'POST /reports': ['/reports', { review: '0123456789abcdef01234567', reason: 'spam' }],
  'POST /reports/:id/appeal': ['/reports/0123456789abcdef01234567/appeal', { reason: 'It is spam.' }],
  'GET /mail': ['/mail'],
  'POST /mail': ['/mail', { address: 'alice@example.org' }],
  'POST /mail/confirmation': ['/mail/confirmation', { code: 'AAAAA-AAAAA' }],
  'POST /mail/removal': ['/mail/removal', {}],
  'GET /moderation/:slug': ['/moderation/SLUG'],
  'GET /brokers/:slug/history': ['/brokers/SLUG/history?per=day&before=999999999&limit=100'],
  'GET /brokers/:slug/at': ['/brokers/SLUG/at'],
  'GET /brokers/:slug/proof': ['/brokers/SLUG/proof'],
  'GET /service-level/days/:date': ['/service-level/days/2026-11-01'],
  'GET /service-level/months/:month': ['/service-level/months/2026-10'],
  'POST /service-level/canary/:prober': [
    '/service-level/canary/oslo',
    { mark: '2026-11-23T10:05Z', signature: `${'A'.repeat(86)}==` },
  ],
  'GET /account': ['/account'],
  'GET /usage': ['/usage'],
  'GET /changes': ['/changes?limit=1000'],
  'POST /test-events': ['/test-events', {}],
  'GET /snapshots': ['/snapshots'],
  'GET /snapshots/:number': ['/snapshots/1'],
  'GET /webhooks': ['/webhooks'],
  'POST /webhooks': ['/webhooks', { url: 'https://hooks.example/x' }],
  'GET /webhooks/keys': ['/webhooks/keys'],
  'GET /webhooks/:id': ['/webhooks/none'],
  'PATCH /webhooks/:id': ['/webhooks/none', {}],
  'DELETE /webhooks/:id': ['/webhooks/none'],
  'POST /webhooks/:id/test': ['/webhooks/none/test', {}],
  'POST /webhooks/:id/replay': ['/webhooks/none/replay', { from: 1 }],
  'POST /webhooks/:id/secret': ['/webhooks/none/secret', {}],
  'GET /brokers/:slug/timeline': ['/brokers/SLUG/timeline?limit=100'],
  'GET /brokers/:slug/publication': ['/brokers/SLUG/publication?format=json'],
  'GET /movers': ['/movers?since=2026-01-01'],
  'GET /corrections': ['/corrections?since=2026-01-01'],
  'POST /screen': ['/screen', { queries: [{ id: '1', name: 'Alpha Markets' }] }],
  'GET /service-level': ['/service-level'],
  'GET /watchlists': ['/watchlists'],
  'GET /watchlists/:name': ['/watchlists/mine'],
  'PUT /watchlists/:name': ['/watchlists/mine', { brokers: ['SLUG'], regulators: [] }],
  'DELETE /watchlists/:name': ['/watchlists/none'],
};

/** The largest page of a list of brokers by a customer; the public one has another limit. */
const ENTERPRISE_SAMPLES: typeof SAMPLES = { ...SAMPLES, 'GET /brokers': ['/brokers?limit=50'] };

/** Something that is asked, and the budget that bounds how often. */
interface Asked {
  readonly name: string;
  readonly caller: 'address' | 'account' | 'organisation';
  readonly budget: string;
  readonly perMinute: number;
  readonly method: string;
  readonly target: string;
  readonly token?: string | undefined;
  readonly body?: object | undefined;
  readonly rounds: number;
}

interface Row extends Asked {
  readonly statuses: string;
  /** Processor time of a request, in milliseconds. */
  readonly ms: number;
  /** Share of a core that the whole budget costs. */
  readonly share: number;
}

const PUBLIC = LIMITS.public.requests;
const PAGES_PER_MINUTE = 5 * PUBLIC;
const budgets: Readonly<Record<string, number>> = {
  public: PUBLIC,
  history: LIMITS.history.requests,
  pages: PAGES_PER_MINUTE,
  badges: PAGES_PER_MINUTE,
  enterprise: PLANS.institution.requestsPerMinute,
  record: PLANS.institution.recordReadsPerMinute,
};

const filled = <T>(sample: T, slug: string): T => JSON.parse(JSON.stringify(sample).replaceAll('SLUG', slug)) as T;

const routesOf = (
  {
    basePath,
    routes,
    samples = SAMPLES,
    token,
  }: { basePath: string; routes: object; samples?: typeof SAMPLES; token?: string },
  slug: string,
): Asked[] =>
  flatten(routes).map((route) => {
    const { method, path, metadata } = route;
    const { limit, costs } = metadata as { limit: string; costs?: string };
    const sample = samples[`${method} ${path}`];
    if (!sample) throw new Error(`${method} ${path} has no sample request: add one to SAMPLES in test/bench/cost.ts`);
    const [target, ownBody] = filled(sample, slug);
    const hasExample = method === 'POST' && basePath === BASE_PATH;
    const body = (hasExample && (sampleOf(route).body as object | undefined)) || ownBody;
    const budget = costs ?? limit;
    return {
      name: `${method} ${basePath}${path}`,
      caller:
        basePath === ENTERPRISE_BASE_PATH ? 'organisation' : basePath === ACCOUNT_BASE_PATH ? 'account' : 'address',
      budget,
      perMinute: budgets[budget] as number,
      method,
      target: `${basePath}${target}`,
      token,
      body,
      rounds: costs === 'record' ? FEW : ROUNDS,
    };
  });

const pagesOf = (slug: string): Asked[] =>
  PAGES.map(({ path, limit, costs }) => {
    const target = ADDRESSES[path]?.[0] ?? FILES[path]?.[0] ?? (path in MOVED ? path : undefined);
    if (target === undefined) throw new Error(`${path} has no sample address: add one to test/site/addresses.ts`);
    const budget = costs ?? limit;
    return {
      name: `page ${path}`,
      caller: 'address',
      budget,
      perMinute: budgets[budget] as number,
      method: 'GET',
      target: target.replace('alpha-markets', slug),
      rounds: ROUNDS,
    };
  });

const service = await startProcess({ ...EMBEDDED, LOG_LEVEL: 'error', PREPARED_MB: '0' }, ['--demo']);
try {
  const pids = [service.pid, (await embeddedIn(service)).mongodPid];
  const cpuMs = async (): Promise<number> => ((await cpuTicks(pids)) / TICKS_PER_SECOND) * 1000;
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const numbered = () =>
    inDatabase(service, (db) =>
      until(
        'all entries have numbers',
        120_000,
        async () => !(await db.collection('recordEntries').findOne({ pending: 0 })),
      ),
    );
  await numbered();
  await wait(5000);
  const before = await cpuMs();
  await wait(5000);
  const idle = ((await cpuMs()) - before) / 5000;

  const measure = async (asked: Asked): Promise<Row> => {
    const ask = () =>
      send(`${service.origin}${asked.target}`, { method: asked.method, token: asked.token, body: asked.body });
    const seen = new Set([(await ask()).status]);
    const [begun, cpu] = [performance.now(), await cpuMs()];
    for (let n = 0; n < asked.rounds; n++) seen.add((await ask()).status);
    const spent = (await cpuMs()) - cpu - idle * (performance.now() - begun);
    const ms = Math.max(0, spent / asked.rounds);
    if (seen.has(401) || seen.has(429))
      throw new Error(
        `${asked.name} answers ${[...seen].join(' ')}: the request needs a good key and room in its budget`,
      );
    return { ...asked, statuses: [...seen].join(' '), ms, share: (ms * asked.perMinute) / 60_000 };
  };

  const { data } = (await send(`${service.origin}${BASE_PATH}/brokers?limit=100`)).json<BrokerList>();
  const slug = data.toSorted((a, b) => b.ratingSummary.count - a.ratingSummary.count)[0]?.slug as string;
  const token = await createToken(service, 'alice');

  const measureAll = async (title: string, organisation: string): Promise<boolean> => {
    const terms = ['--name', organisation, '--plan', 'institution', '--accepted-by', 'a benchmark'];
    succeeded(await service.cli('enterprise', 'grant', organisation, ...terms));
    const key = succeeded(await service.cli('enterprise', 'issue-key', organisation, '--sandbox', '--quiet')).trim();
    const all = [
      ...routesOf({ basePath: BASE_PATH, routes: contract, token }, slug).map((asked) =>
        asked.method === 'GET' ? { ...asked, token: undefined } : asked,
      ),
      ...routesOf({ basePath: ACCOUNT_BASE_PATH, routes: accountContract, token }, slug),
      ...routesOf({ basePath: TRANSPARENCY_BASE_PATH, routes: transparencyContract }, slug),
      ...routesOf(
        { basePath: ENTERPRISE_BASE_PATH, routes: enterpriseContract, samples: ENTERPRISE_SAMPLES, token: key },
        slug,
      ),
      ...pagesOf(slug),
    ];
    const rows: Row[] = [];
    for (const asked of all) rows.push(await measure(asked));
    console.log(`\n${title}\nms a request | a minute | % of a core | budget | status | route`);
    for (const { ms, perMinute, share, budget, statuses, name } of rows.toSorted((a, b) => b.share - a.share))
      console.log([ms.toFixed(1), perMinute, (100 * share).toFixed(1), budget, statuses, name].join(' | '));
    const sumOf = (caller: Asked['caller']): number => {
      const own = Map.groupBy(
        rows.filter((row) => row.caller === caller),
        ({ budget }) => budget,
      );
      return [...own.values()].reduce((sum, same) => sum + Math.max(...same.map(({ share }) => share)), 0);
    };
    for (const caller of ['address', 'account', 'organisation'] as const)
      console.log(`all budgets of one ${caller}: ${(100 * sumOf(caller)).toFixed(1)} % of a core`);
    return sumOf('address') <= GOAL;
  };

  const isDemoCheap = await measureAll(`the demonstration, ${slug}`, 'bench-a');
  await inDatabase(service, async (db) => {
    const subject = `broker/${slug}`;
    const month = (n: number) => new Date(Date.UTC(2020, n % 80, 1)).toISOString().slice(0, 7);
    const texts = { content: 'x'.repeat(44), displayName: 'x'.repeat(44), title: 'x'.repeat(44) };
    for (let at = 0; at < REVIEWS; at += 1000)
      await db.collection('recordEntries').insertMany(
        Array.from({ length: 1000 }, (_, n) => {
          const value = {
            broker: slug,
            month: month(at + n),
            rating: 1 + ((at + n) % 17) / 4,
            state: 'published',
            texts,
          };
          const key = `review/${new ObjectId()}`;
          return { key, sequence: 0, subject, kind: 'review', cause: 'fact', value: JSON.stringify(value), pending: 0 };
        }),
      );
  });
  await numbered();
  await wait(5000);
  const isLargeCheap = await measureAll(`${slug} with ${REVIEWS} more reviews in the record`, 'bench-b');
  console.log(`\ngoal for one address: ${100 * GOAL} % of a core`);
  if (!isDemoCheap || !isLargeCheap) process.exitCode = 1;
} finally {
  await service.remove();
}
