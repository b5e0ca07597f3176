import { LONG, ODD_VALUES, PARAMETERS } from '../../support/odd-targets.ts';
import { accountRoutes, createSampleRequest, routes } from '../../support/routes.ts';
import type { Ask } from '../wire.ts';

/** One read of every kind, by its plain address. */
export const READS = [
  ...routes.filter(({ method }) => method === 'GET').map((route) => `/api/v1${createSampleRequest(route).path}`),
  '/transparency/v1/moderation/alpha-markets',
];

/** Values as they appear in a target. */
const VALUES = [
  ...ODD_VALUES,
  '0',
  '1',
  '5',
  '100',
  '100000',
  '%3Cscript%3E',
  'green',
  'gren',
  'nobody',
  'fca',
  '%66ca',
  '%61lpha-markets',
  'a.b',
  'a/b',
  'a'.repeat(81),
  'eyJ9',
  'bm90aGluZw',
];

/** Query strings that no route accepts, and odd spellings of an empty one. */
const QUERIES = [
  '?',
  '?&',
  '?&&&',
  '?=',
  '?=1',
  '??',
  '?limit',
  '?limit=',
  '?limit==1',
  '?limit=1&limit=1',
  '?limit=1&Limit=1',
  '?limit=1&%6cimit=2',
  '?%6cimit=3',
  '?limit=%33',
  '?limit[]=1',
  '?limit[$ne]=1',
  '?colour=green',
  '?$where=1',
  '?__proto__=1',
  '?toString=1',
  '?%00=1',
  '?%=1',
  '?%FF=1',
  '?access_token=btr_secret',
  '?limit=1;offset=2',
  '?offset=0&limit=20',
  '?limit=20&offset=0',
  '?limit=20',
  '?offset=0',
  '?limit=5&',
  '?&limit=5',
  '?x=1#limit=2',
  `?${Array.from({ length: 60 }, (_, n) => `p${n}`).join('&')}`,
  `?${LONG}=1`,
];

/** Spellings of a path that differ from the good one. */
const spellings = (path: string): string[] => [
  `${path}/`,
  `${path}//`,
  `/${path}`,
  path.replace('/v1/', '/v1//'),
  path.replace('/v1/', '/v1/./'),
  path.replace('/v1/', '/v1/x/../'),
  path.toUpperCase(),
  path.replace('/v1/', '/V1/'),
  path.replace('v1', '%76%31'),
  `${path}.json`,
  `${path};x=1`,
  `${path}%2F`,
  `${path}%3Fx`,
  `${path}%00`,
  `${path}#top`,
  `${path}*`,
  `${path}%`,
  `http://ratings.example${path}`,
  `https://evil.example${path}`,
  `HTTP://ratings.example:80${path}`,
  `//evil${path}`,
  path.replace('/v1/', '/v2/'),
  path.replace('/v1/', '%2Fv1/'),
  path.replace(/[^/]$/, (last) => encode(last)),
];
const encode = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

const NOWHERE = [
  '/',
  '/api',
  '/api/',
  '/api/v1',
  '/api/v1/',
  '/api/v1/nothing',
  '/api/v2/brokers',
  '/account',
  '/account/v1',
  '/account/v1/nothing',
  '/transparency/v1',
  '/transparency/v1/moderation',
  '/transparency/v1/moderation/nobody',
  '/favicon.ico',
  '/robots.txt',
  '/.env',
  '/index.html',
  '/brokers',
  '/api/v1/brokers/nobody',
  '/%',
  '/%ff',
  '*',
  '/api/v1/regulators/nobody',
  '/api/v1/brokers/alpha-markets/reviews',
  '/webhooks',
  '/webhooks/kyc/',
  '/ä',
  'x',
  '',
];

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY', 'get'];

/** Good addresses in odd spellings, wrong values, unknown parameters and paths, and methods that a path lacks. */
export const addresses = async (ask: Ask): Promise<void> => {
  for (const [path, names, rest] of PARAMETERS)
    for (const name of names)
      for (const value of VALUES) await ask('parameters', { target: `/api/v1${path}?${name}=${value}${rest}` });
  for (const path of ['/api/v1/brokers/', '/api/v1/regulators/', '/transparency/v1/moderation/'])
    for (const value of VALUES) await ask('parameters', { target: `${path}${value}` });
  for (const path of new Set(READS.map((read) => read.split('?', 1)[0] as string))) {
    for (const query of QUERIES) await ask('queries', { target: `${path}${query}` });
    for (const target of spellings(path)) await ask('spellings', { target });
  }
  for (const target of NOWHERE) await ask('nowhere', { target });
  const known = [
    ...routes.map((route) => `/api/v1${createSampleRequest(route).path.split('?', 1)[0]}`),
    ...accountRoutes.map(({ path }) => `/account/v1${path.replace(':id', '0'.repeat(24))}`),
    '/transparency/v1/moderation/alpha-markets',
    '/openapi.json',
    '/docs',
    '/problems',
    '/healthz',
    '/readyz',
    '/metrics',
    '/webhooks/kyc',
    '/nothing',
    '/api/v1/nothing',
    '*',
  ];
  for (const target of new Set(known)) for (const method of METHODS) await ask('methods', { target, method });
};
