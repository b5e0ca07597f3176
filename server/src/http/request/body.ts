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

/** What a route takes. */
interface AcceptedBody {
  readonly mediaType: string;
  readonly maxBytes: number;
}
const JSON_BODY: AcceptedBody = { mediaType: 'application/json', maxBytes: MAX_BYTES };

/** Why a body is refused by its headers, before it is read; undefined where they are in order. */
const findHeaderFault = (req: Request, { mediaType, maxBytes }: AcceptedBody): ProblemError | undefined => {
  const type = req.get('Content-Type');
  if (type?.split(';', 1)[0]?.trim().toLowerCase() !== mediaType)
    return new ProblemError('unsupported_media_type', `Send "Content-Type: ${mediaType}".`);
  if (!isUtf8Type(type)) return new ProblemError('unsupported_media_type', 'The body must be encoded as UTF-8.');
  // the parser would read the whole body before it refuses it
  if (Number(req.get('Content-Length')) > maxBytes) return tooLarge(maxBytes);
};

/**
 * While the body comes, the request waits for its caller: the deadline stands still, and others can have the place of
 * the request.
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

/** Reads a JSON body of at most 64 kB. A body of another media type is refused before it is read. */
export const readJson = createBodyReader(parse);

const FORM: AcceptedBody = { mediaType: 'application/x-www-form-urlencoded', maxBytes: 4096 };

/** Reads a form that a page sends, of at most 4 kB. */
export const readForm = createBodyReader(
  express.urlencoded({ extended: false, limit: FORM.maxBytes, inflate: false, parameterLimit: 20 }),
  FORM,
);

/** Reads the bytes of a JSON body as they are: a signature is about them. */
export const readBytes = createBodyReader(express.raw({ limit: MAX_BYTES, inflate: false, type: () => true }));

/** Reads the bytes of an NDJSON body of at most so many bytes. */
export const readNdjson = (maxBytes: number): RequestHandler =>
  createBodyReader(express.raw({ limit: maxBytes, inflate: false, type: () => true }), {
    mediaType: 'application/x-ndjson',
    maxBytes,
  });
