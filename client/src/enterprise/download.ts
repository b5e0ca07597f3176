import { readAnswer } from '../answer.ts';
import { pause, within } from '../deadline.ts';
import { AnswerError, ConnectionError, type SentRequest } from '../errors.ts';
import { bearer, type Settings } from '../settings.ts';
import { ProofError } from './error.ts';
import { untilAnswered } from './temporary.ts';

/** The source of files. */
export interface FileSource {
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
export const throwAnswerError = async (request: SentRequest, response: Response): Promise<never> => {
  const error = readAnswer(await response.text(), request, response);
  throw error instanceof AnswerError ? error : new ConnectionError(`${request.url} answers no file`, request);
};

/** Asks for the rest of a file. Returns undefined if there is nothing after this place. */
const requestRest = async (
  { settings, signal }: FileSource,
  { url, at, etag }: FilePosition,
): Promise<Response | undefined> => {
  const request: SentRequest = { method: 'GET', url, idempotencyKey: undefined };
  const { token } = settings;
  const headers: Record<string, string> = {
    ...bearer(typeof token === 'function' ? ((await token()) ?? undefined) : token),
    ...settings.headers,
    accept: '*/*',
    ...(at > 0 && { range: `bytes=${at}-` }),
    ...(at > 0 && etag && { 'if-range': etag }),
  };
  const ask = async (stop: AbortSignal): Promise<Response> =>
    settings.fetch(url, { ...settings.fetchOptions, headers, redirect: 'manual', signal: stop });
  const late = () => Promise.reject(new Error('no answer in time'));
  const response = await within(settings.limits.tryTimeoutMs, signal, late, ask).catch((cause: unknown) => {
    signal?.throwIfAborted();
    throw new ConnectionError(`GET ${url} got no answer: ${(cause as Error).message}`, request, { cause });
  });
  if (response.status === 416 && at > 0) return undefined;
  if (!response.ok) return throwAnswerError(request, response);
  if (at === 0 || response.status === 206) return response;
  await response.body?.cancel();
  throw new ProofError('file_altered', `${url} has changed since its first ${at} bytes were read`);
};

/** Yields the pieces of an answer until it ends or breaks. Returns true if it ended. */
async function* readPieces(
  body: BodyReader,
  { settings, signal }: FileSource,
): AsyncGenerator<Uint8Array, boolean, undefined> {
  const late = () => Promise.reject(new Error('nothing came in time'));
  try {
    for (;;) {
      const { done, value } = await within(settings.limits.tryTimeoutMs, signal, late, () => body.read());
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
export async function* readSnapshotFile(
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
