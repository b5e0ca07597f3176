import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { withContext } from '../request/context.ts';
import { healthRoutes } from './health.ts';

test('a process that is not ready says so by a problem that tells when to ask again', async () => {
  const app = express().use(healthRoutes(async () => false, 'https://ratings.example'));
  const server = createServer(withContext(app)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz`);
  const { headers } = answer;
  expect([answer.status, headers.get('Content-Type'), headers.get('Retry-After')]).toEqual([
    503,
    'application/problem+json',
    '1',
  ]);
  expect(await answer.json()).toMatchObject({
    type: 'https://ratings.example/problems/unavailable',
    code: 'unavailable',
    instance: '/readyz',
    requestId: headers.get('X-Request-Id'),
  });
});
