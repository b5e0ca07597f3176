import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../observe/log.ts';
import { begin, logRequest } from './begin.ts';
import { measured } from './measure.ts';

test('the log says how long a request took since it came, not since Express had it', async () => {
  const lines: string[] = [];
  const app = express();
  app.use(begin);
  app.use((_req, res) => void res.end());
  const longWay = measured(app, createLog('info', {}, { write: (line) => void lines.push(line) }));
  const server = createServer((req, res) => longWay(req, res, performance.now() - 1500)).listen(0, '127.0.0.1');
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
    const res = { statusCode: 404, req: { headers: {} } } as ServerResponse;
    const url = `/${letter.repeat(16_000)}?q=1`;
    logRequest(log, { method: 'GET', url }, res, 'a'.repeat(64), 0.1);
    expect(Buffer.byteLength(lines[0] as string)).toBeLessThan(4096);
    const { path } = JSON.parse(lines[0] as string);
    expect([url.startsWith(path.slice(0, -1)), path.at(-1)]).toEqual([true, '…']);
  },
);
