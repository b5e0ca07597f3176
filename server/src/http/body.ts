import { isUtf8 } from 'node:buffer';
import express, { type NextFunction, type Request, type Response } from 'express';
import { ProblemError } from './problems.ts';

const parse = express.json({
  limit: '64kb',
  inflate: false,
  type: () => true,
  verify: (_req, _res, bytes) => {
    if (!isUtf8(bytes)) throw new TypeError('not UTF-8');
  },
});

/** Reads a JSON body of at most 64 kB; everything else is refused by its media type before it is read. */
export const readJson = (req: Request, res: Response, next: NextFunction): void => {
  if (req.get('Content-Type') === undefined || !req.is('application/json'))
    next(new ProblemError('unsupported_media_type', 'Send "Content-Type: application/json".'));
  else parse(req, res, next);
};
