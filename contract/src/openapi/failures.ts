import { PROBLEMS, type ProblemCode } from '../problem.ts';
import type { Answer, Reference } from './document.ts';
import { failureHeaders } from './headers.ts';
import type { NamedRoute } from './routes.ts';

const pascal = (code: string): string => code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

const answer = (status: string, codes: readonly ProblemCode[]): Answer => ({
  description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}. ${PROBLEMS[code].cure}`).join('\n\n'),
  headers: failureHeaders(status),
  // All answers share one schema: generators make one class of it, and that class also takes codes that a proxy or a
  // wrong path causes.
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  'x-problem-codes': codes,
});

/** Collects the error answers of all routes. Equal answers become one component, which is named after their codes. */
export class FailureCollection {
  readonly #answers = new Map<string, Answer>();

  /** Adds the error answers of a route and returns references to them by status. */
  add(route: NamedRoute): Record<string, Reference> {
    return Object.fromEntries(
      route.failures.map(({ status, codes }) => {
        const name = codes.map(pascal).join('Or');
        this.#answers.set(name, answer(status, codes));
        return [status, { $ref: `#/components/responses/${name}` }];
      }),
    );
  }

  /** Returns all collected answers by name, in alphabetical order. */
  components(): Record<string, Answer> {
    return Object.fromEntries([...this.#answers].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
