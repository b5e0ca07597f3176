/**
 * Every request that callers can send: one for each route of the contracts, each page, and what the service has beside
 * them. A route or page without a sample makes this fail, so that its costs are looked at.
 */
import { BASE_PATH, LIMITS, MOST_OPENINGS, TRANSPARENCY_BASE_PATH } from '@broker-transparency/contract';
import { ENTERPRISE_BASE_PATH, PLANS } from '@broker-transparency/contract/enterprise';
import { ROUTES } from '@broker-transparency/contract/routes';
import { PAGES } from '../../packages/portal/src/pages.ts';
import { ADDRESSES, FILES, MOVED, UNKNOWN } from '../site/addresses.ts';
import { createSampleRequest } from '../support/routes.ts';

/** Keys of reviews that nobody wrote. With a broker they are as many as a request for entries can name. */
const MISSING_REVIEWS = Array.from({ length: 49 }, (_, n) => `review/${n.toString(16).padStart(24, '0')}`);

/** A request: its target, and a body if the route takes one. SLUG stands for the broker. */
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
  'GET /reviews/:id/proof': ['/reviews/0123456789abcdef01234567/proof'],
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
  'GET /entries': [`/entries?keys=${['broker/SLUG', ...MISSING_REVIEWS].join()}`],
  'GET /openings': [`/openings?keys=broker/SLUG${',review/0123456789abcdef01234567'.repeat(MOST_OPENINGS - 1)}`],
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
  'POST /screen': ['/screen', { queries: [{ name: 'Alpha Markets' }] }],
  'GET /service-level': ['/service-level'],
  'GET /watchlists': ['/watchlists'],
  'GET /watchlists/:name': ['/watchlists/mine'],
  'PUT /watchlists/:name': ['/watchlists/mine', { brokers: ['SLUG'], regulators: [] }],
  'DELETE /watchlists/:name': ['/watchlists/none'],
};

/** The largest page of a list of brokers by a customer; the public one has another limit. */
const ENTERPRISE_SAMPLES: typeof SAMPLES = { ...SAMPLES, 'GET /brokers': ['/brokers?limit=50'] };

/** A form with a name that is looked for in all of them. */
const FORM = 'q=Alpha+Markets+Limited&name=Alpha+Markets+Limited';
const FORM_HEADERS = { 'Content-Type': 'application/x-www-form-urlencoded' } as const;

/** Requests a minute of each budget, as docs/api.md has them. */
const BUDGETS: Readonly<Record<string, number>> = {
  public: LIMITS.public.requests,
  history: LIMITS.history.requests,
  pages: 5 * LIMITS.public.requests,
  badges: 5 * LIMITS.public.requests,
  log: LIMITS.public.requests,
  results: 120,
  enterprise: PLANS.regulator.requestsPerMinute,
  record: PLANS.regulator.recordReadsPerMinute,
};

/** Something that is asked, and the budget that bounds how often. */
export interface BudgetedRequest {
  readonly name: string;
  /** The owner of the budget. */
  readonly caller: 'address' | 'account' | 'organisation';
  readonly budget: string;
  readonly perMinute: number;
  readonly method: string;
  readonly target: string;
  readonly body?: object | string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

const createRequest = (
  budget: string,
  name: string,
  rest: Omit<BudgetedRequest, 'budget' | 'name' | 'perMinute'>,
): BudgetedRequest => {
  const perMinute = BUDGETS[budget];
  if (perMinute === undefined) throw new Error(`${name} has the budget "${budget}", which has no size`);
  return { budget, name, perMinute, ...rest };
};

const fillSlug = <T>(sample: T, slug: string): T => JSON.parse(JSON.stringify(sample).replaceAll('SLUG', slug)) as T;

const listRoutes = (slug: string): BudgetedRequest[] =>
  ROUTES.map((route) => {
    const { basePath, method, path, metadata } = route;
    const { access, limit, costs } = metadata as { access: unknown; limit: string; costs?: string };
    const samples = basePath === ENTERPRISE_BASE_PATH ? ENTERPRISE_SAMPLES : SAMPLES;
    const sample = samples[`${method} ${path}`];
    if (!sample) throw new Error(`${method} ${path} has no sample request: add one to test/costs/requests.ts`);
    const [target, ownBody] = fillSlug(sample, slug);
    const hasExample = method === 'POST' && basePath === BASE_PATH;
    const body = (hasExample && (createSampleRequest(route).body as object | undefined)) || ownBody;
    const ofPublic = access === 'public' ? 'address' : 'account';
    const caller = basePath === ENTERPRISE_BASE_PATH ? 'organisation' : ofPublic;
    return createRequest(costs ?? limit, `${method} ${basePath}${path}`, {
      caller,
      method,
      target: `${basePath}${target}`,
      body,
    });
  });

/** Whoever asks for pages that have to be built pays for it by the budget of the record, in place of that of pages. */
const listPages = (slug: string): BudgetedRequest[] =>
  PAGES.flatMap(({ path, submit }) => {
    const sample = ADDRESSES[path]?.[0] ?? FILES[path]?.[0] ?? UNKNOWN[path]?.[0] ?? (path in MOVED ? path : undefined);
    if (sample === undefined) throw new Error(`${path} has no sample address: add one to test/site/addresses.ts`);
    const target = sample.replace('alpha-markets', slug);
    const form = { caller: 'address', method: 'POST', target, body: FORM, headers: FORM_HEADERS } as const;
    return [
      createRequest('history', `page ${path}`, { caller: 'address', method: 'GET', target }),
      ...(submit ? [createRequest('history', `form ${path}`, form)] : []),
    ];
  });

/** Addresses of the service beside contracts and pages. Each has a budget of an address. */
const OTHERS: readonly (readonly [budget: string, target: string])[] = [
  ['log', `${TRANSPARENCY_BASE_PATH}/log/a/checkpoint`],
  ['log', `${TRANSPARENCY_BASE_PATH}/log/a/keys`],
  ['log', `${TRANSPARENCY_BASE_PATH}/log/a/tile/0/000`],
  ['log', `${TRANSPARENCY_BASE_PATH}/log/a/tile/entries/000`],
  ['log', `${TRANSPARENCY_BASE_PATH}/log/a/value/0`],
  ['log', `${TRANSPARENCY_BASE_PATH}/log/none`],
  ['results', `${TRANSPARENCY_BASE_PATH}/service-level/results/PROBER/DATE`],
  ['results', `${TRANSPARENCY_BASE_PATH}/service-level/results/none/2026-01-01`],
  ['pages', '/openapi.json'],
  ['pages', BASE_PATH],
  ['pages', '/.well-known/api-catalog'],
  ['pages', '/llms-full.txt'],
  ['pages', '/status'],
  ['pages', '/status.json'],
  ['pages', '/mail/stop/s_none'],
  ['history', '/search?q=nothing-like-it'],
  ['public', '/no-such-page'],
  ['public', `${BASE_PATH}/no-such-route`],
];

/** Names of the largest thing of each kind. */
export interface RequestNames {
  readonly slug: string;
  readonly prober: string;
  /** A day with all results of the prober. */
  readonly date: string;
}

/** Returns a request for everything that can be asked for. */
export const listRequests = ({ slug, prober, date }: RequestNames): readonly BudgetedRequest[] => [
  ...listRoutes(slug),
  ...listPages(slug),
  ...OTHERS.map(([budget, sample]) => {
    const target = sample.replace('PROBER', prober).replace('DATE', date);
    return createRequest(budget, `GET ${sample}`, { caller: 'address', method: 'GET', target });
  }),
];
