/** The only module that touches a `ServerResponse`. All others describe answers as plain data. */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { NextFunction, Response } from 'express';
import sendStored from 'send';
import { type EncodedBody, encodeBody, includesEntityTag, negotiateCoding } from './encoded-body.ts';
import { FileBody } from './file-body.ts';
import { type FilePart, writePart } from './file-part.ts';
import { API_HEADERS, pageHeaders } from './headers.ts';
import type { Pace } from './pace.ts';
import { ReadyJson } from './ready-json.ts';

type Headers = Readonly<Record<string, string>>;

/** Head of an answer. Its own headers take precedence over those of the request's context. */
interface ResponseHead {
  readonly status: number;
  readonly headers?: Headers | undefined;
}
export interface RawResponse extends ResponseHead {
  readonly body?: string | Buffer;
}
interface JsonResponse extends ResponseHead {
  readonly json: unknown;
  readonly contentType?: string;
}
interface EncodedResponse extends ResponseHead {
  readonly body: EncodedBody;
}
/** A public answer from the response cache. Its headers are the same for all callers. */
interface CachedReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: EncodedBody;
  readonly ageSeconds: number;
}

const toLengthHeader = (body: RawResponse['body']): Headers =>
  body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };

/** Writes an answer. Only the first answer to a request is sent: a handler's answer after the deadline is dropped. */
export const send = (res: ServerResponse, { status, headers, body }: RawResponse): void => {
  if (res.headersSent) return;
  const { context } = res.req;
  res.writeHead(status, { ...context.headers, ...toLengthHeader(body), ...headers });
  res.end(context.method === 'HEAD' ? undefined : body);
};

