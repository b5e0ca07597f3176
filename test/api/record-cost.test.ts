import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importRows } from '../support/filled-service.ts';
import { type HttpResponse, send } from '../support/http.ts';
import { expectProblem } from '../support/problem.ts';
import { brokerRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';

/** Requests a minute of the record, and of pages, by that of the API. */
const [PUBLIC, BUDGET, PAGES] = [9, 3, 45];
const BROKERS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'];

let service: LocalService;
beforeAll(async () => {
  service = await startService({ PUBLIC_RATE_LIMIT: String(PUBLIC) });
  await importRows(
    service,
    'brokers',
    BROKERS.map((slug) => brokerRow(slug)),
  );
  await service.settle();
});
afterAll(() => service?.remove());

let hosts = 0;
/** A loopback address that no other test uses, in its own network. */
const newAddress = (): string => `127.9.${++hosts}.1`;

const open = (path: string, from: string): Promise<HttpResponse> =>
  send(`${service.origin}${path}`, { from, headers: { Accept: 'text/html' } });
const ask = (path: string, from: string): Promise<HttpResponse> =>
  send(`${service.origin}/transparency/v1${path}`, { from });
/** Returns the remaining budget of the record; undefined if the answer was not counted against it. */
const left = ({ headers }: HttpResponse): number | undefined => {
  const found = /"history";r=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1];
  return found === undefined ? undefined : Number(found);
};

describe.each([
  ['of changes', (slug: string) => `/brokers/${slug}/history`],
  ['of changes in German', (slug: string) => `/de/brokers/${slug}/history`],
  ['of a broker', (slug: string) => `/brokers/${slug}`],
  ['of reviews', (slug: string) => `/brokers/${slug}/reviews`],
  ['that compares', (slug: string) => `/compare?a=alpha&b=${slug}`],
])('a page %s', (_, formatPath) => {
  test('a page costs one unit of the budget of the record if it has to be built, and none from the cache', async () => {
    const from = newAddress();
    await ask('/brokers/alpha/history', from);
    const path = formatPath(BROKERS[hosts % BROKERS.length] as string);
    const built = await open(path, from);
    expect([built.status, left(built)]).toEqual([200, BUDGET - 2]);
    expect(built.headers['ratelimit-policy']).toBe(`"pages";q=${PAGES};w=60, "history";q=${BUDGET};w=60`);
    const cached = await open(path, from);
    expect([cached.status, left(cached), cached.headers['ratelimit-policy']]).toEqual([
      200,
      undefined,
      `"pages";q=${PAGES};w=60`,
    ]);
    expect(left(await ask('/brokers/alpha/history', from))).toBe(BUDGET - 3);
  });
});

test('a page that costs more than is left is refused as a page; what is in the cache is still served', async () => {
  const from = newAddress();
  await open('/brokers/alpha/history', newAddress());
  for (let n = 0; n < BUDGET; n++) await ask('/brokers/alpha/history', from);
  const refused = await open('/de/brokers/delta/history', from);
  expect([refused.status, refused.headers['content-type'], left(refused)]).toEqual([
    429,
    'text/html; charset=utf-8',
    0,
  ]);
  expect(refused.text).toContain('lang="de"');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  const toProgram = await send(`${service.origin}/brokers/epsilon/history`, { from });
  expect(expectProblem(toProgram).code).toBe('rate_limited');
  expect((await open('/brokers/alpha/history', from)).status).toBe(200);
  await open('/brokers', newAddress());
  expect((await open('/brokers', from)).status).toBe(200);
  expect((await open('/de/brokers/delta/history', newAddress())).status).toBe(200);
});
