import { PROBLEMS, type Problem, type ProblemCode, type ProblemItem } from '@broker-transparency/contract';

interface ProblemExtra {
  readonly errors?: ProblemItem[];
  readonly headers?: Record<string, string>;
  readonly cause?: unknown;
}

/** Thrown anywhere below a route; answered as problem+json by one place. `detail` is read by the caller. */
export class ProblemError extends Error {
  readonly code: ProblemCode;
  readonly errors: ProblemItem[] | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ProblemCode, detail: string, { errors, headers = {}, cause }: ProblemExtra = {}) {
    super(detail, { cause });
    this.code = code;
    this.errors = errors;
    this.headers = headers;
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }
}

/** A fault of one place in the request. */
export const invalidRequest = (errors: ProblemItem[]): ProblemError =>
  new ProblemError('invalid_request', errors.map((item) => item.detail).join(' '), { errors });

/** The body of an error answer. `baseUrl` is where this service is reached. */
export const problemBody = (error: ProblemError, request: { path: string; id: string; baseUrl: string }): Problem => ({
  type: `${request.baseUrl}/problems/${error.code}`,
  title: PROBLEMS[error.code].title,
  status: error.status,
  detail: error.message,
  instance: request.path,
  code: error.code,
  requestId: request.id,
  ...(error.errors ? { errors: error.errors } : {}),
});
