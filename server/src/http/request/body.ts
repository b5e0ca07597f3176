import { isUtf8 } from 'node:buffer';
import express, { type Request, type RequestHandler } from 'express';
import { ProblemError } from '../problem/problem.ts';

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

const tooLarge = (maxBytes: number): ProblemError =>
  new ProblemError('content_too_large', `The body has more than ${Math.floor(maxBytes / 1024)} kB.`);

/** Media type and size of the body that a route accepts. */
interface AcceptedBody {
  readonly mediaType: string;
  readonly maxBytes: number;
}
const JSON_BODY: AcceptedBody = { mediaType: 'application/json', maxBytes: MAX_BYTES };

/** Returns the problem of a body by its headers, before it is read; undefined if they are valid. */
const findHeaderFault = (req: Request, { mediaType, maxBytes }: AcceptedBody): ProblemError | undefined => {
  const type = req.get('Content-Type');
  if (type?.split(';', 1)[0]?.trim().toLowerCase() !== mediaType)
    return new ProblemError('unsupported_media_type', `Send "Content-Type: ${mediaType}".`);
  if (!isUtf8Type(type)) return new ProblemError('unsupported_media_type', 'The body must be encoded as UTF-8.');
  // the parser would read the whole body before refusing it
  if (Number(req.get('Content-Length')) > maxBytes) return tooLarge(maxBytes);
};

/**
 * Returns a reader of bodies. While the body arrives, the request waits for its caller: the deadline pauses, and others
 * can have the place of the request.
 */
const createBodyReader =
  (reader: RequestHandler, accepted: AcceptedBody = JSON_BODY): RequestHandler =>
  (req, res, next) => {
    const fault = findHeaderFault(req, accepted);
    if (fault) {
      next(fault);
      return;
    }
    const { deadline, place } = req.context;
    deadline?.pause();
    place?.leave();
    reader(req, res, (error?: unknown) => {
      place?.takeAgain();
      if (!error) deadline?.resume();
      next(error);
    });
  };

/** Reads a JSON body of at most 64 kB. A body of another media type is refused unread. */
export const readJson = createBodyReader(parse);

const createFormReader = (maxBytes: number, parameterLimit: number): RequestHandler =>
  createBodyReader(express.urlencoded({ extended: false, limit: maxBytes, inflate: false, parameterLimit }), {
    mediaType: 'application/x-www-form-urlencoded',
    maxBytes,
  });

/** Reads a form from a page, of at most 4 kB. */
export const readForm = createFormReader(4096, 20);

/** Reads a form with long texts, of at most 256 kB: most letters of other scripts take nine bytes each in a form. */
export const readLongForm = createFormReader(4 * MAX_BYTES, 100);

/** Reads a JSON body as bytes, since a signature covers the bytes. */
export const readBytes = createBodyReader(express.raw({ limit: MAX_BYTES, inflate: false, type: () => true }));

/** Reads an NDJSON body of at most `maxBytes` as bytes. */
export const readNdjson = (maxBytes: number): RequestHandler =>
  createBodyReader(express.raw({ limit: maxBytes, inflate: false, type: () => true }), {
    mediaType: 'application/x-ndjson',
    maxBytes,
  });
