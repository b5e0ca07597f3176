import { AsyncLocalStorage } from 'node:async_hooks';

/** The surroundings of a command: where it writes, and how it is told to end. */
export interface Terminal {
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Number of columns; undefined where no person reads. */
  readonly columns: number | undefined;
  /** Calls `stop` once, with the first signal to end. Returns what ends the listening. */
  readonly onStop: (stop: (signal: NodeJS.Signals) => void) => () => void;
  /** Ends the process at once. */
  readonly exit: (code: number) => void;
}

/** The terminal of a process that nobody tells to end. */
const OWN: Terminal = {
  write: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
  get columns() {
    return process.stdout.isTTY ? process.stdout.columns : undefined;
  },
  onStop: () => () => {},
  exit: () => {},
};

const terminals = new AsyncLocalStorage<Terminal>();

/** Returns the terminal of the command that runs: by default the one of the process. */
export const terminal = (): Terminal => terminals.getStore() ?? OWN;

/** Runs `work` with a terminal that has these parts, and the others of the process. */
export const withTerminal = <T>(parts: Partial<Terminal>, work: () => Promise<T>): Promise<T> =>
  terminals.run(Object.create(OWN, Object.getOwnPropertyDescriptors(parts)) as Terminal, work);
