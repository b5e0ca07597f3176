import { timingSafeEqual } from 'node:crypto';
import {
  addressIn,
  FORM_TOKEN_FIELD,
  LANGUAGES,
  type Language,
  type PrivateActions,
  type PrivateContext,
  type PrivatePage,
  type PrivateResponse,
  refusedPage,
  type Visitor,
} from '@broker-transparency/portal';
import type { Request, RequestHandler, Response } from 'express';
import type { PersonSession } from '../http/auth/person-session.ts';
import { ProblemError } from '../http/problem/problem.ts';
import { type BudgetLimits, enforceLimit, type Limit, requireBudget } from '../http/rate-limit/limit.ts';
import { readLongForm } from '../http/request/body.ts';
import { createAddressFormatter, type RequestParams } from '../http/request/canonical.ts';
import { type Cookies, createCookies } from '../http/request/cookies.ts';
import { withDeadline } from '../http/request/deadline.ts';
import { type ApiRoute, createMatcher, type FindMatch } from '../http/request/match.ts';
import { isOwnForm } from '../http/request/own-form.rule.ts';
import { CORS_HEADERS } from '../http/response/headers.ts';
import { send, sendPage } from '../http/response/reply.ts';
import type { ContextFor } from './context.ts';
import { toFields } from './forms.ts';

/** The sender of a request for a private page. */
export interface Asker {
  /** Undefined if nobody is signed in. */
  readonly session: PersonSession | undefined;
  readonly visitor: Visitor | undefined;
  readonly cookies: Cookies;
  /** Key of the network address that requests are counted for. */
  readonly address: string;
  /** Code of the language of the page. */
  readonly language: string;
}

/** The parts of private pages. */
export interface PrivateParts {
  readonly pages: readonly PrivatePage[];
  /** Returns the session of a cookie; undefined if it has ended, or never was. */
  readonly findSession: (cookie: string) => Promise<PersonSession | undefined>;
  readonly describeVisitor: (session: PersonSession) => Promise<Visitor>;
  readonly actionsFor: (asker: Asker) => PrivateActions;
}

interface MountParts extends PrivateParts {
  readonly contextFor: ContextFor;
  readonly limits: BudgetLimits;
  /** Budget of forms. */
  readonly writing: Limit;
  readonly publicUrl: string;
}

/** Headers of every answer. A page tells its own address to its own forms alone. */
const PRIVATE_HEADERS = {
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Robots-Tag': 'noindex',
} as const;

/** A private page in a language, as it was asked for. */
interface FoundPage {
  readonly page: PrivatePage;
  readonly language: Language;
  readonly asked: RequestParams;
}

const ACCESS = { access: 'public', limit: 'pages' } as const;

const listLanguages = ({ isTranslated }: PrivatePage): readonly Language[] =>
  isTranslated ? LANGUAGES : LANGUAGES.slice(0, 1);

const createRoutes = (page: PrivatePage): ApiRoute<FoundPage>[] =>
  listLanguages(page).flatMap((language) =>
    (page.submit ? (['GET', 'POST'] as const) : (['GET'] as const)).map((method) => ({
      basePath: '',
      route: { method, path: addressIn(language, page.path), pathParams: page.params, query: page.query },
      policy: ACCESS,
      read: (asked) => ({ page, language, asked }),
    })),
  );

const isSameToken = (given: string | undefined, expected: string): boolean => {
  const [one, two] = [Buffer.from(given ?? ''), Buffer.from(expected)];
  return one.length === two.length && timingSafeEqual(one, two);
};

/** Returns the address that signs in and then leads to a page. */
const toSignIn = (path: string): string => `/sign-in?${new URLSearchParams({ to: path })}`;

const sendResponse = async (res: Response, language: Language, response: PrivateResponse, headers: object) => {
  const head = { ...PRIVATE_HEADERS, ...headers };
  if ('isMissing' in response)
    throw new ProblemError('not_found', response.reason ?? 'There is nothing at this address.');
  if ('html' in response) {
    await sendPage(res, { status: response.status ?? 200, headers: head, html: response.html.text });
  } else if ('file' in response) {
    const { name, contentType, text } = response.file;
    const file = { 'Content-Type': contentType, 'Content-Disposition': `attachment; filename="${name}"` };
    send(res, { status: 200, headers: { ...head, ...file }, body: text });
  } else {
    const Location = 'seeOther' in response ? addressIn(language, response.seeOther) : response.leaveTo;
    send(res, { status: 303, headers: { ...head, Location, 'Content-Length': '0' } });
  }
};

