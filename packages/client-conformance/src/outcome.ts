import { ERROR_KINDS, type ErrorKind, type ReportedError, type ScenarioOutcome } from './run.ts';

const LONGEST_DETAIL = 300;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isKind = (kind: unknown): kind is ErrorKind => ERROR_KINDS.some((known) => known === kind);

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const readError = (error: unknown): ReportedError | undefined => {
  if (!isObject(error) || !isKind(error['kind'])) return undefined;
  const { kind, status, code } = error;
  return {
    kind,
    ...(typeof status === 'number' ? { status } : {}),
    ...(typeof code === 'string' ? { code } : {}),
  };
};

/** Reads the outcome out of the last line that a client printed. @param code exit code; null: a signal ended it */
export const readOutcome = (stdout: string, code: number | null, stderr: string): ScenarioOutcome => {
  const line = stdout.trimEnd().split('\n').at(-1) ?? '';
  const said = parseJson(line);
  if (isObject(said) && 'value' in said) return { value: said['value'] };
  const error = isObject(said) ? readError(said['error']) : undefined;
  if (error) return { error };
  const printed = (line || stderr.trimEnd().split('\n').at(-1) || 'nothing').slice(0, LONGEST_DETAIL);
  return {
    nothing: 'silent',
    detail: `ended with ${code === null ? 'a signal' : `code ${code}`} and printed no outcome: ${printed}`,
  };
};
