/** The tests of faults that the gate runs. `npx -y pnpm faults` tries every fault; these have revealed the most. */
import { expect, test } from 'vitest';
import { type Fault, findFault } from './faults.ts';
import { report, withSection } from './report.ts';
import type { Stage } from './stage.ts';
import { runTrial } from './trial.ts';

/** Seeds the load. Each failure prints it. */
const SEED = 7;

/** The distinct errors that the service logged. A failure prints them, to show why a promise was broken. */
const listFailures = ({ service }: Stage): Set<string> => {
  const lines = service.output().matchAll(/^\{.*"msg":"request failed".*\}$/gm);
  return new Set([...lines].map(([line]) => JSON.parse(line).err).map(({ type, message }) => `${type}: ${message}`));
};

/** A trial waits for recovery, and then as long as writes are acknowledged. This ends what hangs. */
const TIMEOUT = 600_000;

/** Tries these faults one after another. `over`: differs from the fault by this. */
export const testFaults = (findStage: () => Stage, faults: readonly [name: string, over: Partial<Fault>][]): void => {
  test.each(faults)(
    'nothing acknowledged is lost or doubled after "%s", and every promise is kept',
    async (name, over) => {
      const stage = findStage();
      const row = await runTrial(stage, { ...findFault(name), ...over }, SEED, { noisy: true });
      expect(row.broken, [`seed ${SEED}: ${JSON.stringify(row)}`, ...listFailures(stage)].join('\n')).toEqual([]);
      expect(row).toMatchObject({ lost: 0, doubled: 0 });
      expect(row.acknowledged, 'writes went on').toBeGreaterThan(20);
      const page = '<!-- faults: written by `pnpm faults --write` -->\nold\n<!-- /faults -->';
      const written = withSection(page, 'faults', report({ seed: SEED, rows: [row], untried: [] }));
      expect(written).toContain(`| ${name} | `);
      expect(written).not.toContain('old');
    },
    TIMEOUT,
  );
};
