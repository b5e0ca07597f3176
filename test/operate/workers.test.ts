import { ObjectId } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { measureOverload } from '../overload/measure.ts';
import { inDatabase } from '../support/database.ts';
import { createToken, importRows } from '../support/filled-service.ts';
import { type HttpResponse, send } from '../support/http.ts';
import { expectProblem } from '../support/problem.ts';
import { type ServiceProcess, startProcess } from '../support/process.ts';
import { brokerRow, complaintBody } from '../support/records.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { until } from '../support/until.ts';
import { listWorkers } from '../support/workers.ts';

const COMPLAINTS = 5;
let redis: RedisServer;
let service: ServiceProcess;

beforeAll(async () => {
  redis = await startRedis();
  const settings = { WORKERS: '2', REDIS_URL: redis.url, PUBLIC_RATE_LIMIT: '1000000', LOG_LEVEL: 'info' };
  service = await startProcess({ ...settings, COMPLAINTS_PER_DAY: String(COMPLAINTS) });
  await importRows(service, 'brokers', [brokerRow('alpha-markets')]);
});
afterAll(async () => {
  await service?.remove();
  await redis?.stop();
});

/** Uses a new connection per request, so that either worker may answer. */
const ask = (path = '/brokers/alpha-markets', from = '127.0.0.9'): Promise<HttpResponse> =>
  send(`${service.baseUrl}${path}`, { from, headers: { Connection: 'close' } });

test('both workers answer, and are current within a second', async () => {
  const served = () => new Set([...service.output().matchAll(/"worker":(\d+)[^\n]*"request"/g)].map(([, id]) => id));
  await until('both have answered', 5000, async () => {
    await Promise.all(Array.from({ length: 30 }, () => ask()));
    return served().size === 2;
  });
  await importRows(service, 'brokers', [brokerRow('alpha-markets', { name: 'Alpha Renamed' })]);
  await until('one shows it', 1000, async () => (await ask()).text.includes('Alpha Renamed'));
  const last = Date.now() + 1000;
  while (Date.now() < last) await ask(); // a worker may be a second behind the other
  const texts = await Promise.all(Array.from({ length: 50 }, async () => (await ask()).text));
  for (const text of texts) expect(text).toContain('Alpha Renamed');
});

test('changes by another process are refreshed at once, even if its clock is ahead', async () => {
  const _id = ObjectId.createFromTime(Math.floor(Date.now() / 1000) + 60);
  await inDatabase(service, async (db) => {
    await db.collection('due').insertOne({ _id, kind: 'broker', key: 'alpha-markets' });
    await until('it is no longer due', 5000, async () => (await db.collection('due').countDocuments({ _id })) === 0);
  });
});

test('SIGUSR1 opens no inspector, neither in a worker nor in the process above', async () => {
  for (const pid of [service.pid, ...(await listWorkers(service))]) process.kill(pid, 'SIGUSR1');
  for (let n = 0; n < 20; n++) expect((await ask()).status).toBe(200);
  expect(/Debugger listening.*/.exec(service.output())).toBeNull();
});

test('a request is logged with the trace of its caller, if it has one', async () => {
  const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
  const waitForLine = async (path: string, id: string, traceparent: string) => {
    await send(`${service.baseUrl}${path}`, { headers: { traceparent, 'X-Request-Id': id } });
    return until('it is logged', 3000, async () => {
      const line = service
        .output()
        .split('\n')
        .find((text) => text.includes(id));
      return line !== undefined && JSON.parse(line);
    });
  };
  for (const path of ['/brokers/alpha-markets', '/brokers/nobody']) {
    const id = `traced-${path.length}`;
    expect(await waitForLine(path, id, `00-${traceId}-${spanId}-01`)).toMatchObject({ requestId: id, traceId, spanId });
    expect(await waitForLine(path, `not-${id}`, `00-${traceId}-${spanId}-01"}`)).not.toHaveProperty('traceId');
  }
});

test('the workers count requests together', async () => {
  const left = async () => Number(/r=(\d+)/.exec(String((await ask('/news', '127.0.0.10')).headers['ratelimit']))?.[1]);
  const seen: number[] = [];
  for (let n = 0; n < 10; n++) seen.push(await left());
  expect(seen).toEqual(Array.from({ length: 10 }, (_, n) => 999_999 - n));
});

