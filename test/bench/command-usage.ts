import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bin } from '../support/process.ts';

const PRELOAD = fileURLToPath(new URL('./rss.mjs', import.meta.url));

/** The output and the cost of a command. */
export interface CommandUsage {
  readonly out: string;
  readonly seconds: number;
  /** Largest resident set, in bytes. */
  readonly rss: number;
  /** Processor time of the command, in seconds. */
  readonly own: number;
  /** Processor time of what it started and that has ended, such as mongod, in seconds. */
  readonly children: number;
}

/** Runs a command of the built command line and measures it. @param file where the process writes what it used */
export const measureCommand = async (
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  file: string,
): Promise<CommandUsage> => {
  const start = performance.now();
  const child = spawn(process.execPath, ['--import', PRELOAD, bin, ...args], {
    env: { ...env, RSS_FILE: file },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  const [code] = await once(child, 'exit');
  const seconds = (performance.now() - start) / 1000;
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${out}`);
  return { out, seconds, ...JSON.parse(await readFile(file, 'utf8')) };
};
