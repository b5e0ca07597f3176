import { readAnswer } from '../answer.ts';
import { BrokerTransparencyError } from '../base-error.ts';
import { readText } from '../body.ts';
import { pause, within } from '../deadline.ts';
import { AnswerError, ConnectionError, type SentRequest } from '../errors.ts';
import { bearer, type Settings } from '../settings.ts';
import type { EnterpriseFiles } from './calls.ts';
import { ProofError } from './error.ts';
import { untilAnswered } from './temporary.ts';

/** The source of files. */
interface FileSource {
  readonly settings: Settings;
  readonly signal: AbortSignal | undefined;
}

type BodyReader = ReadableStreamDefaultReader<Uint8Array>;

const SHORT_MS = 500;

/** The position from which to continue a file. */
interface FilePosition {
  readonly url: string;
  readonly at: number;
  /** The entity tag of what was read so far. */
  readonly etag: string | undefined;
}

/** Throws the error that an answer stands for. */
const throwAnswerError = async ({ settings }: FileSource, request: SentRequest, response: Response): Promise<never> => {
  const error = readAnswer(await readText(response, settings.limits.maxBytes), request, response);
  throw error instanceof AnswerError ? error : new ConnectionError(`${request.url} answers no file`, request);
};

const rejectLate = (): Promise<never> => Promise.reject(new Error('nothing came in time'));

/**
 * Runs one try within its time.
 * @throws errors of this package as they are, ConnectionError for others, or the reason of the caller's signal
 */
const tryInTime = async <T>(
  { settings, signal }: FileSource,
  request: SentRequest,
  ask: (stop: AbortSignal) => Promise<T>,
): Promise<T> =>
  within(settings.limits.tryTimeoutMs, signal, rejectLate, ask).catch((cause: unknown) => {
    signal?.throwIfAborted();
    if (cause instanceof BrokerTransparencyError) throw cause;
    throw new ConnectionError(`GET ${request.url} got no answer: ${(cause as Error).message}`, request, { cause });
  });

/** Asks for the rest of a file. Returns undefined if there is nothing after this place. */
const requestRest = async (source: FileSource, { url, at, etag }: FilePosition): Promise<Response | undefined> => {
  const { settings } = source;
  const request: SentRequest = { method: 'GET', url, idempotencyKey: undefined };
  const { token } = settings;
  const headers: Record<string, string> = {
    ...bearer(typeof token === 'function' ? ((await token()) ?? undefined) : token),
    ...settings.headers,
    accept: '*/*',
    ...(at > 0 && { range: `bytes=${at}-` }),
    ...(at > 0 && etag && { 'if-range': etag }),
  };
  const response = await tryInTime(source, request, async (signal) => {
    const found = await settings.fetch(url, { ...settings.fetchOptions, headers, redirect: 'manual', signal });
    const isAtEnd = found.status === 416 && at > 0;
    return found.ok || isAtEnd ? found : throwAnswerError(source, request, found);
  });
  if (response.status === 416) return undefined;
  if (at === 0 || response.status === 206) return response;
  await response.body?.cancel();
  throw new ProofError('file_altered', `${url} has changed since its first ${at} bytes were read`);
};

/** Yields the pieces of an answer until it ends or breaks. Returns true if it ended. */
async function* readPieces(
  body: BodyReader,
  { settings, signal }: FileSource,
): AsyncGenerator<Uint8Array, boolean, undefined> {
  try {
    for (;;) {
      const { done, value } = await within(settings.limits.tryTimeoutMs, signal, rejectLate, () => body.read());
      if (done) return true;
      yield value;
    }
  } catch {
    signal?.throwIfAborted();
    return false;
  } finally {
    body.cancel().catch(() => {});
  }
}

/** Yields a file in pieces. Continues after a lost connection. */
async function* readInPieces(
  source: FileSource,
  url: string,
  from: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let at = from;
  let etag: string | undefined;
  for (;;) {
    const response = await untilAnswered(source.signal, () => requestRest(source, { url, at, etag }));
    const body = response?.body?.getReader();
    if (!body) return;
    etag ??= response?.headers.get('etag') ?? undefined;
    const pieces = readPieces(body, source);
    try {
      for (;;) {
        const { done, value } = await pieces.next();
        if (done && value) return;
        if (done) break;
        at += value.length;
        yield value;
      }
    } finally {
      await pieces.return(false);
    }
    await pause(Math.random() * SHORT_MS, source.signal);
  }
}

/** Returns a file of the public log; undefined if there is none. */
const readWhole = async (source: FileSource, url: string): Promise<Uint8Array | undefined> => {
  const { settings } = source;
  const request: SentRequest = { method: 'GET', url, idempotencyKey: undefined };
  return tryInTime(source, request, async (signal) => {
    const found = await settings.fetch(url, { ...settings.fetchOptions, redirect: 'manual', signal });
    if (found.ok) return new Uint8Array(await found.arrayBuffer());
    if (found.status !== 404) return throwAnswerError(source, request, found);
    await found.body?.cancel();
    return undefined;
  });
};

/** Creates the calls that read files. */
export const createFiles = (settings: Settings): EnterpriseFiles => {
  const snapshots = `${settings.base}/enterprise/v1/snapshots`;
  const logs = `${settings.base}/transparency/v1/log`;
  return {
    readSnapshotFile: (number, name, { from = 0, signal } = {}) =>
      readInPieces({ settings, signal }, `${snapshots}/${number}/files/${encodeURIComponent(name)}`, from),
    // a record of millions has more tiles than an address may read in a minute
    readLogFile: (log, path, { signal } = {}) =>
      untilAnswered(signal, () => readWhole({ settings, signal }, `${logs}/${encodeURIComponent(log)}/${path}`)),
  };
};
