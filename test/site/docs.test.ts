import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PROBLEM_CODES, PROBLEMS } from '@broker-transparency/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDemoProcess } from '../support/demo-service.ts';
import { createScratch } from '../support/files.ts';
import { type HttpResponse, send } from '../support/http.ts';
import type { Service } from '../support/process.ts';
import { untilAllSigned } from '../support/signed-log.ts';

let service: Service;
beforeAll(async () => {
  service = await startDemoProcess();
  await untilAllSigned(service, 'demo');
});
afterAll(() => service?.remove());

const get = (path: string): Promise<HttpResponse> => send(`${service.origin}${path}`);
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const plain = (html: string): string => html.replace(/&([a-z]+|#39);/g, (_, name: string) => ENTITIES[name] ?? '');
const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found]) => plain(found ?? ''));
const listLinks = (text: string): string[] => all(text, / href="([^"]+)"/g);

/** Pages that this part of the site has. */
const OWN = /^\/(docs|problems|verify|enterprise|openapi|llms|status)/;

/** All pages that the documentation leads to, found by its links. */
const pages = new Map<string, HttpResponse>();
const visit = async (first: string): Promise<void> => {
  for (const queue = [first]; queue.length > 0; ) {
    const path = queue.pop() as string;
    if (pages.has(path)) continue;
    const answer = await get(path);
    pages.set(path, answer);
    if (!answer.headers['content-type']?.startsWith('text/html')) continue;
    const links = listLinks(answer.text).map((href) => href.split('#', 1)[0] as string);
    queue.push(...links.filter((href) => OWN.test(href)));
  }
};

