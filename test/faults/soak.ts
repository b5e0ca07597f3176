/**
 * `npx -y pnpm soak [--requests=1000000] [--seed=N] [--write]`: a mixed load with random faults. Measures what the
 * process holds after each tenth of the load. Exits with 1 if that grows or a promise is broken. `--write` puts the
 * result into docs/reliability.md.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createRandom } from '../bench/names.ts';
import { until } from '../support/until.ts';
import { FAULTS, type Fault } from './faults.ts';
import { type Flood, flood } from './flood.ts';
import { coldTarget, FaultLoad, hotTargets, pick } from './load.ts';
import { withSection } from './report.ts';
import { formatSoakReport, type SoakResult } from './soak-report.ts';
import { SLUGS, type Stage, startStage } from './stage.ts';
import { settle } from './trial.ts';
import { type ResourceUsage, WATCHABLE, watch } from './watch.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000000' },
    seed: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const requests = Number(values.requests);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
if (!Number.isSafeInteger(requests) || requests < 1000) throw new Error('--requests must be a whole number from 1000');
if (!Number.isSafeInteger(seed)) throw new Error('--seed must be a whole number');

const PARTS = 10;
const PEOPLE = 10_000;
const RATES = { hot: 0, cold: 0, write: 2, live: 1, ready: 2 };
/** Share of requests for targets that hardly anybody requests. */
const COLD_SHARE = 0.05;
/** Small enough that the cache is full before the warm-up ends. */
const PREPARED_MB = '4';
/** Returns true for a fault that the soak uses. The process must survive to be watched. */
const isSoaked = ({ part, needs }: Fault): boolean => part !== 'process' && needs === undefined;

const log = (line: string) => process.stderr.write(`${line}\n`);
const random = createRandom(seed);
const made: string[] = [];

/** Causes one fault after another with pauses, until stopped. Everything is repaired at the end. */
const breakThings = (stage: Stage, load: FaultLoad) => {
  const stopping = new AbortController();
  const wait = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => {});
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await wait(2000 + 4000 * random());
      if (stopping.signal.aborted) return;
      await stage.set.whole();
      const fault = pick(FAULTS.filter(isSoaked), random);
      made.push(fault.name);
      const mend = await fault.strike(stage, load);
      await wait(1000 + 5000 * random());
      await mend();
    }
  };
  const running = run();
  return {
    stop: async (): Promise<void> => {
      stopping.abort();
      await running;
    },
  };
};

const hot = hotTargets(SLUGS);
const nextTarget = () => `/api/v1${random() < COLD_SHARE ? coldTarget(SLUGS, random) : pick(hot, random)}`;

const soakPart = async (stage: Stage, load: FaultLoad): Promise<Flood> => {
  const things = breakThings(stage, load);
  try {
    return await flood(Number(new URL(stage.service.origin).port), Math.ceil(requests / PARTS), nextTarget);
  } finally {
    await things.stop();
    const isReady = async () => (await fetch(`${stage.service.origin}/readyz`)).status === 200;
    await until('it is ready again', 60_000, isReady);
    await sleep(3000); // lets pending requests end
  }
};

const soak = async (stage: Stage): Promise<SoakResult> => {
  const run = `soak-${seed}`;
  await stage.addPeople(run, PEOPLE);
  const { baseUrl, origin } = stage.service;
  const load = new FaultLoad({ baseUrl, origin, slugs: SLUGS, seed, run, rates: RATES });
  const watched = await watch(stage.service);
  await load.start();
  const began = performance.now();
  const floods: Flood[] = [];
  const held: ResourceUsage[] = [];
  try {
    for (let part = 0; part < PARTS; part++) {
      floods.push(await soakPart(stage, load));
      held.push(await watched.held());
      log(`${part + 1}/${PARTS} ${JSON.stringify({ ...floods.at(-1), ...held.at(-1) })}`);
    }
  } finally {
    await load.stop();
    watched.close();
  }
  const took = (performance.now() - began) / 1000;
  const unsettled = await settle(load);
  const balance = await load.ledger.balance(stage.db);
  const output = stage.service.output();
  const { exchanges } = load;
  return { seed, seconds: took, floods, held, made, exchanges, unsettled, balance, output };
};

log(`seed ${seed}`);
const stage = await startStage({ settings: { ...WATCHABLE, PREPARED_MB }, stopsOnSignals: true });
try {
  const { text, broken } = formatSoakReport(await soak(stage));
  process.stdout.write(`${text}\n`);
  if (broken.length > 0) process.exitCode = 1;
  if (values.write) {
    const page = new URL('../../docs/reliability.md', import.meta.url);
    await writeFile(page, withSection(await readFile(page, 'utf8'), 'soak', text));
  }
} finally {
  await stage.stop();
}
