import { PROBLEMS, type Problem, type ProblemCode, type ProblemItem } from '@broker-transparency/contract';

interface ProblemExtra {
  readonly errors?: ProblemItem[];
  readonly headers?: Record<string, string>;
  readonly cause?: unknown;
  /** Fields of the body in addition to those of every problem. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** An error that the caller gets as problem+json. `detail` is written for the caller. */
export class ProblemError extends Error {
  readonly code: ProblemCode;
  readonly errors: ProblemItem[] | undefined;
  readonly headers: Record<string, string>;
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(code: ProblemCode, detail: string, { errors, headers = {}, cause, fields = {} }: ProblemExtra = {}) {
    super(detail, { cause });
    this.code = code;
    this.errors = errors;
    this.headers = headers;
    this.fields = fields;
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }
}

/** Returns the problem of a request with these faults, each with its place. */
export const invalidRequest = (errors: ProblemItem[]): ProblemError =>
  new ProblemError('invalid_request', errors.map((item) => item.detail).join(' '), { errors });

/** Returns the body of an error answer. `baseUrl` is the address of this service. */
export const problemBody = (error: ProblemError, request: { path: string; id: string; baseUrl: string }): Problem => ({
  type: `${request.baseUrl}/problems/${error.code}`,
  title: PROBLEMS[error.code].title,
  status: error.status,
  detail: error.message,
  instance: request.path,
  code: error.code,
  requestId: request.id,
  ...(error.errors ? { errors: error.errors } : {}),
  ...error.fields,
});