describe('the documentation', () => {
  beforeAll(() => visit('/docs'));

  test('the documentation has no broken link, and leads to all its pages', () => {
    const broken = [...pages].filter(([, { status }]) => status !== 200).map(([path]) => path);
    expect(broken).toEqual([]);
    const found = [...pages.keys()];
    for (const path of ['/docs/guides/api', '/docs/guides/enterprise-webhooks', '/docs/guides/changelog', '/verify'])
      expect(found).toContain(path);
    expect(found.filter((path) => path.startsWith('/docs/reference/')).length).toBeGreaterThan(40);
    for (const code of PROBLEM_CODES) expect(found).toContain(`/problems/${code}`);
  });

  test('pages of the documentation have one first heading and a title, and run nothing that is in them', () => {
    for (const [path, { text, headers }] of pages) {
      if (!/^\/(docs|problems)/.test(path) || !headers['content-type']?.startsWith('text/html')) continue;
      expect(all(text, /<h1[ >](.)/g), path).toHaveLength(1);
      expect(text, path).toMatch(/<title>[^<]+ · Documentation · Broker transparency<\/title>/);
      expect(text, path).not.toMatch(/ style="|<style|<script(?! type="module" src="\/assets\/)/);
      expect(headers['content-security-policy'], path).not.toContain('unsafe');
    }
  });

  test('every call of every document has a page that names its parameters, fields and errors', async () => {
    const calls: string[] = [];
    for (const name of ['', '-record', '-account', '-enterprise']) {
      const { paths } = (await get(`/openapi${name}.json`)).json<{
        paths: Record<string, Record<string, { summary: string; parameters: { name: string }[] }>>;
      }>();
      for (const [path, methods] of Object.entries(paths))
        for (const [method, { summary, parameters }] of Object.entries(methods)) {
          const request = `<code>${method.toUpperCase()} ${path}</code>`;
          const page = [...pages].find(
            ([at, { text }]) => at.includes(name.slice(1)) && text.includes(`dir="ltr">${request}`),
          );
          calls.push(`${method} ${path}`);
          expect(page, request).toBeDefined();
          for (const parameter of parameters) expect(page?.[1].text).toContain(`<dt><code>${parameter.name}</code>`);
          expect(plain(page?.[1].text ?? '')).toContain(summary);
          expect(page?.[1].text).toContain('href="/problems/rate_limited"');
        }
    }
    expect(calls.length).toBeGreaterThan(40);
  });

  test.each(PROBLEM_CODES)('says what %s means and what to do', (code) => {
    const text = plain(pages.get(`/problems/${code}`)?.text ?? '').replace(/<\/?code>/g, '');
    expect(text).toContain(PROBLEMS[code].title);
    expect(text).toContain(PROBLEMS[code].cure.replaceAll('`', ''));
  });

  test('the first page begins with a call in three languages, and leaves guides for operators to a page of their own', () => {
    const first = pages.get('/docs')?.text ?? '';
    const samples = all(first, /data-sample="(\w+)"/g);
    expect(samples).toEqual(['curl', 'typescript', 'python']);
    expect(first.indexOf('data-sample')).toBeLessThan(first.indexOf('/docs/reference/api"'));
    const isOperating = (href: string) => href.startsWith('/docs/guides/operating');
    expect(listLinks(first).filter(isOperating)).toEqual([]);
    expect(listLinks(first)).toContain('/docs/operating');
    expect(listLinks(pages.get('/docs/operating')?.text ?? '').filter(isOperating).length).toBeGreaterThan(20);
    expect(listLinks(pages.get('/docs/guides/operating-backup')?.text ?? '')).toContain('/docs/operating');
  });

  test.each([
    ['/docs/reference', '/docs/reference/api'],
    ['/de/docs/reference', '/de/docs/reference/api'],
  ])('redirects %s to %s', async (path, target) => {
    const { status, headers } = await get(path);
    expect([status, headers['location']]).toEqual([308, target]);
  });

  test.each(['/docs/guides/nothing', '/docs/reference/api/nothing', '/docs/reference/nothing', '/problems/nothing'])(
    'answers 404 for %s',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );

  test('samples of the documentation ask this service, except those for operators', () => {
    for (const name of ['record', 'enterprise-feed'])
      expect(plain(pages.get(`/docs/guides/${name}`)?.text ?? '')).toContain(`'${service.origin}/`);
    for (const name of ['client', 'enterprise', 'operating-warnings'])
      expect(pages.get(`/docs/guides/${name}`)?.text).not.toContain(`${service.origin}/api`);
  });

  test('the frame of the documentation is in German too, its texts are marked as English, its links stay', async () => {
    const { text } = await get('/de/docs/guides/log');
    expect(text).toContain('<html lang="de"');
    expect(text).toContain('<h1 lang="en" dir="ltr">The transparency log</h1>');
    expect(listLinks(text)).toContain('/de/docs/guides/record');
    expect(listLinks(text)).not.toContain('/docs/guides/record');
    expect(listLinks((await get('/de/methodology/2026-1')).text)).toContain('/de/docs/guides/matching');
    expect(text).toMatch(/<ul lang="en"><li><a href="\/de\/docs\/guides\/api">/);
    expect(text).toMatch(/<span class="soft">Weiter<\/span> <span lang="en">/);
  });
});

describe('the files of a methodology', () => {
  const files = ['/methodology/2026-1.py', '/methodology/2026-1.ndjson'];

  test('the files of a methodology are served, and its page leads to them in each language', async () => {
    for (const page of ['/methodology/2026-1', '/de/methodology/2026-1'])
      expect(listLinks((await get(page)).text)).toEqual(expect.arrayContaining(files));
    expect((await get('/methodology/2026-1.py')).headers['content-type']).toContain('python');
    const { text, headers } = await get('/methodology/2026-1.ndjson');
    expect(headers['content-type']).toContain('ndjson');
    expect(text).toContain('"methodologyVersion":"2026-1"');
  });

  test('the files of a methodology recompute all digits of every published broker', async () => {
    const slugs = JSON.parse((await get('/api/v1/brokers?limit=100')).text).data.map(
      ({ slug }: { slug: string }) => slug,
    );
    const answers: string[] = [];
    for (const slug of slugs) answers.push((await get(`/api/v1/brokers/${slug}`)).text);
    const scratch = await createScratch();
    const script = await scratch.write('score.py', (await get('/methodology/2026-1.py')).text);
    const lines = await scratch.write('answers.ndjson', answers.map((answer) => `${answer}\n`).join(''));
    const { stdout } = await promisify(execFile)('python3', [script, lines]).finally(scratch.remove);
    expect(stdout).toBe(`${slugs.length} scores recomputed, 0 differ\n`);
    expect(slugs.length).toBeGreaterThan(3);
  });
});

