import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { PROBLEM_CODES, PROBLEMS, type ProblemCode } from '@broker-transparency/contract';
import type { OpenApiDocument } from '@broker-transparency/contract/openapi';
import { type RequestHandler, Router } from 'express';
import { addressKey, enforceLimit, type Limit } from '../rate-limit/limit.ts';
import { type Coding, codingFor, type EncodedBody, encodeBody } from '../response/encoded-body.ts';
import { sendBody } from '../response/reply.ts';
import { llmsText } from './llms.ts';

/** A visit of the reference loads five files: so many may be loaded in a minute as sixty visits need, where sixty reads may be sent. */
export const pagesOf = (publicRequests: number): number => 5 * publicRequests;

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** A file that the reference needs. Its address changes with its bytes, so that it can be kept for ever. */
const asset = (name: string, plain: Buffer) => {
  const extension = extname(name);
  const version = hash('sha256', plain, 'base64url').slice(0, 10);
  const path = `/docs/assets/${name.slice(0, -extension.length)}.${version}${extension}`;
  return { path, plain, type: TYPES[extension] as string };
};
/** Files of Swagger UI; its own index page names another API. */
const SWAGGER_UI = {
  'swagger-ui.css': import.meta.resolve('swagger-ui-dist/swagger-ui.css'),
  'swagger-ui-bundle.js': import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
} as const;
const ofSwaggerUi = (name: keyof typeof SWAGGER_UI) => asset(name, readFileSync(new URL(SWAGGER_UI[name])));

/** Pages run their own scripts and styles, and talk to this service, by whichever of its names they were opened. */
const pagePolicy = (origin: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self' ${origin}; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

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

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Text of the contract: backquotes mark code. */
const inline = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

const problemIndex = page(
  'Problems',
  `<main><p><a href="/docs">API reference</a></p><h1>Problems</h1><p>Every error the API answers, by its stable <code>code</code>.</p><ul>${PROBLEM_CODES.map(
    (code) =>
      `<li><a href="/problems/${code}"><code>${code}</code></a> ${PROBLEMS[code].status}: ${PROBLEMS[code].title}</li>`,
  ).join('')}</ul></main>`,
);

const startScript =
  "SwaggerUIBundle({url:'/openapi.json',dom_id:'#ui',deepLinking:true,defaultModelsExpandDepth:0,validatorUrl:null});";

/** The page of the reference, and the files that it needs. */
const reference = () => {
  const style = ofSwaggerUi('swagger-ui.css');
  const scripts = [ofSwaggerUi('swagger-ui-bundle.js'), asset('start.js', Buffer.from(startScript))];
  const body = `<div id="ui"></div>${scripts.map(({ path }) => `<script src="${path}"></script>`).join('')}`;
  const html = page('Reference', body, `<link rel="stylesheet" href="${style.path}">\n`);
  return { html, assets: [style, ...scripts] };
};

/** The same bytes in every coding that is asked for, each made once. */
const encodedOnce = (plain: Buffer, contentType: string) => {
  const bodies = new Map<Coding, Promise<EncodedBody>>();
  return (accepted: string | undefined): Promise<EncodedBody> => {
    const coding = codingFor(accepted, plain.length);
    const body = bodies.get(coding) ?? encodeBody(plain, coding, contentType);
    bodies.set(coding, body);
    return body;
  };
};

/** Where pages are; what is asked for below the others is looked up, so that metrics have few routes. */
const ROUTES = ['/openapi.json', '/llms.txt', '/docs', '/docs/assets/:file', '/problems', '/problems/:code'];

interface Page {
  readonly bodyFor: ReturnType<typeof encodedOnce>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Every page and file, by its path. */
const allPages = (openApi: OpenApiDocument, publicUrl: string): ReadonlyMap<string, Page> => {
  const pages = new Map<string, Page>();
  const add = (path: string, plain: Buffer, type: string, cache: string, headers = {}): void => {
    pages.set(path, {
      bodyFor: encodedOnce(plain, type),
      headers: { 'Cache-Control': `public, ${cache}`, ...headers },
    });
  };
  const { origin } = new URL(publicUrl);
  const policy = pagePolicy(origin);
  const addHtml = (path: string, text: string): void =>
    add(path, Buffer.from(text), 'text/html; charset=utf-8', 'max-age=300', { 'Content-Security-Policy': policy });
  const { html, assets } = reference();
  add('/openapi.json', Buffer.from(JSON.stringify(openApi)), 'application/json', 'max-age=30');
  add('/llms.txt', Buffer.from(llmsText(openApi, origin)), 'text/plain; charset=utf-8', 'max-age=300');
  addHtml('/docs', html);
  for (const { path, plain, type } of assets) add(path, plain, type, 'max-age=31536000, immutable');
  addHtml('/problems', problemIndex);
  for (const code of PROBLEM_CODES) addHtml(`/problems/${code}`, problemPage(code));
  return pages;
};

/** The pages beside the API, under a budget of their own: its OpenAPI document, what is made of it for people and language models, and what each problem means. */
export const pageRoutes = (openApi: OpenApiDocument, publicUrl: string, limit: Limit): Router => {
  const router = Router({ caseSensitive: true, strict: true });
  const pages = allPages(openApi, publicUrl);
  const answer: RequestHandler = async (req, res, next) => {
    const found = pages.get(req.path);
    if (!found) {
      next();
      return;
    }
    await enforceLimit(limit, addressKey(req), res);
    const body = await found.bodyFor(req.get('Accept-Encoding'));
    sendBody(req, res.set(found.headers), body);
  };
  for (const route of ROUTES) router.get(route, answer); // one by one: metrics name the route by its path
  return router;
};
