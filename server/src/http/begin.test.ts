import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../observe/log.ts';
import { begin } from './begin.ts';
import { measured } from './measure.ts';

test('the log says how long a request took since it came, not since Express had it', async () => {
  const lines: string[] = [];
  const app = express();
  app.use(begin(createLog('info', {}, { write: (line) => void lines.push(line) })));
  app.use((_req, res) => void res.end());
  const longWay = measured(app);
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
