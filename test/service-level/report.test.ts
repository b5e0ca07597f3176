import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { type AsCustomer, grantCustomer } from '../support/enterprise.ts';
import { parseMetrics, sumSamples } from '../support/exposition.ts';
import { send } from '../support/http.ts';
import { addMinutes, createChain, createReadings, deliveryHeaders, newProber } from '../support/prober.ts';
import { type LocalService, startService } from '../support/service.ts';

/* A day of two probers, up to some minutes before now; the service was down in the last twenty minutes. */
const CLOCK = '2026-11-10T12:00:00Z';
const DATE = '2026-11-10';
const SINCE = '2026-11-09T22:00Z';
const MINUTES = 717;
const DOWN = 20;
const probers = ['amsterdam', 'bergen'].map(newProber);

let service: LocalService;
let asCustomer: AsCustomer;
beforeAll(async () => {
  service = await startService({ CLOCK });
  asCustomer = await grantCustomer(service, 'acme', 'institution');
});
afterAll(() => service?.remove());

const ask = async (query = '') => {
  const { status, json } = await asCustomer(`/service-level${query}`);
  const { code, detail, ...body } = json<Record<string, unknown>>();
  return status === 200 ? body : [status, code, detail];
};

test('the service level has nothing to report before there is a prober', async () => {
  expect(await ask()).toEqual([404, 'not_found', 'The service level has not begun: no prober is registered yet.']);
});

describe('with two probers', () => {
  beforeAll(async () => {
    await inDatabase(service, async (db) => {
      const rows = probers.map(({ name, verifierKey }) => ({ _id: name, key: verifierKey, since: SINCE }));
      await db.collection<{ _id: string }>('probers').insertMany(rows);
    });
    for (const prober of probers) {
      const { text } = createChain(
        prober,
        createReadings(`${DATE}T00:00Z`, MINUTES, (at) => at >= MINUTES - DOWN),
      );
      const path = `${service.origin}/transparency/v1/service-level/results/${prober.name}/${DATE}`;
      const headers = deliveryHeaders(prober, DATE, text, new Date(CLOCK));
      const { status } = await send(path, { body: text, headers });
      expect(status).toBe(200);
    }
  });

  test('the month so far has its outages, its budget and its alerts', async () => {
    const report = (await ask()) as Record<string, unknown>;
    const end = addMinutes(`${DATE}T00:00Z`, MINUTES);
    expect(report).toMatchObject({
      month: '2026-11',
      objectives: '2026-1',
      isFinal: false,
      entry: null,
      figures: { from: SINCE, to: end, minutes: 120 + MINUTES, up: MINUTES - DOWN, unmeasured: 120, isMet: false },
      // The month begins with the first vote, so it has 30 240 − 1320 minutes, of which 30 may be down.
      budget: { minutes: 30, spent: 120 + DOWN, left: 30 - 120 - DOWN, credit: 10 },
      burn: [
        { name: 'fast', isFiring: true, shortRate: 1000 },
        { name: 'slow', isFiring: true },
      ],
      outages: [
        { from: SINCE, to: `${DATE}T00:00Z`, minutes: 120, unmeasured: 120 },
        { from: addMinutes(end, -DOWN), to: end, minutes: DOWN, unmeasured: 0 },
      ],
      probers: probers.map(({ name }) => ({ name, votes: 120 + MINUTES, measured: MINUTES, up: MINUTES - DOWN })),
      days: [
        { date: '2026-11-09', minutes: 120, up: 0, unmeasured: 120, entry: null },
        { date: DATE, minutes: MINUTES, up: MINUTES - DOWN, unmeasured: 0, entry: null },
      ],
    });
  });

  test.each([
    ['in the future', '?month=2026-12', '2026-12 has not begun yet.'],
    [
      'before anybody had a vote',
      '?month=2026-10',
      `The service level began at ${SINCE}: in 2026-10 no prober had a vote.`,
    ],
  ])('a month %s is answered by a sentence', async (_, query, detail) => {
    expect(await ask(query)).toEqual([404, 'not_found', detail]);
  });

  test('a month that does not exist is refused', async () => {
    expect((await asCustomer('/service-level?month=2026-13')).status).toBe(400);
  });

  test('the metrics have the burn rate, the budget that is left and the time of the last result', async () => {
    const metrics = parseMetrics(await service.metrics());
    const rate = (window: string) => sumSamples(metrics, 'broker_rating_service_level_burn_rate', { window });
    expect([rate('5m'), rate('30m')]).toEqual([1000, (DOWN * 1000) / 30]);
    expect(sumSamples(metrics, 'broker_rating_service_level_budget_left_minutes')).toBe(30 - 120 - DOWN);
    const last = sumSamples(metrics, 'broker_rating_service_level_prober_timestamp_seconds', { prober: 'bergen' });
    expect(last).toBe(Date.parse(addMinutes(`${DATE}T00:00Z`, MINUTES - 1)) / 1000);
  });
});
