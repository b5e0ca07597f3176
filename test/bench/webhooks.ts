/**
 * Measures how many webhooks one process sends: `pnpm enterprise:webhooks [endpoints] [rate …]`. Every endpoint gets
 * every entry, so 1 000 endpoints and 10 entries a second are 10 000 events a second. One endpoint in a hundred never
 * answers. Then it measures the ceiling: how fast a backlog is sent. `V1A=1` signs by Ed25519, too.
 */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { MongoClient, ObjectId } from 'mongodb';
import { createScratch } from '../support/files.ts';
import { startLockedMongo } from '../support/locked-mongo.ts';
import { runCli, startProcess } from '../support/process.ts';
import { createOwnChange } from '../support/record.ts';
import { until } from '../support/until.ts';

const [endpoints = 1000, ...given] = process.argv.slice(2).map(Number);
const rates = given.length > 0 ? given : [2, 5, 10];
const SECONDS = 20;
const BACKLOG = 60;
const SILENT_ONE_IN = 100;

interface DeliveryStats {
  readonly events: number;
  readonly p50: number | null;
  readonly p99: number | null;
  readonly most: number | null;
}

const startReceiver = async () => {
  const path = fileURLToPath(new URL('webhook-receiver-process.ts', import.meta.url));
  const child = spawn(process.execPath, [path], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const port = Number((await lines.next()).value);
  return {
    port,
    seen: async (): Promise<DeliveryStats> => {
      child.stdin.write('\n');
      return JSON.parse((await lines.next()).value as string);
    },
    end: () => child.kill(),
  };
};

/** Seconds of processor time of a process so far. */
const readCpuSeconds = async (pid: number): Promise<number> => {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
};

/** Each endpoint is elsewhere, as those of customers are. */
const toHost = (at: number): string => `127.0.${1 + Math.floor(at / 250)}.${1 + (at % 250)}`;

const scratch = await createScratch();
const mongo = await startLockedMongo([]);
const client = await MongoClient.connect(mongo.url());
const receiver = await startReceiver();
const key = scratch.file('webhook.key');
await runCli(['admin', 'enterprise', 'new-webhook-key', key], {});
const service = await startProcess({
  MONGODB_URL: mongo.url(),
  LOG_LEVEL: 'error',
  JOBS: 'on',
  WEBHOOKS_ALLOW_LOOPBACK: 'true',
  ...(process.env['V1A'] ? { WEBHOOK_KEY: key } : {}),
});
try {
  const db = client.db('ratings');
  const now = new Date();
  const terms = { version: '1', acceptedBy: 'a benchmark', acceptedAt: now };
  const customer = { _id: 'acme' as never, name: 'Acme', plan: 'institution', agreement: terms, clientIds: [] };
  await db.collection('organisations').insertOne({ ...customer, createdAt: now });
  const head = async (): Promise<number> => (await db.collection('recordHeads').findOne())?.['next'] ?? 0;
  await until('the record stands', 30_000, async () => !(await db.collection('recordEntries').findOne({ pending: 0 })));
  const next = await head();
  const silent = Math.floor(endpoints / SILENT_ONE_IN);
  await db.collection('webhookEndpoints').insertMany(
    Array.from({ length: endpoints }, (_, at) => ({
      _id: `we_${new ObjectId()}` as never,
      organisation: 'acme',
      slot: at,
      url: `http://${toHost(at)}:${receiver.port}/${at < silent ? 'hangs' : at}`,
      description: null,
      kinds: null,
      watchlist: null,
      secrets: [{ secret: `whsec_${Buffer.alloc(32, at % 250).toString('base64')}`, createdAt: now, endsAt: null }],
      createdAt: now,
      revision: 0,
      epoch: 0,
      position: { next, blocked: [], whole: null },
      paused: null,
      lastDeliveredAt: null,
      failures: [],
      lease: null,
    })),
  );
  const answering = endpoints - silent;
  let made = 0;
  const publish = async (count: number): Promise<void> => {
    if (count === 0) return;
    const rows = Array.from({ length: count }, () => {
      const n = made++;
      const subject = `broker/${n % 500}`;
      const entry = { key: `news/n${n}`, sequence: 0, subject, kind: 'news', cause: 'fact', value: '{}', pending: 0 };
      return { ...createOwnChange(), ...entry };
    });
    await db.collection('recordEntries').insertMany(rows);
  };
  const drain = async (expected: number, seconds: number): Promise<DeliveryStats & { readonly all: number }> => {
    const parts: DeliveryStats[] = [];
    const begun = performance.now();
    for (let all = 0; all < expected && performance.now() - begun < seconds * 1000; ) {
      await sleep(100);
      const part = await receiver.seen();
      all += part.events;
      parts.push(part);
    }
    const most = (name: 'p50' | 'p99' | 'most'): number => Math.max(...parts.map((part) => part[name] ?? 0));
    const all = parts.reduce((sum, { events }) => sum + events, 0);
    return { events: all, all, p50: most('p50'), p99: most('p99'), most: most('most') };
  };

  await publish(1);
  await drain(answering, 30);
  console.log(`${endpoints} endpoints, ${silent} of them silent; signed by v1${process.env['V1A'] ? ' and v1a' : ''}`);
  for (const rate of rates) {
    await receiver.seen();
    const [cpu, begun] = [await readCpuSeconds(service.pid), performance.now()];
    const before = made;
    for (
      let due = 0;
      performance.now() - begun < SECONDS * 1000;
      due = Math.floor(((performance.now() - begun) / 1000) * rate)
    ) {
      await publish(due - (made - before));
      await sleep(20);
    }
    const { events, p50, p99, most } = await receiver.seen();
    const seconds = (performance.now() - begun) / 1000;
    const share = (((await readCpuSeconds(service.pid)) - cpu) / seconds).toFixed(2);
    const asked = (made - before) * answering;
    console.log(
      `${rate} entries/s: ${Math.round(events / seconds)} of ${Math.round(asked / seconds)} events/s, ` +
        `age p50 ${p50} ms, p99 ${p99} ms, most ${most} ms; ${share} of a core`,
    );
    await drain(asked - events, 60);
  }
  const [cpu, begun] = [await readCpuSeconds(service.pid), performance.now()];
  await publish(BACKLOG);
  const { all } = await drain(BACKLOG * answering, 120);
  const micros = (((await readCpuSeconds(service.pid)) - cpu) / all) * 1e6;
  console.log(`processor: ${Math.round(micros)} µs an event: ${Math.round(1e6 / micros)} events/s of a whole core`);
  console.log(
    `ceiling: a backlog of ${all} events at ${Math.round(all / ((performance.now() - begun) / 1000))} events/s`,
  );
} finally {
  receiver.end();
  await service.remove();
  await client.close();
  await mongo.stop();
  await scratch.remove();
}
