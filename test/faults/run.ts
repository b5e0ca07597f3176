/**
 * `npx -y pnpm faults [--only=WORDS] [--seed=N] [--write]`: breaks the real parts under the built service while it is under
 * load, one after the other, and compares what it acknowledged with what is stored.
 */
import { parseArgs } from 'node:util';
import { FAULTS, type Fault } from './faults.ts';
import type { Row } from './judge.ts';
import { startStage } from './stage.ts';
import { runTrial } from './trial.ts';

const { values } = parseArgs({
  options: { only: { type: 'string' }, seed: { type: 'string' }, write: { type: 'boolean', default: false } },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const log = (line: string) => process.stderr.write(`${line}\n`);
log(`seed ${seed}`);

const rows: Row[] = [];
const runAll = async (faults: readonly Fault[], options: Parameters<typeof startStage>[0]): Promise<void> => {
  if (faults.length === 0) return;
  const stage = await startStage(options);
  try {
    for (const fault of faults) {
      log(fault.name);
      const row = await runTrial(stage, fault, seed);
      log(JSON.stringify(row, null, 1));
      rows.push(row);
    }
    if (process.env['SHOW_OUTPUT']) log(stage.service.output().slice(-5000));
  } finally {
    await stage.stop();
  }
};
const wanted = FAULTS.filter(({ name }) => values.only === undefined || name.includes(values.only));
await runAll(
  wanted.filter(({ needs }) => needs === undefined),
  {},
);
await runAll(
  wanted.filter(({ needs }) => needs === 'cluster'),
  { cluster: true },
);
