import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../platform/observe/log.ts';
import { createMetrics } from '../../platform/observe/metrics.ts';
import { createRequestCount } from '../../platform/observe/requests.ts';
import { withContext } from '../request/context.ts';
import { createRecord } from './record.ts';
import { recordResponses } from './record-express.ts';

const countRequest = createRequestCount(createMetrics());

test('the log says how long a request took since it came, not since Express had it', async () => {
  const lines: string[] = [];
  const app = express();
  app.use((_req, res) => void res.end());
  const log = createLog('info', {}, { write: (line) => void lines.push(line) });
  const listener = recordResponses(app, createRecord(log, countRequest));
  const late = withContext((req, res) => {
    req.context = { ...req.context, start: performance.now() - 1500 };
    listener(req, res);
  });
  const server = createServer(late).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/x`);
  await expect.poll(() => lines.length).toBe(1);
  expect(JSON.parse(lines[0] as string)).toMatchObject({
    path: '/x',
    status: 200,
    ms: expect.toSatisfy((ms) => ms >= 1500),
  });
});

test.each(['x', '"', 'é'])(
  'however long a path of %s is, its line can be written whole beside those of other workers',
  (letter) => {
    const lines: string[] = [];
    const log = createLog('info', { worker: 12 }, { write: (line) => void lines.push(line) });
    const url = `/${letter.repeat(16_000)}?q=1`;
    const context = { id: 'a'.repeat(64), start: performance.now(), method: 'GET', target: url };
    createRecord(log, countRequest)({ headers: {}, context } as IncomingMessage, {
      status: 404,
      route: 'other',
      source: 'app',
    });
    expect(Buffer.byteLength(lines[0] as string)).toBeLessThan(4096);
    const { path } = JSON.parse(lines[0] as string);
    expect([url.startsWith(path.slice(0, -1)), path.at(-1)]).toEqual([true, '…']);
  },
);

test.each([
  ['/mail/stop/s_SECRET', '/mail/stop/:token'],
  ['/mail/stop/s_SECRET/?x=1', '/mail/stop/:token'],
  ['/Mail/Stop/s_SECRET', '/mail/stop/:token'],
  ['/mail/stop/', '/mail/stop/:token'],
  ['/mail/other', '/mail/other'],
])('the log has the template of a route whose parameter is a secret: %s', (target, path) => {
  const lines: string[] = [];
  const log = createLog('info', {}, { write: (line) => void lines.push(line) });
  const context = { id: 'a', start: performance.now(), method: 'GET', target };
  const record = createRecord(log, countRequest, ['/mail/stop/:token']);
  record({ headers: {}, context } as IncomingMessage, { status: 200, route: 'other', source: 'app' });
  expect(JSON.parse(lines[0] as string)).toMatchObject({ path });
  expect(lines.join('')).not.toContain('SECRET');
});
