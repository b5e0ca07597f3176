import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type Duplex, PassThrough, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { type OutboundRequest, type ResponseReader, readCoding, readHeader, sendOutbound, tooLarge } from './fetch.ts';
import { OutboundError } from './rules.ts';

/** An answer whose body was written to a file if its status was 200. */
export interface DownloadedFile {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  /** URL of the answer, after redirects. */
  readonly url: string;
  /** Bytes of the body, and their SHA-256 in hexadecimal. */
  readonly bytes: number;
  readonly sha256: string;
}

const DECODERS: Readonly<Record<string, () => Duplex>> = {
  '': () => new PassThrough(),
  identity: () => new PassThrough(),
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Passes on up to `maxBytes` bytes. */
const createSizeLimit = (maxBytes: number, seen: (chunk: Buffer) => void): Transform => {
  let size = 0;
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      size += chunk.length;
      if (size > maxBytes) return done(tooLarge(maxBytes));
      seen(chunk);
      done(null, chunk);
    },
  });
};

/**
 * Refuses an answer that is shorter or longer than its `Content-Length`. HTTP clients detect only some cut-off answers.
 */
const requireWhole = (expected: string | undefined, received: number): void => {
  if (expected !== undefined && /^\d{1,15}$/.test(expected) && Number(expected) !== received)
    throw new OutboundError(`ends after ${received} of ${expected} bytes`);
};

const isDecodingError = (error: unknown): boolean => String((error as NodeJS.ErrnoException).code).startsWith('Z_');

const createFileWriter =
  (path: string, { maxBytes }: OutboundRequest): ResponseReader<DownloadedFile> =>
  async ({ statusCode, headers, body }, url) => {
    const coding = readCoding(headers);
    const decoder = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
    if (!decoder) throw new OutboundError('comes in an encoding that was not asked for');
    const [digest, sizes] = [createHash('sha256'), { received: 0, written: 0 }];
    const answer = { status: statusCode, header: (name: string) => readHeader(headers, name), url: url.href };
    if (statusCode !== 200) {
      body.destroy();
      return { ...answer, bytes: 0, sha256: '' };
    }
    const received = createSizeLimit(maxBytes, (chunk) => {
      sizes.received += chunk.length;
    });
    const written = createSizeLimit(maxBytes, (chunk) => {
      sizes.written += chunk.length;
      digest.update(chunk);
    });
    try {
      await pipeline(body, received, decoder(), written, createWriteStream(path, { flags: 'a', mode: 0o600 }));
    } catch (error) {
      throw isDecodingError(error) ? new OutboundError(`is not the ${coding} it says it is, or not all of it`) : error;
    }
    requireWhole(answer.header('content-length'), sizes.received);
    return { ...answer, bytes: sizes.written, sha256: digest.digest('hex') };
  };

/**
 * Fetches a document from an untrusted address and appends it to a file, in constant memory. Only a complete answer
 * with status 200 counts. Parts of an incomplete answer stay in the file; the caller deletes it.
 * @throws OutboundError if the request is refused or fails, or the answer is too large or incomplete
 */
export const downloadTo = (path: string, address: string, asked: OutboundRequest): Promise<DownloadedFile> =>
  sendOutbound(address, asked, createFileWriter(path, asked));
