import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ENTERPRISE_BASE_PATH, type EnterpriseUsage, PLANS } from '@broker-transparency/contract/enterprise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findDatabaseUrl, inDatabase } from '../support/database.ts';
import type { AsCustomer } from '../support/enterprise.ts';
import { succeeded } from '../support/filled-service.ts';
import { type HttpResponse, send } from '../support/http.ts';
import {
  type IdentityProvider,
  type SigningKey,
  signingKey,
  startIdentityProvider,
} from '../support/identity-provider.ts';
import { expectProblem } from '../support/problem.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { type LocalService, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

let redis: RedisServer;
let provider: IdentityProvider;
let key: SigningKey;
/** Two processes on one database and one Redis, and one that counts in memory. */
let first: LocalService;
let second: LocalService;
let memory: LocalService;

beforeAll(async () => {
  [redis, provider, key] = await Promise.all([startRedis(), startIdentityProvider(), signingKey('one')]);
  provider.publish(key);
  const settings = { ...provider.settings, PUBLIC_RATE_LIMIT: '20', REDIS_URL: redis.url };
  first = await startService(settings);
  const MONGODB_URL = await findDatabaseUrl(first);
  [second, memory] = await Promise.all([
    startService({ ...settings, MONGODB_URL }),
    startService({ ...provider.settings, MONGODB_URL }),
  ]);
});
afterAll(async () => {
  for (const service of [memory, second, first]) await service?.remove();
  await Promise.all([redis?.stop(), provider?.close()]);
});

const cli = async (...args: string[]): Promise<string> => succeeded(await first.cli('enterprise', ...args)).trim();
const refused = async (...args: string[]): Promise<string> => (await first.cli('enterprise', ...args)).stderr;
const grant = (id: string, plan: string, ...more: string[]): Promise<string> =>
  cli('grant', id, '--name', id, '--plan', plan, '--accepted-by', 'a test', ...more);
const issue = (id: string, ...more: string[]): Promise<string> => cli('issue-key', id, '--quiet', ...more);
const show = async (id: string) => JSON.parse(await cli('show', id, '--json'));
const by =
  (token: string): ((service: LocalService) => AsCustomer) =>
  (service) =>
  (path, asked) =>
    send(`${service.origin}${ENTERPRISE_BASE_PATH}${path}`, { token, ...asked });
const customer = async (id: string, plan: string) => {
  await grant(id, plan);
  return by(await issue(id));
};
const statuses = (answers: readonly HttpResponse[]) =>
  Object.fromEntries([...Map.groupBy(answers, ({ status }) => status)].map(([status, all]) => [status, all.length]));
const month = new Date().toISOString().slice(0, 7);
const readUsage = async (id: string): Promise<EnterpriseUsage> => JSON.parse(await cli('usage', id, '--json'));

describe('a key', () => {
  test('a key that is revoked opens nothing in any process from then on', async () => {
    const as = await customer('leaky', 'media');
    for (const service of [first, second, memory]) expect((await as(service)('/account')).status).toBe(200);
    const [{ id, lastUsedAt }] = (await show('leaky')).keys;
    expect(Date.now() - Date.parse(lastUsedAt)).toBeLessThan(60_000);
    await cli('revoke-key', id);
    for (const service of [first, second, memory]) expect((await as(service)('/account')).status).toBe(401);
  });

  test('a key has the limits and scopes of the plan that its organisation has now', async () => {
    const as = await customer('growing', 'media');
    const account = async () =>
      (await as(first)('/account')).json<{ plan: string; limits: object; scopes: string[] }>();
    const { scopes: _, terms: __, ...limits } = PLANS.media;
    expect(await account()).toMatchObject({ plan: 'media', limits, scopes: [...PLANS.media.scopes] });
    await grant('growing', 'institution');
    expect(await account()).toMatchObject({ plan: 'institution', limits: { longPolls: PLANS.institution.longPolls } });
  });

  test('a rotated key works for its overlap, and is rotated once', async () => {
    const as = await customer('careful', 'media');
    const [{ id }] = (await show('careful')).keys;
    const next = await cli('rotate-key', id, '--overlap', '1h', '--quiet');
    expect([(await as(first)('/account')).status, (await by(next)(first)('/account')).status]).toEqual([200, 200]);
    const [old, replacing] = (await show('careful')).keys;
    expect(old.replacedBy).toBe(replacing.id);
    expect(Date.parse(old.expiresAt) - Date.now()).toBeLessThan(3_600_000);
    expect(await refused('rotate-key', id)).toContain('rotated already');
  });

  test('a key is never stored or shown again', async () => {
    await grant('discreet', 'media');
    const secret = await issue('discreet');
    expect(JSON.stringify(await show('discreet'))).not.toContain(secret.slice(9));
    const stored = await inDatabase(first, async (db) => [
      await db.collection('organisationKeys').find().toArray(),
      await db.collection('audit').find().toArray(),
    ]);
    expect(JSON.stringify(stored)).not.toContain(secret.slice(9));
  });

  test('a key is refused from an address that it is not for, and the attempt is noted', async () => {
    await grant('walled', 'media');
    const as = by(await issue('walled', '--address', '127.0.0.9/32'));
    expect((await as(first)('/account')).status).toBe(403);
    expect((await as(first)('/account', { from: '127.0.0.9' })).status).toBe(200);
    const rows = await until('both are noted', 5000, async () => {
      const noted = JSON.parse(await cli('access', 'walled', '--json'));
      return noted.length === 2 && noted;
    });
    expect(rows.map(({ status, address }: { status: number; address: string }) => [status, address])).toEqual([
      [200, '127.0.0.9'],
      [403, '127.0.0.1'],
    ]);
    expect((await readUsage('walled')).requests).toBe(1);
  });
});

