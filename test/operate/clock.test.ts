import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createScratch, type Scratch } from '../support/files.ts';
import { importRows, runJob } from '../support/filled-service.ts';
import { readRefusal } from '../support/moderation.ts';
import { brokerRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { createReader, newLogKey, untilSigned } from '../support/signed-log.ts';

const DAY_MS = 86_400_000;

let service: LocalService;
let scratch: Scratch;

beforeAll(async () => {
  scratch = await createScratch();
  service = await startService({ LOG_KEY: (await newLogKey(scratch, 'log.key')).file, JOBS: 'on' });
  await importRows(service, 'brokers', [brokerRow('alpha')]);
  await service.settle();
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => Promise.all([service?.remove(), scratch?.remove()]));

const signedSize = async (): Promise<number> => (await createReader(service).checkpoint())?.size ?? 0;

test('a machine whose clock is a day ahead says so, and runs no job and signs nothing until its clock is right', async () => {
  const now = Date.now.bind(Date);
  const before = await signedSize();
  expect(before).toBeGreaterThan(0);
  vi.spyOn(Date, 'now').mockImplementation(() => now() + DAY_MS);
  await importRows(service, 'brokers', [brokerRow('beta')]);
  await expect(service.settle()).rejects.toThrow(/86400 s ahead of that of the database/);
  expect(readRefusal(await service.cli('admin', 'job', 'run', 'record-day'))).toContain('set both right by NTP');
  const { signals } = JSON.parse((await service.cli('status', '--json')).stdout);
  expect(signals).toContainEqual(expect.objectContaining({ signal: 'clock', level: 'act', count: 86_400 }));
  expect(await signedSize()).toBe(before);

  vi.restoreAllMocks();
  await service.settle();
  await untilSigned(createReader(service), before + 1);
  await runJob(service, 'record-day');
});
