import { ProblemError } from './errors.ts';

/** The class of the errors with one code. */
export type ErrorClass<E> = new (...problem: ConstructorParameters<typeof ProblemError>) => E;

const classes = new Map<string, ErrorClass<ProblemError>>();

/**
 * Maximum number of classes. It is more than the API will ever need, and keeps a broken server from filling the memory.
 */
const MOST = 200;

/**
 * Returns the class name for a code: `BrokerNotFoundError` for `broker_not_found`, `InternalError` for
 * `internal_error`, `RateLimitError` for `rate_limited`.
 */
export const toClassName = (code: string): string =>
  `${code
    .replace(/_error$/, '')
    .replace('rate_limited', 'rate_limit')
    .replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Error`;

/**
 * Returns the class of a code. Classes are created on demand, so that a bundle contains only those it names, and a code
 * newer than the client still gets a named class.
 */
export const errorClass = <E extends ProblemError>(code: E['code']): ErrorClass<E> => {
  let made = classes.get(code) ?? ProblemError;
  if (made === ProblemError && classes.size < MOST && /^[a-z][a-z_]{0,63}$/.test(code)) {
    made = class extends ProblemError {};
    made.prototype.name = toClassName(code);
    Object.defineProperty(made, 'name', { value: made.prototype.name });
    classes.set(code, made);
  }
  return made as unknown as ErrorClass<E>;
};
