import type { RequestListener } from 'node:http';
import {
  ACCOUNT_BASE_PATH,
  accountContract,
  BASE_PATH,
  contract,
  TRANSPARENCY_BASE_PATH,
  transparencyContract,
} from '@broker-transparency/contract';
import { ENTERPRISE_BASE_PATH } from '@broker-transparency/contract/enterprise';
import {
  addressIn,
  DOCS_PAGES,
  FOLLOW_PAGES,
  gallery,
  LANGUAGES,
  PAGES,
  PRIVATE_PAGES,
} from '@broker-transparency/portal';
import type { RequestHandler } from 'express';
import { docsFolder, fontsFolder, fullDocumentation, methodologyFolder, siteFolder } from './assets.ts';
import { createEnterprise, type EnterpriseParts } from './enterprise/app.ts';
import { enterpriseDocument } from './enterprise/document.ts';
import { downloadPage } from './enterprise/download-page.ts';
import { readInterestedCustomers } from './enterprise/organisations/facts.ts';
import { enterprisePage } from './enterprise/page.ts';
import { verifyToken } from './features/accounts/actions.ts';
import { verifyEither, verifyJwt } from './features/accounts/credentials.ts';
import { connectProvider, type IdentityProvider } from './features/accounts/jwt.ts';
import { namesSubject } from './features/accounts/kyc-event.rule.ts';
import { kycWebhook } from './features/accounts/routes.ts';
import { endFollow } from './features/follow/actions.ts';
import { createFollows } from './features/follow/for-pages.ts';
import { createMarks } from './features/marks/for-pages.ts';
import { STOP_ROUTE, stopMailRoute } from './features/notices/routes.ts';
import { takeBackIfErased } from './features/people/actions.ts';
import { resultRoutes } from './features/service-level/routes.ts';
import { createAuthenticate } from './http/auth/access.ts';
import { createFailedTokens } from './http/auth/failed-tokens.ts';
import { createIdentify } from './http/auth/identify.ts';
import type { RecentCredentials } from './http/auth/recent-credentials.ts';
import { createObtain, type Obtain } from './http/cache/obtain.ts';
import type { ResponseCache } from './http/cache/response-cache.ts';
import { type ApiParts, countOther, createApi, createGuard } from './http/endpoints/api.ts';
import { assetFile, fileRoutes } from './http/endpoints/files.ts';
import { type InternalParts, internalRoutes } from './http/endpoints/internal.ts';
import { logRoutes } from './http/endpoints/log.ts';
import { madeFileRoutes } from './http/endpoints/made-files.ts';
import type { RouteParts } from './http/endpoints/route-parts.ts';
import { createHeavyWork, HEAVY_BOUNDS, type HeavyWork } from './http/load/heavy-work.ts';
import type { Overload } from './http/load/overload.ts';
import { handleErrors } from './http/problem/error-handler.ts';
import { ProblemError } from './http/problem/problem.ts';
import type { BudgetLimits, Limit } from './http/rate-limit/limit.ts';
import { bareAddresses } from './http/request/forwarded.ts';
import { createIdempotentRunner } from './http/request/idempotency.ts';
import { createMatcher } from './http/request/match.ts';
import { createRecord } from './http/response/record.ts';
import { recordResponses } from './http/response/record-express.ts';
import { cors, createAddressReader, createExpress, secure } from './http/server/express.ts';
import { createPipeline } from './http/server/pipeline.ts';
import { readLogFile } from './ledger/log/files.ts';
import type { ServicePart } from './mode.ts';
import { loadRoutes } from './modules.ts';
import type { Log } from './platform/observe/log.ts';
import type { CountRequest } from './platform/observe/requests.ts';
import { recordSpans } from './platform/observe/traces.ts';
import { connectPrivatePages, type SignInOptions } from './private-actions.ts';
import { createDirectory } from './published/brokers/directory.ts';
import { countDisputes, readModeration } from './published/disputes.ts';
import type { PublishedParts } from './published/routes.ts';
import { statusFiles } from './published/status/files.ts';
import { readAssets } from './site/assets.ts';
import { createDocuments } from './site/documents.ts';
import { createLibrary } from './site/library.ts';
import { createDrawing, createPictures } from './site/pictures.ts';
import { createSite, type SiteParts } from './site/site.ts';
import { readMethodologyFiles, toTextFile } from './site/text-files.ts';
import { verifyFiles } from './site/verify.ts';

/** Templates of pages whose address has a secret, in each language. */
const SECRET_ROUTES = LANGUAGES.flatMap((language) =>
  PRIVATE_PAGES.filter(({ hasSecret }) => hasSecret).map(({ path }) => addressIn(language, path)),
);

/** Path of the files of the log, which have their own budget. */
const LOG_PATH = `${TRANSPARENCY_BASE_PATH}/log`;

/** Path of the results of probers, which have their own budget. */
const RESULTS_PATH = `${TRANSPARENCY_BASE_PATH}/service-level/results`;

