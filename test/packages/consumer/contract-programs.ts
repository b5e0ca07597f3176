import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/* Programs that build on the contract itself: the examples of its README, and checks of what they rely on. */

const README = join(import.meta.dirname, '../../../contract/README.md');

/** An example of the README, with its address replaced by `origin`. */
const example = async (mark: string, origin: string): Promise<string> => {
  const samples = [...(await readFile(README, 'utf8')).matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
  const sample = samples.find((each) => each.includes(mark));
  if (sample === undefined) throw new Error(`the README of the contract has no example with ${mark}`);
  return sample.replace('https://brokers.example', origin);
};

/** A program without ts-rest, so that all its declarations can be checked. */
export const contractProgram = async (origin: string): Promise<string> => `
${await example('recomputeScore', origin)}
import { contract, PROBLEMS } from '@broker-transparency/contract';
import { openApiDocument } from '@broker-transparency/contract/openapi';
import type * as z from 'zod';

type Answer = z.infer<(typeof contract.brokers.get.responses)[200]>;
export const readName = (broker: Answer): BrokerDetail['name'] => broker.name;
const status: 404 = PROBLEMS.broker_not_found.status;
const document = openApiDocument({ serverUrl: 'https://brokers.example', version: '1.0.0' });
const works = status === 404 && Object.keys(document.paths).length > 5 && contract.brokers.get.path === '/brokers/:slug';
isScoreRight('alpha-markets').then((right) => console.log(right && works ? 'works' : 'does not work'));
`;

/** A program that reads routes without zod and ts-rest, and has a route of its own beside them. */
export const routesProgram = async (): Promise<string> => `
${await example('findFaults', '')}
import type { Route, RouteGroup, StandardSchema } from '@broker-transparency/contract/routes';

const word: StandardSchema<string> = {
  '~standard': {
    version: 1,
    vendor: 'a library that nobody knows',
    validate: (value) => (typeof value === 'string' ? { value } : { issues: [{ message: 'must be a text' }] }),
  },
};
const metadata = { access: 'public', limit: 'public', cache: 'none' } as const;
const responses = { 200: word };
const shout: Route = { method: 'POST', path: '/shout', summary: 'Shouts', body: word, responses, metadata };
export const own: RouteGroup = { shout, group: { shout } };

const fits = async (schema: StandardSchema | undefined, value: unknown): Promise<boolean> =>
  schema !== undefined && (await schema['~standard'].validate(value)).issues === undefined;
const run = async (): Promise<boolean> => {
  const create = ROUTES.find(({ name }) => name === 'reviews.create');
  const judged = await Promise.all([
    fits(create?.body, { rating: 9 }), fits(own['shout']?.['body'] as StandardSchema, 'hey'), fits(word, 7),
  ]);
  const faults = [await findFaults('search', { q: 'alpha' }), await findFaults('search', {})];
  return judged.join() === 'false,true,false' && faults.map(({ length }) => length).join() === '0,1';
};
run().then((right) => console.log(right ? 'works' : 'does not work'));
`;

/** The types that ts-rest has to infer for clients and servers. */
const INFERRED = `
import { accountContract, type BROKER_STATUSES, type BrokerDetail, type Color, type ComplaintSubmission, type OwnReview, ReviewSubmission } from '@broker-transparency/contract';
import type {
  ClientInferRequest, ClientInferResponseBody, ServerInferRequest, ServerInferResponseBody,
} from '@ts-rest/core';
import type * as z from 'zod';

type Flat<T> = { [K in keyof T]: T[K] };
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Brokers = typeof contract.brokers;
type Reviews = typeof contract.reviews;
type Filters = {
  color?: Color | undefined;
  country?: string | undefined;
  regulator?: string | undefined;
  status?: (typeof BROKER_STATUSES)[number] | undefined;
  residence?: string | undefined;
  license?: 'confirmed' | '1' | '2' | '3' | '4' | 'none' | undefined;
  warnings?: 'standing' | 'unknown' | undefined;
  sort?: 'newest_change' | undefined;
};
type Withdraw = typeof accountContract.reviews.withdraw;
export const inferred: [
  Same<ClientInferResponseBody<Brokers['get'], 200>, BrokerDetail>,
  Same<ClientInferResponseBody<Brokers['get'], 404>['code'], 'broker_not_found'>,
  Same<ClientInferResponseBody<Reviews['create'], 403>['code'], 'kyc_required' | 'insufficient_scope'>,
  Same<Flat<NonNullable<ClientInferRequest<Brokers['list']>['query']>>,
    Flat<{ [K in 'limit' | 'offset' | 'slugs' | 'updatedSince']?: string | undefined } & Filters>>,
  Same<ClientInferRequest<Reviews['create']>['body'], z.input<typeof ReviewSubmission>>,
  Same<'body' & keyof ClientInferRequest<Withdraw>, never>,
  Same<ClientInferResponseBody<Withdraw, 201>, OwnReview>,
  Same<Flat<ServerInferRequest<Brokers['list']>['query']>,
    Flat<{ limit: number; offset: number; slugs?: string[] | undefined; updatedSince?: number | undefined } & Filters>>,
  Same<ServerInferRequest<Brokers['get']>['params'], { slug: string }>,
  Same<ServerInferRequest<Reviews['create']>['body'], z.output<typeof ReviewSubmission>>,
  Same<'body' & keyof ServerInferRequest<Withdraw>, never>,
  Same<ServerInferResponseBody<Brokers['get'], 200>, z.input<(typeof contract.brokers.get.responses)[200]>>,
] = [true, true, true, true, true, true, true, true, true, true, true, true];
`;

/** Each route, called as users of ts-rest write it: without what the route does not take. */
const NATURAL_CALLS = `
export const callAll = (review: z.input<typeof ReviewSubmission>, complaint: z.input<typeof ComplaintSubmission>) =>
  Promise.all([
    client.search({ query: { q: 'alpha' } }),
    client.brokers.list(),
    client.brokers.get({ params: { slug: 'alpha-markets' } }),
    client.regulators.list(),
    client.regulators.get({ params: { code: 'fca' } }),
    client.reviews.list({ query: { broker: 'alpha-markets' } }),
    client.reviews.create({ body: review }),
    client.complaints.create({ body: complaint }),
    client.news.list(),
  ]);
`;

/** A program with ts-rest, whose own declarations do not compile with zod 4. */
export const tsRestProgram = async (origin: string): Promise<string> => `
${await example('initClient', origin)}
${INFERRED}
${NATURAL_CALLS}
greenBrokers().then((names) => console.log(names.includes('Alpha Markets') ? 'works' : 'does not work'));
`;
