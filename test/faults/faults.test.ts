import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Fault, findFault } from './faults.ts';
import { report, withSection } from './report.ts';
import { type Stage, startStage } from './stage.ts';
import { runTrial } from './trial.ts';

/** Seeds the load. Each failure prints it. */
const SEED = 7;

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage?.stop());

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
    const row = await runTrial(stage, { ...findFault(name), ...over }, SEED, { noisy: true });
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
