import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FilledService, startFilledService } from '../support/filled-service.ts';
import { fuzz } from './fuzzing.ts';

let service: FilledService;
beforeAll(async () => {
  service = await startFilledService({ LOG_LEVEL: 'error' });
});
afterAll(() => service?.remove());

test('no bytes make the server fail, hang or end, and whatever it refuses it refuses by a problem', async () => {
  const statuses = await fuzz(service, { seed: 20_261_121, rounds: 40, ms: 12_000 });
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 404])); // some bytes got through, some did not
  expect(service.output()).not.toContain('"level":50');
});
