import { hash } from 'node:crypto';
import { createClient } from '@broker-transparency/client';
import { createRecordClient } from '@broker-transparency/client/record';
import { BASE_PATH, type ModerationTransparency, TRANSPARENCY_BASE_PATH } from '@broker-transparency/contract';
import {
  addressIn,
  type DirectoryPage,
  type DirectoryQuery,
  errorPage,
  type Fields,
  type FormContext,
  LANGUAGES,
  type Language,
  type Library,
  type LookAlikes,
  languageAt,
  PAGES,
  type Page,
  type PageContext,
  type Rendered,
  type Site,
} from '@broker-transparency/portal';
import type { Request, RequestHandler, Response } from 'express';
import type { CachedRead, ServedRoute } from '../http/cache/cached-routes.ts';
import { type AddAnswer, type CachedAnswer, type ResponseCache, toCachedAnswer } from '../http/cache/response-cache.ts';
import type { ToPage } from '../http/problem/error-handler.ts';
import { ProblemError } from '../http/problem/problem.ts';
import { type Limits, requireBudget } from '../http/rate-limit/limit.ts';
import { readForm } from '../http/request/body.ts';
import { type Asked, canonicalAddress } from '../http/request/canonical.ts';
import { withDeadline } from '../http/request/deadline.ts';
import { type ApiRoute, createMatcher, type FindMatch } from '../http/request/match.ts';
import { codingFor } from '../http/response/encoded-body.ts';
import { FRAMED_POLICY, imagePolicy, PAGE_POLICY } from '../http/response/headers.ts';
import { send, sendEncoded, sendPage } from '../http/response/reply.ts';
import type { Clock } from '../platform/clock.ts';
import type { Ranking } from '../published/brokers/ranking.rule.ts';
import type { Asset } from './assets.ts';
import { createLocalFetch } from './local-fetch.ts';

export interface SiteParts {
  readonly clock: Clock;
  readonly cache: ResponseCache;
  /** The public routes that pages read. */
  readonly routes: readonly ServedRoute[];
  /** Lists brokers by what the API does not list them by. */
  readonly directory: Directory;
  readonly assets: ReadonlyMap<string, Asset>;
  readonly library: Library;
  readonly limits: Limits;
  readonly publicUrl: string;
  readonly version: string;
  readonly ranking: Pick<Ranking, 'page'>;
  readonly lookAlikes: LookAlikes;
}

/** Reads a list of brokers as JSON in UTF-8. */
type Directory = (query: DirectoryQuery) => Promise<Uint8Array>;

/** Tag of every page. Pages are made anew at least once a minute, so that what they say of time is true. */
export const PAGES_TAG = 'pages';

const countedAs = ({ limit }: Page) => ({ access: 'public', limit }) as const;
const HEADERS = { 'Cache-Control': 'public, max-age=30' };
const HTML = 'text/html; charset=utf-8';

/** What one person typed is for nobody else to see. */
const NOT_KEPT = { 'Cache-Control': 'no-store' };

/** A page that takes a form, in a language. */
interface FormPage {
  readonly page: Page;
  readonly language: Language;
}

const fieldsOf = (body: unknown): Fields =>
  Object.fromEntries(
    Object.entries((body ?? {}) as Record<string, unknown>).filter(
      (field): field is [string, string] => typeof field[1] === 'string',
    ),
  );

const STYLE = /<style>([^<&]*)<\/style>/;

/** What a page or file may do. One that is neither HTML nor an image has the policy of data: nothing. */
const policyOf = (rendered: Extract<Rendered, { html: unknown } | { text: string }>): string | undefined => {
  if ('html' in rendered) return rendered.isFramed ? FRAMED_POLICY : PAGE_POLICY;
  const style = STYLE.exec(rendered.text)?.[1];
  return style === undefined ? undefined : imagePolicy(hash('sha256', style, 'base64'));
};

