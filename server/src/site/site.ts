import { addressIn, errorPage, findLanguage, LANGUAGES, type Language, type Page } from '@broker-transparency/portal';
import type { RequestHandler } from 'express';
import { type CachedRead, sendRead } from '../http/cache/cached-routes.ts';
import type { Obtain } from '../http/cache/obtain.ts';
import type { AddAnswer, CachedAnswer } from '../http/cache/response-cache.ts';
import type { ToPage } from '../http/problem/error-handler.ts';
import { asksForPage } from '../http/problem/for-people.ts';
import { type BudgetLimits, enforceLimit, type Limit, requireBudget } from '../http/rate-limit/limit.ts';
import { createAddressFormatter, type RequestParams } from '../http/request/canonical.ts';
import { timeLeft, withTimeout } from '../http/request/deadline.ts';
import { type ApiRoute, createMatcher, type FindMatch } from '../http/request/match.ts';
import { send } from '../http/response/reply.ts';
import { PAGE_HEADERS, type RenderedPage, toAnswer } from './answer.ts';
import { type ContextParts, createContexts } from './context.ts';
import { createForms, type FormPage } from './forms.ts';
import type { DrawPicture } from './pictures.ts';
import { createPrivateSite, type PrivateParts } from './private.ts';

export interface SiteParts extends ContextParts {
  /** The served pages. */
  readonly pages: readonly Page[];
  readonly limits: BudgetLimits;
  /** Budget of forms that change something. */
  readonly writing: Limit;
  readonly obtain: Obtain;
  readonly draw: DrawPicture;
  readonly personal: PrivateParts;
}

/** Tag of every page. Pages are rebuilt at least once a minute, so that the ages on them are right. */
export const PAGES_TAG = 'pages';

/** The budget that a page takes one request from whenever it has to be built. */
const BUILDING = 'history';

/** Maximum characters of a page's parameter. */
const MOST_SIGNS = 300;
/** Maximum parameters of a page. */
const MOST_PARAMETERS = 50;

/** Returns the readable part of any query: the first value of each name. */
const toReadableQuery = (query: string): URLSearchParams => {
  const first = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query.slice(0, 8192)))
    if (name.length + value.length <= MOST_SIGNS && !first.has(name)) first.set(name, value);
  return new URLSearchParams([...first].slice(0, MOST_PARAMETERS));
};

const toPng = (bytes: Buffer): RenderedPage => ({ bytes, contentType: 'image/png' });

/** Adds the query of a moved page to its new address, unless that has its own query. */
const keepQuery = (rendered: RenderedPage, query: string): RenderedPage =>
  'movedTo' in rendered ? { movedTo: rendered.movedTo + (rendered.query ?? query) } : rendered;

const toRouteBudget = ({ limit }: Page) => ({ access: 'public', limit }) as const;

/** The pages as routes of the fast path, and their parts for Express. */
interface Site {
  readonly match: FindMatch<CachedRead>;
  readonly handlers: readonly RequestHandler[];
  readonly toPage: ToPage;
}

/** Returns the route of a form. It is counted like a page, and answered only to its sender. */
const createForm = (page: Page, language: Language): ApiRoute<FormPage> => {
  const route = { method: 'POST', path: addressIn(language, page.path), pathParams: page.params } as const;
  return { basePath: '', route, policy: toRouteBudget(page), read: () => ({ page, language }) };
};

const mapLanguages = <T>(page: Page, create: (page: Page, language: Language) => T): T[] =>
  (page.isTranslated ? LANGUAGES : LANGUAGES.slice(0, 1)).map((language) => create(page, language));

/**
 * Returns the canonical address of a page for one with capital letters, a slash at its end or a partly unreadable
 * query, because mailings and networks modify addresses.
 */
const findUsualSpelling = (match: FindMatch<CachedRead>, target: string): string | undefined => {
  const queryAt = target.indexOf('?');
  const [path, query] = queryAt < 0 ? [target, ''] : [target.slice(0, queryAt), target.slice(queryAt)];
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end--;
  const usual = path.slice(0, end).toLowerCase();
  if (usual !== path && match('GET', usual)?.read) return `${usual}${query}`;
  return query === '' ? undefined : match('GET', `${usual}?${toReadableQuery(query)}`)?.read?.key;
};

