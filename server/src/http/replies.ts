import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';

const compress = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 5 }),
};

/** Below this size a compressed answer is not worth its time. */
const COMPRESS_FROM = 1024;

/** A strong validator of the bytes. Each coding has different bytes, so it gets a tag of its own. */
const entityTag = (bytes: Buffer, coding: string | undefined): string =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}${coding ? `-${coding}` : ''}"`;

/** Weak comparison (RFC 9110 §8.8.3.2) of a list of tags with ours. */
const matches = (header: string, tag: string): boolean =>
  header === '*' || header.split(',').some((part) => part.trim().replace(/^W\//, '') === tag);

const isCacheable = (res: Response): boolean => String(res.get('Cache-Control')).startsWith('public');

/**
 * Writes a JSON answer: compressed as the caller accepts, and, where it may be cached, with an ETag and 304 for a caller
 * that has it. The status must be set.
 */
export const sendJson = async (
  req: Request,
  res: Response,
  body: unknown,
  contentType = 'application/json',
): Promise<void> => {
  if (res.headersSent) return; // the deadline answered already
  const bytes = Buffer.from(JSON.stringify(body));
  const accepted = bytes.length >= COMPRESS_FROM ? req.acceptsEncodings('br', 'gzip', 'identity') : false;
  const coding = accepted === 'br' || accepted === 'gzip' ? accepted : undefined;
  res.vary('Accept-Encoding');
  if (isCacheable(res) && res.statusCode === 200) {
    const tag = entityTag(bytes, coding);
    res.set('ETag', tag);
    const known = req.get('If-None-Match');
    if (known !== undefined && matches(known, tag)) {
      res.status(304).end();
      return;
    }
  }
  const coded = coding ? await compress[coding](bytes) : bytes;
  if (res.headersSent) return;
  if (coding) res.set('Content-Encoding', coding);
  res.set({ 'Content-Type': contentType, 'Content-Length': String(coded.length) });
  res.end(req.method === 'HEAD' ? undefined : coded);
};
