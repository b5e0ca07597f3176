import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type BrokerDetail, recomputeScore } from '@broker-transparency/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getJson, importRows, post, submit } from '../support/filled-service.ts';
import { runCli, type ServiceProcess, startProcess } from '../support/process.ts';
import { brokerRow, complaintBody, reviewBody } from '../support/records.ts';
import { until } from '../support/until.ts';

let service: ServiceProcess;

const startDemo = async (settings: ServiceProcess['data'] = {}): Promise<ServiceProcess> => {
  const started = await startProcess({ LOG_LEVEL: 'error', ...settings }, ['--demo']);
  await until('the curl line is printed', 10_000, async () => /^ {2}curl .*\n/m.test(started.output()));
  return started;
};

beforeAll(async () => {
  service = await startDemo();
});
afterAll(() => service?.remove());

const tokensIn = (output: string): string[] => output.match(/btr_[\w-]{51}/g) ?? [];

test('announces its address, and prints two tokens that do what it says of them', async () => {
  const output = service.output();
  expect(output).toContain(`  API        ${service.baseUrl}\n`);
  expect(output).toMatch(/fictional/);
  const reference = /^ {2}Reference +(\S+)$/m.exec(output)?.[1] as string;
  expect((await fetch(reference)).headers.get('content-type')).toMatch(/^text\/html/);
  const tokens = tokensIn(output);
  expect(tokens).toHaveLength(2);
  const verified = /identity verified +(btr_\S+)/.exec(output)?.[1] as string;
  const unverified = /identity not verified +(btr_\S+)/.exec(output)?.[1] as string;
  expect(tokens).toEqual([verified, unverified]);
  expect((await submit(service, '/reviews', verified, reviewBody('alpha-markets'))).status).toBe(201);
  const refused = await submit(service, '/reviews', unverified, reviewBody('alpha-markets'));
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([403, 'kyc_required']);
  expect((await submit(service, '/complaints', unverified, complaintBody('alpha-markets'))).status).toBe(201);
});

test('prints a curl line that works', async () => {
  const line = /^ {2}(curl .*)$/m.exec(service.output())?.[1] as string;
  const { stdout } = await promisify(execFile)('sh', ['-c', `${line} -sS --max-time 10`]);
  expect(JSON.parse(stdout)).toMatchObject({ slug: 'alpha-markets' });
});

interface Page {
  readonly data: readonly { readonly color: string; readonly name: string }[];
  readonly pagination: { readonly total: number };
}

test('has 300 brokers in every color, with reviews and news', async () => {
  const total = async (query: string) =>
    ((await getJson(service, `/brokers?limit=1${query}`)) as unknown as Page).pagination.total;
  expect(await total('')).toBe(300);
  const counts = await Promise.all(['green', 'yellow', 'red', 'gray'].map((color) => total(`&color=${color}`)));
  for (const count of counts) expect(count).toBeGreaterThan(10);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(300);
  for (const path of ['/reviews?broker=alpha-markets', '/news', '/search?q=alpha'])
    expect(((await getJson(service, path)) as unknown as Page).data.length, path).toBeGreaterThan(0);
});

test('the score of every broker follows from its published answer', async () => {
  const slugs: string[] = [];
  for await (const { slug } of service.client().brokers.list({ limit: 100 })) slugs.push(slug);
  expect(new Set(slugs).size).toBe(300);
  const different: string[] = [];
  for (const slug of slugs) {
    const broker = (await getJson(service, `/brokers/${slug}`)) as unknown as BrokerDetail;
    if (JSON.stringify(recomputeScore(broker)) !== JSON.stringify(broker.score)) different.push(slug);
    expect(broker.color).toBe(broker.score.color);
  }
  expect(different).toEqual([]);
});

test('says of every register that it was read, and that no licence there was checked later', async () => {
  const client = service.client();
  const { data: regulators } = await client.regulators.list();
  const readAt = new Map(regulators.map(({ code, lastVerifiedAt }) => [code, lastVerifiedAt]));
  const checks: { code: string; at: string }[] = [];
  for await (const { slug } of client.brokers.list({ limit: 100 }))
    for (const { regulatorCode: code, lastVerifiedAt: at } of (await client.brokers.get(slug)).licenses)
      if (at !== null) checks.push({ code, at });
  expect(checks.length).toBeGreaterThan(300);
  expect(checks.filter(({ code, at }) => (readAt.get(code) ?? '') < at)).toEqual([]);
});

test('makes new tokens and ends the old ones with each start, and keeps the data', async () => {
  const old = tokensIn(service.output());
  const before = await getJson(service, '/brokers?limit=100');
  await service.end('SIGINT');
  service = await startDemo(service.data);
  const fresh = tokensIn(service.output());
  expect(new Set([...old, ...fresh]).size).toBe(4);
  for (const token of old) expect((await post(service, '/complaints', token, {})).status).toBe(401);
  for (const token of fresh) expect((await post(service, '/complaints', token, {})).status).toBe(400);
  const after = (await getJson(service, '/brokers?limit=100')) as unknown as Page;
  expect(after.data.map(({ name }) => name)).toEqual((before as unknown as Page).data.map(({ name }) => name));
});

test('has no demo tokens without --demo, and the old ones expire within a day', async () => {
  await service.end('SIGINT');
  service = await startProcess({ LOG_LEVEL: 'error', ...service.data });
  expect(tokensIn(service.output())).toEqual([]);
  const listed = JSON.parse((await service.cli('token', 'list', '--subject', 'demo-verified', '--json')).stdout);
  for (const { expiresAt } of listed) expect(Date.parse(expiresAt) - Date.now()).toBeLessThan(86_400_000);
});

test('refuses --demo and makes no token beside a broker that is not of the demo set', async () => {
  await importRows(service, 'brokers', [brokerRow('real-markets')]);
  const tokens = async () => (await service.cli('token', 'list', '--subject', 'demo-verified', '--json')).stdout;
  const before = await tokens();
  await service.end('SIGINT');
  const settings = { ...service.data, PORT: '0', LOG_LEVEL: 'silent' };
  const { code, stdout, stderr } = await runCli(['serve', '--demo'], settings);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(
    /^--demo is refused: the broker "real-markets" is not of the demo set[^\n]*without --demo[^\n]*\n$/,
  );
  expect(await tokens()).toBe(before);
});
