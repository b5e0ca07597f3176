import { run } from '@broker-transparency/embedded-mongo/executables';
import { debianProgram } from './debian.ts';

/** Collects its memory less often, since that took a fifth of its time. */
const PATIENCE = { timeoutMs: 120_000, env: { ...process.env, GOGC: '400' } };

const promtoolBinary = (): Promise<string> =>
  debianProgram({
    name: 'promtool',
    packages: ['prometheus'],
    path: 'usr/bin/promtool',
    variable: 'PROMTOOL_BINARY',
  });

/**
 * Runs promtool.
 * @throws Error with the last line of its output
 */
export const promtool = async (args: readonly string[]): Promise<string> =>
  run(await promtoolBinary(), [...args], PATIENCE);

/** Complaints of promtool about a file of metrics; empty if there are none. */
export const lintMetrics = async (file: string): Promise<string> =>
  run('sh', ['-c', '"$1" check metrics <"$2" 2>&1', 'sh', await promtoolBinary(), file], PATIENCE);
