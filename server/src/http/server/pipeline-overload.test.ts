import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../../platform/observe/log.ts';
import { createMetrics } from '../../platform/observe/metrics.ts';
import { createCacheCounts } from '../../platform/observe/reading.ts';
import { createRequestCount } from '../../platform/observe/requests.ts';
import type { Caller } from '../auth/identify.ts';
import { createResponseCache, toCachedAnswer } from '../cache/response-cache.ts';
import { createOverload } from '../load/overload.ts';
import { withContext } from '../request/context.ts';
import { createRecord } from '../response/record.ts';
import { createPipeline } from './pipeline.ts';

const metrics = createMetrics();
const counts = createCacheCounts(metrics);
const countRequest = createRequestCount(metrics);

const fetchStatus = (port: number, path: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get({ port, path, agent: false }, (res) => resolve(res.resume().statusCode)).on('error', reject);
  });

/** A pipeline whose limiter answers only when it is told to. */
const startPipeline = async (maxInFlight: number) => {
  const counted = Promise.withResolvers<Caller>();
  const identify = vi.fn(() => counted.promise);
  const log = createLog('silent');
  const overload = createOverload(
    { maxInFlight, maxConnections: 100, shares: [], isProxy: () => false },
    log,
    countRequest,
  );
  const cache = createResponseCache(2 ** 20, Date.now, counts);
  const build = async () =>
    toCachedAnswer({ limit: 'public', body: 'x', headers: {}, route: '/', builtAt: Date.now() });
  const pipeline = createPipeline(
    {
      cache,
      obtain: (read) => read.obtain(),
      overload,
      identify,
      record: createRecord(log, countRequest),
      publicUrl: '',
      match: (_, key) => ({
        access: 'public',
        limit: 'public',
        read: { key, obtain: () => cache.obtain(key, [], build) },
      }),
    },
    (_req, res) => void res.writeHead(429).end(),
  );
  const server = createServer(withContext(pipeline)).listen(0, '127.0.0.1');
  onTestFinished(() => {
    overload.stop();
    server.close();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { ask: (path: string) => fetchStatus(port, path), identify, overload, answer: counted.resolve };
};

test.each([
  ['answered', true, 200],
  ['refused', false, 429],
])('a request that waits for the limiter takes room until it is %s', async (_, allowed, status) => {
  const { ask, identify, overload, answer } = await startPipeline(2);
  const waiting = [ask('/a'), ask('/b')];
  await expect.poll(() => identify.mock.calls.length).toBe(2);
  const third = ask('/c');
  await expect.poll(() => overload.state().refused).toBe(1);
  expect(await third).toBe(503);
  expect(identify).toHaveBeenCalledTimes(2);
  answer({
    credential: { principal: undefined, given: false },
    key: 'ip:a',
    budget: { allowed, headers: {} },
    badTokens: undefined,
  });
  expect(await Promise.all(waiting)).toEqual([status, status]);
  expect(overload.inFlight.count()).toBe(0);
});
