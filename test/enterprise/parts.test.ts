import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { AGREEMENT_VERSION, ENTERPRISE_BASE_PATH, PLAN_NAMES, PLANS } from '@broker-transparency/contract/enterprise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findDatabaseUrl, inDatabase } from '../support/database.ts';
import { startDemoService } from '../support/demo-service.ts';
import { importRows, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { listCurls } from '../support/markdown.ts';
import { runCli, type Service, startProcess } from '../support/process.ts';
import { brokerRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';

const CONTACT = 'data@ratings.example';
let service: LocalService;
let onlyPublic: Service;
let onlyEnterprise: Service;
let key: string;

beforeAll(async () => {
  [service, onlyPublic] = await Promise.all([
    startDemoService({ ENTERPRISE_CONTACT: CONTACT }),
    startService({ JWT_ISSUER: undefined }, { only: 'public' }),
  ]);
  await importRows(onlyPublic, 'brokers', [brokerRow('alpha-markets')]);
  onlyEnterprise = await startProcess(
    {
      MONGODB_URL: await findDatabaseUrl(onlyPublic),
      JWT_ISSUER: undefined,
      ENTERPRISE_CONTACT: CONTACT,
      METRICS_TOKEN: 'a-token-for-metrics',
    },
    ['--only', 'enterprise'],
  );
  const terms = ['--name', 'Acme', '--plan', 'regulator', '--accepted-by', 'a test'];
  succeeded(await service.cli('enterprise', 'grant', 'acme', ...terms));
  key = succeeded(await service.cli('enterprise', 'issue-key', 'acme', '--sandbox', '--quiet')).trim();
});
afterAll(async () => {
  for (const one of [onlyEnterprise, onlyPublic, service]) await one?.remove();
});

const ask = (path: string, asked = {}) =>
  send(`${service.origin}${ENTERPRISE_BASE_PATH}${path}`, { token: key, ...asked });
const page = async (name: string): Promise<string> =>
  readFile(fileURLToPath(new URL(`../../docs/enterprise/${name}`, import.meta.url)), 'utf8');

describe('the page for customers', () => {
  test('the page for customers says what there is, and whom to ask', async () => {
    const { status, text, headers } = await send(`${service.origin}/enterprise`);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    for (const said of [
      CONTACT,
      '/docs/reference/enterprise',
      '/openapi-enterprise.json',
      AGREEMENT_VERSION,
      ...PLAN_NAMES,
    ])
      expect(text).toContain(said);
    expect(text).toContain('5,000,000');
  });

  test('customers have a reference and an OpenAPI document of their own, and llms.txt names their calls', async () => {
    const document = (await send(`${service.origin}/openapi-enterprise.json`)).json<{
      servers: { url: string }[];
      info: { contact?: object };
    }>();
    expect(document.info.contact).toEqual({ email: CONTACT });
    expect(document.servers).toEqual([{ url: `${service.origin}${ENTERPRISE_BASE_PATH}` }]);
    expect((await send(`${service.origin}/docs/reference/enterprise`)).text).toContain('<code>GET /changes</code>');
    expect((await send(`${service.origin}/llms.txt`)).text).toContain('GET /changes');
    expect((await send(`${service.origin}/openapi.json`)).text).not.toContain('enterprise');
  });
});

describe('the agreement', () => {
  test('the agreement has the version of the contract, and the terms of each plan', async () => {
    const text = await page('agreement.md');
    expect(text).toContain(`Version **${AGREEMENT_VERSION}**`);
    const anchors = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^a-z\s-]/g, '')
        .trim()
        .replace(/\s+/g, '-'),
    );
    for (const name of PLAN_NAMES) expect(anchors).toContain(PLANS[name].terms.section);
    expect(anchors).toContain('erasure');
  });
});

