import { ApiError, InvalidResponseError, type ProblemCode, RequestError } from '@broker-transparency/client';
import { plain } from './table.ts';
import { UsageError } from './usage.ts';

/** Exit codes of the process. */
export const EXIT = { done: 0, differs: 1, usage: 2, refused: 3, unanswered: 4 } as const;

interface Failure {
  readonly code: number;
  readonly lines: readonly string[];
}

class UnreadableAnswer extends Error {}

/** A text was not found where it should be. */
export class SourceError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * Builds something from an answer, which may lack a field.
 * @throws UnreadableAnswer if building fails
 */
export const buildFromAnswer = <T>(make: () => T): T => {
  try {
    return make();
  } catch (error) {
    throw new UnreadableAnswer((error as Error).message);
  }
};

const TOKEN =
  'Set BROKER_TRANSPARENCY_TOKEN to a token that the operator gave you, or for enterprise commands BROKER_TRANSPARENCY_ENTERPRISE_KEY to a key.';

/** Advice for codes whose answers do not give it. */
const CURES: Readonly<Partial<Record<ProblemCode, string>>> = {
  broker_not_found: '`broker-transparency search WORDS` finds slugs.',
  regulator_not_found: '`broker-transparency regulators` lists codes.',
  not_found: 'Is it the address of the service? It is set by --base-url or BROKER_TRANSPARENCY_URL.',
  authentication_required: TOKEN,
  invalid_token: TOKEN,
};

/** Explains how to send a review or complaint again with its key, because the first try may have arrived. */
const explainResend = ({ request: { idempotencyKey } }: RequestError): string[] =>
  idempotencyKey === undefined
    ? []
    : [`It may have arrived. To send it again without doing it twice, add --idempotency-key ${idempotencyKey}`];

const toApiFailure = (error: ApiError): Failure => {
  const cure = CURES[error.code as ProblemCode];
  return {
    code: EXIT.refused,
    lines: [
      error.message,
      ...error.errors.map(({ parameter, pointer, detail }) => `  ${parameter ?? pointer ?? ''}: ${detail}`),
      ...(cure === undefined ? [] : [cure]),
      ...(error.retryAfter === undefined ? [] : [`Try again in ${error.retryAfter} seconds.`]),
      ...(error.status >= 500 ? explainResend(error) : []),
    ],
  };
};

/** Texts of the commonest faults of a file system. */
const FILE_FAULTS: Readonly<Record<string, string>> = {
  EACCES: 'it may not be used by this account',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'part of the path is a file, not a folder',
  EEXIST: 'there is a file in place of a folder',
  EISDIR: 'it is a folder, not a file',
  EROFS: 'the disk is read-only',
};

/** Explains an error of the file system; undefined if it is something else. */
const toFileFailure = (error: unknown): Failure | undefined => {
  const { code, path, syscall } = error as {
    readonly code?: string;
    readonly path?: string;
    readonly syscall?: string;
  };
  if (code === undefined || syscall === undefined || path === undefined) return undefined;
  return { code: EXIT.usage, lines: [`${path} cannot be used: ${FILE_FAULTS[code] ?? code}`] };
};

/** Returns the exit code, and lines that say what failed, where, and what helps. */
export const toFailure = (error: unknown, base: string): Failure => {
  if (error instanceof UsageError)
    return { code: EXIT.usage, lines: [error.message, 'See broker-transparency --help'] };
  if (error instanceof SourceError) return { code: error.exitCode, lines: [error.message] };
  if (error instanceof ApiError) return toApiFailure(error);
  if (error instanceof RequestError) {
    const what = error instanceof InvalidResponseError ? 'Something other than the API answers' : 'No service answers';
    const place = `${what} at ${base}. --base-url or BROKER_TRANSPARENCY_URL says where it is.`;
    return { code: EXIT.unanswered, lines: [error.message, place, ...explainResend(error)] };
  }
  if (error instanceof UnreadableAnswer)
    return {
      code: EXIT.unanswered,
      lines: [`the answer from ${base} lacks something: ${error.message}; get with --json shows it as it is`],
    };
  const file = error instanceof Error ? toFileFailure(error) : undefined;
  if (file) return file;
  throw error;
};

/** Formats a failure. Each entry stays on one line, without control characters that a terminal would interpret. */
export const formatFailure = ({ lines }: Failure): string =>
  lines.map((line, at) => `${at === 0 ? 'broker-transparency: ' : ''}${plain(line)}\n`).join('');
