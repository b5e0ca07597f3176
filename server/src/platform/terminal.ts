import { AsyncLocalStorage } from 'node:async_hooks';
import { createInterface } from 'node:readline';

/** Environment of a command: its output, its input and its stop signal. */
export interface Terminal {
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Number of columns; undefined if the output is not a terminal. */
  readonly columns: number | undefined;
  /** Asks a question, and returns the typed line; undefined without an interactive terminal. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  /** Calls `stop` once, with the first stop signal. Returns a function that removes the listener. */
  readonly onStop: (stop: (signal: NodeJS.Signals) => void) => () => void;
  /** Ends the process at once. */
  readonly exit: (code: number) => void;
}

/** Asks on the terminal of this process. End of input counts as an empty answer. */
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

/** The terminal of a process that receives no stop signal. */
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

/** Returns the terminal of the running command: by default the one of the process. */
export const terminal = (): Terminal => terminals.getStore() ?? OWN;

/** Runs `work` with a terminal of these parts; the remaining parts are those of the process. */
export const withTerminal = <T>(parts: Partial<Terminal>, work: () => Promise<T>): Promise<T> =>
  terminals.run(Object.create(OWN, Object.getOwnPropertyDescriptors(parts)) as Terminal, work);
