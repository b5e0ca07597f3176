import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROBLEM_CODES, PROBLEMS, type ProblemCode } from '@broker-transparency/contract';
import express, { Router } from 'express';
import { type Coding, codingFor, type Form, makeForm } from './forms.ts';
import { sendForm } from './replies.ts';

/** Swagger UI is a set of static files; its own index page names another API. */
const swaggerUi = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')));

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

const docsPage = page(
  'Reference',
  '<div id="ui"></div><script src="/docs/assets/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script>',
  '<link rel="stylesheet" href="/docs/assets/swagger-ui.css">\n',
);
const startScript =
  "SwaggerUIBundle({url:'/openapi.json',dom_id:'#ui',deepLinking:true,defaultModelsExpandDepth:0,validatorUrl:null});";

const isProblemCode = (code: string): code is ProblemCode => code in PROBLEMS && Object.hasOwn(PROBLEMS, code);

/** The same bytes in every coding that is asked for, made once: nothing limits who asks for them. */
const readyForms = (plain: Buffer) => {
  const forms = new Map<Coding, Promise<Form>>();
  return (accepted: string | undefined): Promise<Form> => {
    const coding = codingFor(accepted, plain.length);
    const form = forms.get(coding) ?? makeForm(plain, coding);
    forms.set(coding, form);
    return form;
  };
};

/** The pages beside the API: its OpenAPI document, the reference made of it, and what each problem code means. */
export const pageRoutes = (openApi: unknown, publicUrl: string): Router => {
  const policy = pagePolicy(new URL(publicUrl).origin);
  const router = Router({ caseSensitive: true, strict: true });
  const document = readyForms(Buffer.from(JSON.stringify(openApi)));
  router.get('/openapi.json', async (req, res) => {
    res.set('Cache-Control', 'public, max-age=30');
    sendForm(req, res, await document(req.get('Accept-Encoding')));
  });
  const html =
    (text: string): express.RequestHandler =>
    (_req, res) => {
      res.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'public, max-age=300' }).type('html').send(text);
    };
  router.get('/docs', html(docsPage));
  router.get('/docs/start.js', (_req, res) => {
    res.set('Cache-Control', 'public, max-age=300').type('text/javascript').send(startScript);
  });
  router.use(
    '/docs/assets',
    express.static(swaggerUi, {
      ...{ index: false, redirect: false, acceptRanges: false },
      setHeaders: (res) => res.setHeader('Cache-Control', 'public, max-age=86400'),
    }),
  );
  router.get('/problems', html(problemIndex));
  router.get('/problems/:code', (req, res, next) => {
    const { code } = req.params;
    if (isProblemCode(code)) html(problemPage(code))(req, res, next);
    else next();
  });
  return router;
};
