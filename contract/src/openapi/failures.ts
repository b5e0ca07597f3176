import { PROBLEMS, type ProblemCode } from '../problem.ts';
import type { Answer, Reference } from './document.ts';
import { failureHeaders } from './headers.ts';
import type { NamedRoute } from './routes.ts';

const pascal = (code: string): string => code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

const answer = (status: string, codes: readonly ProblemCode[]): Answer => ({
  description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}. ${PROBLEMS[code].cure}`).join('\n\n'),
  headers: failureHeaders(status),
  // One schema for all of them: generators make one class of it, and it takes a code that a proxy or a wrong path
  // brings.
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  'x-problem-codes': codes,
});

/** Collects the error answers of all routes: equal ones are one component, named after their codes. */
export class FailureCollection {
  readonly #answers = new Map<string, Answer>();

  /** The error answers of a route by status, as references. */
  add(route: NamedRoute): Record<string, Reference> {
    return Object.fromEntries(
      route.failures.map(({ status, codes }) => {
        const name = codes.map(pascal).join('Or');
        this.#answers.set(name, answer(status, codes));
        return [status, { $ref: `#/components/responses/${name}` }];
      }),
    );
  }

  /** All of them by name, in alphabetical order. */
  components(): Record<string, Answer> {
    return Object.fromEntries([...this.#answers].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
