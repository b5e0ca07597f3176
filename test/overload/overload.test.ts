import { setPriority } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { besideBusyProcesses } from '../support/busy.ts';
import { findDatabaseUrl, readEmbedded } from '../support/database.ts';
import { createToken, importRows } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { pauseProcess } from '../support/pause-process.ts';
import { EMBEDDED, type ServiceProcess, startProcess } from '../support/process.ts';
import { type RawAnswer, RawConnection } from '../support/raw-http.ts';
import { brokerRow, reviewBody } from '../support/records.ts';
import { until } from '../support/until.ts';
import { createBursts, TOGETHER } from './burst.ts';
import { measureOverload } from './measure.ts';
import { measureSiege } from './silent.ts';

/** Builds each answer from the database. */
let service: ServiceProcess;
/** Uses the same database, with low limits. */
let small: ServiceProcess;
const CONNECTIONS = 20;
const connections: RawConnection[] = [];

beforeAll(async () => {
  service = await startProcess({ PREPARED_MB: '0', ...EMBEDDED });
  await importRows(
    service,
    'brokers',
    Array.from({ length: 300 }, (_, n) => brokerRow(`broker-${n}`)),
  );
  const url = await findDatabaseUrl(service);
  small = await startProcess({ MONGODB_URL: url, MAX_IN_FLIGHT: '2', MAX_CONNECTIONS: String(CONNECTIONS) });
});
afterAll(async () => {
  for (const connection of connections) connection.destroy();
  await small?.remove();
  await service?.remove();
});

const open = async (): Promise<RawConnection> => {
  const connection = await RawConnection.open(small.origin);
  connections.push(connection);
  return connection;
};
const closeAll = () => {
  for (const connection of connections.splice(0)) connection.destroy();
};
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const ask = async (path: string, connection?: RawConnection): Promise<RawAnswer | undefined> => {
  const line = connection ?? (await open());
  line.send(get(path));
  return line.answer();
};

/** A metric of the small service. */
const readGauge = async (name: string): Promise<number> => {
  const { text } = await send(`${small.origin}/metrics`);
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
};
const awaitedBodies = (): Promise<number> => readGauge('broker_rating_awaited_bodies');

const expectRefused = (answer: RawAnswer | undefined, path: string): void => {
  expect([answer?.status, answer?.headers.get('cache-control')]).toEqual([503, 'no-store']);
  expect(answer?.headers.get('content-type')).toBe('application/problem+json');
  expect(answer?.headers.get('access-control-allow-origin')).toBe('*');
  expect(Number(answer?.headers.get('retry-after'))).toBeOneOf([1, 2, 3]);
  expect(JSON.parse(answer?.body ?? '')).toMatchObject({
    code: 'unavailable',
    detail: 'The service has more to do than it can. Nothing was done for this request.',
    instance: path,
    requestId: answer?.headers.get('x-request-id'),
  });
  expect(answer?.headers.has('ratelimit'), 'it is not counted').toBe(false);
};

test.each(['kept', 'new'] as const)(
  'a service at three times its capacity on %s connections answers some and refuses the rest at once',
  async (connections) => {
    const { loaded, health, memory, recoveryMs, ...rest } = await measureOverload(service, connections, {
      load: 4,
      capacity: 1.5,
    });
    const shown = JSON.stringify({ loaded, health, memory, recoveryMs, ...rest }, null, 1);
    const { 200: answered, 503: refused, ...others } = loaded.byStatus;
    expect([others, loaded.lost, loaded.withoutRetryAfter], shown).toEqual([{}, 0, 0]);
    expect(answered?.count, shown).toBeGreaterThan(100);
    expect(refused?.count, shown).toBeGreaterThan(20);
    const second = 1000 * rest.slowdown;
    expect(answered?.p99, shown).toBeLessThan(2 * second);
    expect(refused?.p99, shown).toBeLessThan(2 * second);
    expect(health, shown).toMatchObject({ refused: 0 });
    expect(health.worstMs, shown).toBeLessThan(second);
    expect(recoveryMs, shown).toBeLessThan(2 * second);
    expect(memory[1], shown).toBeLessThan(memory[0] * 1.2 + 20);
    expect(service.output().includes('overloaded: requests are refused'), shown).toBe(true);
  },
);

test('refuses none of 100 simultaneous requests while other processes keep the machine busy', async () => {
  const url = await findDatabaseUrl(service);
  const starved = await startProcess({ MONGODB_URL: url });
  try {
    const bursts = await createBursts(starved, await createToken(service, 'carol'));
    setPriority(starved.pid, 5); // keeps the callers faster than the service, so that the burst stays one
    const { byStatus, refused } = await besideBusyProcesses(4, bursts.send);
    bursts.end();
    const { 200: read = 0, 201: written = 0, 503: late = 0 } = byStatus; // 503: the deadline of 1.5 s passed
    expect([read + written + late, read > 0, refused], JSON.stringify(byStatus)).toEqual([TOGETHER, true, 0]);
  } finally {
    await starved.remove();
  }
});