describe('a token of the identity provider', () => {
  const as = async (claims: object) =>
    by(await provider.token(key, { scope: 'record:read account:read openid', ...claims }));

  test('a token acts for the organisation of its client, with its own scopes', async () => {
    await grant('acme-bank', 'institution', '--client', 'acme-app', '--client', 'acme-batch');
    for (const claims of [{ client_id: 'acme-app' }, { azp: 'acme-batch' }, { client_id: 'acme-app', azp: 'other' }]) {
      const answer = await (await as(claims))(first)('/account');
      expect(answer.json(), answer.text).toMatchObject({
        organisation: 'acme-bank',
        key: null,
        scopes: ['account:read', 'record:read'],
      });
      expect((await (await as(claims))(first)('/snapshots')).status).toBe(403);
    }
  });

  test('a token of another client, or of none, opens nothing', async () => {
    for (const claims of [
      { client_id: 'nobody' },
      {},
      { client_id: '' },
      { client_id: ['acme-app'] },
      { azp: 'ACME-APP' },
    ])
      expect((await (await as(claims))(first)('/account')).status, JSON.stringify(claims)).toBe(401);
  });

  test('a token ends with the agreement, and a client acts for one organisation', async () => {
    await grant('brief', 'media', '--client', 'brief-app');
    const claims = { client_id: 'brief-app' };
    expect((await (await as(claims))(first)('/account')).status).toBe(200);
    const terms = ['--name', 'x', '--plan', 'media', '--accepted-by', 'x'];
    expect(await refused('grant', 'thief', ...terms, '--client', 'brief-app')).toContain(
      'acts for another organisation',
    );
    await cli('end', 'brief');
    expect((await (await as(claims))(first)('/account')).status).toBe(401);
  });
});

