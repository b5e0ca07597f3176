import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ProberResults } from './results.ts';
import { createStatus } from './status.ts';

const NOTHING = {
  source: 'service',
  shownAt: '2026-11-23T10:05:00.000Z',
  generatedAt: null,
  now: { state: 'unknown', minute: null, since: null, said: 0, of: 0 },
  probers: [],
  days: [],
  month: null,
  incidents: [],
  unexplained: [],
  moreUnexplained: 0,
  prober: null,
};

test('a service that has read nothing yet does not replace the last figures', async () => {
  let said: object = {};
  const server = createServer((_req, res) => res.end(JSON.stringify(said))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const service = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const dir = await mkdtemp(join(tmpdir(), 'broker-rating-'));
  onTestFinished(async () => {
    server.close();
    await rm(dir, { recursive: true });
  });
  const results = { days: async () => [], read: async () => [] } as unknown as ProberResults;
  const write = createStatus({ dir, service, prober: 'frankfurt-1', results, clock: () => new Date() });
  const shown = async () => JSON.parse(await readFile(join(dir, 'status/status.json'), 'utf8'));

  said = { ...NOTHING, service };
  await write();
  expect(await shown()).toMatchObject({ generatedAt: null });
  const days = [{ date: '2026-11-23', minutes: 605, up: 600, unmeasured: 0 }];
  said = { ...NOTHING, service, generatedAt: '2026-11-23T10:05:00.000Z', days };
  await write();
  said = { ...NOTHING, service };
  await write();
  expect(await shown()).toMatchObject({ generatedAt: '2026-11-23T10:05:00.000Z', days });
});
