import { afterAll, expect, test } from 'vitest';
import { importRows } from '../support/filled-service.ts';
import { readRecord } from '../support/record.ts';
import { brokerRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const services: LocalService[] = [];
afterAll(async () => {
  await services[1]?.close();
  await services[0]?.remove();
});

const readDates = async (service: LocalService): Promise<string[]> =>
  (await readRecord(service)).filter(({ kind }) => kind === 'day').map(({ key }) => key);

test('a server that starts after days without one adds them to the record, though its job never ran', async () => {
  const first = await startService({ JOBS: 'on', CLOCK: '2026-11-20T12:00:00Z' });
  services.push(first);
  await importRows(first, 'brokers', [brokerRow('alpha')]);
  await first.settle();
  expect(await readDates(first)).toEqual([]);
  await first.close();

  const second = await startService({ ...first.data, JOBS: 'on', CLOCK: '2026-11-24T12:00:00Z' });
  services.push(second);
  const dates = await until('the days are there', 60_000, async () => {
    const found = await readDates(second);
    return found.length > 0 && found;
  });
  expect(dates).toEqual(['day/2026-11-21', 'day/2026-11-22', 'day/2026-11-23', 'day/2026-11-24']);
});
