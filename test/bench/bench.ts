/**
 * `npx -y pnpm bench [--quick] [--write] [--only=WORDS] [--rounds=N]`: compares the built service with other servers,
 * in the same minutes on the same machine. Filling the large data takes some minutes the first time; it is kept in the
 * user's cache.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CACHE } from '../support/cache.ts';
import { SIZES } from './data.ts';
import { plot } from './plot.ts';
import { terminalReport, withResults } from './report.ts';
import { startRun } from './run.ts';

const FULL = {
  sizes: SIZES,
  plan: { rounds: 9, until: { seconds: 2 }, warmUp: { seconds: 4 }, writes: 1000 },
} as const;
/** A plan that only shows that everything works. Its figures mean little. */
const QUICK = {
  sizes: { small: { brokers: 500, reviews: 5000 }, large: { brokers: 1500, reviews: 15_000 } },
  plan: { rounds: 2, until: { seconds: 0.2 }, warmUp: { seconds: 0.3 }, writes: 100 },
} as const;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    only: { type: 'string' },
    rounds: { type: 'string' },
  },
});
const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0))
  throw new Error('--rounds must be a whole number');
if (values.write && values.only !== undefined)
  throw new Error('--write puts a whole run on the page: leave out --only');

const { sizes, plan } = values.quick ? QUICK : FULL;
const { results, stop } = startRun({
  sizes,
  plan: { ...plan, rounds: rounds ?? plan.rounds },
  only: values.only,
  root: join(CACHE, 'bench'),
  log: (line) => process.stderr.write(`${line}\n`),
});
let stopping: Promise<void> | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    stopping = stop();
    stopping.finally(() => process.exit(130));
  });

const found = await results.catch(async (error: unknown) => {
  await stopping; // the signal has ended the measured processes on purpose
  throw error;
});
process.stdout.write(`${terminalReport(found)}\n`);
if (values.write) {
  const docs = new URL('../../docs/', import.meta.url);
  const page = new URL('benchmarks.md', docs);
  await writeFile(page, withResults(await readFile(page, 'utf8'), found));
  await writeFile(new URL('benchmarks.svg', docs), plot(found.rows));
}
