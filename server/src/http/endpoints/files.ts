import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHandler, Router } from 'express';
import { ALONE } from '../../platform/page-alone.ts';
import { addressKey, enforceLimit, type Limit } from '../rate-limit/limit.ts';
import { type ContentCoding, type EncodedBody, encodeBody, negotiateCoding } from '../response/encoded-body.ts';
import { sendEncoded } from '../response/reply.ts';
import { readOnly } from './read-only.ts';

/** A file that stays as it is while the process runs. */
export interface ServedFile {
  readonly path: string;
  readonly type: string;
  /** How long caches keep it. */
  readonly cache: string;
  /** Its `Content-Security-Policy`, if it needs more than nothing. */
  readonly policy?: string;
  /** Returns its bytes. It is called once, when the file is first asked for. */
  readonly make: () => Buffer;
}

/** An OpenAPI document, or another one that programs read. */
export const documentFile = (path: string, make: () => object): ServedFile => ({
  path,
  type: 'application/json',
  cache: 'max-age=30',
  make: () => Buffer.from(JSON.stringify(make())),
});

/** A text that programs read. */
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

/** A whole page, with its only script and its only style in it. */
export interface WholePage {
  readonly path: string;
  readonly html: string;
  /** Whether its script asks this service. */
  readonly asks: boolean;
}

const hashInlineTag = (html: string, tag: string): string => {
  const [start, end] = [`<${tag}>`, `</${tag}>`];
  const from = html.indexOf(start) + start.length;
  const text = html.slice(from, tag === 'script' ? html.lastIndexOf(end) : html.indexOf(end));
  return `'sha256-${hash('sha256', text, 'base64')}'`;
};

/** Only what is in the page runs and has an effect, and it talks to this service at most. */
export const pageFile = ({ path, html, asks }: WholePage): ServedFile => ({
  path,
  type: 'text/html; charset=utf-8',
  cache: 'max-age=300',
  policy:
    `default-src 'none'; script-src ${hashInlineTag(html, 'script')}; style-src ${hashInlineTag(html, 'style')}; ` +
    `${asks ? "connect-src 'self'; " : ''}frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
  make: () => Buffer.from(html),
});

/** The same bytes in each coding that is asked for. Each is made once. */
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

/** Routes of files that there are many of. Metrics name a request by its route, so there are few. */
const ASSETS = '/assets/';

const toRouteLabel = (path: string): string => (path.startsWith(ASSETS) ? `${ASSETS}:file` : path);

/** Files beside the API, with a budget of their own. */
export const fileRoutes = (files: readonly ServedFile[], limit: Limit): Router => {
  const served = new Map(files.map((file) => [file.path, { file, bodyFor: createBodyEncoder(file) }]));
  const answer: RequestHandler = async (req, res, next) => {
    const found = served.get(req.path);
    if (!found) {
      next();
      return;
    }
    await enforceLimit(limit, addressKey(req), req);
    const { cache, policy } = found.file;
    const headers = {
      'Cache-Control': `public, ${cache}`,
      ...(policy === undefined ? {} : { 'Content-Security-Policy': policy, ...ALONE }),
    };
    sendEncoded(res, { status: 200, headers, body: await found.bodyFor(req.headers) });
  };
  const routes = new Set([...served.keys()].map(toRouteLabel));
  return readOnly(Object.fromEntries([...routes].map((route) => [route, answer])));
};
