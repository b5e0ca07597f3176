import type { ProblemCode } from '@broker-transparency/contract';
import { DomainError } from '../../platform/domain-error.ts';
import { toDomainProblem } from './domain-problem.ts';
import { ProblemError } from './problem.ts';

/** A fault in a field of a body. */
interface FieldFault {
  /** Names in the body from the outside to the inside, such as `['amountInDispute', 'amount']`. */
  readonly path: readonly string[];
  readonly code: string;
  readonly detail: string;
}

/** The reason why something was not done. */
export interface Refusal {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly faults: readonly FieldFault[];
  /** Seconds until a retry makes sense. */
  readonly retryAfter: number | undefined;
}

/** The result of an action, or the reason why it was not done. */
export type Outcome<T> = { readonly done: T } | { readonly refused: Refusal };

/** Reads a JSON pointer as a list of names. */
const readPointer = (pointer: string | undefined): string[] =>
  (pointer ?? '')
    .split('/')
    .slice(1)
    .map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'));

const toProblem = (error: unknown): ProblemError | undefined => {
  if (error instanceof ProblemError) return error;
  return error instanceof DomainError ? toDomainProblem(error) : undefined;
};

/** Returns true for a fault of the service, or a credential that has ended: no page can say more about it. */
const isFatal = ({ status, code }: ProblemError): boolean =>
  (status >= 500 && code !== 'unavailable') || code === 'invalid_token';

/** Returns the result of an action, or its problem if the caller can do something about it. */
export const attempt = async <T>(work: () => Promise<T>): Promise<Outcome<T>> => {
  try {
    return { done: await work() };
  } catch (error) {
    const problem = toProblem(error);
    if (!problem || isFatal(problem)) throw error;
    const { code, message: detail, errors = [], headers } = problem;
    const faults = errors.map((item) => ({ path: readPointer(item.pointer), code: item.code, detail: item.detail }));
    const after = headers['Retry-After'];
    return { refused: { code, detail, faults, retryAfter: after === undefined ? undefined : Number(after) } };
  }
};
export type Attempt = typeof attempt;
