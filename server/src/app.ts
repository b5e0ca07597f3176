import type { RequestListener } from 'node:http';
import {
  ACCOUNT_BASE_PATH,
  accountContract,
  BASE_PATH,
  contract,
  TRANSPARENCY_BASE_PATH,
  transparencyContract,
} from '@broker-transparency/contract';
import { openApiDocument } from '@broker-transparency/contract/openapi';
import type { Express } from 'express';
import { verifyToken } from './accounts/actions.ts';
import { verifyEither, verifyJwt } from './accounts/credentials.ts';
import { connectProvider, type IdentityProvider } from './accounts/jwt.ts';
import { kycWebhook } from './accounts/routes.ts';
import type { Ranking } from './brokers/ranking.ts';
import { brokerRoutes } from './brokers/routes.ts';
import { accountComplaintRoutes, complaintRoutes } from './complaints/routes.ts';
import { createAuthenticate } from './http/access.ts';
import { countOther, createApi, type Gate } from './http/api.ts';
import { begin } from './http/begin.ts';
import { matching } from './http/canonical.ts';
import { cors } from './http/cors.ts';
import { createAddressOf, createExpress } from './http/express-app.ts';
import { answerFaults } from './http/faults.ts';
import { bareAddresses } from './http/forwarded.ts';
import { createGuessing } from './http/guessing.ts';
import { createIdentify, type Identify } from './http/identify.ts';
import { type InternalParts, internalRoutes } from './http/internal.ts';
import type { Limit } from './http/limits.ts';
import { measured } from './http/measure.ts';
import type { Overload } from './http/overload.ts';
import { pageRoutes } from './http/pages.ts';
import type { Prepared } from './http/prepared.ts';
import type { FindRead } from './http/preparing.ts';
import { ProblemError } from './http/problems.ts';
import type { RecentCredentials } from './http/recent-credentials.ts';
import { takeShortRoad } from './http/short-road.ts';
import { accountReportRoutes, accountReviewRoutes, transparencyRoutes } from './moderation/routes.ts';
import { newsRoutes } from './news/routes.ts';
import type { Log } from './observe/log.ts';
import { traced } from './observe/traces.ts';
import type { Clock } from './platform/clock.ts';
import { regulatorRoutes } from './regulators/routes.ts';
import { reviewRoutes } from './reviews/routes.ts';
import type { SearchIndex } from './search/index.ts';
import { searchRoute } from './search/routes.ts';

/** What the app is made of. */
export interface AppParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly limit: Limit;
  /** How many bad tokens of an address are answered as such. */
  readonly badTokens: Limit;
  /** Of one account. */
  readonly complaintsPerDay: number;
  /** Of pages and files beside the API. */
  readonly pages: Limit;
  /** Whose JWTs are taken beside the service's own tokens. */
  readonly identityProvider: IdentityProvider | undefined;
  /** Secrets of the KYC webhook, and its budget; without a secret there is no webhook. */
  readonly kycWebhook: { readonly keys: readonly Buffer[]; readonly limit: Limit };
  readonly searchIndex: SearchIndex;
  readonly ranking: Ranking;
  readonly prepared: Prepared;
  readonly recentCredentials: RecentCredentials;
  readonly overload: Overload;
  /** Health and metrics, unless they have a port of their own. */
  readonly internal: InternalParts | undefined;
  /** Where callers reach this service, without a trailing slash. */
  readonly publicUrl: string;
  readonly trustProxy: number | string[];
  readonly version: string;
}

const createVerify = ({ clock, log, identityProvider }: AppParts) => {
  const jwtReports = {
    onFault: (error: unknown) => log.warn({ err: error }, 'keys of the identity provider (JWT_JWKS_URL)'),
    onRefused: (reason: string) => log.warn({ reason }, 'a JWT was refused that the identity provider signed'),
  };
  return verifyEither(
    verifyToken(clock, (error) => log.warn({ err: error }, 'last use of a token not noted')),
    identityProvider && verifyJwt(connectProvider(identityProvider, clock, jwtReports), clock),
  );
};

/** Mounts every contract under its path, behind the same gate. Returns their public reads. */
const mountApis = (app: Express, parts: AppParts, identify: Identify): FindRead => {
  const { clock, limit, complaintsPerDay, prepared, ranking, searchIndex } = parts;
  const gate: Gate = { identify, limit, prepared };
  const publicRoutes = {
    search: searchRoute(searchIndex),
    brokers: brokerRoutes(ranking),
    regulators: regulatorRoutes(),
    reviews: reviewRoutes(clock),
    complaints: complaintRoutes(clock, complaintsPerDay),
    news: newsRoutes(),
  };
  const accountRoutes = {
    reviews: accountReviewRoutes(clock),
    complaints: accountComplaintRoutes(),
    reports: accountReportRoutes(clock),
  };
  const apis = {
    [BASE_PATH]: createApi(BASE_PATH, contract, publicRoutes, gate),
    [ACCOUNT_BASE_PATH]: createApi(ACCOUNT_BASE_PATH, accountContract, accountRoutes, gate),
    [TRANSPARENCY_BASE_PATH]: createApi(TRANSPARENCY_BASE_PATH, transparencyContract, transparencyRoutes(), gate),
  };
  for (const [path, { handler }] of Object.entries(apis)) app.use(path, handler);
  return matching(Object.values(apis).flatMap(({ cached }) => cached));
};

/** What is behind proxies, with the addresses that they tell in one form. */
const behindProxies =
  (listener: RequestListener): RequestListener =>
  (req, res) => {
    const { 'x-forwarded-for': forwarded } = req.headers;
    if (forwarded !== undefined) req.headers['x-forwarded-for'] = bareAddresses(String(forwarded));
    listener(req, res);
  };

/** The composition root: every part of the service meets here and nowhere else. */
export const createApp = (parts: AppParts): RequestListener => {
  const app = createExpress(parts.trustProxy);
  app.use(begin);
  if (parts.internal) app.use(internalRoutes(parts.internal, parts.publicUrl));
  app.use(cors);
  const openApi = openApiDocument({ serverUrl: `${parts.publicUrl}${BASE_PATH}`, version: parts.version });
  app.use(pageRoutes(openApi, parts.publicUrl, parts.pages));
  const authenticate = createAuthenticate(createVerify(parts));
  const guessing = createGuessing(parts.badTokens);
  const addressOf = createAddressOf(app);
  const identify = createIdentify({
    authenticate,
    limit: parts.limit,
    guessing,
    recent: parts.recentCredentials,
    addressOf,
  });
  const findRead = mountApis(app, parts, identify);
  const { keys, limit } = parts.kycWebhook;
  if (keys.length > 0) app.use(kycWebhook({ keys, limit, clock: parts.clock }));
  app.use(countOther({ identify, limit: parts.limit }), (req) => {
    throw new ProblemError('not_found', `There is nothing at ${req.path}. The API starts at ${BASE_PATH}.`);
  });
  app.use(answerFaults(parts.publicUrl, parts.log));
  const listener = takeShortRoad({ ...parts, findRead, identify }, measured(app, parts.log));
  return traced(parts.trustProxy === 0 ? listener : behindProxies(listener));
};
