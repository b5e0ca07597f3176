/**
 * Measures what reviews cost to write: `node test/bench/reviews.ts [reviews]` after `pnpm build`. Each is posted over
 * HTTP by a person of its own, and then published by a process that does what the operator's command does, four at a
 * time. Prints the processor time per review of the server, of mongod, and of whoever posts or publishes. Each part is
 * measured until the server has refreshed its documents, and has numbered and logged what is published.
 */
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findDatabaseUrl, inDatabase, readEmbedded } from '../support/database.ts';
import { importRows, post } from '../support/filled-service.ts';
import { insertPeople, toToken } from '../support/people.ts';
import { EMBEDDED, startProcess } from '../support/process.ts';
import { brokerRow, reviewBody } from '../support/records.ts';
import { readCpuTicks, TICKS_PER_SECOND } from './processes.ts';

const COUNT = Number(process.argv[2] ?? 500);
const BROKERS = 20;
const AT_ONCE = 4;
/** Longer than the server takes to refresh what was written last, and to log it. */
const REST_MS = 3000;

const publisher = fileURLToPath(new URL('./publish-process.ts', import.meta.url));
const service = await startProcess(EMBEDDED);
const { mongodPid } = await readEmbedded(service);
const people = Array.from({ length: COUNT }, (_, n) => `bench-writer-${n}`);

/** @param work returns the processor time of the caller in milliseconds */
const measure = async (what: string, work: () => Promise<number>): Promise<void> => {
  await sleep(REST_MS);
  const ticks = () => Promise.all([service.pid, mongodPid].map((pid) => readCpuTicks([pid])));
  const before = await ticks();
  const caller = await work();
  await sleep(REST_MS);
  const spent = (await ticks()).map((after, at) => ((after - (before[at] as number)) * 1000) / TICKS_PER_SECOND);
  const each = [...spent, caller].map((ms) => ms / COUNT);
  const [server, mongod, own] = each.map((ms) => ms.toFixed(2));
  const all = each.reduce((sum, ms) => sum + ms).toFixed(2);
  console.log(`${what}: ${COUNT} reviews, ${all} ms each: server ${server}, mongod ${mongod}, caller ${own}`);
};

const ids: string[] = [];

const postAll = async (): Promise<number> => {
  const before = process.cpuUsage();
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let n = next++; n < COUNT; n = next++) {
      const answer = await post(service, '/reviews', toToken(people[n] as string), reviewBody(`bench-${n % BROKERS}`));
      if (answer.status !== 201) throw new Error(`answered ${answer.status}: ${await answer.text()}`);
      ids.push(((await answer.json()) as { id: string }).id);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

const publishAll = async (): Promise<number> => {
  const args = ['--conditions=@broker-transparency/source', publisher, await findDatabaseUrl(service), ...ids];
  return Number((await promisify(execFile)(process.execPath, args)).stdout);
};

try {
  await importRows(
    service,
    'brokers',
    Array.from({ length: BROKERS }, (_, n) => brokerRow(`bench-${n}`)),
  );
  await inDatabase(service, (db) => insertPeople(db, people, ['reviews:write']));
  await measure('post', postAll);
  await measure('publish', publishAll);
} finally {
  await service.remove();
}
