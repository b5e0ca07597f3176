import { PROBLEM_CODES, PROBLEMS } from '@broker-transparency/contract';
import { toClassName } from '../src/error-class.ts';
import { comment } from './names.ts';

/** Returns the source of the `PROBLEMS` data. */
export const problemsSource = (): string => {
  const lines = PROBLEM_CODES.map((code) => {
    const { status, title } = PROBLEMS[code];
    return `  ${code}: { status: ${status}, title: ${JSON.stringify(title)} },\n`;
  });
  const about = comment([
    'Every error code of the API with its status and title.',
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

const classSource = (code: (typeof PROBLEM_CODES)[number]): string => {
  const { status, title, cure } = PROBLEMS[code];
  const name = toClassName(code);
  const about = comment([
    `${status} \`${code}\`: ${title}. ${cure}`,
    `@example if (error instanceof ${name}) console.error(error.detail);`,
  ]);
  const value = `export const ${name} = /* @__PURE__ */ errorClass<${name}>('${code}');\n`;
  const type = comment([`Error of the class {@link ${name}}.`]);
  return `${about}${value}${type}export interface ${name} extends ProblemError<'${code}', ${status}> {}\n`;
};

const IMPORTS = `import { errorClass } from '../error-class.ts';
import type { ProblemError } from '../errors.ts';`;

/** Returns the source of one error class per problem code. */
export const errorsSource = (): string => [`${IMPORTS}\n`, ...PROBLEM_CODES.map(classSource)].join('\n');

/** Returns the source of the union of all error classes. */
export const knownErrorsSource = (): string => {
  const all = PROBLEM_CODES.map((code) => `\n  | errors.${toClassName(code)}`).join('');
  return (
    `import type * as errors from './errors.ts';\n\n/** One of the error classes that have a known code. ` +
    `*/\nexport type KnownApiError =${all};\n`
  );
};
