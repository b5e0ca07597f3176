import { PROBLEM_CODES, PROBLEMS, type ProblemCode } from '@broker-transparency/contract';
import { toClassName } from '../src/error-class.ts';
import type { Call } from './calls.ts';
import { comment } from './names.ts';

/** Returns the problem codes that at least one of the calls can answer. */
export const listAnsweredCodes = (calls: readonly Call[]): ProblemCode[] =>
  PROBLEM_CODES.filter((code) => calls.some((call) => call.codes.includes(code)));

/** Returns the source of the `PROBLEMS` data. */
export const problemsSource = (codes: readonly ProblemCode[]): string => {
  const lines = codes.map((code) => {
    const { status, title } = PROBLEMS[code];
    return `  ${code}: { status: ${status}, title: ${JSON.stringify(title)} },\n`;
  });
  const about = comment([
    'Every error code that a call can be answered with, its status and its title.',
    '@example PROBLEMS.broker_not_found.status // 404',
  ]);
  const code = comment([
    'Stable code of an error answer.',
    "@example const retryable: ProblemCode[] = ['rate_limited', 'unavailable'];",
  ]);
  return (
    `${about}export const PROBLEMS = {\n${lines.join('')}} as const;\n\n${code}export type ProblemCode = keyof ` +
    'typeof PROBLEMS;\n'
  );
};

const classSource = (code: ProblemCode): string => {
  const { status, title, cure } = PROBLEMS[code];
  const name = toClassName(code);
  const about = comment([
    `${status} \`${code}\`: ${title}. ${cure}`,
    `@example if (error instanceof ${name}) console.error(error.detail);`,
  ]);
  const value = `export const ${name}: ErrorClass<${name}> = /* @__PURE__ */ errorClass('${code}');\n`;
  const type = comment([`Error of the class {@link ${name}}.`]);
  return `${about}${value}${type}export interface ${name} extends ProblemError<'${code}', ${status}> {}\n`;
};

const IMPORTS = `import { type ErrorClass, errorClass } from '../error-class.ts';
import type { ProblemError } from '../errors.ts';`;

/** Returns the source of one error class per problem code. */
export const errorsSource = (codes: readonly ProblemCode[]): string =>
  [`${IMPORTS}\n`, ...codes.map(classSource)].join('\n');

/** Returns the source of the union of all error classes. */
export const knownErrorsSource = (codes: readonly ProblemCode[]): string => {
  const all = codes.map((code) => `\n  | errors.${toClassName(code)}`).join('');
  const about = comment([
    'An error answer with one of the codes that this version of the client knows.',
    '@example const log = ({ code, detail }: KnownApiError) => console.error(code, detail);',
  ]);
  return `import type * as errors from './errors.ts';\n\n${about}export type KnownApiError =${all};\n`;
};