export const createSite = (parts: SiteParts): Site => {
  const { cache, pages, limits, obtain, lookAlikes, draw } = parts;
  const contextFor = createContexts(parts);
  const answerForm = createForms(contextFor);
  const personal = createPrivateSite({ ...parts, ...parts.personal, contextFor });

  const createRead = (page: Page, language: Language) => {
    const route = {
      method: 'GET',
      path: addressIn(language, page.path),
      pathParams: page.params,
      query: page.query,
    } as const;
    const formatAddress = createAddressFormatter(route, '');
    const untranslated = createAddressFormatter({ path: page.path, query: page.query }, '');
    const build = async (asked: RequestParams, addAnswer: AddAnswer): Promise<CachedAnswer> => {
      const made = { route: route.path, limit: page.limit, builtAt: Date.now() };
      if (page.submit) lookAlikes('').catch(() => undefined); // prepares the index before the form is sent
      const { context, findCause } = contextFor(language, untranslated(asked), addAnswer, page.costs);
      try {
        const rendered = await page.render(context, asked);
        const drawn = 'picture' in rendered ? toPng(await draw(rendered.picture)) : keepQuery(rendered, context.query);
        return toAnswer(drawn, language, made);
      } catch (error) {
        throw findCause(error);
      }
    };
    const read = (asked: RequestParams): CachedRead => {
      const key = formatAddress(asked);
      const make = () => cache.obtain(key, [PAGES_TAG], (_addTags, addAnswer) => build(asked, addAnswer));
      return { key, costs: BUILDING, isHeavy: page.costs !== undefined, obtain: make };
    };
    return { basePath: '', route, policy: toRouteBudget(page), read } satisfies ApiRoute<CachedRead>;
  };

  const table = pages.flatMap((page) => mapLanguages(page, createRead));
  const forms = pages.filter(({ submit }) => submit).flatMap((page) => mapLanguages(page, createForm));
  const match: FindMatch<CachedRead> = createMatcher<CachedRead>(
    [...table, ...forms.map(({ basePath, route, policy }) => ({ basePath, route, policy })), ...personal.routes],
    [],
    null,
  );
  const matchForm: FindMatch<FormPage> = createMatcher(forms, [], null);

  /** Answers requests that the fast path leaves: callers over their budget, and addresses that are not canonical. */
  const handler: RequestHandler = async (req, res, next) => {
    const { method, context } = req;
    const { caller, fault, target } = context;
    const form = method === 'POST' ? matchForm(method, target)?.read : undefined;
    if (form) {
      if (fault !== undefined) throw fault;
      if (caller) {
        requireBudget(caller.budget, limits.pages);
        await enforceLimit(limits[BUILDING], caller.key, req);
      }
      answerForm(form)(req, res, next);
      return;
    }
    if (method !== 'GET' && method !== 'HEAD') {
      next();
      return;
    }
    const found = match(method, target);
    if (!found?.read) {
      const Location = findUsualSpelling(match, target);
      if (Location === undefined) {
        next();
        return;
      }
      if (found && caller) requireBudget(caller.budget, limits[found.limit]);
      send(res, { status: 308, headers: { ...PAGE_HEADERS, Location } });
      return;
    }
    if (fault !== undefined) throw fault;
    if (caller) requireBudget(caller.budget, limits[found.limit]);
    const { read } = found;
    const made = () => withTimeout(timeLeft(context), () => obtain(read, req));
    await sendRead({ key: read.key, obtain: made }, cache, { req, res });
  };

  /** Renders a problem as a page. */
  const toPage: ToPage = (problem, req) => {
    const { target, id: requestId } = req.context;
    if (!asksForPage({ headers: req.headers, url: target })) return undefined;
    const path = target.split('?', 1)[0] ?? '/';
    const language = findLanguage(path);
    const isFramed = path.startsWith(`${language.prefix}/embed/`);
    const { context } = contextFor(language, '/', () => undefined);
    return { html: errorPage(context, { code: problem.code, requestId, isFramed }).text, isFramed };
  };

  return { match, handlers: [personal.handler, handler], toPage };
};
