import { hash } from 'node:crypto';
import { CalendarDate, transparencyContract } from '@broker-transparency/contract';
import { DELIVERY_HEADERS, ProbeResult } from '@broker-transparency/service-level';
import { type Request, type RequestHandler, Router } from 'express';
import { initServer } from '../../http/endpoints/rest.ts';
import type { RouteParts } from '../../http/endpoints/route-parts.ts';
import { invalidRequest, ProblemError } from '../../http/problem/problem.ts';
import { addressKey, enforceLimit, type Limit } from '../../http/rate-limit/limit.ts';
import { readNdjson } from '../../http/request/body.ts';
import { withDeadline } from '../../http/request/deadline.ts';
import { encodeBody, negotiateCoding } from '../../http/response/encoded-body.ts';
import { send, sendEncoded, sendJson } from '../../http/response/reply.ts';
import type { Context } from '../../ledger/context.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/mongo.ts';
import { checkHead, type IngestResult, ingestDelivery, type MarkResult, writeMark } from './actions.ts';
import { readEntry } from './entries.ts';
import { KEPT_DAYS, MARK_MINUTES, MOST_BYTES } from './policy.rule.ts';
import { type Lines, readLines } from './raw.ts';
import type { HeadFault, SignedHead } from './signed.rule.ts';

const createProberContext = (db: Db, clock: Clock): Context => ({
  actor: { type: 'system', name: 'prober' },
  clock,
  db,
});

const NO_STORE = { 'Cache-Control': 'no-store' };

const noProber = (name: string): ProblemError =>
  new ProblemError('not_found', `No prober has the name "${name}".`, { headers: NO_STORE });

const notYet = (what: string): ProblemError =>
  new ProblemError('not_found', `The record has nothing about ${what} yet: days are added after three more days.`, {
    headers: NO_STORE,
  });

const toMarkBody = (marked: MarkResult, prober: string): { mark: string } => {
  if (marked.is === 'written') return { mark: marked.mark };
  if (marked.is === 'unknown') throw noProber(prober);
  if (marked.is === 'not allowed')
    throw new ProblemError('state_conflict', `"${prober}" may not write marks: the operator allows it, or not.`);
  if (marked.is === 'too soon')
    throw new ProblemError('rate_limited', `"${prober}" wrote a mark a short while ago.`, {
      headers: { 'Retry-After': String(marked.seconds) },
    });
  if (marked.is === 'wrong signature')
    throw invalidRequest([
      { pointer: '#/signature', code: 'invalid_signature', detail: '"signature" is not by the key of the prober.' },
    ]);
  const detail = `"mark" must be a minute of the last ${MARK_MINUTES}, and not in the future.`;
  throw invalidRequest([{ pointer: '#/mark', code: 'invalid_value', detail }]);
};

/** Routes of the service level in the record, and for marks of probers. */
export const serviceLevelRoutes = ({ db, clock }: RouteParts) => ({
  transparency: {
    serviceLevel: initServer().router(transparencyContract.serviceLevel, {
      day: async ({ params: { date } }) => {
        const body = await readEntry(db, date);
        if (!body) throw notYet(date);
        return { status: 200, body };
      },
      month: async ({ params: { month } }) => {
        const body = await readEntry(db, month);
        if (!body) throw notYet(month);
        return { status: 200, body };
      },
      canary: async ({ params: { prober }, body }) => ({
        status: 200,
        body: toMarkBody(await writeMark(createProberContext(db, clock), { prober, ...body }), prober),
      }),
    }),
  },
});

/** Returns the answer to an accepted delivery. */
const toDeliveryBody = (
  delivered: IngestResult,
  prober: string,
  date: string,
): { lines: number; head: string | null } => {
  if (delivered.is === 'taken') return { lines: delivered.lines, head: delivered.head };
  if (delivered.is === 'unknown') throw noProber(prober);
  if (delivered.is === 'wrong')
    throw invalidRequest([{ pointer: '#', code: 'invalid_line', detail: `Line ${delivered.line}: ${delivered.why}.` }]);
  if (delivered.is === 'elsewhere') {
    const { lines, head } = delivered;
    const why = `The first line does not continue the ${lines} lines that are here: send those behind "head".`;
    throw new ProblemError('state_conflict', why, { fields: { lines, head } });
  }
  const why =
    delivered.is === 'sealed'
      ? `${date} is in the record: its results can no longer change.`
      : `There are already as many lines about ${date} as one day may have.`;
  throw new ProblemError('state_conflict', why, { fields: { sealed: delivered.is === 'sealed' } });
};

