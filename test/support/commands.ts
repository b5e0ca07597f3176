/**
 * Runs the command line for tests that call it often. One process runs the commands of all services one after another,
 * so its modules load once. A command that arrives while another one takes long gets its own process.
 */
import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const HOST = fileURLToPath(new URL('./commands-host.ts', import.meta.url));
const TIMEOUT_MS = 180_000;

/** Outcome of one run of the command line. */
export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  /** Standard error, without the line that names the database. */
  readonly stderr: string;
  /** The database that the command named, if any. */
  readonly target?: string | undefined;
}

/** Takes the line that names the database out of standard error. */
export const withTarget = (result: Omit<CliResult, 'target'>): CliResult => {
  const [line, target] = /^Database: (.+)\n/m.exec(result.stderr) ?? [];
  return line === undefined ? result : { ...result, stderr: result.stderr.replace(line, ''), target };
};

type RunCommand = (args: readonly string[], env: NodeJS.ProcessEnv) => Promise<CliResult>;

/** The message that asks a host to run a command. */
export interface Command {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** Runs one command. If the host exits instead of answering, its exit code becomes that of the command. */
const askHost = (host: ChildProcess, command: Command): Promise<CliResult> =>
  new Promise((resolve) => {
    let stderr = '';
    const hear = (text: string) => {
      stderr += text;
    };
    const late = setTimeout(() => host.kill('SIGKILL'), TIMEOUT_MS);
    const settle = (result: CliResult) => {
      clearTimeout(late);
      host.stderr?.off('data', hear);
      host.off('message', onMessage).off('exit', onExit);
      resolve(withTarget(result));
    };
    const onMessage = (result: unknown) => settle(result as CliResult);
    const onExit = (code: number | null) => settle({ code: code ?? -1, stdout: '', stderr });
    host.stderr?.setEncoding('utf8').on('data', hear);
    host.on('message', onMessage).on('exit', onExit);
    host.send(command);
  });

/**
 * Milliseconds for which a command waits for those before it. Most take 100 ms; a process of its own takes a second.
 */
const PATIENCE_MS = 1500;

interface Host {
  /** @param alone runs a command in a process of its own */
  readonly run: (args: readonly string[], env: NodeJS.ProcessEnv, alone: RunCommand) => Promise<CliResult>;
}

/**
 * The heap for new objects begins large: one that grows with the commands takes a third of a host's time to collect.
 */
const HEAP = ['--min-semi-space-size=16', '--max-semi-space-size=64'];

/** Creates the host of one build. Its process ends with the one that started it, and does not keep that one alive. */
const createHost = (bin: string): Host => {
  let host: ChildProcess | undefined;
  let running: Promise<CliResult> | undefined;
  const start = (): ChildProcess => {
    const started = fork(HOST, [bin], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], execArgv: HEAP });
    for (const handle of [started, started.channel, started.stderr]) (handle as unknown as Socket).unref();
    started.once('exit', () => {
      if (host === started) host = undefined;
    });
    return started;
  };
  return {
    run: async (args, env, alone) => {
      const late = sleep(PATIENCE_MS, 'late', { ref: false });
      while (running) if ((await Promise.race([running, late])) === 'late') return alone(args, env);
      host ??= start();
      running = askHost(host, { args, env }).finally(() => {
        running = undefined;
      });
      return running;
    },
  };
};

const hosts = new Map<string, Host>();

/** Returns the host of a build, which all services of a test file share. */
export const getHost = (bin: string): Host => {
  const host = hosts.get(bin) ?? createHost(bin);
  hosts.set(bin, host);
  return host;
};
