/** A process that keeps a replica, and what can go wrong around it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The arguments that start a replica. */
export interface ReplicaArgs {
  readonly origin: string;
  readonly key: string;
  readonly folder: string;
  readonly policy: string;
}

const FILE = fileURLToPath(new URL('replica-process.ts', import.meta.url));

/** A replica in a process of its own. */
export class ReplicaProcess {
  readonly #args: ReplicaArgs;
  #child: ChildProcess | undefined;
  #errors = '';
  /** The last entry in the store, and the last one of those that is signed. */
  applied = -1;
  signed = -1;

  constructor(args: ReplicaArgs) {
    this.#args = args;
  }

  start(): void {
    const { origin, key, folder, policy } = this.#args;
    const child = spawn(process.execPath, [FILE, origin, key, folder, policy], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errors += text;
    });
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) [this.applied, this.signed] = JSON.parse(line);
    });
  }

  /** @throws Error if it has ended by itself */
  requireRunning(): void {
    if (this.#child?.exitCode !== null) throw new Error(`the replica has ended:\n${this.#errors.slice(-2000)}`);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
}
