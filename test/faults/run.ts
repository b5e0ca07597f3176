/**
 * `npx -y pnpm faults [--only=PATTERN] [--seed=N] [--write]`: breaks the real parts under the built service while it is
 * under load, one fault after another, and compares acknowledged with stored writes. Exits with 1 if a promise is
 * broken. `--write` puts the table into docs/reliability.md.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { FAULTS, type Fault } from './faults.ts';
import type { FaultRow } from './judge.ts';
import { canHaveOwnDisk } from './replica-set.ts';
import { cells, report, withSection } from './report.ts';
import { type StageOptions, startStage } from './stage.ts';
import { runTrial } from './trial.ts';

/** Enough for a member's data and little more. */
const SMALL_DISK_MB = 512;

const { values } = parseArgs({
  options: { only: { type: 'string' }, seed: { type: 'string' }, write: { type: 'boolean', default: false } },
});
if (values.write && values.only !== undefined)
  throw new Error('--write puts a whole run on the page: leave out --only');
const seed = Number(values.seed ?? Date.now() % 1_000_000);
if (!Number.isSafeInteger(seed)) throw new Error('--seed must be a whole number');
const log = (line: string) => process.stderr.write(`${line}\n`);

const runOn = async (options: StageOptions, faults: readonly Fault[]): Promise<FaultRow[]> => {
  if (faults.length === 0) return [];
  const stage = await startStage({ ...options, stopsOnSignals: true });
  const rows: FaultRow[] = [];
  try {
    for (const fault of faults) {
      log(fault.name);
      const row = await runTrial(stage, fault, seed);
      rows.push(row);
      log(`  ${cells(row).slice(1).join(' | ')}`);
      for (const text of row.broken) log(`  not kept: ${text}`);
    }
    return rows;
  } finally {
    await stage.stop();
  }
};

const wanted = FAULTS.filter(({ name }) => new RegExp(values.only ?? '').test(name));
const on = (needs: Fault['needs']) => wanted.filter((fault) => fault.needs === needs);
const ownDisk = await canHaveOwnDisk();
log(`seed ${seed}`);
const rows = [
  ...(await runOn({}, on(undefined))),
  ...(await runOn({ diskMb: SMALL_DISK_MB }, ownDisk ? on('small disk') : [])),
  ...(await runOn({ cluster: true }, on('cluster'))),
];
const untried = ownDisk ? [] : on('small disk').map(({ name }) => `${name}: no mount namespace may be made here`);
const text = report({ seed, rows, untried });
process.stdout.write(`${text}\n`);
if (values.write) {
  const page = new URL('../../docs/reliability.md', import.meta.url);
  await writeFile(page, withSection(await readFile(page, 'utf8'), 'faults', text));
}
if (untried.length > 0 || rows.some(({ broken }) => broken.length > 0)) process.exitCode = 1;