describe('test events', () => {
  const lastWarnings = async (): Promise<{ key: string; value: { title: string } | null }[]> =>
    (await ask('/changes?limit=1000&kind=warning&broker=alpha-markets')).json<{ entries: never[] }>().entries;

  test('test events publish a fictional change that the feed shows, and take it back', async () => {
    const before = (await lastWarnings()).length;
    const events = [
      await ask('/test-events', { body: {} }),
      await ask('/test-events', { body: { broker: 'alpha-markets' } }),
    ];
    expect(events.map(({ status }) => status)).toEqual([201, 201]);
    const [first, second] = events.map((event) => event.json<{ key: string; change: string }>());
    expect([first?.change, second?.change]).toEqual(['appeared', 'disappeared']);
    await service.settle();
    const entries = (await lastWarnings()).slice(before);
    expect(entries.map((entry) => entry.key)).toEqual([first?.key, second?.key]);
    expect(entries.map(({ value }) => value?.title.startsWith('[Demo]') ?? null)).toEqual([true, null]);
    const audited = await inDatabase(service, (db) => db.collection('audit').countDocuments({ reason: 'test_event' }));
    expect(audited).toBe(2);
  });

  test('test events refuse an unknown broker and a malformed body', async () => {
    expect((await ask('/test-events', { body: { broker: 'no-such-broker' } })).status).toBe(404);
    for (const body of [{ broker: 'alpha markets' }, { score: 1 }, [], 'x'])
      expect((await ask('/test-events', { body })).status, JSON.stringify(body)).toBe(400);
  });
});

test('the samples of the page run, one after another', async () => {
  const curls = listCurls(await page('README.md'));
  expect(curls.length).toBeGreaterThanOrEqual(5);
  for (const command of curls) {
    const script = `curl() { command curl -sS --retry 5 --fail-with-body "$@"; }\n${command}`; // a busy machine may answer 503
    const { stdout } = await promisify(execFile)('bash', ['-c', script], {
      env: { ...process.env, ORIGIN: service.origin, KEY: key },
      maxBuffer: 16 * 1024 * 1024,
    });
    expect(Object.keys(JSON.parse(stdout)).length, command).toBeGreaterThan(2);
  }
});

describe('a process that serves one part', () => {
  const fetchStatus = async ({ origin }: Service, path: string) => (await send(`${origin}${path}`)).status;

  test.each([
    ['/healthz', 200, 200],
    ['/readyz', 200, 200],
    ['/metrics', 200, 401],
    ['/problems', 200, 200],
    ['/api/v1/brokers', 200, 404],
    ['/transparency/v1/brokers/alpha-markets/history', 200, 404],
    ['/transparency/v1/log/checkpoint', 404, 404],
    ['/account/v1/reviews', 401, 404],
    ['/openapi.json', 200, 404],
    ['/docs', 200, 200],
    ['/docs/reference/api', 200, 404],
    ['/brokers/alpha-markets', 200, 404],
    ['/openapi-account.json', 200, 404],
    ['/docs/reference/account', 200, 404],
    ['/api', 200, 404],
    ['/api/v1', 200, 404],
    ['/account/v1', 200, 404],
    ['/transparency/v1', 200, 404],
    ['/llms.txt', 200, 404],
    ['/llms-full.txt', 200, 404],
    ['/enterprise', 404, 200],
    ['/openapi-enterprise.json', 404, 200],
    ['/docs/reference/enterprise', 404, 200],
    ['/enterprise/v1/account', 404, 401],
    ['/enterprise/v1', 404, 200],
    ['/.well-known/api-catalog', 200, 200],
  ])('answers %s by %i as the public part, by %i as that of customers', async (path, asPublic, asEnterprise) => {
    expect([await fetchStatus(onlyPublic, path), await fetchStatus(onlyEnterprise, path)]).toEqual([
      asPublic,
      asEnterprise,
    ]);
  });

  test('a process that serves one part links to nothing of the other part', async () => {
    for (const path of ['/docs', '/de/problems', '/enterprise']) {
      const { text } = await send(`${onlyEnterprise.origin}${path}`);
      const links = [...text.matchAll(/ (?:href|action)="(\/[^"#]*)/g)].map(([, link]) => link as string);
      expect(links.length, path).toBeGreaterThan(8);
      for (const link of new Set(links)) expect([link, await fetchStatus(onlyEnterprise, link)]).toEqual([link, 200]);
    }
  });

  test('a process that serves one part says which at its start, and is live without fictional data', async () => {
    expect(onlyEnterprise.output()).toMatch(/^ {2}Enterprise +http:\S+\/enterprise\/v1$/m);
    expect(onlyEnterprise.output()).not.toContain('/api/v1');
    const answer = await send(`${onlyEnterprise.origin}${ENTERPRISE_BASE_PATH}/account`, { token: key });
    expect([answer.status, answer.text.includes('this service is live')]).toEqual([401, true]);
  });

  test('refuses to serve a part other than public and enterprise', async () => {
    const { code, stderr } = await runCli(['serve', '--only', 'private'], {});
    expect([code, stderr]).toEqual([2, expect.stringContaining('public, enterprise')]);
  });
});