/** Writes an answer to bytes that never became a request. */
export const sendOnSocket = (socket: Duplex, { status, headers, body = '' }: RawResponse): void => {
  const lines = Object.entries({ ...toLengthHeader(body), ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
};

/** Writes an encoded body. A public answer has an entity tag, and becomes 304 if the caller has the body. */
export const sendEncoded = (res: ServerResponse, { status, headers, body }: EncodedResponse): void => {
  const { context, headers: asked } = res.req;
  const all: Headers = { ...context.headers, ...headers };
  const isPublic = status === 200 && all['Cache-Control']?.startsWith('public') === true;
  const own: Headers = { Vary: 'Accept-Encoding', ...headers, ...(isPublic ? { ETag: body.etag } : {}) };
  if (isPublic && includesEntityTag(asked['if-none-match'], body.etag)) send(res, { status: 304, headers: own });
  else send(res, { status, headers: { ...own, ...body.headers }, body: body.bytes });
};

const toJsonBytes = (json: unknown): Buffer =>
  Buffer.from(json instanceof ReadyJson ? json.bytes : JSON.stringify(json));

/** Answers that were begun by {@link keepAlive}. */
const begun = new WeakSet<ServerResponse>();

/**
 * Sends a blank at intervals until the JSON of an answer is ready; JSON may begin with blanks. The first blank begins
 * the answer, so its status can only be 200. Returns the function that stops the blanks.
 */
export const keepAlive = (res: ServerResponse, everyMs: number): (() => void) => {
  const writeBlank = (): void => {
    if (res.destroyed) return;
    if (!res.headersSent) {
      begun.add(res);
      res.writeHead(200, { ...res.req.context.headers, 'Content-Type': 'application/json' });
    }
    res.write('\n');
  };
  const timer = setInterval(writeBlank, everyMs);
  return () => clearInterval(timer);
};

/** Ends an answer that has begun. A problem can then only be reported by cutting the answer off. */
const endBegun = (res: ServerResponse, { status, json }: JsonResponse): void => {
  if (!begun.delete(res)) return;
  if (status === 200) res.end(toJsonBytes(json));
  else res.destroy();
};

/** A stored file. Its headers contain its entity tag, which range requests refer to. */
interface FileResponse {
  readonly folder: string;
  readonly name: string;
  readonly headers: Headers;
  readonly pace: Pace;
}

/** Status of a range outside of the file. The answer has no body, because no problem code fits. */
const NO_SUCH_RANGE = 416;

/**
 * Writes a stored file, or the requested range. Resolves when it is sent or the caller has left. Rejects if the file
 * cannot be read.
 */
export const sendFile = (res: ServerResponse, { folder, name, headers, pace }: FileResponse): Promise<void> =>
  new Promise((resolve, reject) => {
    const { req } = res;
    const all = { ...req.context.headers, ...headers };
    const stream = sendStored(req, `/${name}`, {
      root: folder,
      etag: false,
      lastModified: false,
      cacheControl: false,
      dotfiles: 'allow',
      index: false,
    });
    stream.on('headers', () => {
      for (const [header, value] of Object.entries(all)) res.setHeader(header, value);
    });
    stream.stream = (path, part = {}) => {
      writePart({ path, ...(part as Omit<FilePart, 'path'>) }, res, pace).catch((error: NodeJS.ErrnoException) => {
        stream.emit('error', Object.assign(error, { status: error.code === 'ENOENT' ? 404 : 500 }));
      });
    };
    stream.on('error', (error: Error & { status?: number; headers?: Headers }) => {
      if (error.status === NO_SUCH_RANGE) {
        send(res, { status: NO_SUCH_RANGE, headers: { ...error.headers, 'Content-Length': '0' } });
        resolve();
      } else if (error.status === 412) {
        send(res, { status: 412, headers: { 'Content-Length': '0' } });
        resolve();
      } else if (res.headersSent) {
        res.destroy();
        resolve();
      } else {
        reject(error);
      }
    });
    res.once('close', resolve);
    stream.pipe(res);
  });

/** Writes a JSON answer, compressed as the caller accepts. */
export const sendJson = async (res: ServerResponse, given: JsonResponse): Promise<void> => {
  if (res.headersSent) {
    endBegun(res, given);
    return;
  }
  const { status, headers, ...answer } = given;
  const plain = toJsonBytes(answer.json);
  const body = await encodeBody(plain, negotiateCoding(res.req.headers, plain.length), answer.contentType);
  sendEncoded(res, { status, headers, body });
};

/** Writes a page that is made for this request. */
export const sendPage = async (
  res: ServerResponse,
  { html, isFramed, ...head }: ResponseHead & { readonly html: string; readonly isFramed?: boolean },
): Promise<void> => {
  const plain = Buffer.from(html);
  const body = await encodeBody(plain, negotiateCoding(res.req.headers, plain.length), 'text/html; charset=utf-8');
  sendEncoded(res, { ...head, headers: { ...head.headers, ...pageHeaders(isFramed) }, body });
};

/** Returns headers in the form that `writeHead` takes fastest: names and values in turn. */
const flattenHeaders = (headers: Headers): string[] => {
  const list: string[] = [];
  for (const name in headers) list.push(name, headers[name] as string);
  return list;
};

interface ReadyHeads {
  readonly whole: readonly string[];
  readonly notModified: readonly string[];
}

/** Headers of cached bodies, built once for each. */
const readyHeads = new WeakMap<EncodedBody, ReadyHeads>();
const prepareHeads = ({ status, body, headers }: CachedReply): ReadyHeads => {
  const ready = readyHeads.get(body);
  if (ready) return ready;
  const tag = status === 200 ? { ETag: body.etag } : {};
  const notModified = flattenHeaders({ ...API_HEADERS, Vary: 'Accept-Encoding', ...headers, ...tag });
  const made = { notModified, whole: [...notModified, ...flattenHeaders(body.headers)] };
  readyHeads.set(body, made);
  return made;
};

/** Writes a cached answer without Express: the same as `sendEncoded`, much faster. Returns the status. */
export const sendCached = (res: ServerResponse, reply: CachedReply): number => {
  const { status, body, ageSeconds } = reply;
  const { context, headers: asked } = res.req;
  const { whole, notModified } = prepareHeads(reply);
  const own = flattenHeaders(context.headers);
  if (ageSeconds > 0) own.push('Age', String(ageSeconds));
  if (status === 200 && includesEntityTag(asked['if-none-match'], body.etag)) {
    res.writeHead(304, notModified.concat(own));
    res.end();
    return 304;
  }
  res.writeHead(status, whole.concat(own));
  res.end(context.method === 'HEAD' ? undefined : body.bytes);
  return status;
};

/** Writes a body other than JSON, compressed as the caller accepts. */
const sendBody = async (
  res: ServerResponse,
  status: number,
  { bytes, contentType, headers }: FileBody,
): Promise<void> => {
  const body = await encodeBody(bytes, negotiateCoding(res.req.headers, bytes.length), contentType);
  sendEncoded(res, { status, headers, body });
};

/** Middleware that routes answers of ts-rest, which calls `res.json`, through `sendJson`. */
export const answerTsRest = (_req: unknown, res: Response, next: NextFunction): void => {
  res.json = (json) => {
    const isSent = json === undefined; // a cached answer
    if (json instanceof FileBody) sendBody(res, res.statusCode, json).catch(next);
    else if (!isSent) sendJson(res, { status: res.statusCode, json }).catch(next);
    return res;
  };
  next();
};

/** Adds a cookie to an answer that is not sent yet. */
export const addCookie = (res: ServerResponse, cookie: string): void => {
  if (!res.headersSent) res.appendHeader('Set-Cookie', cookie);
};

/** Returns whether an answer was sent. */
export const isAnswered = (res: ServerResponse): boolean => res.headersSent;

/** Returns the bytes written so far to the connection of an answer, which the answer releases when it ends. */
export const bytesWritten = ({ req }: ServerResponse): number => req.socket.bytesWritten;

/** Returns whether an answer is written completely, or its connection is gone. */
export const isOver = (res: ServerResponse): boolean => res.writableFinished || res.destroyed;

/**
 * Calls `listener` when the answer is written, with its status, or when its caller has left without an answer. The call
 * comes before OpenTelemetry ends the span of the request.
 */
export const onClosed = (res: ServerResponse, listener: (status: number | undefined) => void): void => {
  const notifyListener = (): void => listener(res.headersSent ? res.statusCode : undefined);
  if (res.closed) notifyListener();
  else res.prependOnceListener('close', notifyListener);
};