describe('the search of the documentation', () => {
  test.each([
    ['idempotency key', '/docs/guides/api#'],
    ['webhok signature', '/docs/guides/enterprise-webhooks'],
    ['/brokers/{slug}/at', '/docs/reference/record/brokers-at'],
    ['rate_limited', '/problems/rate_limited'],
  ])('the search of the documentation finds %s without script', async (words, path) => {
    const { text } = await get(`/docs/search?q=${encodeURIComponent(words)}`);
    const [results = ''] = all(text, /<ol class="plain">(.*?)<\/ol>/gs);
    expect(listLinks(results).some((link) => link.startsWith(path))).toBe(true);
    expect(text).toContain('<meta name="robots" content="noindex">');
  });

  test('the search for a word of readers finds pages that explain it first, and no guide for operators', async () => {
    const { text } = await get('/docs/search?q=score');
    const [results = ''] = all(text, /<ol class="plain">(.*?)<\/ol>/gs);
    const places = listLinks(results).slice(0, 5);
    expect(places.filter((path) => path.startsWith('/docs/guides/operating'))).toEqual([]);
    expect(results.slice(0, 2000)).not.toContain('import ');
  });

  test('the search says that nothing was found, and shows the question as text', async () => {
    const words = '"><script>alert(1)</script>';
    const { status, text } = await get(`/docs/search?q=${encodeURIComponent(words)}`);
    expect([status, text.includes('<script>alert')]).toEqual([200, false]);
    expect(text).toContain('Nothing found');
    expect((await get('/docs/search')).status).toBe(200);
  });

  test('the script of the search gets every place, each with an address that is there', async () => {
    const places = (await get('/de/docs/headings.json')).json<{ title: string; path: string }[]>();
    expect(places.length).toBeGreaterThan(400);
    expect(places.find(({ title }) => title === 'The transparency log')?.path).toBe('/de/docs/guides/log');
  });
});

/**
 * Calls whose sample asks for what a service with demo data has not: nobody has measured or published it yet, the
 * submission is an example, or no mail is sent.
 */
const ANSWERED: Readonly<Record<string, number>> = {
  'record/service-level-day': 404,
  'record/service-level-month': 404,
  'record/service-level-canary': 404,
  'account/reviews-proof': 404,
  'account/reviews-withdraw': 404,
  'account/reviews-appeal': 404,
  'account/reports-create': 404,
  'account/reports-appeal': 404,
  'account/mail-request': 409,
  'account/mail-confirm': 409,
  'enterprise/snapshots-get': 404,
  'enterprise/service-level-report': 404,
};

