import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEmbedded } from '../support/database.ts';
import { importRows } from '../support/filled-service.ts';
import { type HttpResponse, send } from '../support/http.ts';
import { pauseProcess } from '../support/pause-process.ts';
import { expectProblem } from '../support/problem.ts';
import { EMBEDDED, type ServiceProcess, startProcess } from '../support/process.ts';
import { brokerRow } from '../support/records.ts';
import { until } from '../support/until.ts';

/** Reads that run at a time, callers with a place in the queue, and requests at each place. */
const [AT_ONCE, PLACES, PER_PLACE] = [2, 16, 4];

/** A place rests at most so long after its work. */
const MOST_REST_MS = 100;

let service: ServiceProcess;
let mongodPid: number;
beforeAll(async () => {
  service = await startProcess(EMBEDDED);
  await importRows(service, 'brokers', [brokerRow('alpha')]);
  ({ mongodPid } = await readEmbedded(service));
  await until('it shows', 10_000, async () => (await read('127.10.0.1')).status === 200);
  await restOver();
});
afterAll(() => service?.remove());

const read = (from: string, path = '/transparency/v1/brokers/alpha/history'): Promise<HttpResponse> =>
  send(`${service.origin}${path}`, { from });

/** Returns the reason why a request was refused. */
const readReason = (answer: HttpResponse): 'late' | 'too much' => {
  expect(expectProblem(answer)).toMatchObject({ status: 503, code: 'unavailable' });
  return expectProblem(answer).detail.includes('Nothing was done') ? 'too much' : 'late';
};
const count = (reasons: readonly string[], reason: string): number => reasons.filter((one) => one === reason).length;

/** Waits until no place rests: a process ends each rest that is over before it reads the next request. */
const restOver = (): Promise<void> => sleep(2 * MOST_REST_MS);

/** Sends requests while the database does not answer. Returns why each was refused. */
const whileItHangs = async (requests: readonly (() => Promise<HttpResponse>)[]): Promise<string[]> => {
  await pauseProcess(mongodPid);
  try {
    return (await Promise.all(requests.map((request) => request()))).map(readReason);
  } finally {
    process.kill(mongodPid, 'SIGCONT');
    await until('the database answers', 10_000, async () => (await read('127.10.0.2')).status === 200);
    await restOver();
  }
};

test.each([
  ['at first', 11],
  ['again, once the database answers', 16],
])('few reads of the record run at a time, few callers wait, everybody else is refused at once: %s', async (_, net) => {
  const callers = Array.from({ length: 30 }, (_, n) => () => read(`127.${net}.${n}.1`));
  const reasons = await whileItHangs(callers);
  expect([count(reasons, 'late'), count(reasons, 'too much')]).toEqual([AT_ONCE + PLACES, 30 - AT_ONCE - PLACES]);
});

test('one caller has one read that runs and one place in the queue', async () => {
  const many = Array.from({ length: 12 }, () => () => read('127.12.0.1'));
  const other = () => read('127.12.1.1');
  const reasons = await whileItHangs([...many, other]);
  expect([count(reasons, 'late'), count(reasons, 'too much')]).toEqual([1 + PER_PLACE + 1, 12 - 1 - PER_PLACE]);
  expect(reasons.at(-1)).toBe('late');
});

test('a page that reads the record counts like a read of it', async () => {
  const pages = Array.from(
    { length: 12 },
    (_, n) => () => read('127.13.0.1', `/brokers/alpha/history?on=2026-01-${n + 10}`),
  );
  const reasons = await whileItHangs(pages);
  expect([count(reasons, 'late'), count(reasons, 'too much')]).toEqual([1 + PER_PLACE, 12 - 1 - PER_PLACE]);
});