describe('at the concurrency limit', () => {
  const READY = '/api/v1/brokers/broker-0';
  /** Requests that wait for the database. They announce bodies that never come and that no route waits for. */
  const hung = async (): Promise<RawConnection[]> => {
    const lines = await Promise.all([open(), open()]);
    for (const [n, line] of lines.entries())
      line.send(
        `GET /api/v1/brokers/broker-${n + 1} HTTP/1.1\r\nHost: a\r\nAuthorization: Basic ` +
          'YTpi\r\nContent-Length: 5\r\n\r\n',
      );
    return lines;
  };

  test('answers cached reads and health, and refuses the rest, whatever body a request announces', async () => {
    expect((await ask(READY))?.status).toBe(200);
    const { mongodPid } = await readEmbedded(service);
    await pauseProcess(mongodPid);
    try {
      const lines = await hung();
      const line = await open();
      const refused = await until('there is no room', 1000, async () => {
        const answer = await ask('/api/v1/brokers/broker-9?', line);
        return answer?.status === 503 && answer;
      });
      expectRefused(refused, '/api/v1/brokers/broker-9');
      expect([(await ask(READY, line))?.status, (await ask('/healthz', line))?.status]).toEqual([200, 200]);
      const late = await Promise.all(lines.map((one) => one.answer()));
      for (const answer of late) expect(JSON.parse(answer?.body ?? '').detail).toContain('database does not answer');
    } finally {
      process.kill(mongodPid, 'SIGCONT');
    }
    await until('the database answers', 10_000, async () => (await ask('/api/v1/brokers/broker-9'))?.status === 200);
    closeAll();
  });

  test('slow uploads do not count towards the limit, but more than four per place are refused', async () => {
    const token = await createToken(service, 'alice');
    const body = JSON.stringify(reviewBody('broker-0'));
    const head =
      `POST /api/v1/reviews HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: ` +
      'application/json\r\n';
    const start = `${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 20)}`;
    const uploads: RawConnection[] = [];
    for (let n = 1; n <= 8; n++) {
      const upload = await open();
      uploads.push(upload);
      upload.send(start);
      await until('it is awaited', 5000, async () => (await awaitedBodies()) === n);
    }
    for (const n of [11, 12, 13]) expect((await ask(`/api/v1/brokers/broker-${n}`))?.status).toBe(200);
    const refused = await open();
    refused.send(start);
    expectRefused(await refused.answer(), '/api/v1/reviews');
    uploads[0]?.send(body.slice(20));
    expect((await uploads[0]?.answer())?.status).toBe(201);
    uploads[1]?.destroy();
    await until('it is no longer awaited', 5000, async () => (await awaitedBodies()) === 6);
    closeAll();
  });
});

describe('at the connection limit', () => {
  test('admits others despite three times as many silent callers as allowed, however often they return', async () => {
    const { opened, answers } = await measureSiege(small, { callers: 3 * CONNECTIONS, seconds: 3 });
    expect(opened).toBeGreaterThan(3 * CONNECTIONS);
    const asked = Object.values(answers).reduce((sum, count) => sum + count, 0);
    // A busy machine may make the service refuse some, as under any load.
    expect((answers[200] ?? 0) / asked, JSON.stringify(answers)).toBeGreaterThan(0.8);
  });

  test('closes the connection that has been silent longest to admit a new one', async () => {
    closeAll();
    await until('nobody is left', 5000, async () => (await readGauge('http_server_open_connections')) <= 1);
    const lines: RawConnection[] = [];
    for (let n = 0; n < CONNECTIONS + 2; n++) lines.push(await open()); // one more may belong to the metrics request
    await until('the first one is closed', 3000, async () => lines[0]?.ended);
    expect((await ask('/api/v1/news', lines.at(-1)))?.status).toBe(200);
    expect((await ask('/api/v1/news'))?.status).toBe(200);
    await until('another silent one is closed', 3000, async () => lines[1]?.ended);
    expect((await ask('/api/v1/news', lines.at(-1)))?.status).toBe(200);
    const { text } = await send(`${small.origin}/metrics`);
    expect(text).toMatch(/^broker_rating_connections_closed_total\{reason="room"\} [1-9]/m);
    expect(text).toContain(`broker_rating_connections_max ${CONNECTIONS}\n`);
    closeAll();
  });
});
