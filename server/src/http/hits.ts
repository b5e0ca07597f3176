import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Log } from '../observe/log.ts';
import { logEnd, requestIdOf, SECURITY_HEADERS } from './begin.ts';
import { CORS_HEADERS } from './cors.ts';
import { acceptsJson, codingFor, type Form, isKnown } from './forms.ts';
import type { Limit } from './limits.ts';
import type { Answer, Prepared } from './prepared.ts';

export interface HitParts {
  readonly prepared: Prepared;
  readonly limit: Limit;
  /** Key of the budget of whoever sends a request without a credential. */
  readonly callerOf: (req: IncomingMessage) => string;
  readonly log: Log;
}

/** Headers as `writeHead` takes them fastest: names and values in turn. */
const flat = (headers: Readonly<Record<string, string>>): string[] => Object.entries(headers).flat();

interface Heads {
  readonly whole: readonly string[];
  readonly notModified: readonly string[];
}

/** Headers of a form, put together once. */
const heads = new WeakMap<Form, Heads>();
const headsOf = (form: Form, answer: Answer): Heads => {
  const ready = heads.get(form);
  if (ready) return ready;
  const notModified = flat({
    ...SECURITY_HEADERS,
    ...CORS_HEADERS,
    Vary: 'Accept-Encoding',
    ...answer.headers,
    ETag: form.etag,
  });
  const made = { notModified, whole: [...notModified, ...flat(form.headers)] };
  heads.set(form, made);
  return made;
};

/**
 * The short road: a ready answer, to a caller without a credential, is written behind the limiter without Express. Whatever is
 * not that plain goes the long way, which does the same.
 */
export const answerHits = ({ prepared, limit, callerOf, log }: HitParts, app: RequestListener): RequestListener => {
  const write = (
    req: IncomingMessage,
    res: ServerResponse,
    answer: Answer,
    form: Form,
    budget: readonly string[],
  ): void => {
    const requestId = requestIdOf(req);
    logEnd(log, req, res, requestId);
    const { whole, notModified } = headsOf(form, answer);
    const age = prepared.ageOf(answer);
    const more = age > 0 ? [...budget, 'Age', String(age)] : budget;
    if (isKnown(req.headers['if-none-match'], form.etag)) {
      res.writeHead(304, [...notModified, ...more, 'X-Request-Id', requestId]);
      res.end();
      return;
    }
    res.writeHead(200, [...whole, ...more, 'X-Request-Id', requestId]);
    res.end(req.method === 'HEAD' ? undefined : form.bytes);
  };
  return (req, res) => {
    const { method, url = '', headers } = req;
    const answer =
      (method === 'GET' || method === 'HEAD') && headers.authorization === undefined ? prepared.find(url) : undefined;
    const form = answer?.forms.get(codingFor(headers['accept-encoding'] as string | undefined, answer.plain.length));
    if (answer === undefined || form === undefined || !acceptsJson(headers.accept)) {
      app(req, res);
      return;
    }
    limit.consume(callerOf(req)).then(
      ({ allowed, headers: budget }) => {
        // a refusal is worded on the long way; that it counts there again changes nothing
        if (allowed) write(req, res, answer, form, flat(budget));
        else app(req, res);
      },
      () => app(req, res),
    );
  };
};
