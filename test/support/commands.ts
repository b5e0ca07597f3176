/**
 * Runs the command line of a service for tests that call it often. One process runs the commands one after another, so
 * its modules load once. A command that arrives while another one runs gets its own process.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const HOST = fileURLToPath(new URL('./commands-host.ts', import.meta.url));
const TIMEOUT_MS = 60_000;

/** Outcome of one run of the command line. */
export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Commands {
  readonly run: (args: readonly string[], env: NodeJS.ProcessEnv) => Promise<CliResult>;
  /** Waits for the running command, then ends the process. */
  readonly close: () => Promise<void>;
}

/** The message that asks a host to run a command. */
export interface Command {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** Runs one command. If the host exits instead of answering, its exit code becomes that of the command. */
const ask = (host: ChildProcess, command: Command): Promise<CliResult> =>
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
      resolve(result);
    };
    const onMessage = (result: unknown) => settle(result as CliResult);
    const onExit = (code: number | null) => settle({ code: code ?? -1, stdout: '', stderr });
    host.stderr?.setEncoding('utf8').on('data', hear);
    host.on('message', onMessage).on('exit', onExit);
    host.send(command);
  });

/** @param alone runs a command in a process of its own */
export const openCommands = (bin: string, alone: Commands['run']): Commands => {
  let host: ChildProcess | undefined;
  let running: Promise<CliResult> | undefined;
  const start = (): ChildProcess => {
    const started = fork(HOST, [bin], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], execArgv: [] });
    started.once('exit', () => {
      if (host === started) host = undefined;
    });
    return started;
  };
  return {
    run: (args, env) => {
      if (running) return alone(args, env);
      host ??= start();
      running = ask(host, { args, env }).finally(() => {
        running = undefined;
      });
      return running;
    },
    close: async () => {
      const closed = host;
      host = undefined;
      await running;
      closed?.kill('SIGKILL');
    },
  };
};
