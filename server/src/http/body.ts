import { isUtf8 } from 'node:buffer';
import express, { type NextFunction, type Request, type Response } from 'express';
import { ProblemError } from './problems.ts';

const MAX_BYTES = 65_536;

const parse = express.json({
  limit: MAX_BYTES,
  inflate: false,
  type: () => true,
  verify: (_req, _res, bytes) => {
    if (!isUtf8(bytes)) throw new TypeError('not UTF-8');
  },
});

/** The parser would also take UTF-7, UTF-16 and UTF-32. */
const isUtf8Type = (type: string): boolean => {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(type)?.[1];
  return charset === undefined || charset.toLowerCase() === 'utf-8';
};

/** Reads a JSON body of at most 64 kB; everything else is refused by its media type before it is read. */
export const readJson = (req: Request, res: Response, next: NextFunction): void => {
  const type = req.get('Content-Type');
  if (type === undefined || !/^application\/json\s*(;|$)/i.test(type))
    next(new ProblemError('unsupported_media_type', 'Send "Content-Type: application/json".'));
  else if (!isUtf8Type(type)) next(new ProblemError('unsupported_media_type', 'The body must be encoded as UTF-8.'));
  // the parser would read it to its end before it says no
  else if (Number(req.get('Content-Length')) > MAX_BYTES)
    next(new ProblemError('content_too_large', 'The body has more than 64 kB.'));
  else parse(req, res, next);
};
