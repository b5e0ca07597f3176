/** The measured scenarios as data. The first server of a scenario is what the others are compared with. */
import type { Data } from './data.ts';
import type { Request } from './load.ts';
import { COMMON_WORDS, createRandom, toSlug, withTypo } from './names.ts';
import type { ServerName } from './servers.ts';
import { createReads, createWrites, toBearer } from './writers.ts';

export interface Scenario {
  readonly name: string;
  readonly servers: readonly ServerName[];
  readonly requests: (data: Data) => readonly Request[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly connections?: number;
  /** Measures latency at half of the saturation rate. Otherwise it is measured at saturation. */
  readonly paced?: boolean;
  /** Sends `If-None-Match` with the tag that each server returned. */
  readonly conditional?: boolean;
  readonly writes?: boolean;
  /** Needs accounts with tokens. Scenarios that write always have them. */
  readonly signedIn?: boolean;
}

const API = '/api/v1';
const detail = (slug: string): Request => ({ path: `${API}/brokers/${slug}` });
const search = (words: string): Request => ({ path: `${API}/search?${new URLSearchParams({ q: words })}` });
const typical = (data: Data) => [detail(data.typical)];
/** The page of a broker, as people read it. */
const typicalPage = (data: Data): Request[] => [{ path: `/brokers/${data.typical}` }];

/** A word for which both kinds of search find something. */
const oneSearch = (data: Data) => [search(data.typical.split('-', 1)[0] as string)];

/** Each broker once, in random order. */
const everyBroker = (data: Data): Request[] => {
  const random = createRandom(3);
  return data.names
    .map((name) => ({ name, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ name }) => detail(toSlug(name)));
};

/** Names of up to 500 brokers as a person would type them. */
const typed = (change: (name: string) => string) => (data: Data) =>
  data.names
    .filter((_, n) => n % Math.ceil(data.names.length / 500) === 0)
    .map((name) => search(change(name.toLowerCase())));

/** The first letters of each word. */
const beginnings = (name: string): string =>
  name
    .split(' ')
    .map((word) => word.slice(0, 4))
    .join(' ');

const mistyped = (name: string): string => withTypo(name, createRandom(name.length));
const commonWords = () => [search(COMMON_WORDS)];
const page = (query: string) => () => [{ path: `${API}/brokers${query}` }];

const ALL: readonly ServerName[] = ['bare', 'fastify', 'naive', 'service'];
const ONE_AT_A_TIME = { servers: ['bare', 'naive', 'service, nothing prepared'], connections: 1 } as const;
const GROWN = ['service, nothing prepared', 'service, nothing prepared, large data'] as const;
const LIKE_BARE = { servers: ['bare', 'service'] } as const;
const WRITES = { servers: ['driver', 'service'], status: 201, writes: true } as const;

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'one broker, again and again',
    servers: [...ALL, 'service, access log', 'service, limiter on Redis'],
    requests: typical,
    paced: true,
  },
  {
    name: 'two workers',
    servers: ['service, limiter on Redis', 'service, two workers'],
    requests: typical,
  },
  { name: 'list of 20 brokers', servers: ALL, requests: page(''), paced: true },
  { name: 'spelling: limit=20&offset=0, the defaults', ...LIKE_BARE, requests: page('?limit=20&offset=0') },
  { name: 'spelling: offset=20&limit=50, swapped', ...LIKE_BARE, requests: page('?offset=20&limit=50') },
  { name: 'list of 50 brokers', ...LIKE_BARE, requests: page('?limit=50') },
  { name: 'token: one broker, one caller', ...LIKE_BARE, requests: typical, headers: toBearer(0), signedIn: true },
  { name: 'token: one broker, 4 000 callers', ...LIKE_BARE, requests: createReads, signedIn: true },
  { name: 'one search, again and again', servers: ALL, requests: oneSearch, paced: true },
  { name: 'one broker, unchanged (304)', servers: ALL, requests: typical, status: 304, conditional: true, paced: true },
  {
    name: 'one broker, compressed',
    servers: ['bare', 'fastify', 'service'],
    requests: typical,
    headers: { 'Accept-Encoding': 'gzip, deflate, br' },
    paced: true,
  },
  { name: 'page of one broker, again and again', ...LIKE_BARE, requests: typicalPage },
  {
    name: 'page of one broker, with the cookie of a session',
    servers: ['service', 'service, with a cookie'],
    requests: typicalPage,
  },
  {
    name: 'page of one broker, compressed',
    ...LIKE_BARE,
    requests: typicalPage,
    headers: { 'Accept-Encoding': 'gzip, deflate, br' },
  },
  {
    name: 'each time another broker',
    servers: [...ALL, 'service, nothing prepared'],
    requests: everyBroker,
    paced: true,
  },
  { name: 'search: beginnings', ...ONE_AT_A_TIME, requests: typed(beginnings) },
  { name: 'search: a typo', ...ONE_AT_A_TIME, requests: typed(mistyped) },
  { name: 'search: a whole name', ...ONE_AT_A_TIME, requests: typed((name) => name) },
  { name: 'search: ten common words', ...ONE_AT_A_TIME, requests: commonWords },
  { name: 'reviews of many brokers, 32 at once', ...WRITES, requests: (data) => createWrites(data, data.brokers) },
  { name: 'reviews of one broker, 32 at once', ...WRITES, requests: (data) => createWrites(data, 1) },
  { name: 'large data: one broker, again and again', servers: ['service', 'service, large data'], requests: typical },
  {
    name: 'large data: each time another broker',
    servers: [...GROWN, 'service, large data'],
    requests: everyBroker,
  },
  { name: 'large data: the same, naive', servers: ['naive', 'naive, large data'], requests: everyBroker },
  { name: 'large data: search with a typo', servers: GROWN, requests: typed(mistyped), connections: 1 },
  { name: 'large data: search for ten common words', servers: GROWN, requests: commonWords, connections: 1 },
];