/** Returns the answer to a person who may not read a page; undefined if they may. */
const refuse = ({ page }: FoundPage, context: PrivateContext): PrivateResponse | undefined => {
  const { visitor } = context;
  if (page.needs === 'nobody') return undefined;
  if (!visitor) return { seeOther: toSignIn(`${context.path}${context.query}`) };
  if (page.needs === 'operator' && !visitor.operator) return { status: 403, html: refusedPage(context, 'operator') };
  return undefined;
};

/** The private pages as routes, and their handler for Express. */
interface PrivateSite {
  /** Routes that are counted like pages; none of them is cached. */
  readonly routes: readonly ApiRoute<never>[];
  readonly handler: RequestHandler;
}

/** Mounts the pages that are made for one reader. Only they read the cookie of a session. */
export const createPrivateSite = (parts: MountParts): PrivateSite => {
  const { pages, contextFor, limits, writing, publicUrl, findSession, describeVisitor, actionsFor } = parts;
  const routes = pages.flatMap(createRoutes);
  const match: FindMatch<FoundPage> = createMatcher<FoundPage>(routes, [], null);
  const openCookies = createCookies(publicUrl);

  const openContext = async (req: Request, res: Response, { page, language, asked }: FoundPage) => {
    const cookies = openCookies(req, res);
    const cookie = cookies.read('session');
    const session = cookie === undefined ? undefined : await findSession(cookie);
    const visitor = session && (await describeVisitor(session));
    const address = createAddressFormatter({ path: page.path, query: page.query }, '')(asked);
    const { context, findCause } = contextFor(language, address, () => undefined);
    const asker = { session, visitor, cookies, address: req.context.asker ?? '', language: language.texts.code };
    const actions = actionsFor(asker);
    return { context: { ...context, visitor, formToken: session?.formToken ?? '', actions }, findCause };
  };

  const answer = async (req: Request, res: Response, found: FoundPage): Promise<void> => {
    const { page, language, asked } = found;
    const { context, findCause } = await openContext(req, res, found);
    const respond = async (): Promise<PrivateResponse> => {
      const isForm = req.method === 'POST';
      const fields = isForm ? toFields(req.body) : {};
      const refused = refuse(found, context);
      if (!isForm) return refused ?? page.render(context, asked);
      const refusal = refused ?? ({ status: 403, html: refusedPage(context, 'form') } as const);
      if (!isOwnForm(req.headers, publicUrl)) return refusal;
      // nobody loses a text that they typed while their session ended
      if (refused || !isSameToken(fields[FORM_TOKEN_FIELD] ?? '', context.formToken))
        return (await page.keep?.(context, asked, fields)) ?? refusal;
      return page.submit?.(context, asked, fields) ?? { isMissing: true };
    };
    try {
      // browsers send no `Origin` with the forms of a page that says `no-referrer`
      const referrer = { 'Referrer-Policy': page.hasSecret ? 'strict-origin' : 'same-origin' };
      await sendResponse(res, language, await respond(), referrer);
    } catch (error) {
      throw findCause(error);
    }
  };

  const handler: RequestHandler = async (req, res, next) => {
    const { context } = req;
    const { method, target, caller, fault } = context;
    const found = match(method, target)?.read;
    if (!found) {
      next();
      return;
    }
    if (fault !== undefined) throw fault;
    for (const name of Object.keys(CORS_HEADERS)) delete context.headers[name]; // no page of another site reads it
    if (caller) requireBudget(caller.budget, limits.pages);
    const isForm = method === 'POST';
    // operators decide faster than people write: their forms count as pages alone
    if (isForm && caller && found.page.needs !== 'operator') await enforceLimit(writing, caller.key, req);
    withDeadline((req, res, next) => {
      const finish = (error?: unknown): void => {
        if (error) next(error);
        else answer(req, res, found).catch(next);
      };
      if (isForm) readLongForm(req, res, finish);
      else finish();
    }, found.page.waits)(req, res, next);
  };

  return { routes: routes.map(({ basePath, route, policy }) => ({ basePath, route, policy })), handler };
};
