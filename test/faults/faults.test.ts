import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fault, findFault } from './faults.ts';
import { report, withSection } from './report.ts';
import { type Stage, startStage } from './stage.ts';
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

/** `npx -y pnpm faults` tries every fault. These have revealed the most; they mostly wait, so each part has a stage. */
describe.concurrent.each<[part: string, faults: [name: string, over: Partial<Fault>][]]>([
  [
    'database',
    [
      ['primary killed (-9)', {}],
      ['primary stopped (SIGSTOP), writes in flight', { lasts: 8000 }],
      ['primary cut off from the members alone', { lasts: 8000 }],
    ],
  ],
  [
    'rest',
    [
      ['Redis stopped (SIGSTOP)', { lasts: 2000 }],
      ['service killed (-9), started again', {}],
    ],
  ],
])('%s', (_, faults) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage();
  });
  afterAll(() => stage?.stop());

  test.sequential.each(faults)(
    'nothing acknowledged is lost or doubled after "%s", and every promise is kept',
    async (name, over) => {
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
});
