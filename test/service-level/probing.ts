/** Runs the published command `probe`, minute by minute of a clock that a test sets. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getHost } from '../support/commands.ts';
import type { Scratch } from '../support/files.ts';
import { succeeded } from '../support/filled-service.ts';
import { addMinutes } from '../support/prober.ts';
import { bin, type CliResult, runBeside, runCli, type Settings } from '../support/process.ts';

/** The result of a prober for a minute. */
export interface ProbeLine {
  readonly prober: string;
  readonly minute: string;
  readonly checks: Readonly<Record<string, { readonly ok: boolean; readonly ms: number; readonly error?: string }>>;
  readonly freshnessMs?: number;
  readonly webhookMs?: number;
  readonly previous: string | null;
  readonly signature: string;
}

/** A key of a prober, made by the command. */
export const newProberKey = async (scratch: Scratch, name: string) => {
  const file = scratch.file(`${name}.key`);
  return { file, verifierKey: succeeded(await runBeside(['admin', 'prober', 'new-key', name, file], {})).trim() };
};

/** A prober with a folder of its own. */
export interface Prober {
  readonly dir: string;
  /** Runs the command at a time. */
  readonly run: (clock: string, ...more: readonly string[]) => Promise<CliResult>;
  /** Measures one minute. Returns what was written about it. */
  readonly probe: (minute: string, ...more: readonly string[]) => Promise<ProbeLine>;
  readonly kept: (date: string) => Promise<ProbeLine[]>;
}

const PATHS = ({ PATH, HOME }: NodeJS.ProcessEnv): Settings => ({ PATH, HOME });

export const createProber = (service: string, keyFile: string, dir: string, always: readonly string[] = []): Prober => {
  const file = (date: string) => join(dir, 'results', `${date}.ndjson`);
  const kept = async (date: string): Promise<ProbeLine[]> =>
    (await readFile(file(date), 'utf8'))
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  const run = (clock: string, ...more: readonly string[]): Promise<CliResult> => {
    const args = ['admin', 'probe', '--service', service, '--key', keyFile, '--dir', dir, '--once', ...always, ...more];
    // the second 30 of a minute: probers ask in the first twenty, so this one asks at once
    const env = { ...PATHS(process.env), CLOCK: clock.replace(/Z$/, ':30Z') };
    return getHost(bin).run(args, env, () => runCli(args, env));
  };
  /** The first run only finds out that the service knows it. */
  let isKnown = false;
  return {
    dir,
    run,
    kept,
    probe: async (minute, ...more) => {
      if (!isKnown) succeeded(await run(addMinutes(minute, -1)));
      isKnown = true;
      succeeded(await run(minute, ...more));
      const lines = await kept(minute.slice(0, 10));
      const line = lines.at(-1);
      if (line?.minute !== minute) throw new Error(`${minute} was not measured: the last one is ${line?.minute}`);
      return line;
    },
  };
};

/** Names of the checks that were wrong, in the order of the alphabet. */
export const listWrong = ({ checks }: ProbeLine): string[] =>
  Object.entries(checks).flatMap(([name, { ok }]) => (ok ? [] : [name]));
