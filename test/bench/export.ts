/**
 * Measures the export of a market: `node test/bench/export.ts [brokers] [reviews]` after `pnpm build`. Fills a
 * database, which is kept, and prints for snapshots: time and memory growth of the builder, alone and on the snapshot
 * before; the speed of a download beside that of a bare cursor; and how long public reads take meanwhile. With
 * `--reads` it measures only the latter, on a smaller market and in shorter rounds: some minutes, once the database is
 * filled.
 */
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ENTERPRISE_BASE_PATH, type SnapshotManifest } from '@broker-transparency/contract/enterprise';
import { CACHE } from '../support/cache.ts';
import { createScratch } from '../support/files.ts';
import { succeeded } from '../support/filled-service.ts';
import { bin, startProcess } from '../support/process.ts';
import { untilLogged } from '../support/record.ts';
import { openData, SIZES } from './data.ts';
import type { Download, DownloadResult } from './download-process.ts';
import type { Job, LoadOutcome } from './load.ts';
import { toSlug } from './names.ts';
import { ask, endProcess, readCpuTicks, readPeakMb, readResidentMb, startNode, TICKS_PER_SECOND } from './processes.ts';
import { addChanges, addRecord } from './recorded.ts';

const { values: asked, positionals } = parseArgs({
  options: { reads: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const size = asked.reads ? { brokers: 5000, reviews: 200_000 } : SIZES.large;
const [brokers = size.brokers, reviews = size.reviews] = positionals.map(Number);
const ROUNDS = 9;
/** Less than the time after which the service closes a connection that nobody uses. */
const SECONDS = asked.reads ? 4 : 8;
/** Requests per second of the public. */
const RATE = 100;
const CHANGES = 20_000;
/** Public reads may take this many times longer at the 99th percentile. */
const MOST_SLOWER = 1.5;
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
const settings = { MONGODB_URL: data.url, DATA_DIR: scratch.path, LOG_LEVEL: 'error', INTERNAL_PORT: '0' };
const service = await startProcess(settings);
const { port } = new URL(service.origin);

/** Prints a row, and fails the run if the value is not good. */
const printRow = (what: string, value: string, isGood = true): void => {
  console.log(`${what.padEnd(58)} ${value}${isGood ? '' : '  TOO MUCH'}`);
  if (!isGood) process.exitCode = 1;
};

/** Starts the command that makes a snapshot. */
const startBuilder = (...options: readonly string[]) => {
  const child = startNode('server', [bin, 'admin', 'enterprise', 'snapshot', ...options], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings },
    output: 'inherit',
    messages: false,
  });
  setPriority(child.pid as number, constants.priority.PRIORITY_LOW); // as operators are told to
  return child;
};

const isRunning = ({ exitCode, signalCode }: ReturnType<typeof startBuilder>): boolean =>
  exitCode === null && signalCode === null;

/** Makes a snapshot by the command. Returns its number. */
const build = async (what: string): Promise<number> => {
  const begun = performance.now();
  const folder = join(scratch.path, 'snapshots');
  const child = startBuilder();
  const ended = once(child, 'exit');
  const pid = child.pid as number;
  let [base, peak] = [0, 0];
  const hasBegun = async (): Promise<boolean> =>
    (await readdir(folder).catch(() => [])).some((name) => name.startsWith('.unfinished'));
  while (isRunning(child)) {
    if (base === 0 && (await hasBegun())) base = await readResidentMb(pid).catch(() => 0);
    peak = Math.max(peak, await readPeakMb(pid));
    await sleep(20);
  }
  await ended;
  if (child.exitCode !== 0) throw new Error(`the builder ended with ${child.exitCode}`);
  const seconds = (performance.now() - begun) / 1000;
  printRow(`${what}: time`, `${seconds.toFixed(1)} s`);
  printRow(`${what}: memory growth`, `${(peak - base).toFixed(0)} MB (from ${base.toFixed(0)})`, peak - base < MOST_MB);
  return Math.max(...(await readdir(folder)).filter((name) => /^\d+$/.test(name)).map(Number));
};

const issueToken = async (): Promise<string> => {
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

const timeWork = async (work: () => Promise<number>): Promise<{ seconds: number; bytes: number }> => {
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
const customer = startNode('load', [script('./download-process.ts')], {
  env: process.env,
  output: 'inherit',
  messages: true,
});
const load = startNode('load', [script('./load.ts')], { env: process.env, output: 'inherit', messages: true });

const job: Job = {
  port: Number(port),
  requests: data.names
    .slice(0, 400)
    .flatMap((name) => [
      { path: `/api/v1/brokers/${toSlug(name)}` },
      { path: `/api/v1/reviews?broker=${toSlug(name)}&limit=20` },
      { path: `/api/v1/search?q=${encodeURIComponent(name.slice(0, 5))}` },
    ]),
  from: 0,
  headers: {},
  connections: 20,
  until: { seconds: SECONDS },
  rate: RATE,
  expected: { status: 200 },
};
const measureReads = async (): Promise<LoadOutcome> => {
  const outcome = await ask<LoadOutcome>(load, job);
  if (outcome.wrong !== 0) throw new Error(`public reads: ${JSON.stringify(outcome)}`);
  return outcome;
};

/** Waits until the log has every entry, which can take an hour. */
const untilGrown = async (): Promise<void> => {
  const begun = performance.now();
  for (;;)
    try {
      await untilLogged(data.db);
      return;
    } catch (error) {
      if (performance.now() - begun > 3_600_000) throw error;
    }
};

/** Prints what is in a snapshot. Returns the addresses of its files. */
const printFiles = async (
  number: number,
  key: string,
): Promise<{ entries: number; urls: (pattern: RegExp) => string[] }> => {
  const address = `${service.origin}${ENTERPRISE_BASE_PATH}/snapshots/${number}`;
  const answer = await fetch(address, { headers: { Authorization: `Bearer ${key}` } });
  const { files, entries } = (await answer.json()) as SnapshotManifest;
  const mb = (pattern: RegExp) =>
    files.filter(({ name }) => pattern.test(name)).reduce((sum, { bytes }) => sum + bytes, 0) / 2 ** 20;
  printRow(
    'entries; MB as .gz, as .zst, as tables, of texts',
    `${entries}; ${[/^entries.*gz$/, /zst$/, /^table/, /^texts/].map((one) => mb(one).toFixed(0)).join(', ')}`,
  );
  const urls = (pattern: RegExp) =>
    files.filter(({ name }) => pattern.test(name)).map(({ name }) => `${address}/files/${name}`);
  return { entries, urls };
};

/** Compares a download with a bare cursor. */
const compareSpeed = async (entries: number, download: Download): Promise<void> => {
  const total = await data.db.collection('recordEntries').countDocuments();
  const bare = await timeWork(async () => drain(connect(cursorPort, '127.0.0.1')));
  const ticks = await readCpuTicks([service.pid]);
  const own = await ask<DownloadResult>(customer, download);
  const spent = (await readCpuTicks([service.pid])) - ticks;
  printRow('processor time of the server for 100 MB', `${((spent / TICKS_PER_SECOND / own.bytes) * 1e8).toFixed(2)} s`);
  const speeds = [total / bare.seconds, entries / own.seconds] as const;
  const megabytes = [bare, own].map(({ bytes, seconds }) => `${(bytes / 2 ** 20 / seconds).toFixed(0)} MB/s`);
  printRow('a bare cursor to a socket', `${speeds[0].toFixed(0)} entries/s, ${megabytes[0]}`);
  printRow('a download', `${speeds[1].toFixed(0)} entries/s, ${megabytes[1]}`, speeds[1] >= speeds[0] / 2);
};

const toMedianMs = (list: readonly LoadOutcome[], of: 'p50' | 'p99'): number =>
  median(list.map((one) => one[of] * 1000));

/** Prints how long public reads take beside something, and how many times longer than alone. */
const printReads = (what: string, alone: readonly LoadOutcome[], beside: readonly LoadOutcome[]): void => {
  const [p50, p99] = [toMedianMs(beside, 'p50'), toMedianMs(beside, 'p99')];
  const times = p99 / toMedianMs(alone, 'p99');
  const isGood = times <= MOST_SLOWER;
  printRow(
    `public reads ${what}: p50, p99`,
    `${p50.toFixed(2)}, ${p99.toFixed(2)} ms (${times.toFixed(2)} times)`,
    isGood,
  );
};

/** Number of collections of the whole heap, during which every request waited. */
const countCollections = async (): Promise<number> => {
  const text = await (await fetch(`${service.internal}/metrics`)).text();
  return Number(/^nodejs_gc_duration_seconds_count\{.*kind="major".*\} (\d+)/m.exec(text)?.[1] ?? 0);
};

/** Reads in turn alone and beside a download, since what else the machine does changes by the minute. */
const readBesideDownload = async (download: Download): Promise<void> => {
  await measureReads();
  const [alone, beside]: [LoadOutcome[], LoadOutcome[]] = [[], []];
  const collected = [0, 0] as [number, number];
  for (let round = 0; round < ROUNDS; round++) {
    const begun = await countCollections();
    alone.push(await measureReads());
    const between = await countCollections();
    const downloading = ask<DownloadResult>(customer, download);
    beside.push(await measureReads());
    customer.send('stop');
    const { bytes, seconds } = await downloading;
    collected[0] += between - begun;
    collected[1] += (await countCollections()) - between;
    printRow(`  round ${round}: downloaded meanwhile`, `${(bytes / 2 ** 20 / seconds).toFixed(0)} MB/s`);
  }
  printReads('alone', alone, alone);
  printReads('during a download', alone, beside);
  printRow('collections of the whole heap: alone, during a download', collected.join(', '));
};

/** Reads in turn beside a builder that is gentle, and while it is stopped. */
const readBesideBuilder = async (): Promise<void> => {
  await measureReads();
  const [alone, beside]: [LoadOutcome[], LoadOutcome[]] = [[], []];
  const builder = startBuilder('--gently');
  const ended = once(builder, 'exit');
  while (beside.length < ROUNDS && isRunning(builder)) {
    builder.kill('SIGSTOP');
    alone.push(await measureReads().finally(() => builder.kill('SIGCONT')));
    const round = await measureReads();
    if (isRunning(builder)) beside.push(round);
  }
  builder.kill('SIGTERM');
  await ended;
  printReads('while a builder is stopped', alone, alone);
  printReads(`while a snapshot is built, ${beside.length} rounds`, alone, beside);
};

const change = async (): Promise<void> => {
  await addChanges(data.db, CHANGES);
  await untilGrown();
};

try {
  log('the tree grows over the record');
  await untilGrown();
  let number = await build('first snapshot');
  if (!asked.reads) {
    await change();
    number = await build(`snapshot after ${CHANGES} changes`);
  }
  const key = await issueToken();
  const { entries, urls } = await printFiles(number, key);
  if (!asked.reads) await compareSpeed(entries, { key, urls: urls(/^entries.*gz$/), isEndless: false });
  await readBesideDownload({ key, urls: urls(/^(entries|texts)-.*gz$/), isEndless: true });
  await change();
  await readBesideBuilder();
} finally {
  for (const child of [cursor, customer, load]) await endProcess(child, 'SIGKILL');
  await service.end('SIGINT');
  await data.close();
  await scratch.remove();
}
