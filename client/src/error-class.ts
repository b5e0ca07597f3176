import { ProblemError } from './errors.ts';

type ErrorClass<E> = new (...problem: ConstructorParameters<typeof ProblemError>) => E;

const classes = new Map<string, ErrorClass<ProblemError>>();

/** So many are more than the API will ever have: a broken server must not fill the memory. */
const MOST = 200;

/**
 * `broker_not_found` becomes `BrokerNotFoundError`, `internal_error` `InternalError`, `rate_limited` `RateLimitError`.
 */
export const classNameOf = (code: string): string =>
  `${code
    .replace(/_error$/, '')
    .replace('rate_limited', 'rate_limit')
    .replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Error`;

/**
 * The class of a code, made when it is first needed: a bundle then holds the few that it names, and an error of a code
 * newer than the client has its own name too.
 */
export const errorClass = <E extends ProblemError>(code: E['code']): ErrorClass<E> => {
  let made = classes.get(code) ?? ProblemError;
  if (made === ProblemError && classes.size < MOST && /^[a-z][a-z_]{0,63}$/.test(code)) {
    made = class extends ProblemError {};
    made.prototype.name = classNameOf(code);
    Object.defineProperty(made, 'name', { value: made.prototype.name });
    classes.set(code, made);
  }
  return made as unknown as ErrorClass<E>;
};
