import type { NextFunction, Request, Response } from 'express';
import ipaddr from 'ipaddr.js';
import { DomainError } from '../../platform/domain-error.ts';
import { isUnavailable } from '../../platform/mongo-errors.ts';
import type { Log } from '../../platform/observe/log.ts';
import { findTraceIds } from '../../platform/observe/traces.ts';
import { TooMuchHeavyWork } from '../load/heavy-work.ts';
import { sendJson, sendPage } from '../response/reply.ts';
import { internalError, toDomainProblem } from './domain-problem.ts';
import { ProblemError, problemBody } from './problem.ts';

const RETRY_SOON = { 'Retry-After': '1' };

export const unavailable = (cause?: unknown): ProblemError =>
  new ProblemError('unavailable', 'The database does not answer. Nothing is known to be wrong with the request.', {
    headers: RETRY_SOON,
    cause,
  });

/** Problems for errors of the body parser, by `type`. */
const BODY_FAULTS: Record<string, () => ProblemError> = {
  'entity.too.large': () => new ProblemError('content_too_large', 'The body has more bytes than this address takes.'),
  'entity.parse.failed': () => new ProblemError('malformed_json', 'The body is not valid JSON.'),
  'entity.verify.failed': () => new ProblemError('malformed_json', 'The body is not valid UTF-8.'),
  'encoding.unsupported': () => new ProblemError('unsupported_media_type', 'The body must not be compressed.'),
  'charset.unsupported': () => new ProblemError('unsupported_media_type', 'The body must be encoded as UTF-8.'),
  'request.size.invalid': () => new ProblemError('bad_request', 'The body is not as long as Content-Length says.'),
  'request.aborted': () => new ProblemError('bad_request', 'The request ended before its body was complete.'),
};

const readErrorType = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'type' in error ? String(error.type) : '';

/** Returns whether a library reports a fault of the caller, by a status of 4xx. */
const isCallersFault = (error: unknown): boolean => {
  const status = typeof error === 'object' && error !== null && 'status' in error ? Number(error.status) : 0;
  return status >= 400 && status < 500;
};

/** Returns the problem that the caller gets for an error. */
export const toProblem = (error: unknown): ProblemError => {
  if (error instanceof ProblemError) return error;
  if (error instanceof DomainError) return toDomainProblem(error);
  if (isUnavailable(error)) return unavailable(error);
  if (error instanceof URIError) return new ProblemError('bad_request', 'The path has an invalid percent-encoding.');
  const bodyFault = BODY_FAULTS[readErrorType(error)]?.();
  if (bodyFault) return bodyFault;
  if (isCallersFault(error)) return new ProblemError('bad_request', 'The request cannot be met in this form.');
  return internalError(error);
};

/**
 * Logs the caller and reason of a refusal, never the attempted credential. The caller's budgets bound the number of
 * lines.
 */
const logRefusal = (log: Log, { code }: ProblemError, req: Request): void => {
  const { id: requestId, caller, sender } = req.context;
  const accountId = caller?.credential.principal?.accountId;
  const address = ipaddr.isValid(req.ip ?? '') ? ipaddr.process(req.ip as string).toString() : null;
  log.warn(
    { requestId, ...findTraceIds(req), code, address, ...(accountId && { accountId }), ...(sender && { sender }) },
    'access refused',
  );
};

/** HTML page that shows a problem to a person. */
interface ProblemPage {
  readonly html: string;
  /** True if any site may frame it. */
  readonly isFramed: boolean;
}

/** Returns the page for a problem; undefined if the caller is a program. */
export type ToPage = (problem: ProblemError, req: Request) => ProblemPage | undefined;

/** Answers every error that is thrown behind Express: as a page if a person asked for one. */
export const handleErrors =
  (baseUrl: string, log: Log, toPage: ToPage = () => undefined) =>
  async (error: unknown, req: Request, res: Response, _next: NextFunction): Promise<void> => {
    const problem = toProblem(error);
    if (problem.status >= 500 && !(problem instanceof TooMuchHeavyWork))
      log.error({ requestId: req.context.id, ...findTraceIds(req), err: problem.cause ?? problem }, 'request failed');
    if (problem.status === 401 || problem.status === 403) logRefusal(log, problem, req);
    const path = req.originalUrl.split('?', 1)[0] ?? '/';
    const headers = { ...problem.headers, 'Cache-Control': 'no-store' };
    const page = toPage(problem, req);
    if (page !== undefined) {
      await sendPage(res, { status: problem.status, headers, ...page });
      return;
    }
    await sendJson(res, {
      status: problem.status,
      headers,
      json: problemBody(problem, { path, id: req.context.id, baseUrl }),
      contentType: 'application/problem+json',
    });
  };
