import { AsyncLocalStorage } from 'node:async_hooks';

/** Where a command writes. */
export interface Terminal {
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Number of columns; undefined where no person reads. */
  readonly columns: number | undefined;
}

const OWN: Terminal = {
  write: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
  get columns() {
    return process.stdout.isTTY ? process.stdout.columns : undefined;
  },
};

const terminals = new AsyncLocalStorage<Terminal>();

/** Returns the terminal of the command that runs: by default the one of the process. */
export const terminal = (): Terminal => terminals.getStore() ?? OWN;

/** Runs `work`, and lets it write to this terminal. */
export const writingTo = <T>(to: Terminal, work: () => Promise<T>): Promise<T> => terminals.run(to, work);
