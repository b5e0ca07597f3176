import { isUtf8 } from 'node:buffer';
import express, { type Request, type RequestHandler } from 'express';
import { leavePlace, takePlaceAgain } from '../load/concurrency-limit.ts';
import { ProblemError } from '../problem/problem.ts';
import { pauseDeadline, resumeDeadline } from './deadline.ts';

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

/** Why a body is refused by its headers, before it is read; undefined where it is not. */
const headerFault = (req: Request): ProblemError | undefined => {
  const type = req.get('Content-Type');
  if (type === undefined || !/^application\/json\s*(;|$)/i.test(type))
    return new ProblemError('unsupported_media_type', 'Send "Content-Type: application/json".');
  if (!isUtf8Type(type)) return new ProblemError('unsupported_media_type', 'The body must be encoded as UTF-8.');
  // the parser would read it to its end before it says no
  if (Number(req.get('Content-Length')) > MAX_BYTES)
    return new ProblemError('content_too_large', 'The body has more than 64 kB.');
};

/** Reads while the deadline stands still and the request takes no room from others: its caller is the one to wait for. */
const readWith =
  (reader: RequestHandler): RequestHandler =>
  (req, res, next) => {
    const fault = headerFault(req);
    if (fault) {
      next(fault);
      return;
    }
    pauseDeadline(res);
    leavePlace(res);
    reader(req, res, (error?: unknown) => {
      takePlaceAgain(res);
      if (!error) resumeDeadline(res);
      next(error);
    });
  };

/** Reads a JSON body of at most 64 kB; everything else is refused by its media type before it is read. */
export const readJson = readWith(parse);

/** The same for its bytes as they are, which a signature is about. */
export const readBytes = readWith(express.raw({ limit: MAX_BYTES, inflate: false, type: () => true }));
