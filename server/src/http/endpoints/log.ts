import type { Request, RequestHandler, Router } from 'express';
import { ProblemError } from '../problem/problem.ts';
import { addressKey, enforceLimit, type Limit } from '../rate-limit/limit.ts';
import { encodeBody, negotiateCoding } from '../response/encoded-body.ts';
import { sendEncoded } from '../response/reply.ts';
import { readOnly, refuseMethods } from './read-only.ts';

/** A file of the log. */
interface ServedLogFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly isImmutable: boolean;
}

/** Returns a file by the name of its log and its path there; undefined if there is none. */
export type ReadFile = (name: string, path: string) => Promise<ServedLogFile | undefined>;

/** Time in seconds for which caches keep a checkpoint. New ones come every few seconds at most. */
const FRESH_SECONDS = 5;

/** Returns name and path as written: a file has one address, and no cache keeps it under another spelling. */
const splitPath = (basePath: string, { path: target }: Request): { name: string; path: string } => {
  const [name = '', ...path] = target.slice(basePath.length + 1).split('/');
  return { name, path: path.join('/') };
};

const createNoFileProblem = (path: string): ProblemError =>
  new ProblemError('not_found', `The log has no file ${path}: its checkpoint says how far it reaches.`, {
    headers: { 'Cache-Control': 'no-store' },
  });

/** Answers by 405 or 404 all requests but reads of a file. No contract has these paths, so this also counts them. */
const refuseTheRest =
  (limit: Limit): RequestHandler =>
  async (req, res, next) => {
    if (!['GET', 'HEAD', 'OPTIONS'].includes(req.method)) return refuseMethods(limit)(req, res, next);
    if (req.method !== 'OPTIONS') await enforceLimit(limit, addressKey(req), req);
    throw createNoFileProblem(req.originalUrl.split('?', 1)[0] as string);
  };

/** Routes for the files of the log (c2sp.org/tlog-tiles), with their own budget. Any cache can serve the files. */
export const logRoutes = (basePath: string, readFile: ReadFile, limit: Limit): Router => {
  const answer: RequestHandler = async (req, res) => {
    await enforceLimit(limit, addressKey(req), req);
    const { name, path } = splitPath(basePath, req);
    const file = await readFile(name, path);
    if (!file) throw createNoFileProblem(req.path);
    const cache = file.isImmutable ? 'max-age=31536000, immutable' : `max-age=${FRESH_SECONDS}`;
    const coding = negotiateCoding(req.headers, file.bytes.length);
    const body = await encodeBody(Buffer.from(file.bytes), coding, file.contentType);
    sendEncoded(res, { status: 200, headers: { 'Cache-Control': `public, ${cache}` }, body });
  };
  return readOnly({ [`${basePath}/:name/*path`]: answer }).use(basePath, refuseTheRest(limit));
};
