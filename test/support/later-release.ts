import { fileURLToPath } from 'node:url';
import { type CliResult, runCli } from './process.ts';

const resolveFile = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The bin of a later release, whose methodology is `second-methodology.ts`. */
export const LATER_RELEASE = resolveFile('./later-release-main.ts');

/** Runs the command of the client that comes with the later release. */
export const runLaterClient = (...args: string[]): Promise<CliResult> =>
  runCli(
    args,
    { NODE_OPTIONS: `--import ${resolveFile('./later-release-hooks.ts')}` },
    60_000,
    resolveFile('../../client/src/cli.ts'),
  );
