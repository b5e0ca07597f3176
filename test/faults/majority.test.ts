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
import { findFault } from './faults.ts';
import { testFaults } from './gate.ts';
import { FaultLoad } from './load.ts';
import { SLUGS, type Stage, startStage } from './stage.ts';
import { settle } from './trial.ts';

/** Seeds the load. */
const SEED = 7;

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage?.stop());

// they stand here because a stage takes as long to start as they take
testFaults(
  () => stage,
  [
    ['Redis stopped (SIGSTOP)', { lasts: 2000 }],
    ['service killed (-9), started again', {}],
  ],
);

test('writes that wait for a majority do not block reads for longer than a request may wait', async () => {
  const writes = 60; // more than the service has connections
  const run = 'majority';
  await stage.set.whole();
  await stage.addPeople(run, writes);
  const { baseUrl, origin } = stage.service;
  const rates = { hot: 0, cold: 0, write: 0, live: 0, ready: 0 };
  const load = new FaultLoad({ baseUrl, origin, slugs: SLUGS, seed: SEED, run, rates });
  const mend = await findFault('secondaries do not follow').strike(stage, load);
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
