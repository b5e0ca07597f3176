import type { Request, Response } from 'express';
import type { CachedAnswer, ResponseCache } from '../cache/response-cache.ts';
import { codingFor, type EncodedBody, encodeBody, isKnown } from './encoded-body.ts';

const isCacheable = (res: Response): boolean => String(res.get('Cache-Control')).startsWith('public');

/** Writes the bytes; where they may be cached, with their tag, and 304 for a caller that has them. The status must be set. */
export const sendBody = (req: Request, res: Response, body: EncodedBody): void => {
  if (res.headersSent) return; // the deadline answered already
  res.vary('Accept-Encoding');
  if (isCacheable(res) && res.statusCode === 200) {
    res.set('ETag', body.etag);
    if (isKnown(req.get('If-None-Match'), body.etag)) {
      res.status(304).end();
      return;
    }
  }
  for (const [name, value] of Object.entries(body.headers)) res.setHeader(name, value); // Express would add a charset
  res.end(req.method === 'HEAD' ? undefined : body.bytes);
};

/** Writes a JSON answer, compressed as the caller accepts. */
export const sendJson = async (
  req: Request,
  res: Response,
  body: unknown,
  contentType = 'application/json',
): Promise<void> => {
  if (res.headersSent) return;
  const plain = Buffer.from(JSON.stringify(body));
  sendBody(req, res, await encodeBody(plain, codingFor(req.get('Accept-Encoding'), plain.length), contentType));
};

/** Writes a cached answer. */
export const sendAnswer = async (
  req: Request,
  res: Response,
  cache: ResponseCache,
  key: string,
  answer: CachedAnswer,
) => {
  const coding = codingFor(req.get('Accept-Encoding'), answer.plain.length);
  const encoded = await cache.encode(key, answer, coding);
  if (res.headersSent) return;
  res.set(answer.headers);
  const age = cache.ageOf(answer);
  if (age > 0) res.set('Age', String(age));
  sendBody(req, res, encoded);
};
