import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  countWritten,
  type WriterLoad as Entries,
  findFaults,
  isAllNumbered,
  startSequencer,
  startWriter,
} from '../record/sequencing.ts';
import { until } from '../support/until.ts';
import { FAULTS, type Fault } from './faults.ts';
import { FaultLoad } from './load.ts';
import { report, withSection } from './report.ts';
import { SLUGS, type Stage, startStage } from './stage.ts';
import { runTrial, settle } from './trial.ts';

/** Seeds the load. Each failure prints it. */
const SEED = 7;

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage?.stop());

const named = (name: string): Fault => {
  const fault = FAULTS.find((candidate) => candidate.name === name);
  if (!fault) throw new Error(`there is no fault "${name}"`);
  return fault;
};

/** The distinct errors that the service logged. A failure prints them, to show why a promise was broken. */
const failures = (): Set<string> => {
  const lines = stage.service.output().matchAll(/^\{.*"msg":"request failed".*\}$/gm);
  return new Set([...lines].map(([line]) => JSON.parse(line).err).map(({ type, message }) => `${type}: ${message}`));
};

/** A trial waits for recovery, and then as long as writes are acknowledged. This ends what hangs. */
const TIMEOUT = 600_000;

/** `npx -y pnpm faults` tries every fault. These have revealed the most. */
test.each<[name: string, over: Partial<Fault>]>([
  ['primary killed (-9)', {}],
  ['primary stopped (SIGSTOP), writes in flight', { lasts: 8000 }],
  ['primary cut off from the members alone', { lasts: 8000 }],
  ['Redis stopped (SIGSTOP)', { lasts: 2000 }],
  ['service killed (-9), started again', {}],
])(
  'nothing acknowledged is lost or doubled after "%s", and every promise is kept',
  async (name, over) => {
    const row = await runTrial(stage, { ...named(name), ...over }, SEED, { noisy: true });
    expect(row.broken, [`seed ${SEED}: ${JSON.stringify(row)}`, ...failures()].join('\n')).toEqual([]);
    expect(row).toMatchObject({ lost: 0, doubled: 0 });
    expect(row.acknowledged, 'writes went on').toBeGreaterThan(20);
    const page = '<!-- faults: written by `pnpm faults --write` -->\nold\n<!-- /faults -->';
    const written = withSection(page, 'faults', report({ seed: SEED, rows: [row], untried: [] }));
    expect(written).toContain(`| ${name} | `);
    expect(written).not.toContain('old');
  },
  TIMEOUT,
);

test('writes that wait for a majority do not block reads for longer than a request may wait', async () => {
  const writes = 60; // more than the service has connections
  const run = 'majority';
  await stage.set.whole();
  await stage.addPeople(run, writes);
  const { baseUrl, origin } = stage.service;
  const rates = { hot: 0, cold: 0, write: 0, live: 0, ready: 0 };
  const load = new FaultLoad({ baseUrl, origin, slugs: SLUGS, seed: SEED, run, rates });
  const mend = await named('secondaries do not follow').strike(stage, load);
  try {
    for (let n = 0; n < writes; n++) load.write();
    await load.stop();
    expect(new Set(load.exchanges.map(({ status }) => status)), 'none is acknowledged').toEqual(new Set([503]));
    const asked = [`${baseUrl}/brokers?limit=7&offset=3`, `${origin}/readyz`];
    const answers = await Promise.all(asked.map((url) => fetch(url)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await until('no transaction is left open', 10_000, async () => {
      const { transactions } = await stage.set.ask(await stage.set.primary(), { serverStatus: 1 });
      return transactions.currentOpen === 0;
    });
  } finally {
    await mend();
  }
  expect(await settle(load), 'never acknowledged').toEqual([]);
  expect(await load.ledger.balance(stage.db)).toEqual({ acknowledged: writes, lost: [], doubled: [] });
});

test('numbers of the record have no gap, although the primary is killed and another one takes over', async () => {
  const entries: Entries = { count: 500, perSecond: 50, keys: 7 };
  await stage.set.whole();
  const url = stage.set.url.replace('/ratings?', '/numbers?');
  const db = stage.db.client.db('numbers');
  const processes = await Promise.all([
    startSequencer(url, 0, 50),
    startSequencer(url, -3_600_000, 50),
    startWriter(url, entries),
  ]);
  try {
    const now = () => countWritten(db).catch(() => 0); // nobody answers while there is no primary
    const written = (count: number) => until(`${count} are written`, 90_000, async () => (await now()) >= count);
    await written(150);
    const primary = await stage.set.primary();
    await primary.process.kill();
    try {
      await written(300); // by the member that took over
    } finally {
      await stage.set.restart(primary);
    }
    await written(entries.count);
    await until('every entry has its number', 60_000, () => isAllNumbered(db).catch(() => false));
    expect(await findFaults(db, entries)).toEqual([]);
  } finally {
    for (const one of processes) await one.stop();
  }
});
