import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { extname } from 'node:path';
import { PROBLEM_CODES, PROBLEMS, type ProblemCode } from '@broker-transparency/contract';
import type { RequestHandler, Router } from 'express';
import { addressKey, enforceLimit, type Limit } from '../rate-limit/limit.ts';
import { type Coding, codingFor, type EncodedBody, encodeBody } from '../response/encoded-body.ts';
import { sendEncoded } from '../response/reply.ts';
import { type Documents, llmsText, type OtherDocument } from './llms.ts';
import { readOnly } from './read-only.ts';

/** How many pages a caller may load in a minute. A visit of the reference loads five files. */
export const pagesOf = (publicRequests: number): number => 5 * publicRequests;

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** A file of the reference. Its address changes with its bytes, so callers may keep it for ever. */
const asset = (name: string, plain: Buffer) => {
  const extension = extname(name);
  const version = hash('sha256', plain, 'base64url').slice(0, 10);
  const path = `/docs/assets/${name.slice(0, -extension.length)}.${version}${extension}`;
  return { path, plain, type: TYPES[extension] as string };
};
/** Files of Swagger UI. Its own index page is left out: it names another API. */
const SWAGGER_UI = {
  'swagger-ui.css': import.meta.resolve('swagger-ui-dist/swagger-ui.css'),
  'swagger-ui-bundle.js': import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
} as const;
const ofSwaggerUi = (name: keyof typeof SWAGGER_UI) => asset(name, readFileSync(new URL(SWAGGER_UI[name])));

/**
 * Pages run their own scripts and styles. They talk to this service, by its public name or the one they were opened by.
 */
const pagePolicy = (origin: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; ` +
  `connect-src 'self' ${origin}; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

const page = (title: string, body: string, head = ''): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} · Broker transparency API</title>
${head}<style>body{font:16px/1.6 system-ui,sans-serif;margin:0;color:#1b1f24}main{max-width:42rem;margin:3rem auto;padding:0 1rem}code{background:#f0f2f5;padding:.1em .3em;border-radius:4px}a{color:#0b57d0}</style>
</head>
<body>${body}</body>
</html>
`;

const problemPage = (code: ProblemCode): string => {
  const { status, title, cure } = PROBLEMS[code];
  return page(
    title,
    `<main><p><a href="/docs">API reference</a> · <a href="/problems">All problems</a></p>
<h1>${title}</h1>
<p>Code <code>${code}</code>, HTTP status <code>${status}</code></p>
<p>${inline(cure)}</p></main>`,
  );
};

/** Text as HTML. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Text of the contract as HTML. Backquotes mark code. */
const inline = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

const problemIndex = page(
  'Problems',
  `<main><p><a href="/docs">API reference</a></p><h1>Problems</h1><p>Every error the API answers, by its stable <code>code</code>.</p><ul>${PROBLEM_CODES.map(
    (code) =>
      `<li><a href="/problems/${code}"><code>${code}</code></a> ${PROBLEMS[code].status}: ${PROBLEMS[code].title}</li>`,
  ).join('')}</ul></main>`,
);

const startScript = (url: string): string =>
  `SwaggerUIBundle({url:'${url}',dom_id:'#ui',deepLinking:true,defaultModelsExpandDepth:0,validatorUrl:null});`;

/** A page that shows an OpenAPI document, and its files. */
const reference = (title: string, url: string) => {
  const [style, script] = [ofSwaggerUi('swagger-ui.css'), ofSwaggerUi('swagger-ui-bundle.js')];
  const start = asset(`start${url.slice(0, -extname(url).length).replace('/', '-')}.js`, Buffer.from(startScript(url)));
  const scripts = [script, start].map(({ path }) => `<script src="${path}"></script>`).join('');
  const html = page(title, `<div id="ui"></div>${scripts}`, `<link rel="stylesheet" href="${style.path}">\n`);
  return { html, assets: [style, script, start] };
};

/** The same bytes in each coding that is asked for. Each is made once. */
const encodedOnce = (plain: Buffer, contentType: string) => {
  const bodies = new Map<Coding, Promise<EncodedBody>>();
  return (headers: IncomingHttpHeaders): Promise<EncodedBody> => {
    const coding = codingFor(headers, plain.length);
    const body = bodies.get(coding) ?? encodeBody(plain, coding, contentType);
    bodies.set(coding, body);
    return body;
  };
};

interface Page {
  readonly bodyFor: ReturnType<typeof encodedOnce>;
  readonly headers: Readonly<Record<string, string>>;
}

const toPage = (plain: Buffer, type: string, cache: string): Page => ({
  bodyFor: encodedOnce(plain, type),
  headers: { 'Cache-Control': `public, ${cache}` },
});

/** A page of HTML that another part of the service hands in. */
export interface OwnPage {
  readonly path: string;
  readonly title: string;
  /** HTML of its body. */
  readonly body: string;
}

/** A whole page that another part of the service hands in. Its only script is in it. */
export interface WholePage {
  readonly path: string;
  readonly html: string;
  /** Whether its script asks this service. */
  readonly asks: boolean;
}

/** What the pages are made of. */
export interface PageParts {
  /** The documents of the public contracts; undefined where they are not served. */
  readonly documents: Pick<Documents, 'api' | 'record'> | undefined;
  readonly others: readonly OtherDocument[];
  readonly own: readonly OwnPage[];
  readonly whole: readonly WholePage[];
  /** Files that pages load. Their addresses change with their bytes. */
  readonly files: readonly { readonly path: string; readonly plain: Buffer; readonly type: string }[];
}

type Pages = readonly (readonly [path: string, page: Page])[];

const toJson = (document: object): Page =>
  toPage(Buffer.from(JSON.stringify(document)), 'application/json', 'max-age=30');

/** Only the script that is in the page runs, and it talks to this service at most. */
const wholePage = ({ html, asks }: WholePage): Page => {
  const script = html.slice(html.indexOf('<script>') + '<script>'.length, html.lastIndexOf('</script>'));
  const policy =
    `default-src 'none'; script-src 'sha256-${hash('sha256', script, 'base64')}'; style-src 'unsafe-inline'; ` +
    `${asks ? "connect-src 'self'; " : ''}frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;
  const { bodyFor, headers } = toPage(Buffer.from(html), 'text/html; charset=utf-8', 'max-age=300');
  return { bodyFor, headers: { ...headers, 'Content-Security-Policy': policy } };
};