const parseParams = ({ params }: Request): { prober: string; date: string } => {
  const { prober = '', date = '' } = params as Record<string, string>;
  if (!ProbeResult.shape.prober.safeParse(prober).success) throw noProber(prober);
  if (CalendarDate.safeParse(date).success) return { prober, date };
  throw invalidRequest([{ parameter: 'date', code: 'invalid_format', detail: '"date" must be a day: 2026-11-23.' }]);
};

const toHeadProblem = ({ parameter, code, why }: HeadFault): ProblemError =>
  invalidRequest([{ parameter, code, detail: `"${parameter}" ${why}.` }]);

/** Returns the headers of a delivery; a missing header is empty. */
const parseHead = (req: Request): SignedHead => {
  const { time, digest, signature } = DELIVERY_HEADERS;
  const readHeader = (name: string): string => req.get(name) ?? '';
  return { ...parseParams(req), time: readHeader(time), digest: readHeader(digest), signature: readHeader(signature) };
};

const getBodyBytes = ({ body }: Request): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));

/** @throws ProblemError malformed_json */
const decodeText = (bytes: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ProblemError('malformed_json', 'The body is not valid UTF-8.', { cause });
  }
};

const requireText = (lines: Lines, prober: string, date: string): string => {
  if (lines.is === 'kept') return lines.text;
  if (lines.is === 'unknown') throw noProber(prober);
  throw new ProblemError('not_found', `Lines are kept for ${KEPT_DAYS} days: those about ${date} are gone.`, {
    headers: NO_STORE,
  });
};

const SEALED_CACHE = 'public, max-age=86400';
const OPEN_CACHE = 'public, max-age=30';
const METHODS = { Allow: 'GET, HEAD, POST, OPTIONS' };

/** Routes of the raw lines of probers, which probers deliver and anybody may read. */
export const resultRoutes = (db: Db, basePath: string, clock: Clock, limit: Limit): RequestHandler => {
  const path = `${basePath}/:prober/:date`;
  const count: RequestHandler = async (req, _res, next) => {
    await enforceLimit(limit, addressKey(req), req);
    next();
  };
  const admit: RequestHandler = async (req, _res, next) => {
    const head = parseHead(req);
    const fault = await checkHead(createProberContext(db, clock), head);
    if (fault === 'unknown prober') throw noProber(head.prober);
    if (fault) throw toHeadProblem(fault);
    next();
  };
  const deliver: RequestHandler = async (req, res) => {
    const { prober, date, digest } = parseHead(req);
    if (hash('sha256', getBodyBytes(req), 'base64') !== digest)
      throw toHeadProblem({
        parameter: DELIVERY_HEADERS.digest,
        code: 'invalid_value',
        why: 'is not that of the body',
      });
    const delivered = await ingestDelivery(createProberContext(db, clock), {
      prober,
      date,
      body: decodeText(getBodyBytes(req)),
    });
    await sendJson(res, { status: 200, headers: NO_STORE, json: toDeliveryBody(delivered, prober, date) });
  };
  const read: RequestHandler = async (req, res) => {
    const { prober, date } = parseParams(req);
    const lines = await readLines(db, prober, date);
    const bytes = Buffer.from(requireText(lines, prober, date));
    const body = await encodeBody(bytes, negotiateCoding(req.headers, bytes.length), 'application/x-ndjson');
    const cache = lines.is === 'kept' && lines.isSealed ? SEALED_CACHE : OPEN_CACHE;
    sendEncoded(res, { status: 200, headers: { 'Cache-Control': cache }, body });
  };
  const router = Router({ caseSensitive: true, strict: true });
  router.get(path, count, read);
  router.post(path, count, admit, readNdjson(MOST_BYTES), deliver);
  router.options(path, (_req, res) => send(res, { status: 204, headers: METHODS }));
  router.all(path, count, (req) => {
    throw new ProblemError('method_not_allowed', `${req.method} is not possible here.`, { headers: METHODS });
  });
  router.use(basePath, count, (req) => {
    throw new ProblemError('not_found', `There is nothing at ${req.originalUrl.split('?', 1)[0]}.`);
  });
  return withDeadline(router);
};
