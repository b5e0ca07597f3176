import { readText } from '../body.ts';
import { pause, within } from '../deadline.ts';
import { RateLimiter } from '../rate-limit.ts';
import { type BodyReader, encodeSegment } from '../request.ts';
import { send } from '../send.ts';
import type { Settings } from '../settings.ts';
import { acceptFiles, type FileSource, prepareFile, requestFile } from '../transfer.ts';
import type { EnterpriseFiles } from './calls.ts';
import { ProofError } from './error.ts';

type Pieces = ReadableStreamDefaultReader<Uint8Array>;

/** The rest of a file, of which the first piece has come. */
interface FileRest {
  readonly pieces: Pieces;
  readonly first: Awaited<ReturnType<Pieces['read']>>;
}

/** Stands for the rest of a file that is complete. */
const NO_REST = {};

const SHORT_MS = 500;

/** Waits for the first piece too, so that an answer without one counts as a failed try. */
const createRestReader =
  (at: number): BodyReader =>
  async (response, maxBytes) => {
    if (at > 0 && response.status === 416) {
      await response.body?.cancel();
      return NO_REST;
    }
    if (!response.ok) return readText(response, maxBytes);
    const pieces = response.body?.getReader();
    return pieces ? ({ pieces, first: await pieces.read() } satisfies FileRest) : NO_REST;
  };

/** Returns the next piece; undefined if the connection broke, or if nothing came in time. */
const readNext = (pieces: Pieces, ms: number, signal: AbortSignal | undefined) =>
  within(
    ms,
    signal,
    () => undefined,
    () => pieces.read(),
  ).catch(() => {
    signal?.throwIfAborted();
    return undefined;
  });

/** Yields a file in pieces. Continues after a lost connection: each piece gives the download its whole time anew. */
async function* readInPieces(
  source: FileSource,
  path: string,
  from: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { options } = source;
  let at = from;
  let etag: string | null = null;
  for (;;) {
    const range = at > 0 && { range: `bytes=${at}-`, ...(etag && { 'if-range': etag }) };
    const asked: FileSource = { ...source, options: { ...options, headers: { ...options.headers, ...range } } };
    const prepared = prepareFile(asked, path, createRestReader(at));
    const { data, response, request } = await send(prepared, source.settings);
    if (data === NO_REST) return;
    const { pieces, first } = data as FileRest;
    try {
      if (at > 0 && response.status !== 206)
        throw new ProofError('file_altered', `${request.url} has changed since its first ${at} bytes were read`);
      etag ??= response.headers.get('etag');
      const { tryTimeoutMs } = prepared.limits;
      for (
        let next: typeof first | undefined = first;
        next;
        next = await readNext(pieces, tryTimeoutMs, options.signal)
      ) {
        if (next.done) return;
        at += next.value.length;
        yield next.value;
      }
    } finally {
      pieces.cancel().catch(() => {});
    }
    await pause(Math.random() * SHORT_MS, options.signal);
  }
}

/** Creates the calls that read files. */
export const createFiles = (client: Settings): EnterpriseFiles => {
  const settings = acceptFiles(client);
  const rateLimiter = new RateLimiter();
  return {
    readSnapshotFile: (number, name, { from = 0, ...options } = {}) =>
      readInPieces(
        { call: 'enterprise.files.readSnapshotFile', settings, api: '/enterprise/v1', options },
        `/snapshots/${number}/files/${encodeURIComponent(name)}`,
        from,
      ),
    readLogFile: async (log, path, options = {}) =>
      requestFile(
        {
          call: 'enterprise.files.readLogFile',
          // a record of millions has more tiles than an address may read in a minute
          settings: { ...settings, token: undefined, pace: true, rateLimiter },
          api: '/transparency/v1/log',
          options,
        },
        [log, ...path.split('/')].map((name) => `/${encodeSegment('the path of a file', name)}`).join(''),
      ),
  };
};
