import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** A terminal's input, or a pipe with the same keys. */
type KeyInput = Readable & { readonly isTTY?: boolean; setRawMode?: (raw: boolean) => unknown };

/** The keys that end the work at every question: the end of the input, or Ctrl-C. */
export const END = '\u0000end';
export const ABORT = '\u0000abort';

const ESCAPE = '\u001b';
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const ERASE = new Set(['\u007f', '\b']);

/** One key: a control sequence, such as that of an arrow, or one character. */
const KEY = new RegExp(`${ESCAPE}(?:\\[[0-9;?]*[ -/]*[@-~]|O.|[^[O])?|[^]`, 'gu');

/** Milliseconds without a key before one counts: held keys, double strokes and pasted text decide nothing. */
const QUIET_MS = 200;

/** Reads keys one by one, from a terminal without waiting for Enter. */
export interface KeyReader {
  /**
   * Resolves to the next key; to undefined after `waitMs` without one.
   * @param waitMs forever, if omitted
   */
  readonly next: (waitMs?: number) => Promise<string | undefined>;
  /** Resolves to a line without its end; to END or ABORT in its stead. An empty one means nothing. */
  readonly line: (echo: (text: string) => void) => Promise<string>;
  /** Forgets keys that were struck before something new was shown. */
  readonly forget: () => void;
  readonly close: () => void;
}

/** Opens the input. In a pipe, blanks and line ends between keys mean nothing. */
export const openKeys = (input: KeyInput, now: () => number = Date.now): KeyReader => {
  const isTerminal = input.isTTY === true;
  const decoder = new StringDecoder('utf8');
  let struck: string[] = [];
  let quietSince = 0;
  let isInLine = false;
  let ended: typeof END | undefined;
  let wake: () => void = () => {};

  const pushKeys = (text: string): void => {
    for (const [key] of text.matchAll(KEY)) {
      const isEarly = isTerminal && !isInLine && key !== CTRL_C && now() - quietSince < QUIET_MS;
      quietSince = Math.max(quietSince, isEarly ? now() : quietSince);
      if (!isEarly) struck.push(key);
    }
    wake();
  };
  const onData = (chunk: Buffer): void => pushKeys(decoder.write(chunk));
  const onEnd = (): void => {
    ended = END;
    wake();
  };
  input.setRawMode?.(true);
  input.on('data', onData).on('end', onEnd).on('error', onEnd);

  const waitForKey = async (waitMs?: number): Promise<string | undefined> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    wake = resolve;
    const late = waitMs === undefined ? undefined : setTimeout(resolve, waitMs);
    if (struck.length === 0 && ended === undefined) await promise;
    clearTimeout(late);
    const key = struck.shift();
    if (key === CTRL_C && isTerminal) return ABORT;
    return key ?? ended;
  };

  const next = async (waitMs?: number): Promise<string | undefined> => {
    for (;;) {
      const key = await waitForKey(waitMs);
      if (key === CTRL_D && isTerminal) return END;
      if (key !== undefined && !isTerminal && key !== END && key.trim() === '') continue;
      return key;
    }
  };

  const readLine = async (echo: (text: string) => void): Promise<string> => {
    let text = '';
    for (;;) {
      const key = await waitForKey();
      if (key === undefined || key === END || key === ABORT) return key ?? END;
      if (!isTerminal && text === '' && key.trim() === '') continue;
      if (key === '\r' || key === '\n') {
        echo('\n');
        return text;
      }
      if (key === ESCAPE) return '';
      if (ERASE.has(key)) {
        if (text !== '') echo('\b \b');
        text = Array.from(text).slice(0, -1).join('');
      } else if (!/\p{Cc}/u.test(key)) {
        text += key;
        echo(key);
      }
    }
  };

  return {
    next,
    line: async (echo) => {
      isInLine = true;
      return readLine(isTerminal ? echo : () => {}).finally(() => {
        isInLine = false;
      });
    },
    forget: () => {
      if (!isTerminal) return;
      struck = struck.filter((key) => key === CTRL_C);
      quietSince = now();
    },
    close: () => {
      input.off('data', onData).off('end', onEnd).off('error', onEnd);
      input.setRawMode?.(false);
      input.pause();
    },
  };
};