/** Every page and file, by its path. */
const allPages = (
  { documents, others, own, whole, files }: PageParts,
  publicUrl: string,
): ReadonlyMap<string, Page> => {
  const { origin } = new URL(publicUrl);
  const policy = { 'Content-Security-Policy': pagePolicy(origin) };
  const toHtml = (text: string): Page => {
    const { bodyFor, headers } = toPage(Buffer.from(text), 'text/html; charset=utf-8', 'max-age=300');
    return { bodyFor, headers: { ...headers, ...policy } };
  };
  /** A document and its form for people. The name of a part is in both addresses. */
  const describe = (name: string, title: string, document: object): Pages => {
    const url = `/openapi${name && `-${name}`}.json`;
    const { html, assets } = reference(title, url);
    return [
      [url, toJson(document)],
      [`/docs${name && `/${name}`}`, toHtml(html)],
      ...assets.map(({ path, plain, type }) => [path, toPage(plain, type, 'max-age=31536000, immutable')] as const),
    ];
  };
  const describePublic = ({ api, record }: Pick<Documents, 'api' | 'record'>): Pages => {
    const llms = Buffer.from(llmsText({ api, record, others }, origin));
    return [
      ...describe('', 'Reference', api),
      ...describe('record', 'Reference of the record', record),
      ['/llms.txt', toPage(llms, 'text/plain; charset=utf-8', 'max-age=300')],
    ];
  };
  return new Map<string, Page>([
    ...(documents ? describePublic(documents) : []),
    ...others.flatMap(({ name, title, document }) => describe(name, title, document)),
    ...own.map(({ path, title, body }) => [path, toHtml(page(title, body))] as const),
    ...whole.map((one) => [one.path, wholePage(one)] as const),
    ...files.map(({ path, plain, type }) => [path, toPage(plain, type, 'max-age=31536000, immutable')] as const),
    ['/problems', toHtml(problemIndex)],
    ...PROBLEM_CODES.map((code) => [`/problems/${code}`, toHtml(problemPage(code))] as const),
  ]);
};

/** Routes of pages that there are many of. Metrics name a request by its route, so there are few. */
const SHARED_ROUTES = {
  '/docs/assets/': '/docs/assets/:file',
  '/assets/': '/assets/:file',
  '/problems/': '/problems/:code',
};

const routeOf = (path: string): string =>
  Object.entries(SHARED_ROUTES).find(([beginning]) => path.startsWith(beginning))?.[1] ?? path;

/**
 * The pages beside the API, with a budget of their own: the OpenAPI documents, their forms for people and for
 * language models, a page for each problem, and those that are handed in.
 */
export const pageRoutes = (parts: PageParts, publicUrl: string, limit: Limit): Router => {
  const pages = allPages(parts, publicUrl);
  const answer: RequestHandler = async (req, res, next) => {
    const found = pages.get(req.path);
    if (!found) {
      next();
      return;
    }
    await enforceLimit(limit, addressKey(req), req);
    sendEncoded(res, { status: 200, headers: found.headers, body: await found.bodyFor(req.headers) });
  };
  const routes = new Set([...pages.keys()].map(routeOf));
  return readOnly(Object.fromEntries([...routes].map((route) => [route, answer])));
};
