import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FilledService, startFilledService } from '../support/filled-service.ts';
import { fuzz } from './fuzzing.ts';

let service: FilledService;
beforeAll(async () => {
  service = await startFilledService({ LOG_LEVEL: 'error' });
});
afterAll(() => service?.remove());

test('never fails, hangs or ends, whatever bytes arrive, and refuses only by a problem', async () => {
  const statuses = await fuzz(service, { seed: 20_261_121, rounds: 40, ms: 12_000 });
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 404])); // some mutations stay valid
  expect(service.output()).not.toContain('"level":50');
});
