import { SourceFailure } from './failure.ts';

/** How files of the log are read. */
export interface FileSource {
  /** Address of the log, without a slash at its end. */
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  /** Waits; a test need not. */
  readonly wait: (ms: number) => Promise<void>;
}

const TRIES = 6;
const FIRST_WAIT_MS = 500;

/** Returns how long a server asks to wait, in milliseconds; undefined if it does not say. */
const askedWait = (response: Response): number | undefined => {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), 120) * 1000 : undefined;
};

/**
 * Reads a file of the log, again and again while the server is busy.
 * @throws SourceFailure if there is no such file, or nobody answers
 */
export const readFile = async ({ url, fetch, wait }: FileSource, path: string): Promise<Uint8Array> => {
  const address = `${url}/${path}`;
  for (let tries = 1; ; tries++) {
    const response = await fetch(address).catch((error: Error) => error);
    if (!(response instanceof Error)) {
      if (response.ok) return new Uint8Array(await response.arrayBuffer());
      const isBusy = response.status === 429 || response.status >= 500;
      if (!isBusy || tries === TRIES) throw new SourceFailure(`${address} answers ${response.status}`, !isBusy);
      await wait(askedWait(response) ?? FIRST_WAIT_MS * 2 ** tries);
    } else {
      if (tries === TRIES) throw new SourceFailure(`${address} does not answer: ${response.message}`, false);
      await wait(FIRST_WAIT_MS * 2 ** tries);
    }
  }
};
