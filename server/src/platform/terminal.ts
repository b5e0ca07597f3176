import { AsyncLocalStorage } from 'node:async_hooks';
import { createInterface } from 'node:readline';

/** The surroundings of a command: where it writes, and how it is told to end. */
export interface Terminal {
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Number of columns; undefined where no person reads. */
  readonly columns: number | undefined;
  /** Asks a person, and returns the line typed; undefined where no person sits at a terminal. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  /** Calls `stop` once, with the first signal to end. Returns what ends the listening. */
  readonly onStop: (stop: (signal: NodeJS.Signals) => void) => () => void;
  /** Ends the process at once. */
  readonly exit: (code: number) => void;
}

/** Asks on the terminal of this process. An end of the input is an empty answer. */
const askOwn = async (question: string): Promise<string> => {
  const desk = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await new Promise<string>((resolve) => {
      desk.once('close', () => resolve(''));
      desk.question(question, resolve);
    });
  } finally {
    desk.close();
  }
};

/** The terminal of a process that nobody tells to end. */
const OWN: Terminal = {
  write: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
  get columns() {
    return process.stdout.isTTY ? process.stdout.columns : undefined;
  },
  get ask() {
    return process.stdin.isTTY && process.stderr.isTTY ? askOwn : undefined;
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
