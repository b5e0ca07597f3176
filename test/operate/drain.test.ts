import { Agent, request } from 'node:http';
import { freePort } from '@broker-transparency/embedded-mongo/port';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findDatabaseUrl, readEmbedded } from '../support/database.ts';
import { createToken, importRows } from '../support/filled-service.ts';
import { pauseProcess } from '../support/pause-process.ts';
import { EMBEDDED, type ServiceProcess, startProcess } from '../support/process.ts';
import { type ReverseProxy, startProxy } from '../support/proxy.ts';
import { RawConnection } from '../support/raw-http.ts';
import { brokerRow, complaintBody } from '../support/records.ts';
import { until } from '../support/until.ts';

/** Processes start and end one after another, and the machine may be slow. */
/** Owns the database, and receives no requests. */
let owner: ServiceProcess;
let servers: [ServiceProcess, ServiceProcess];
let proxy: ReverseProxy;
/** One per caller, because the writes of one account wait for each other. */
let tokens: string[];

const startOn = async (port: string): Promise<ServiceProcess> =>
  startProcess({ MONGODB_URL: await findDatabaseUrl(owner), PORT: port });

beforeAll(async () => {
  owner = await startProcess(EMBEDDED);
  await importRows(
    owner,
    'brokers',
    Array.from({ length: 50 }, (_, n) => brokerRow(`broker-${n}`)),
  );
  tokens = [];
  for (const caller of ['alice', 'bob', 'carol', 'dave']) tokens.push(await createToken(owner, caller));
  const ports = [await freePort(), await freePort()].map(String) as [string, string];
  servers = [await startOn(ports[0]), await startOn(ports[1])];
  proxy = await startProxy(servers.map(({ origin }) => origin));
});
afterAll(async () => {
  await proxy?.close();
  for (const server of servers ?? []) await server.remove();
  await owner?.remove();
});

interface Tally {
  answered: number;
  written: number;
  readonly failures: string[];
}

/** Sends requests one after another on one connection, with a write now and then, until `isOver`. */
const call = async (caller: number, tally: Tally, isOver: () => boolean): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let n = 0; !isOver(); n++) {
    const isWrite = n % 20 === 0;
    const body = isWrite
      ? JSON.stringify(complaintBody(`broker-${n % 50}`, { title: `Complaint ${n} of caller ${caller}` }))
      : undefined;
    const path = isWrite ? '/complaints' : n % 2 ? `/brokers/broker-${n % 50}` : `/brokers?limit=5&offset=${n % 40}`;
    const headers = isWrite ? { Authorization: `Bearer ${tokens[caller]}`, 'Content-Type': 'application/json' } : {};
    await new Promise<void>((resolve) => {
      const sent = request(`${proxy.origin}/api/v1${path}`, { agent, headers, method: isWrite ? 'POST' : 'GET' });
      const fail = (what: string) => {
        tally.failures.push(`${path}: ${what}`);
        resolve();
      };
      sent.on('error', (error) => fail(error.message));
      sent.on('response', async (answer) => {
        const chunks: Buffer[] = [];
        for await (const chunk of answer) chunks.push(chunk as Buffer);
        const expected = isWrite ? 201 : 200;
        if (answer.statusCode !== expected) fail(`${answer.statusCode} ${Buffer.concat(chunks)}`);
        tally.answered++;
        if (isWrite) tally.written++;
        resolve();
      });
      sent.end(body);
    });
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  agent.destroy();
};

test('processes restart one after another under load without a failed request', async () => {
  const tally: Tally = { answered: 0, written: 0, failures: [] };
  let isOver = false;
  const calls = Promise.all(Array.from({ length: 4 }, (_, caller) => call(caller, tally, () => isOver)));
  for (const at of [0, 1] as const) {
    const { origin } = servers[at];
    await until('it has requests', 20_000, async () => proxy.has(origin));
    const before = tally.answered;
    expect(await servers[at].end('SIGTERM')).toBe(0);
    expect(tally.answered, 'the other one answers').toBeGreaterThan(before);
    servers[at] = await startOn(new URL(origin).port);
    await until('it has requests again', 20_000, async () => proxy.has(origin));
  }
  const last = tally.answered;
  await until('both answer', 20_000, async () => tally.answered > last + 50);
  isOver = true;
  await calls;
  expect(tally.failures.slice(0, 10)).toEqual([]);
  expect(tally.written).toBeGreaterThan(8);
});

test('exits with 0 within 15 s, even if the database hangs and callers are stuck', async () => {
  const [server] = servers;
  const { mongodPid } = await readEmbedded(owner);
  const head =
    `POST /api/v1/complaints HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${tokens[0]}\r\nContent-Type: ` +
    'application/json\r\n';
  const stuck = await RawConnection.open(server.origin);
  stuck.send(`${head}Content-Length: 500\r\n\r\n{`);
  const waiting = await RawConnection.open(server.origin);
  await pauseProcess(mongodPid);
  try {
    waiting.send('GET /api/v1/brokers?limit=77 HTTP/1.1\r\nHost: a\r\n\r\n');
    const began = Date.now();
    expect(await server.end('SIGTERM')).toBe(0);
    expect(Date.now() - began).toBeLessThan(15_000);
    expect((await waiting.answer())?.status).toBe(503);
    await stuck.closed(1000);
  } finally {
    process.kill(mongodPid, 'SIGCONT');
  }
});