describe('samples', () => {
  const folder = fileURLToPath(new URL('samples.tmp/', import.meta.url));
  const samples = { curl: [] as string[], typescript: [] as string[], python: [] as string[] };
  const names: string[] = [];
  let env: NodeJS.ProcessEnv;
  let brokers: string[];

  beforeAll(async () => {
    const output = service.output();
    env = { ...process.env, TOKEN: /btr_\S+/.exec(output)?.[0], KEY: /bte_sandbox_\S+/.exec(output)?.[0] };
    const { data } = (await get('/api/v1/brokers?limit=5')).json<{ data: { slug: string }[] }>();
    brokers = data.map(({ slug }) => slug).filter((slug) => slug !== 'alpha-markets');
    const links = all((await get('/docs/reference/api')).text, / href="(\/docs\/reference\/\w+)"/g);
    for (const path of new Set(links)) {
      const calls = all((await get(path)).text, /<ul class="calls"[^>]*>(.*?)<\/ul>/gs).flatMap(listLinks);
      for (const call of calls) {
        const { text } = await get(call);
        names.push(call.slice('/docs/reference/'.length));
        for (const language of ['curl', 'typescript', 'python'] as const)
          samples[language].push(...all(text, new RegExp(`data-sample="${language}">(.*?)</code>`, 'gs')));
      }
    }
    await mkdir(folder, { recursive: true });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const asCustomer = (path: string, asked: object): Promise<HttpResponse> =>
    send(`${service.origin}/enterprise/v1${path}`, { token: env['KEY'], ...asked });

  /** A webhook of the sandbox: what samples name is an example. */
  const createWebhook = async (): Promise<string> => {
    const answer = await asCustomer('/webhooks', { body: { url: 'https://news.example/hooks', kinds: ['warning'] } });
    return answer.json<{ endpoint: { id: string } }>().endpoint.id;
  };

  /** Samples with the names of what is there. A person can review a broker once, so each language has its own. */
  const adapted = async (texts: readonly string[], broker: string): Promise<string[]> => {
    const [kept, removed] = [await createWebhook(), await createWebhook()];
    await asCustomer('/watchlists/clients', { method: 'PUT', body: { brokers: [broker] } });
    return texts.map((text, at) =>
      (names[at] === 'api/reviews-create' ? text.replace('alpha-markets', broker) : text).replace(
        '6730f1d2a3b4c5d6e7f80912',
        names[at] === 'enterprise/webhooks-remove' ? removed : kept,
      ),
    );
  };

  /** Refuses what is not answered as documented. */
  const check = (statuses: readonly unknown[]): void => {
    const wrong = names.flatMap((name, at) => {
      const status = Number(statuses[at]);
      const good = ANSWERED[name] === undefined ? status >= 200 && status < 300 : status === ANSWERED[name];
      return good ? [] : [`${name}: ${statuses[at]}`];
    });
    expect(wrong).toEqual([]);
    expect(statuses).toHaveLength(names.length);
  };
  const run = promisify(execFile);

  test('each call has a sample in each language, that of TypeScript with the client', () => {
    expect(names.length).toBeGreaterThan(40);
    expect(samples.typescript.filter((text) => !text.includes('await client.'))).toEqual([]);
    expect(Object.values(samples).map(({ length }) => length)).toEqual([names.length, names.length, names.length]);
  });

  test('samples run with curl', async () => {
    const texts = await adapted(samples.curl, brokers[0] as string);
    const script = `curl() { command curl -sS -o /dev/null -w '%{http_code}\\n' "$@"; }\n${texts.join('\n')}`;
    const { stdout, stderr } = await run('bash', ['-c', script], { env });
    expect(stderr).toBe('');
    check(stdout.trim().split('\n'));
  });

  test('samples run in TypeScript', async () => {
    const texts = await adapted(samples.typescript, brokers[1] as string);
    const files = texts.map((_, at) => join(folder, `${at}.ts`));
    await Promise.all(texts.map((text, at) => writeFile(files[at] as string, `${text}export {};\n`)));
    const runner = fileURLToPath(new URL('run-samples.ts', import.meta.url));
    const { stdout } = await run(process.execPath, [runner, ...files], { env });
    check(JSON.parse(stdout));
  });

  test('samples run in Python', async () => {
    const texts = await adapted(samples.python, brokers[2] as string);
    const file = join(folder, 'samples.json');
    await writeFile(file, JSON.stringify(texts));
    const runner = `
import contextlib, io, json, sys, urllib.error
results = []
for text in json.load(open(sys.argv[1])):
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            exec(compile(text, "sample", "exec"), {})
        results.append(said.getvalue().split()[0])
    except urllib.error.HTTPError as error:
        results.append(error.code)
print(json.dumps(results))`;
    const { stdout } = await run('python3', ['-c', runner, file], { env });
    check(JSON.parse(stdout));
  });
});
