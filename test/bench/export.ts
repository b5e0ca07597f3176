/**
 * Measures the export of a market: `node test/bench/export.ts [brokers] [reviews]` after `pnpm build`. Fills a database, which is
 * kept, and prints for snapshots: time and memory growth of the builder, alone and on the snapshot before; the speed of
 * a download beside that of a bare cursor; and how long public reads take meanwhile.
 */
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ENTERPRISE_BASE_PATH, type SnapshotManifest } from '@broker-transparency/contract/enterprise';
import { CACHE } from '../support/cache.ts';
import { createScratch } from '../support/files.ts';
import { succeeded } from '../support/filled-service.ts';
import { untilLogged } from '../support/record.ts';
import { bin, startService } from '../support/service.ts';
import { openData, SIZES } from './data.ts';
import type { Job, Outcome } from './load.ts';
import { slugOf } from './names.ts';
import { ask, cpuTicks, endProcess, peakMb, residentMb, startNode, TICKS_PER_SECOND } from './processes.ts';
import { addChanges, addRecord } from './recorded.ts';

const [brokers = SIZES.large.brokers, reviews = SIZES.large.reviews] = process.argv.slice(2).map(Number);
const ROUNDS = 9;
/** Less than the time after which the service closes a connection that nobody uses. */
const SECONDS = 8;
/** Requests per second of the public. */
const RATE = 100;
const CHANGES = 20_000;
const MOST_MB = 64;

const log = (line: string): void => void process.stderr.write(`${line}\n`);
const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] as number;

const scratch = await createScratch();
const data = await openData({ brokers, reviews }, join(CACHE, 'export'), log);
if ((await data.db.collection('recordEntries').estimatedDocumentCount()) < brokers + reviews * 0.9) {
  log('writing the record');
  await addRecord(data.db, data, log);
}
const settings = { MONGODB_URL: data.url, DATA_DIR: scratch.path, LOG_LEVEL: 'error' };
const service = await startService(settings);
const { port } = new URL(service.origin);

/** Whether everything holds. */
const row = (what: string, value: string, isGood = true): void => {
  console.log(`${what.padEnd(58)} ${value}${isGood ? '' : '  TOO MUCH'}`);
  if (!isGood) process.exitCode = 1;
};

/** Makes a snapshot by the command. Returns its number. */
const build = async (what: string): Promise<number> => {
  const begun = performance.now();
  const folder = join(scratch.path, 'snapshots');
  const child = startNode('server', [bin, 'enterprise', 'snapshot'], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings },
    output: 'inherit',
    messages: false,
  });
  const ended = once(child, 'exit');
  const pid = child.pid as number;
  let [base, peak] = [0, 0];
  const hasBegun = async (): Promise<boolean> =>
    (await readdir(folder).catch(() => [])).some((name) => name.startsWith('.unfinished'));
  while (child.exitCode === null && child.signalCode === null) {
    if (base === 0 && (await hasBegun())) base = await residentMb(pid).catch(() => 0);
    peak = Math.max(peak, await peakMb(pid));
    await sleep(20);
  }
  await ended;
  if (child.exitCode !== 0) throw new Error(`the builder ended with ${child.exitCode}`);
  const seconds = (performance.now() - begun) / 1000;
  row(`${what}: time`, `${seconds.toFixed(1)} s`);
  row(`${what}: memory growth`, `${(peak - base).toFixed(0)} MB (from ${base.toFixed(0)})`, peak - base < MOST_MB);
  return Math.max(...(await readdir(folder)).filter((name) => /^\d+$/.test(name)).map(Number));
};

const token = async (): Promise<string> => {
  const grant = ['enterprise', 'grant', 'bench', '--name', 'Bench', '--plan', 'regulator', '--accepted-by', 'a bench'];
  succeeded(await service.cli(...grant));
  return succeeded(await service.cli('enterprise', 'issue-key', 'bench', '--quiet')).trim();
};

/** Reads a stream to its end, and returns how many bytes it has. */
const drain = async (stream: AsyncIterable<Buffer>): Promise<number> => {
  let bytes = 0;
  for await (const chunk of stream) bytes += chunk.length;
  return bytes;
};

