import { fileURLToPath } from 'node:url';
import { type CliResult, runCli } from './process.ts';

const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The bin of a later release, whose methodology is `second-methodology.ts`. */
export const LATER_RELEASE = fileOf('./later-release-main.ts');

/** Runs the command of the client that comes with the later release. */
export const runLaterClient = (...args: string[]): Promise<CliResult> =>
  runCli(
    args,
    { NODE_OPTIONS: `--import ${fileOf('./later-release-hooks.ts')}` },
    60_000,
    fileOf('../../client/src/cli.ts'),
  );
