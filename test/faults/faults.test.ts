import { afterAll, beforeAll, expect, test } from 'vitest';
import { FAULTS, type Fault } from './faults.ts';
import { report, withSection } from './report.ts';
import { type Stage, startStage } from './stage.ts';
import { runTrial } from './trial.ts';

/** Printed with each failure; the load draws from it. */
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

/** A trial waits for a minute at most until all is well again, and for longer until the last write is acknowledged. */
const TIMEOUT = 180_000;

/** Every fault has its place in `npx -y pnpm faults`; these ones have found the most. */
test.each<[name: string, over: Partial<Fault>]>([
  ['primary killed (-9)', {}],
  ['primary stopped (SIGSTOP), writes in flight', { lasts: 8000 }],
  ['primary cut off from the members alone', { lasts: 8000 }],
  ['Redis stopped (SIGSTOP)', { lasts: 2000 }],
  ['service killed (-9), started again', {}],
])(
  '%s: nothing acknowledged is lost or doubled, and every promise is kept',
  async (name, over) => {
    const row = await runTrial(stage, { ...named(name), ...over }, SEED, { noisy: true });
    expect(row.broken, `seed ${SEED}: ${JSON.stringify(row)}`).toEqual([]);
    expect(row).toMatchObject({ lost: 0, doubled: 0 });
    expect(row.acknowledged, 'writes went on').toBeGreaterThan(20);
    const page = '<!-- faults: written by `pnpm faults --write` -->\nold\n<!-- /faults -->';
    const written = withSection(page, 'faults', report({ seed: SEED, rows: [row], untried: [] }));
    expect(written).toContain(`| ${name} | `);
    expect(written).not.toContain('old');
  },
  TIMEOUT,
);