const fetchFile = async (path: string, key: string): Promise<number> => {
  const sent = get(`${service.origin}${ENTERPRISE_BASE_PATH}${path}`, { headers: { Authorization: `Bearer ${key}` } });
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode}`);
  return drain(answer);
};

const timed = async (work: () => Promise<number>): Promise<{ seconds: number; bytes: number }> => {
  const begun = performance.now();
  const bytes = await work();
  return { bytes, seconds: (performance.now() - begun) / 1000 };
};

const cursor = startNode('server', [script('./cursor-process.ts'), data.url], {
  env: process.env,
  output: 'inherit',
  messages: true,
});
const [cursorPort] = (await once(cursor, 'message')) as [number];
const load = startNode('load', [script('./load.ts')], { env: process.env, output: 'inherit', messages: true });

const job: Job = {
  port: Number(port),
  requests: data.names
    .slice(0, 400)
    .flatMap((name) => [
      { path: `/api/v1/brokers/${slugOf(name)}` },
      { path: `/api/v1/reviews?broker=${slugOf(name)}&limit=20` },
      { path: `/api/v1/search?q=${encodeURIComponent(name.slice(0, 5))}` },
    ]),
  from: 0,
  headers: {},
  connections: 20,
  until: { seconds: SECONDS },
  rate: RATE,
  expected: { status: 200 },
};
const publicReads = async (): Promise<Outcome> => {
  const outcome = await ask<Outcome>(load, job);
  if (outcome.wrong !== 0) throw new Error(`public reads: ${JSON.stringify(outcome)}`);
  return outcome;
};

try {
  log('the tree grows over the record');
  const begun = performance.now();
  for (;;)
    try {
      await untilLogged(data.db);
      break;
    } catch (error) {
      if (performance.now() - begun > 3_600_000) throw error;
    }
  await build('first snapshot');
  await addChanges(data.db, CHANGES);
  await untilLogged(data.db);
  const number = await build(`snapshot after ${CHANGES} changes`);
  const key = await token();
  const answer = await fetch(`${service.origin}${ENTERPRISE_BASE_PATH}/snapshots/${number}`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  const { files, entries } = (await answer.json()) as SnapshotManifest;
  const paths = (pattern: RegExp) =>
    files.filter(({ name }) => pattern.test(name)).map(({ name }) => `/snapshots/${number}/files/${name}`);
  const all = paths(/^(entries|texts)-.*gz$/);
  const mb = (pattern: RegExp) =>
    files.filter(({ name }) => pattern.test(name)).reduce((sum, { bytes }) => sum + bytes, 0) / 2 ** 20;
  row(
    'entries; MB as .gz, as .zst, as tables, of texts',
    `${entries}; ${[/^entries.*gz$/, /zst$/, /^table/, /^texts/].map((one) => mb(one).toFixed(0)).join(', ')}`,
  );

  const total = await data.db.collection('recordEntries').countDocuments();
  const bare = await timed(async () => drain(connect(cursorPort, '127.0.0.1')));
  const ticks = await cpuTicks([service.pid]);
  const own = await timed(async () => {
    let bytes = 0;
    for (const path of paths(/^entries.*gz$/)) bytes += await fetchFile(path, key);
    return bytes;
  });
  const spent = (await cpuTicks([service.pid])) - ticks;
  row('processor time of the server for 100 MB', `${((spent / TICKS_PER_SECOND / own.bytes) * 1e8).toFixed(2)} s`);
  const speeds = [total / bare.seconds, entries / own.seconds] as const;
  const megabytes = [bare, own].map(({ bytes, seconds }) => `${(bytes / 2 ** 20 / seconds).toFixed(0)} MB/s`);
  row('a bare cursor to a socket', `${speeds[0].toFixed(0)} entries/s, ${megabytes[0]}`);
  row('a download', `${speeds[1].toFixed(0)} entries/s, ${megabytes[1]}`, speeds[1] >= speeds[0] / 2);

  await publicReads();
  const [quiet, busy, built]: [Outcome[], Outcome[], Outcome[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    quiet.push(await publicReads());
    let isOver = false;
    const downloading = (async () => {
      let bytes = 0;
      for (let at = 0; !isOver; at = (at + 1) % all.length) bytes += await fetchFile(all[at] as string, key);
      return bytes;
    })();
    busy.push(await publicReads());
    isOver = true;
    row(`  round ${round}: downloaded meanwhile`, `${((await downloading) / 2 ** 20 / SECONDS).toFixed(0)} MB/s`);
  }
  const [before, during] = [quiet, busy].map((list) => median(list.map(({ p99 }) => p99 * 1000))) as [number, number];
  const p50 = [quiet, busy].map((list) => median(list.map((one) => one.p50 * 1000)).toFixed(2));
  row('public reads before: p50, p99', `${p50[0]}, ${before.toFixed(2)} ms`);
  row(
    'public reads during a download: p50, p99',
    `${p50[1]}, ${during.toFixed(2)} ms (${(during / before).toFixed(2)})`,
    during <= before * 1.5,
  );
  await addChanges(data.db, CHANGES);
  await untilLogged(data.db);
  let isBuilt = false;
  const building = build('snapshot beside public reads').finally(() => {
    isBuilt = true;
  });
  while (!isBuilt) built.push(await publicReads());
  await building;
  const beside = median(built.map(({ p99 }) => p99 * 1000));
  row(
    'public reads while a snapshot is built: p99',
    `${beside.toFixed(2)} ms (${(beside / before).toFixed(2)})`,
    beside <= before * 1.5,
  );
} finally {
  for (const child of [cursor, load]) await endProcess(child, 'SIGKILL');
  await service.end('SIGINT');
  await data.close();
  await scratch.remove();
}