/** The parts that the app is composed of. */
export interface AppParts extends Omit<RouteParts, 'once'>, PublishedParts {
  readonly log: Log;
  readonly countRequest: CountRequest;
  /** The budgets that routes name. */
  readonly limits: BudgetLimits;
  /** Limit of bad tokens per address, each answered by 401; beyond it by 429. */
  readonly badTokens: Limit;
  /** File with the list of erasures. */
  readonly erasureList: string;
  /** Budget of requests for files of the log. */
  readonly logFiles: Limit;
  /** Budget of requests for results of probers. */
  readonly results: Limit;
  /** Budget of forms of the site that change something. */
  readonly writing: Limit;
  /** Issuer whose JWTs are accepted in addition to the service's own tokens. */
  readonly identityProvider: IdentityProvider | undefined;
  /** True if the data is fictional. */
  readonly demo: boolean;
  /** How people sign in to the pages. */
  readonly signIn: SignInOptions;
  /** Secrets and budget of the KYC webhook. Without a secret there is no webhook. */
  readonly kycWebhook: { readonly keys: readonly Buffer[]; readonly limit: Limit };
  readonly cache: ResponseCache;
  /** Finds the firms that typed text may mean or imitate. */
  readonly lookAlikes: SiteParts['lookAlikes'];
  readonly recentCredentials: RecentCredentials;
  readonly overload: Overload;
  /** The parts of the enterprise routes that the other routes do not share. */
  readonly enterprise: Omit<
    EnterpriseParts,
    'clock' | 'cache' | 'heavy' | 'badTokens' | 'publicUrl' | 'readClient' | 'onTouchFault'
  >;
  /** Contact for access to the enterprise routes: an address of mail or of a page. */
  readonly enterpriseContact: string | undefined;
  /** Who operates the service, as its pages say. */
  readonly operator: SiteParts['operator'];
  /** The only part that is served; undefined for both. */
  readonly only: ServicePart | undefined;
  /** Health and metrics endpoints; undefined if they are served on a separate port. */
  readonly internal: InternalParts | undefined;
  /** Base URL under which callers reach this service, without a trailing slash. */
  readonly publicUrl: string;
  readonly trustProxy: number | string[];
  readonly version: string;
}

/** Connects to the identity provider, if there is one. */
const connectJwt = ({ clock, log, identityProvider }: AppParts) =>
  identityProvider &&
  connectProvider(identityProvider, clock, {
    onFault: (error: unknown) => log.warn({ err: error }, 'keys of the identity provider (JWT_JWKS_URL)'),
    onRefused: (reason: string) => log.warn({ reason }, 'a JWT was refused that the identity provider signed'),
  });
type ReadJwt = ReturnType<typeof connectJwt>;

const createVerify = ({ clock, log, keepsAddresses, db }: AppParts, readJwt: ReadJwt) =>
  verifyEither(
    verifyToken(db, clock, (error) => log.warn({ err: error }, 'last use of a token not noted')),
    readJwt && verifyJwt(db, readJwt, clock, keepsAddresses),
  );

const enterpriseApi = (parts: AppParts, readJwt: ReadJwt, heavy: HeavyWork): RequestHandler => {
  const { clock, log, cache, badTokens, enterprise, publicUrl } = parts;
  return createEnterprise(parts.db, {
    ...enterprise,
    clock,
    cache,
    heavy,
    badTokens,
    publicUrl,
    readClient: readJwt && (async (token) => (await readJwt(token))?.client),
    onTouchFault: (error) => log.warn({ err: error }, 'last use of a key not noted'),
  });
};

/** The three contracts, each with the handlers that modules have for it. */
const createApis = async (parts: AppParts, heavy: HeavyWork) => {
  const { clock, limits, cache } = parts;
  const once = createIdempotentRunner(parts.db, clock, takeBackIfErased);
  const handlers = await loadRoutes({ ...parts, once });
  const apiParts: ApiParts = { guard: createGuard(limits), cache, heavy };
  return {
    [BASE_PATH]: createApi(BASE_PATH, contract, handlers.public, apiParts),
    [ACCOUNT_BASE_PATH]: createApi(ACCOUNT_BASE_PATH, accountContract, handlers.account, apiParts),
    [TRANSPARENCY_BASE_PATH]: createApi(TRANSPARENCY_BASE_PATH, transparencyContract, handlers.transparency, apiParts),
  };
};

