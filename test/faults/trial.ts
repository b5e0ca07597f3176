/** One fault under load, from the first request to the balance of the ledger. */
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/service.ts';
import type { Fault } from './faults.ts';
import { isTrouble, judge, type Row } from './judge.ts';
import { Load, RATES } from './load.ts';
import { SLUGS, type Stage } from './stage.ts';

/** Milliseconds of load before the fault, and after everything is well again. */
const WARM_UP = 2000;
/** Longer than a request may take: for so long nothing is refused, and all is current. */
const CALM = 2500;
const RECOVERY = 60_000;
/** More than are written in the longest trial. */
const PEOPLE = 1500;

const isCalm = (load: Load, since: number): boolean => {
  const from = Math.max(since, performance.now() - CALM);
  if (performance.now() - since < CALM) return false;
  const recent = load.exchanges.filter(({ at, ms }) => at + ms >= from);
  return !recent.some(isTrouble) && recent.some(({ kind, status }) => kind === 'write' && status === 201);
};

/** Sends again, with their keys, the writes of which nobody knows what became. */
const settle = async (load: Load): Promise<string[]> => {
  const open = () => load.ledger.entries.filter(({ ids }) => ids.size === 0);
  await until('every write is acknowledged', 30_000, async () => {
    for (const entry of open()) await load.submit(entry);
    return open().length === 0;
  }).catch(() => {});
  return open().map(({ key }) => key);
};

/** Runs one fault. Its figures and the promises that were not kept stand in the row. */
export const runTrial = async (stage: Stage, fault: Fault, seed: number): Promise<Row> => {
  const run = `${seed}-${fault.name.replace(/\W+/g, '-')}`;
  await stage.addPeople(run, PEOPLE);
  const { baseUrl, origin } = stage.service;
  const load = new Load({ baseUrl, origin, slugs: SLUGS, seed, run, rates: RATES });
  await load.start();
  const began = performance.now();
  await sleep(WARM_UP);
  const struck = performance.now();
  const mend = await fault.strike(stage, load);
  let curable = struck;
  const calm = () => until('all is well again', RECOVERY, async () => isCalm(load, curable)).catch(() => {});
  if (fault.lasts === undefined) {
    await calm();
    await mend();
  } else {
    await sleep(fault.lasts);
    await mend();
    curable = performance.now();
    await calm();
  }
  await sleep(CALM);
  await load.stop();
  const ended = performance.now();
  const exchanges = [...load.exchanges];
  const unsettled = await settle(load);
  const row = judge(
    fault.name,
    fault.part,
    exchanges,
    { began, struck, curable, ended },
    await load.ledger.balance(stage.db),
  );
  return { ...row, broken: [...row.broken, ...unsettled.map((key) => `never acknowledged: ${key}`)] };
};
