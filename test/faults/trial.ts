/** Runs one fault under load, from the first request to the balance of the ledger. */
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/until.ts';
import type { Fault } from './faults.ts';
import { computeNoise, type FaultRow, isTrouble, judge, type Span } from './judge.ts';
import { FaultLoad, FEWER, RATES } from './load.ts';
import { SLUGS, type Stage } from './stage.ts';

/** Milliseconds of load before the fault. */
const WARM_UP = 2000;
/**
 * Recovery is complete once nothing was refused and everything was current for this long, which is more than a request
 * may take.
 */
const CALM = 2500;
const RECOVERY = 60_000;
/** Longer than MongoDB keeps an abandoned transaction: 10 s, plus up to 5 s until it checks. */
const SETTLING = 30_000;
/** The same on a noisy machine, since the last write that was acknowledged. */
const SETTLING_LATE = 120_000;
/** Milliseconds between two writes straight to the database. */
const BESIDE = 50;
const AT_ONCE = 20;
/** More than the writes of the longest trial. */
const PEOPLE = 1500;

const isCalm = (load: FaultLoad, since: number): boolean => {
  const from = Math.max(since, performance.now() - CALM);
  if (performance.now() - since < CALM) return false;
  const recent = load.exchanges.filter(({ at, ms }) => at + ms >= from);
  return !recent.some(isTrouble) && recent.some(({ kind, status }) => kind === 'write' && status === 201);
};

/**
 * Repeats the writes of unknown outcome with their keys until `timeoutMs` pass without another acknowledged write.
 * Returns those that are never acknowledged.
 */
export const settle = async (load: FaultLoad, timeoutMs = SETTLING): Promise<string[]> => {
  const open = () => load.ledger.entries.filter(({ ids }) => ids.size === 0);
  const settleSome = async (): Promise<boolean> => {
    const left = open();
    await Promise.all(left.slice(0, AT_ONCE).map((entry) => load.submit(entry)));
    return open().length < left.length;
  };
  const waitForWrite = () => until('one more write is acknowledged', timeoutMs, settleSome).catch(() => false);
  while (open().length > 0 && (await waitForWrite()));
  return load.ledger.unsettled();
};

/** Causes and repairs the fault during the load. Returns the times, and whether everything recovered. */
const strikeAndMend = async (stage: Stage, fault: Fault, load: FaultLoad) => {
  const struck = performance.now();
  const mend = await fault.strike(stage, load);
  const calm = (since: number): Promise<boolean> =>
    until('all is well again', RECOVERY, async () => isCalm(load, since)).catch(() => false);
  if (fault.lasts === undefined) {
    const well = await calm(struck);
    await mend();
    return { well, moments: { struck, curable: struck } };
  }
  await sleep(fault.lasts);
  const curable = performance.now();
  await mend();
  return { well: await calm(curable), moments: { struck, curable } };
};

/** Writes straight to the database until stopped, to tell a stalled machine from a service that fails. */
const writeBeside = ({ db }: Stage): (() => Promise<readonly Span[]>) => {
  const collection = db.client.db('beside').collection('writes');
  const writes: Span[] = [];
  let running = true;
  const done = (async () => {
    while (running) {
      const at = performance.now();
      const write = collection.updateOne({}, { $set: { at } }, { upsert: true, writeConcern: { w: 'majority' } });
      await write.catch(() => {}); // a failure took its time, too
      writes.push({ at, ms: performance.now() - at });
      await sleep(BESIDE);
    }
  })();
  return async () => {
    running = false;
    await done;
    return writes;
  };
};

/**
 * Runs one fault and returns its figures and broken promises as a row. On a `noisy` machine, the load is lower; answers
 * may be late by as much as liveness is, and refused while the database stalls by itself.
 */
export const runTrial = async (stage: Stage, fault: Fault, seed: number, { noisy = false } = {}): Promise<FaultRow> => {
  const run = `${seed}-${fault.name.replace(/\W+/g, '-')}`;
  await stage.set.whole();
  await stage.addPeople(run, PEOPLE);
  const { baseUrl, origin } = stage.service;
  const load = new FaultLoad({ baseUrl, origin, slugs: SLUGS, seed, run, rates: noisy ? FEWER : RATES });
  await load.start();
  const began = performance.now();
  const stopBeside = noisy && fault.part !== 'database' ? writeBeside(stage) : async () => [];
  try {
    await sleep(WARM_UP);
    const { well, moments } = await strikeAndMend(stage, fault, load);
    await load.stop();
    const exchanges = [...load.exchanges];
    const ended = performance.now();
    const beside = await stopBeside();
    const noise = noisy ? { noise: computeNoise(exchanges, beside) } : {};
    const unsettled = await settle(load, noisy ? SETTLING_LATE : SETTLING);
    const balance = await load.ledger.balance(stage.db);
    const row = judge(fault.name, fault.part, exchanges, { ...moments, ...noise, began, ended }, balance);
    const more = [
      ...(well || row.isBusy ? [] : ['not well again']),
      ...unsettled.map((key) => `never acknowledged: ${key}`),
    ];
    return { ...row, broken: [...row.broken, ...more] };
  } finally {
    await load.stop();
    await stopBeside();
  }
};
