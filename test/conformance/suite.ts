import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A verdict as the suite prints it. */
export interface ScenarioVerdict {
  readonly scenario: string;
  readonly verdict: 'passes' | 'warns' | 'fails';
  readonly reasons: readonly string[];
}

const CLI = fileURLToPath(new URL('../../packages/client-conformance/src/cli.ts', import.meta.url));

/** The end of the command. */
interface SuiteEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command as a user does. */
export const runSuite = (args: readonly string[]): Promise<SuiteEnd> =>
  new Promise((resolve, reject) => {
    execFile(process.execPath, [CLI, ...args], { maxBuffer: 64 * 2 ** 20 }, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') reject(error);
      else resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });

/** Runs a client through scenarios; all of them if none is named. */
export const judgeClient = async (
  command: readonly string[],
  scenarios: readonly string[] = [],
): Promise<readonly ScenarioVerdict[]> => {
  const only = scenarios.length === 0 ? [] : ['--only', scenarios.join()];
  const { code, stdout, stderr } = await runSuite([...only, '--json', '--', ...command]);
  if (code === 2) throw new Error(stderr);
  return JSON.parse(stdout);
};

const ADAPTER = fileURLToPath(new URL('adapters/typescript.ts', import.meta.url));

/** The command of the TypeScript client. */
export const TYPESCRIPT_COMMAND: readonly string[] = [process.execPath, ADAPTER];
