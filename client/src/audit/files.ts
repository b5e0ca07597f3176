import { DownloadError } from './failure.ts';

/** The source of the files of the log. */
export interface FileSource {
  /** Address of the log, without a slash at its end. */
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  /** Waits; a test need not. */
  readonly wait: (ms: number) => Promise<void>;
}

const TRIES = 6;
const FIRST_WAIT_MS = 500;
/** Time in milliseconds for one answer: a bundle of entries has less than a megabyte. */
const TIMEOUT_MS = 30_000;

/** The answer of a server: a file, busy, or no such file; or why no answer came. */
type FileAnswer =
  | { readonly bytes: Uint8Array }
  | { readonly status: number; readonly isBusy: boolean; readonly waitMs: number | undefined }
  | { readonly error: Error };

/** Returns the wait that a server asks for, in milliseconds; undefined if none. */
const parseRetryAfter = (response: Response): number | undefined => {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), 120) * 1000 : undefined;
};

const requestFile = async (fetch: FileSource['fetch'], address: string): Promise<FileAnswer> => {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.ok) return { bytes: new Uint8Array(await response.arrayBuffer()) };
    await response.body?.cancel(); // its connection is needed
    const { status } = response;
    return { status, isBusy: status === 429 || status >= 500, waitMs: parseRetryAfter(response) };
  } catch (error) {
    return { error: error as Error };
  }
};

/** Remedies by the status of an answer. */
const CURES: Readonly<Record<number, string>> = {
  404: ': the address of a log ends with its name, as in https://brokers.example/transparency/v1/log/a',
  429: ': its budget is exceeded, try again later',
};

const describeError = ({ message, cause }: Error): string =>
  cause instanceof Error && cause.message !== '' ? `${message} (${cause.message})` : message;

/**
 * Reads a file of the log, again and again while the server is busy.
 * @throws DownloadError if there is no such file, or nobody answers
 */
export const readFile = async ({ url, fetch, wait }: FileSource, path: string): Promise<Uint8Array> => {
  const address = `${url}/${path}`;
  for (let tries = 1; ; tries++) {
    const answer = await requestFile(fetch, address);
    if ('bytes' in answer) return answer.bytes;
    if ('error' in answer) {
      if (tries === TRIES) throw new DownloadError(`${address} does not answer: ${describeError(answer.error)}`, false);
      await wait(FIRST_WAIT_MS * 2 ** tries);
    } else {
      const { status, isBusy, waitMs } = answer;
      if (!isBusy || tries === TRIES)
        throw new DownloadError(`${address} answers ${status}${CURES[status] ?? ''}`, !isBusy, status);
      await wait(waitMs ?? FIRST_WAIT_MS * 2 ** tries);
    }
  }
};