test('both workers together accept a fixed number of complaints per account and day, even at once', async () => {
  const token = await createToken(service, 'alice');
  const complain = (title: string) =>
    send(`${service.baseUrl}/complaints`, {
      token,
      body: complaintBody('alpha-markets', { title }),
      headers: { Connection: 'close' },
    });
  const [first, ...others] = await Promise.all(Array.from({ length: 20 }, (_, n) => complain(`Complaint ${n}`)));
  const answers = [first as HttpResponse, ...others];
  // Requests refused as too fast may be repeated, since nothing was done for them.
  for (let n = 0; n < COMPLAINTS + 2; n++) answers.push(await complain(`Later ${n}`));
  const taken = answers.filter(({ status }) => status === 201).map((answer) => String(answer.json()['reference']));
  const stored = await inDatabase(service, (db) => db.collection<{ _id: string }>('complaints').distinct('_id'));
  expect(stored).toHaveLength(COMPLAINTS);
  expect(stored).toEqual(expect.arrayContaining(taken));
  const last = answers.at(-1) as HttpResponse;
  expect(expectProblem(last)).toMatchObject({ code: 'rate_limited', detail: expect.stringContaining('5 complaints') });
  expect(Number(last.headers['retry-after'])).toBeGreaterThan(86_000);
  await inDatabase(service, (db) =>
    db
      .collection<{ _id: string }>('complaints')
      .updateOne({ _id: stored[0] as string }, { $set: { createdAt: new Date(Date.now() - 86_400_000) } }),
  );
  expect((await complain('A day after the first')).status).toBe(201);
  expect(expectProblem(await complain('And no more')).code).toBe('rate_limited');
});

test('workers under three times their capacity answer some requests in time and refuse the rest at once', async () => {
  const rows = Array.from({ length: 300 }, (_, n) => brokerRow(`broker-${n}`));
  await importRows(service, 'brokers', rows);
  const lasts = { load: 4, capacity: 1 };
  const { loaded, health, slowdown, ...rest } = await measureOverload(
    service,
    'new',
    lasts,
    await listWorkers(service),
  );
  const shown = JSON.stringify({ loaded, health, slowdown, ...rest }, null, 1);
  const { 200: answered, 503: refused, ...others } = loaded.byStatus;
  expect([others, loaded.lost], shown).toEqual([{}, 0]);
  expect(refused?.count, shown).toBeGreaterThan(20);
  const second = 1000 * slowdown;
  expect(answered?.p99, shown).toBeLessThan(2 * second);
  expect(refused?.p99, shown).toBeLessThan(2 * second);
  expect(health, shown).toMatchObject({ refused: 0 });
  expect(health.worstMs, shown).toBeLessThan(second);
});

test('a killed worker is replaced while the other keeps answering', async () => {
  const before = await listWorkers(service);
  expect(before).toHaveLength(2);
  process.kill(before[0] as number, 'SIGKILL');
  await until('a new one serves', 15_000, async () => {
    const answer = await ask().catch(() => undefined); // the connection may belong to the dead worker
    expect([200, undefined]).toContain(answer?.status);
    const now = await listWorkers(service);
    return now.length === 2 && !now.includes(before[0] as number);
  });
  for (let n = 0; n < 10; n++) expect((await ask('/brokers')).status).toBe(200);
  expect(service.output()).toContain('"signal":"SIGKILL","msg":"a worker ended"');
});

test('several workers without a Redis are refused', async () => {
  await expect(startProcess({ WORKERS: '2' })).rejects.toThrow('WORKERS above 1 needs REDIS_URL');
});

test('a port that is taken ends all workers with one line that says so', async () => {
  const PORT = new URL(service.origin).port;
  await expect(startProcess({ WORKERS: '2', REDIS_URL: redis.url, PORT })).rejects.toThrow(
    new RegExp(`port ${PORT} on 127.0.0.1 is taken`),
  );
});

test('SIGTERM drains all workers, and they exit with 0', async () => {
  const signalled = service.end('SIGTERM');
  const answers: number[] = [];
  await until('readiness fails', 2000, async () => {
    const { status } = await send(`${service.origin}/readyz`, { headers: { Connection: 'close' } });
    answers.push((await ask()).status);
    return status === 503;
  });
  expect(new Set(answers)).toEqual(new Set([200]));
  expect(await signalled).toBe(0);
  await expect(ask()).rejects.toThrow('ECONNREFUSED');
});
