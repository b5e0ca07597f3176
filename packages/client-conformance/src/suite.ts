import { spawn } from 'node:child_process';
import { BASE_PATH, TOKEN } from './checks.ts';
import { startServer } from './http.ts';
import { type ClientVerdict, judge } from './judge.ts';
import { readOutcome } from './outcome.ts';
import type { ClientRun, ScenarioOutcome, SeenRequest } from './run.ts';
import type { Scenario } from './scenarios/index.ts';
import { sendBroker } from './scenarios/scenario.ts';

/** A client's verdict in one scenario. */
export interface Result extends ClientVerdict {
  readonly scenario: string;
}

/** Time that a client has beyond that of its call, to start and to end. */
const GRACE_MS = 12_000;
/** Output beyond this is no outcome. */
const MOST_OUTPUT = 4 * 2 ** 20;

/** How a client ended and what it printed. */
interface ClientEnd {
  readonly outcome: ScenarioOutcome;
  readonly printed: string;
}

/** Runs a command in a process group of its own. Ends the group if it takes too long. */
const runClient = (command: readonly string[], settings: Readonly<Record<string, string>>, limitMs: number) =>
  new Promise<ClientEnd>((resolve, reject) => {
    const [file = '', ...args] = command;
    const child = spawn(file, args, {
      env: { ...process.env, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        if (output[name].length < MOST_OUTPUT) output[name] += text;
      });
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      if (child.pid === undefined) return;
      try {
        process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
      } catch {
        // it has just ended by itself
      }
    }, limitMs);
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(new Error(`the command ${file} does not start: ${error.message}`, { cause: error }));
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      const outcome: ScenarioOutcome = isLate
        ? { nothing: 'late', detail: `was still running after ${limitMs} ms` }
        : readOutcome(output.stdout, code, output.stderr);
      resolve({ outcome, printed: output.stdout + output.stderr });
    });
  });

/** Runs a client through one scenario, and judges it. */
export const tryScenario = async (scenario: Scenario, command: readonly string[]): Promise<Result> => {
  const startedMs = performance.now();
  const requests: SeenRequest[] = [];
  const note =
    (host: SeenRequest['host']) =>
    (request: Omit<SeenRequest, 'host' | 'atMs'>): SeenRequest => {
      const seen = { ...request, host, atMs: performance.now() - startedMs };
      requests.push(seen);
      return seen;
    };
  let nth = 0;
  const other = await startServer(note('other'), () => sendBroker());
  const api = await startServer(note('api'), (request, socket) =>
    scenario.answer({
      request,
      nth: ++nth,
      socket,
      origin: `http://127.0.0.1:${api.port}`,
      otherOrigin: `http://localhost:${other.port}`,
    }),
  );
  try {
    const { outcome, printed } = await runClient(
      command,
      { BASE_URL: `http://127.0.0.1:${api.port}${BASE_PATH}`, TOKEN, TASK: JSON.stringify(scenario.task) },
      scenario.task.timeoutMs + GRACE_MS,
    );
    const run: ClientRun = {
      requests,
      outcome,
      endedMs: performance.now() - startedMs,
      sentBytes: api.countSent(),
      printedToken: printed.includes(TOKEN),
    };
    return { scenario: scenario.name, ...judge(scenario.checks, run) };
  } finally {
    await Promise.all([api.close(), other.close()]);
  }
};
