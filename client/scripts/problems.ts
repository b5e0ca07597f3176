import { PROBLEM_CODES, PROBLEMS } from '@broker-transparency/contract';
import { comment, errorClass } from './names.ts';

/** Source of the `PROBLEMS` data. */
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
  return `${about}export const PROBLEMS = {\n${lines.join('')}} as const;\n\n${code}export type ProblemCode = keyof typeof PROBLEMS;\n`;
};

const classSource = (code: (typeof PROBLEM_CODES)[number]): string => {
  const { status, title, cure } = PROBLEMS[code];
  const name = errorClass(code);
  const about = comment([
    `${status} \`${code}\`: ${title}. ${cure}`,
    `@example if (error instanceof ${name}) console.error(error.detail);`,
  ]);
  return `${about}export class ${name} extends ProblemError<'${code}', ${status}> {\n  static {\n    ${name}.prototype.name = '${name}';\n  }\n}\n`;
};

/** Source of one error class per problem code. */
export const errorsSource = (): string =>
  ["import { ProblemError } from '../errors.ts';\n", ...PROBLEM_CODES.map(classSource)].join('\n');

/** Source of the table of classes by code. */
export const errorTableSource = (): string => {
  const table = PROBLEM_CODES.map((code) => `  ${code}: errors.${errorClass(code)},\n`).join('');
  return `import * as errors from './errors.ts';\n\n/** Class of each code. */\nexport const ERROR_CLASSES = {\n${table}} as const;\n`;
};
