import { hash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import accepts from 'accepts';

/** Content coding of an answer; '' for none. */
export type ContentCoding = 'br' | 'gzip' | '';

/** The bytes of an answer in one coding, with the headers that belong to them. */
export interface EncodedBody {
  readonly coding: ContentCoding;
  readonly etag: string;
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

const encode = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 5 }),
  '': async (bytes: Buffer) => bytes,
} as const;

/** Types whose bytes are compressed already. */
const COMPRESSED = new Set(['image/png']);

/** Size in bytes from which compression is worthwhile. */
const COMPRESS_FROM = 1024;

/** Returns a strong validator, made from the plain bytes. Each coding has other bytes, so it has its own tag. */
const computeEntityTag = (plain: Buffer, coding: ContentCoding): string =>
  `"${hash('sha256', plain, 'base64url').slice(0, 22)}${coding && `-${coding}`}"`;

export const encodeBody = async (
  plain: Buffer,
  coding: ContentCoding,
  contentType = 'application/json',
): Promise<EncodedBody> => {
  const bytes = await encode[coding](plain);
  return {
    coding,
    etag: computeEntityTag(plain, coding),
    bytes,
    headers: {
      'Content-Type': contentType,
      'Content-Length': String(bytes.length),
      ...(coding ? { 'Content-Encoding': coding } : {}),
    },
  };
};

/**
 * Number of parsed headers that are cached: callers send few different ones, and parsing takes longer than the rest of
 * a cached answer.
 */
const KNOWN_HEADERS = 200;
const memoizeHeader = <T>(read: (header: string) => T): ((header: string) => T) => {
  const known = new Map<string, T>();
  return (header) => {
    const found = known.get(header);
    if (found !== undefined) return found;
    const value = read(header);
    if (known.size >= KNOWN_HEADERS) known.clear();
    known.set(header, value);
    return value;
  };
};

const accepting = (headers: Record<string, string>) => accepts({ headers } as unknown as IncomingMessage);

const pickCoding = memoizeHeader((header): ContentCoding => {
  const best = accepting({ 'accept-encoding': header }).encodings(['br', 'gzip', 'identity']);
  return best === 'br' || best === 'gzip' ? best : '';
});

/** Returns the coding in which a caller gets a body of this size and type. */
export const negotiateCoding = (
  { 'accept-encoding': accepted }: IncomingHttpHeaders,
  plainBytes: number,
  contentType?: string,
): ContentCoding =>
  accepted === undefined || plainBytes < COMPRESS_FROM || (contentType !== undefined && COMPRESSED.has(contentType))
    ? ''
    : pickCoding(accepted);

const takesJson = memoizeHeader(
  (header) => accepting({ accept: header }).types(['application/json', 'application/problem+json']) !== false,
);

/** Returns whether a caller accepts JSON, by their `Accept` header. */
export const acceptsJson = (header: string | undefined): boolean => header === undefined || takesJson(header);

/** Returns whether an `If-None-Match` header contains a tag, by weak comparison (RFC 9110 §8.8.3.2). */
export const includesEntityTag = (header: string | undefined, tag: string): boolean =>
  header !== undefined &&
  (header === tag || header === '*' || header.split(',').some((part) => part.trim().replace(/^W\//, '') === tag));