/** The pages that people read, as routes of the fast path, and what Express needs of them. */
export const createSite = (parts: SiteParts) => {
  const { clock, cache, routes, directory, assets, library, limits, publicUrl, version, ranking, lookAlikes } = parts;
  const localFetch = createLocalFetch(routes, publicUrl);
  const site: Site = {
    publicUrl,
    version,
    library,
    asset: (name) => {
      const found = assets.get(name);
      if (!found) throw new Error(`the site has no file ${name}: run pnpm generate`);
      return found.path;
    },
    slugs: (limit, offset) => ranking.page(undefined, limit, offset),
  };

  /** A list of brokers, which all pages that show it share. */
  const readList = (query: DirectoryQuery): Promise<CachedAnswer> =>
    cache.obtain(`brokers ${JSON.stringify(query)}`, ['brokers'], async () => {
      const made = { route: 'brokers', limit: 'pages', headers: {}, builtAt: Date.now() } as const;
      return toCachedAnswer({ ...made, body: Buffer.from(await directory(query)) });
    });

  /** The context of one page, and what went wrong while it read. */
  const contextFor = (language: Language, path: string, addAnswer: AddAnswer) => {
    const now = clock();
    const faults: unknown[] = [];
    let ageSeconds = 0;
    const onAnswer = (answer: CachedAnswer): void => {
      addAnswer(answer);
      ageSeconds = Math.max(ageSeconds, cache.ageOf(answer));
    };
    const fetch = localFetch({
      onAnswer,
      onFault: (error) => faults.push(error),
    });
    const options = {
      baseUrl: `${publicUrl}${BASE_PATH}`,
      fetch,
      retries: 0,
      store: false,
      clientVersion: false,
    } as const;
    const context: PageContext = {
      ...site,
      ...language,
      path,
      now,
      asOf: () => new Date(now.getTime() - ageSeconds * 1000),
      client: createClient(options),
      record: createRecordClient(options),
      moderation: async (slug) => {
        const answer = await fetch(`${publicUrl}${TRANSPARENCY_BASE_PATH}/moderation/${slug}`, {});
        return answer.ok ? ((await answer.json()) as ModerationTransparency) : undefined;
      },
      listBrokers: async ({ color, country, regulator, limit, offset }) => {
        const answer = await readList({ color, country, regulator, limit, offset });
        onAnswer(answer);
        return JSON.parse(answer.plain.toString()) as DirectoryPage;
      },
    };
    return { context, faults };
  };

  const toAnswer = (
    rendered: Rendered,
    language: Language,
    made: Pick<CachedAnswer, 'route' | 'builtAt' | 'limit'>,
  ) => {
    if ('isMissing' in rendered) throw new ProblemError('not_found', 'There is nothing at this address.');
    if ('movedTo' in rendered) {
      const Location = addressIn(language, rendered.movedTo);
      return toCachedAnswer({ ...made, status: 308, body: {}, headers: { ...HEADERS, Location } });
    }
    const isHtml = 'html' in rendered;
    const body = Buffer.from(isHtml ? rendered.html.text : rendered.text);
    const contentType = isHtml ? HTML : rendered.contentType;
    const policy = policyOf(rendered);
    const headers = { ...HEADERS, ...(policy === undefined ? {} : { 'Content-Security-Policy': policy }) };
    return toCachedAnswer({ ...made, body, contentType, headers });
  };

  const createRead = (page: Page, language: Language) => {
    const route = {
      method: 'GET',
      path: addressIn(language, page.path),
      pathParams: page.params,
      query: page.query,
    } as const;
    const addressOf = canonicalAddress(route, '');
    const pathOf = canonicalAddress({ path: page.path }, '');
    const build = async (asked: Asked, addAnswer: AddAnswer): Promise<CachedAnswer> => {
      const made = { route: route.path, limit: page.limit, builtAt: Date.now() };
      if (page.submit) lookAlikes('').catch(() => undefined); // it is ready when the form is sent
      const { context, faults } = contextFor(language, pathOf(asked), addAnswer);
      try {
        return toAnswer(await page.render(context, asked), language, made);
      } catch (error) {
        throw faults[0] ?? error; // what the service said, not what its client made of it
      }
    };
    const read = (asked: Asked): CachedRead => {
      const key = addressOf(asked);
      return { key, obtain: () => cache.obtain(key, [PAGES_TAG], (_addTags, addAnswer) => build(asked, addAnswer)) };
    };
    return { basePath: '', route, policy: countedAs(page), read } satisfies ApiRoute<CachedRead>;
  };

  /** A form that people send: it is counted like a page, and answered for them alone. */
  const createForm = (page: Page, language: Language): ApiRoute<FormPage> => {
    const route = { method: 'POST', path: addressIn(language, page.path), pathParams: page.params } as const;
    return { basePath: '', route, policy: countedAs(page), read: () => ({ page, language }) };
  };
  const inLanguages = <T>(page: Page, create: (page: Page, language: Language) => T): T[] =>
    (page.isTranslated ? LANGUAGES : LANGUAGES.slice(0, 1)).map((language) => create(page, language));
  const table = PAGES.flatMap((page) => inLanguages(page, createRead));
  const forms = PAGES.filter(({ submit }) => submit).flatMap((page) => inLanguages(page, createForm));
  const match: FindMatch<CachedRead> = createMatcher<CachedRead>(
    [...table, ...forms.map(({ basePath, route, policy }) => ({ basePath, route, policy }))],
    [],
    null,
  );
  const matchForm: FindMatch<FormPage> = createMatcher(forms, [], null);

  const submit = async (req: Request, res: Response, { page, language }: FormPage): Promise<void> => {
    const { context, faults } = contextFor(language, page.path, () => undefined);
    const formContext: FormContext = { ...context, lookAlikes };
    try {
      const made = await page.submit?.(formContext, fieldsOf(req.body));
      if (made) await sendPage(res, { status: made.status ?? 200, headers: NOT_KEPT, html: made.html.text });
    } catch (error) {
      throw faults[0] ?? error;
    }
  };
  /** Reads a form and answers it, unless that takes too long. */
  const answerForm = (found: FormPage): RequestHandler =>
    withDeadline((req, res, next) =>
      readForm(req, res, (error?: unknown) => {
        if (error) next(error);
        else submit(req, res, found).catch(next);
      }),
    );

  /** Answers what the fast path left: callers over their budget, and addresses that are not spelt as they should be. */
  const handler: RequestHandler = async (req, res, next) => {
    const { method, context } = req;
    const { caller, fault, target } = context;
    const form = method === 'POST' ? matchForm(method, target)?.read : undefined;
    if (form) {
      if (fault !== undefined) throw fault;
      if (caller) requireBudget(caller.budget, limits.pages);
      answerForm(form)(req, res, next);
      return;
    }
    if (method !== 'GET' && method !== 'HEAD') {
      next();
      return;
    }
    const found = match(method, target);
    if (!found?.read) {
      const [path = '/', query] = target.split('?', 2);
      const usual = path.replace(/\/+$/, '').toLowerCase() || '/';
      if (usual === path || !match(method, usual)?.read) {
        next();
        return;
      }
      const Location = query === undefined ? usual : `${usual}?${query}`;
      send(res, { status: 308, headers: { ...HEADERS, Location } });
      return;
    }
    if (fault !== undefined) throw fault;
    if (caller) requireBudget(caller.budget, limits[found.limit]);
    const { key, obtain } = found.read;
    const answer = await obtain();
    const body = await cache.encode(key, answer, codingFor(req.headers, answer.plain.length));
    const age = cache.ageOf(answer);
    const headers = { ...answer.headers, ...(age > 0 ? { Age: String(age) } : {}) };
    sendEncoded(res, { status: answer.status, headers, body });
  };

  /** Whether the caller is a person at a page: not below an API, and HTML is asked for by name. */
  const isForPerson: ToPage = (problem, req) => {
    const { target, id: requestId } = req.context;
    if (/^\/[^/]+\/v\d/.test(target) || !req.headers.accept?.includes('text/html')) return undefined;
    const path = target.split('?', 1)[0] ?? '/';
    const { context } = contextFor(languageAt(path), '/', () => undefined);
    return errorPage(context, { code: problem.code, requestId }).text;
  };

  return { match, handler, toPage: isForPerson };
};
