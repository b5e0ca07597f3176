/**
 * Measures the auditor: `node test/bench/audit.ts [brokers] [days] [--folder=DIR] [--budget=N]` after `pnpm build`.
 * Makes a log of so many brokers that change for so many days, serves it, and runs `broker-transparency audit` on it.
 * Ends with
 * 1 if that finds anything, or needs ten minutes or 500 MB. The log is kept in the folder, if one is named. The server
 * answers N requests a minute, as the service does.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createScratch } from '../support/files.ts';
import { newLogKey, ORIGIN } from '../support/signed-log.ts';
import { readBigLog, writeBigLog } from './big-log.ts';
import { readCpuTicks, readPeakMb, TICKS_PER_SECOND } from './processes.ts';

const [brokers = 60_000, days = 365] = process.argv.filter((word) => /^\d+$/.test(word)).map(Number);
const option = (name: string): string | undefined =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const budget = Number(option('budget') ?? 1200);
const client = fileURLToPath(new URL('../../client/dist/cli.js', import.meta.url));

/**
 * Per broker as in the task of a market: 2.5 licences, 2.5 reviews, one warning in ten, complaints about one in four.
 */
const COUNTS = {
  brokers,
  licenses: brokers * 2.5,
  reviews: brokers * 2.5,
  complaints: brokers / 4,
  warnings: brokers / 10,
  daily: brokers / 30,
};

const MOST_SECONDS = 600;
const MOST_MB = 500;

/** Serves a folder below the address of the log, so many files a minute. */
const serve = async (folder: string) => {
  const prefix = `/${ORIGIN.slice(ORIGIN.indexOf('/') + 1)}/`;
  let [window, left, asked] = [0, 0, 0];
  const server = createServer(async (request, response) => {
    const minute = Math.floor(Date.now() / 60_000);
    if (minute !== window) [window, left] = [minute, budget];
    if (left === 0) {
      response.writeHead(429, { 'Retry-After': String(60 - (Math.floor(Date.now() / 1000) % 60)) }).end();
      return;
    }
    [left, asked] = [left - 1, asked + 1];
    const path = request.url?.startsWith(prefix) ? request.url.slice(prefix.length) : '';
    const file = await readFile(join(folder, path)).catch(() => undefined);
    response.writeHead(file ? 200 : 404).end(file);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`;
  return { url, asked: () => asked, close: () => server.close().closeAllConnections() };
};

/** Runs the auditor. Returns what it prints, its time, and its largest memory in MB. */
const audit = async (url: string, key: string) => {
  const started = performance.now();
  const args = [client, 'audit', url, '--key', key, '--sample', '0', '--json'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let [peak, ticks, out] = [0, 0, ''];
  const timer = setInterval(async () => {
    peak = Math.max(peak, await readPeakMb(child.pid as number));
    ticks = Math.max(ticks, await readCpuTicks([child.pid as number]).catch(() => 0)); // it may have ended
  }, 50);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  const [code] = await once(child, 'close');
  clearInterval(timer);
  return { code, out, seconds: (performance.now() - started) / 1000, cpu: ticks / TICKS_PER_SECOND, peak };
};

const scratch = await createScratch();
const folder = option('folder') ?? scratch.path;
const keyFile = join(folder, 'verifier-key');
if ((await readBigLog(folder)) === undefined) {
  const began = performance.now();
  const { file, verifierKey } = await newLogKey(scratch, 'log.key');
  await writeBigLog(folder, file, days, COUNTS);
  await writeFile(keyFile, verifierKey);
  console.log(`made in ${((performance.now() - began) / 1000).toFixed(0)} s`);
}
const log = await readBigLog(folder);
await access(keyFile);
const server = await serve(folder);
try {
  console.log(
    `${log?.entries} entries, ${((log?.bytes ?? 0) / 1e6).toFixed(0)} MB, ${log?.days} days, ${log?.brokers} brokers`,
  );
  const { code, out, seconds, cpu, peak } = await audit(server.url, (await readFile(keyFile, 'utf8')).trim());
  const { findings = [out], entries, days: audited } = JSON.parse(out || '{}');
  console.log(
    `audited ${entries} entries and ${audited} days in ${seconds.toFixed(0)} s (${cpu.toFixed(0)} s of a core) and ` +
      `${peak.toFixed(0)} MB with ${server.asked()} requests: ${findings.length} differences`,
  );
  for (const { message } of findings.slice(0, 5)) console.log(message);
  if (code !== 0 || seconds > MOST_SECONDS || peak > MOST_MB) process.exitCode = 1;
} finally {
  server.close();
  await scratch.remove();
}
