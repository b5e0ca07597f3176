import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHandler, Router } from 'express';
import { ALONE } from '../../platform/page-alone.ts';
import { addressKey, enforceLimit, type Limit } from '../rate-limit/limit.ts';
import { type ContentCoding, type EncodedBody, encodeBody, negotiateCoding } from '../response/encoded-body.ts';
import { sendEncoded } from '../response/reply.ts';
import { readOnly, refuseMethods } from './read-only.ts';

/** A file that does not change while the process runs. */
export interface ServedFile {
  readonly path: string;
  readonly type: string;
  /** `Cache-Control` of the file. */
  readonly cache: string;
  /** Its `Content-Security-Policy`, if it needs more than the strictest one. */
  readonly policy?: string;
  /** Its `Link` header, if it leads to other documents. */
  readonly links?: string;
  /** Returns the bytes. Called once, at the first request. */
  readonly make: () => Buffer;
}

/** An OpenAPI document, or another document for programs. */
export const documentFile = (path: string, make: () => object): ServedFile => ({
  path,
  type: 'application/json',
  cache: 'max-age=30',
  make: () => Buffer.from(JSON.stringify(make())),
});

/** A text for programs. */
export const textFile = (path: string, make: () => string, type = 'text/plain; charset=utf-8'): ServedFile => ({
  path,
  type,
  cache: 'max-age=300',
  make: () => Buffer.from(make()),
});

/** A file whose address changes with its bytes. */
export const assetFile = ({ path, plain, type }: { path: string; plain: Buffer; type: string }): ServedFile => ({
  path,
  type,
  cache: 'max-age=31536000, immutable',
  make: () => plain,
});

/** A page that contains its only script and its only style. */
interface WholePage {
  readonly path: string;
  readonly html: string;
  /** Its `Content-Security-Policy`, which allows both by their hashes. */
  readonly policy: string;
}

/** Returns a page that runs and shows only its own content. */
export const pageFile = ({ path, html, policy }: WholePage): ServedFile => ({
  path,
  type: 'text/html; charset=utf-8',
  cache: 'max-age=300',
  policy: `${policy}; frame-ancestors 'none'`,
  make: () => Buffer.from(html),
});

/** Returns a function that encodes the bytes in a requested coding, each coding once. */
export const createBodyEncoder = ({ make, type }: Pick<ServedFile, 'make' | 'type'>) => {
  const bodies = new Map<ContentCoding, Promise<EncodedBody>>();
  let plain: Buffer | undefined;
  return (headers: IncomingHttpHeaders): Promise<EncodedBody> => {
    plain ??= make();
    const coding = negotiateCoding(headers, plain.length);
    const body = bodies.get(coding) ?? encodeBody(plain, coding, type);
    bodies.set(coding, body);
    return body;
  };
};

/** Common route of numerous files. Metrics have a series per route, so there must be few. */
const ASSETS = '/assets/';

const toRouteLabel = (path: string): string => (path.startsWith(ASSETS) ? `${ASSETS}:file` : path);

/** Routes for files beside the API, with their own budget. */
export const fileRoutes = (files: readonly ServedFile[], limit: Limit): Router => {
  const served = new Map(files.map((file) => [file.path, { file, bodyFor: createBodyEncoder(file) }]));
  const answer: RequestHandler = async (req, res, next) => {
    const found = served.get(req.path);
    if (!found) {
      next();
      return;
    }
    await enforceLimit(limit, addressKey(req), req);
    const { cache, policy, links } = found.file;
    const headers = {
      'Cache-Control': `public, ${cache}`,
      ...(policy === undefined ? {} : { 'Content-Security-Policy': policy, ...ALONE }),
      ...(links === undefined ? {} : { Link: links }),
    };
    sendEncoded(res, { status: 200, headers, body: await found.bodyFor(req.headers) });
  };
  const routes = new Set([...served.keys()].map(toRouteLabel));
  const router = readOnly(Object.fromEntries([...routes].map((route) => [route, answer])));
  const refuse = refuseMethods(limit);
  for (const route of routes)
    router.all(route, (req, res, next) => (served.has(req.path) ? refuse(req, res, next) : next()));
  return router;
};