/** The site, and the files beside it, for the parts that are served. */
const createPages = (parts: AppParts, routes: SiteParts['routes'], obtain: Obtain) => {
  const { publicUrl, version, enterpriseContact, only, clock, log } = parts;
  const isPublic = only !== 'enterprise';
  const isEnterprise = only !== 'public';
  const server = { serverUrl: publicUrl, version };
  const enterprise = {
    basePath: ENTERPRISE_BASE_PATH,
    make: () => enterpriseDocument({ ...server, contact: enterpriseContact }),
  };
  const documents = createDocuments(server, { isPublic, enterprise: isEnterprise ? enterprise : undefined });
  const assets = readAssets(siteFolder);
  const pages = [
    ...(isPublic ? PAGES : DOCS_PAGES),
    ...(isPublic && parts.demo ? [gallery] : []),
    ...(isEnterprise ? [enterprisePage(enterpriseContact), downloadPage] : []),
  ];
  const served = PRIVATE_PAGES.filter((page) => parts.keepsAddresses || !FOLLOW_PAGES.includes(page));
  const personal = isPublic ? served : [];
  const has = (path: string): boolean => [...pages, ...personal].some((page) => page.path === path);
  const site = createSite({
    ...parts,
    assets,
    directory: createDirectory(parts.db, parts.ranking, parts.noteChanges),
    draw: createPictures(parts.cache, createDrawing(fontsFolder)),
    countDisputes: () => countDisputes(parts.db, clock()),
    readModeration: () => readModeration(parts.db, clock()),
    readCustomers: () => readInterestedCustomers(parts.db, clock()),
    marks: createMarks(parts.db),
    library: createLibrary(docsFolder, documents.apis),
    follows: parts.keepsAddresses ? createFollows(parts.db, clock) : undefined,
    pages,
    personal: { pages: personal, ...connectPrivatePages(parts) },
    has,
    routes,
    obtain,
  });
  const files = [
    ...documents.files,
    ...[...assets.values()].map(assetFile),
    ...verifyFiles(has),
    ...(isPublic ? [toTextFile('/llms-full.txt', fullDocumentation), ...readMethodologyFiles(methodologyFolder)] : []),
  ];
  const status = statusFiles(parts.db, {
    clock,
    service: publicUrl,
    has,
    onFault: (error) => log.warn({ err: error }, 'the status page keeps its last figures'),
  });
  return { site, files, status };
};

/** Removes ports and brackets from the addresses in `X-Forwarded-For`, then calls `listener`. */
const behindProxies =
  (listener: RequestListener): RequestListener =>
  (req, res) => {
    const { 'x-forwarded-for': forwarded } = req.headers;
    if (forwarded !== undefined) req.headers['x-forwarded-for'] = bareAddresses(String(forwarded));
    listener(req, res);
  };

/** The composition root: the only place where the parts of the service are wired together. */
export const createApp = async (parts: AppParts): Promise<RequestListener> => {
  const { limits, log, only, publicUrl, trustProxy } = parts;
  const app = createExpress(trustProxy);
  const readJwt = connectJwt(parts);
  const heavy = createHeavyWork(HEAVY_BOUNDS);
  const identify = createIdentify({
    authenticate: createAuthenticate(createVerify(parts, readJwt)),
    limits,
    failedTokens: createFailedTokens(parts.badTokens),
    recent: parts.recentCredentials,
    readAddress: createAddressReader(app),
  });
  const apis: Readonly<Record<string, ReturnType<typeof createApi>>> =
    only === 'enterprise' ? {} : await createApis(parts, heavy);

  app.use(secure);
  if (parts.internal) app.use(internalRoutes(parts.internal, publicUrl));
  app.use(cors);
  const obtain = createObtain(parts.cache, limits, heavy);
  const routes = Object.values(apis).flatMap(({ routes }) => routes);
  const { site, files, status } = createPages(parts, routes, obtain);
  app.use(fileRoutes(files, limits.pages));
  app.use(madeFileRoutes(status, limits.pages));
  if (only !== 'enterprise') {
    app.use(logRoutes(LOG_PATH, (one, two) => readLogFile(parts.db, one, two), parts.logFiles));
    app.use(resultRoutes(parts.db, RESULTS_PATH, parts.clock, parts.results));
    app.use(stopMailRoute(parts.db, parts.clock, limits.pages, endFollow));
    for (const [path, { handler }] of Object.entries(apis)) app.use(path, handler);
    const isByReference = namesSubject(parts.signIn.kycUrl ?? '');
    if (parts.kycWebhook.keys.length > 0)
      app.use(kycWebhook(parts.db, { ...parts.kycWebhook, clock: parts.clock }, isByReference));
  }
  if (only !== 'public') {
    app.use(ENTERPRISE_BASE_PATH, enterpriseApi(parts, readJwt, heavy));
  }
  app.use(...site.handlers);
  app.use(countOther(identify, limits), (req) => {
    const start = only === 'enterprise' ? ENTERPRISE_BASE_PATH : BASE_PATH;
    throw new ProblemError('not_found', `There is nothing at ${req.path}. The API starts at ${start}.`);
  });
  app.use(handleErrors(publicUrl, log, site.toPage));

  const record = createRecord(log, parts.countRequest, [STOP_ROUTE, '/sign-in/return', ...SECRET_ROUTES]);
  const matchApi = createMatcher(routes, [LOG_PATH, RESULTS_PATH]);
  const match: typeof matchApi = (method, target) => matchApi(method, target) ?? site.match(method, target);
  const pipeline = createPipeline({ ...parts, match, obtain, identify, record }, recordResponses(app, record));
  return recordSpans(trustProxy === 0 ? pipeline : behindProxies(pipeline));
};
