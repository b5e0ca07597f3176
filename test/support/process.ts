import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Client, createClient } from '@broker-transparency/client';
import { type CliResult, getHost, withTarget } from './commands.ts';
import { noteStructure, retireDatabase, takeDatabase } from './shared-database.ts';

export type { CliResult };

/** The published server: the bin of its build. */
export const bin = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url));

export type Settings = Readonly<Record<string, string | undefined>>;

/** A service that tests talk to, in whichever process it runs. */
export interface Service {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** `{base_url}` of the API. */
  readonly baseUrl: string;
  readonly dataDir: string;
  /** Settings that name its data to another server, or to a command without a server. */
  readonly data: Settings;
  /** Everything it has printed so far. */
  readonly output: () => string;
  readonly client: (token?: string) => Client;
  /** Runs the command line against the same database: beside another command only where that takes long. */
  readonly cli: (...args: string[]) => Promise<CliResult>;
  /** Runs the command line with additional settings. */
  readonly cliWith: (settings: Settings, ...args: string[]) => Promise<CliResult>;
  /** Ends it and removes its data. */
  readonly remove: () => Promise<void>;
}

/** A service in a process of its own. */
export interface ServiceProcess extends Service {
  /** Address of health and metrics if `INTERNAL_PORT` is set. */
  readonly internal: string | undefined;
  readonly pid: number;
  /** Sends a signal and waits for the process to end. Returns the exit code. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>;
}

/** Settings for a test of the embedded database: the service starts its own. */
export const EMBEDDED = { MONGODB_URL: undefined } satisfies Settings;

/** An empty folder, so that the user's own contexts are not used. */
const NO_CONTEXTS = join(tmpdir(), 'broker-rating-without-contexts');

export const createEnvironment = (settings: Settings): NodeJS.ProcessEnv => {
  const { PATH, HOME, XDG_CACHE_HOME, TMPDIR, MONGOD_BINARY, TEST_COMPILE_CACHE } = process.env;
  const own = { XDG_CONFIG_HOME: NO_CONTEXTS, NODE_COMPILE_CACHE: TEST_COMPILE_CACHE };
  return { PATH, HOME, XDG_CACHE_HOME, TMPDIR, MONGOD_BINARY, ...own, ...settings };
};

/**
 * Runs the command line in its own process with these settings. Exit code -1 means that it was killed after
 * `timeoutMs`.
 */
export const runCli = (
  args: readonly string[],
  settings: Settings,
  timeoutMs = 180_000,
  main = bin,
): Promise<CliResult> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [main, ...args],
      { env: createEnvironment(settings), maxBuffer: 64 * 1024 * 1024, timeout: timeoutMs, killSignal: 'SIGKILL' },
      (error, stdout, stderr) =>
        resolve(withTarget({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr })),
    );
  });

/** Runs the command line with these settings in a process that runs others, too: its modules are loaded there. */
export const runBeside = (args: readonly string[], settings: Settings): Promise<CliResult> =>
  getHost(bin).run(args, createEnvironment(settings), () => runCli(args, settings));

/** Matches the announcement of a ready server, which ends with an empty line. Log lines may follow it. */
const ANNOUNCED = /^ {2}(?:API|Enterprise) +(\S+)\/(?:api|enterprise)\/v1\n(?:.*\n)*?\n/m;

/** Waits until the server announces its address. Rejects with its output if it exits first. */
const waitForAddress = (child: ChildProcess, output: () => string): Promise<string> =>
  new Promise((resolve, reject) => {
    const look = () => {
      const address = ANNOUNCED.exec(output())?.[1];
      if (address === undefined) return;
      child.stdout?.off('data', look);
      resolve(address);
    };
    child.stdout?.on('data', look);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${output()}`)));
  });

/**
 * The database that `settings` name, or an empty one in the shared replica set. If undefined, the service starts its
 * own in its folder.
 */
const chooseDatabase = (settings: Settings): string | undefined =>
  'MONGODB_URL' in settings || 'DATA_DIR' in settings ? settings['MONGODB_URL'] : takeDatabase();

/** Settings of a service, and the data that it works on. */
export interface PreparedService {
  readonly dataDir: string;
  readonly mongodbUrl: string | undefined;
  readonly data: Settings;
  readonly env: Settings;
  /** Leaves its database to another test file, and removes its folder. */
  readonly discard: () => Promise<void>;
}

/** Prepares the settings of a service: its own empty database unless `settings` name one, and no limits or jobs. */
export const prepare = async (settings: Settings): Promise<PreparedService> => {
  const dataDir = settings['DATA_DIR'] ?? (await mkdtemp(join(tmpdir(), 'broker-rating-')));
  const mongodbUrl = chooseDatabase(settings);
  const data = { DATA_DIR: dataDir, MONGODB_URL: mongodbUrl };
  const env = {
    PORT: '0',
    LOG_LEVEL: 'warn',
    PUBLIC_RATE_LIMIT: '1000000',
    COMPLAINTS_PER_DAY: '1000000',
    JOBS: 'off',
    ...settings,
    ...data,
  };
  const discard = async (): Promise<void> => {
    if (!('MONGODB_URL' in settings)) retireDatabase(mongodbUrl);
    await rm(dataDir, { recursive: true, force: true });
  };
  return { dataDir, mongodbUrl, data, env, discard };
};

/** Returns a client of the API of a service. */
export const createApiClient = (origin: string, token?: string): Client =>
  createClient({ baseUrl: `${origin}/api/v1`, ...(token === undefined ? {} : { token }) });

/**
 * Starts the built server in a process of its own on a free port, with its own empty database unless `settings` name
 * one. Requests and complaints are unlimited unless `PUBLIC_RATE_LIMIT` and `COMPLAINTS_PER_DAY` are set, and no job
 * runs unless `JOBS` is set.
 * @param main the bin of another build
 */
export const startProcess = async (
  settings: Settings = {},
  args: readonly string[] = [],
  main = bin,
): Promise<ServiceProcess> => {
  const { dataDir, mongodbUrl, data, env, discard } = await prepare(settings);
  const child = spawn(process.execPath, [main, 'serve', ...args], {
    env: createEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const output = () => printed;
  const origin = await waitForAddress(child, output);
  if (main === bin && !('MONGODB_URL' in settings)) await noteStructure(mongodbUrl);
  const run = (cliArgs: readonly string[], cliEnv: NodeJS.ProcessEnv): Promise<CliResult> =>
    getHost(main).run(cliArgs, cliEnv, () => runCli(cliArgs, cliEnv, undefined, main));
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
    return child.exitCode;
  };
  return {
    origin,
    internal: /^ {2}Internal +(\S+)$/m.exec(printed)?.[1],
    baseUrl: `${origin}/api/v1`,
    pid: child.pid as number,
    dataDir,
    data,
    output,
    client: (token) => createApiClient(origin, token),
    cli: (...cliArgs) => run(cliArgs, createEnvironment(env)),
    cliWith: (more, ...cliArgs) => run(cliArgs, createEnvironment({ ...env, ...more })),
    end,
    remove: async () => {
      await end('SIGINT');
      await discard();
    },
  };
};