describe('the budget of a minute', () => {
  const { requestsPerMinute } = PLANS.media;
  const flood = async (ask: readonly AsCustomer[]): Promise<HttpResponse[]> => {
    const answers: HttpResponse[] = [];
    for (let n = 0; n < requestsPerMinute + 10; n += 10)
      answers.push(
        ...(await Promise.all(
          Array.from({ length: 10 }, (_, at) => ask[at % ask.length]?.('/account') as Promise<HttpResponse>),
        )),
      );
    return answers;
  };

  test('all keys and processes share one budget per minute by Redis', async () => {
    const as = await customer('busy', 'media');
    const other = by(await issue('busy', '--name', 'second'));
    const answers = await flood([as(first), other(second)]);
    expect(statuses(answers)).toEqual({ 200: requestsPerMinute, 429: 10 });
    const last = answers.at(-1) as HttpResponse;
    expect(expectProblem(last).code).toBe('rate_limited');
    expect(last.headers['ratelimit-policy']).toBe(`"enterprise";q=${requestsPerMinute};w=60`);
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('all keys of a process share one budget per minute without Redis', async () => {
    const as = await customer('lonely', 'media');
    expect(statuses(await flood([as(memory)]))).toEqual({ 200: requestsPerMinute, 429: 10 });
  });
});

test('requests that are computed from the record have a budget of their own beside that of all requests', async () => {
  const as = (await customer('historian', 'media'))(memory);
  const { requestsPerMinute, recordReadsPerMinute } = PLANS.media;
  const answers: HttpResponse[] = [];
  for (let n = 0; n < recordReadsPerMinute + 2; n++) answers.push(await as('/regulators'));
  expect(statuses(answers)).toEqual({ 200: recordReadsPerMinute, 429: 2 });
  expect(answers.at(-1)?.headers['ratelimit-policy']).toBe(
    `"enterprise";q=${requestsPerMinute};w=60, "record";q=${recordReadsPerMinute};w=60`,
  );
  expect((await as('/account')).status).toBe(200);
});

test('bad keys from an address are answered by 401, then by 429, and good keys from there go on', async () => {
  const as = await customer('neighbour', 'media');
  const from = '127.0.0.77';
  for (const token of ['bte_live_xyz', undefined, 'eyJhbGciOiJub25lIn0.e30.']) {
    const answers: HttpResponse[] = [];
    for (let n = 0; n < 6; n++)
      answers.push(await send(`${first.origin}${ENTERPRISE_BASE_PATH}/account`, { token, from }));
    for (const { status } of answers) expect([401, 429]).toContain(status);
  }
  const bad = await send(`${second.origin}${ENTERPRISE_BASE_PATH}/account`, { token: 'bte_live_xyz', from });
  expect([bad.status, expectProblem(bad).code]).toEqual([429, 'rate_limited']);
  expect(bad.headers['ratelimit']).toMatch(/^"bad-tokens";r=0;t=\d+$/);
  expect((await as(first)('/account', { from })).status).toBe(200);
});

describe('the quota of a month', () => {
  const { requestsPerMonth } = PLANS.media;
  const use = (organisation: string, requests: number) =>
    inDatabase(first, (db) =>
      db
        .collection('enterpriseUses')
        .insertOne({ organisation, date: `${month}-01`, route: '/changes', requests, bytes: 1 }),
    );

  test('the quota of a month counts answers of all processes, and says when it begins anew', async () => {
    const as = await customer('thrifty', 'media');
    await use('thrifty', requestsPerMonth - 2);
    const allowed = await as(first)('/account');
    expect([allowed.status, (await as(second)('/account')).status]).toEqual([200, 200]);
    expect(allowed.headers['ratelimit']).toMatch(/^"enterprise";r=\d+;t=\d+, "month";r=1;t=\d+$/);
    for (const service of [first, second, memory]) {
      const answer = await until('it is refused', 5000, async () => {
        const asked = await as(service)('/account');
        return asked.status === 429 && asked;
      });
      expect(expectProblem(answer)).toMatchObject({
        code: 'rate_limited',
        detail: expect.stringContaining('per month'),
      });
      const next = new Date();
      const end = Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1);
      expect(Math.abs(Number(answer.headers['retry-after']) - (end - Date.now()) / 1000)).toBeLessThan(10);
    }
    const { requests } = await readUsage('thrifty');
    expect(requests - requestsPerMonth).toBeLessThan(300); // processes learn of each other within a second
  });

  test('the quota of a month grows at once with the plan', async () => {
    const as = await customer('upgraded', 'media');
    await use('upgraded', requestsPerMonth);
    expect((await as(first)('/account')).status).toBe(429);
    await grant('upgraded', 'institution');
    expect((await as(first)('/account')).status).toBe(200);
  });
});

describe('what is used', () => {
  test('usage is told by day and route, to the customer, the operator, and in a file after the month', async () => {
    const as = await customer('accounted', 'institution');
    for (let n = 0; n < 3; n++) await as(first)('/account');
    await as(second)('/changes?limit=1&broker=alpha');
    await as(second)('/nothing/Jane');
    const usage = await until('all of it is noted', 5000, async () => {
      const found = await readUsage('accounted');
      return found.requests === 5 && found;
    });
    expect(usage).toMatchObject({ month, quota: PLANS.institution.requestsPerMonth });
    expect(usage.bytes).toBeGreaterThan(1000);
    expect(usage.days.map(({ requests }) => requests)).toEqual([5]);
    expect(usage.routes.map(({ route, requests }) => [route, requests])).toEqual([
      ['/account', 3],
      ['/changes', 1],
      ['unknown', 1],
    ]);
    const told = (await as(first)(`/usage?month=${month}`)).json<EnterpriseUsage>();
    expect(told).toEqual(usage);
    const accesses = JSON.parse(await cli('access', 'accounted', '--limit', '5', '--json'));
    expect(accesses.map(({ target }: { target: string }) => target.slice(ENTERPRISE_BASE_PATH.length))).toEqual(
      expect.arrayContaining(['/changes?limit=1&broker=…']),
    );
    expect(JSON.stringify(accesses)).not.toMatch(/alpha|Jane/);
    const csv = await cli('usage', 'accounted', '--csv');
    expect(csv.split('\n')[0]).toBe('date,route,requests,bytes');
    const noted = await until('the question itself is noted', 5000, async () => {
      const { requests } = await readUsage('accounted');
      return requests === 6 && requests;
    });
    const now = new Date();
    const middle = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 15);
    const CLOCK = `+${Math.round((middle - now.getTime()) / 86_400_000)}d`;
    for (let run = 0; run < 2; run++)
      succeeded(await first.cliWith({ CLOCK }, 'admin', 'job', 'run', 'enterprise-usage'));
    const rows = (await readFile(join(first.dataDir, 'usage', month, 'accounted.csv'), 'utf8')).trim().split('\n');
    const total = rows.slice(1).reduce((sum, row) => sum + Number(row.split(',')[2]), 0);
    expect(total).toBe(noted);
  });

  test('usage is zero for a month without requests, and a malformed month is refused', async () => {
    const as = await customer('curious', 'media');
    expect((await as(first)('/usage?month=2020-01')).json()).toMatchObject({ requests: 0, days: [], routes: [] });
    for (const wrong of ['2020-13', '2020', 'now', ''])
      expect((await as(first)(`/usage?month=${wrong}`)).status).toBe(400);
    expect((await first.cli('enterprise', 'usage', 'curious', '--month', '2020-13')).code).toBe(2);
    expect(await refused('access', 'unheard-of')).toContain('There is no organisation "unheard-of"');
  });
});
