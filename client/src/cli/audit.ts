import { setFlagsFromString } from 'node:v8';
import { type Client, createClient, type Fetch } from '@broker-transparency/client';
import { VerifyError, verifyCheckpoint } from '@broker-transparency/client/verify';
import type { AnswerFields, AnswerKind, Audit, Reason } from '@broker-transparency/client/verify/node';
import { EXIT, SourceError } from './failures.ts';
import { UsageError, type Values } from './usage.ts';
import { policyIn, type Sources, textIn } from './verify.ts';

/** Number of live answers to compare, unless `--sample` is given. */
const SAMPLE = 20;

/** The fields of answers that are compared, and the reasons why others are not. */
export interface FieldLists {
  readonly FIELDS: Readonly<Record<AnswerKind, AnswerFields>>;
  readonly REASONS: Readonly<Record<Reason, string>>;
}

/** The result of an audit, or why none is possible. */
export type AuditCheck =
  | ({ readonly sound: boolean; readonly fields: FieldLists } & Audit)
  | { readonly sound: false; readonly code: string; readonly message: string };

/**
 * Creates the client of the log's service, unless an option names another one. It sends requests as fast as the budget
 * allows.
 */
const createApiClient = ({ fetch, given, base }: Pick<AuditInput, 'fetch' | 'given' | 'base'>): Client =>
  createClient({
    baseUrl: base ?? new URL(given).origin,
    fetch,
    store: false,
    pace: true,
    timeoutMs: Infinity,
  });

/** @throws UsageError if an earlier checkpoint is not one of a log of the policy */
const readEarlierCheckpoint = async (file: string, policy: string, read: AuditInput['read']): Promise<string> => {
  const text = await textIn(file, read);
  await verifyCheckpoint(text, policy).catch((error: Error) => {
    throw new UsageError(`--since ${file}: ${error.message}`);
  });
  return text;
};

interface AuditInput extends Sources {
  /** Address of the API, if one is named. */
  readonly base: string | undefined;
  readonly given: string;
  readonly values: Values;
  readonly fetch: Fetch;
  /** Prints a line that is no result. */
  readonly note: (line: string) => void;
}

/** An audit keeps much and is not in a hurry. Otherwise V8 takes twice as much memory, before it looks for garbage. */
const FLAGS = ['--optimize-for-size', '--heap-growing-percent=10'];

/** Time in milliseconds between two lines that say how far an audit is. */
const PROGRESS_MS = 10_000;

const createProgressLog = (note: AuditInput['note']): ((done: number, size: number) => void) => {
  let said = performance.now();
  return (done, size) => {
    if (performance.now() - said < PROGRESS_MS) return;
    said = performance.now();
    note(`${done} of ${size} entries\n`);
  };
};

/**
 * Audits the log at an address.
 * @throws UsageError if the address, the policy or the earlier checkpoint is none
 * @throws SourceError if the log cannot be read
 */
export const checkLog = async ({ base, given, values, read, fetch, note }: AuditInput): Promise<AuditCheck> => {
  if (!/^https?:\/\//i.test(given)) throw new UsageError('URL must be the http or https address of a log');
  const policy = await policyIn('audit', values, { read, fetch });
  const since = values.since === undefined ? undefined : await readEarlierCheckpoint(values.since, policy, read);
  for (const flag of FLAGS) setFlagsFromString(flag);
  // other commands need none of it
  const { audit, FIELDS, REASONS, readSample, DownloadError } = await import('@broker-transparency/client/verify/node');
  try {
    const sample = values.sample ?? SAMPLE;
    const live = sample === 0 ? undefined : () => readSample(createApiClient({ fetch, given, base }), sample);
    const found = await audit({
      url: given,
      policy,
      baseUrl: base,
      since,
      live,
      fetch,
      onProgress: createProgressLog(note),
    });
    const sound = found.findings.length === 0 && found.liveFailure === undefined;
    return { sound, ...found, fields: { FIELDS, REASONS } };
  } catch (error) {
    if (error instanceof DownloadError)
      throw new SourceError(error.message, error.isAnswered ? EXIT.refused : EXIT.unanswered);
    if (!(error instanceof VerifyError)) throw error;
    const { code, message } = error;
    if (code === 'invalid_policy' || code === 'unsupported') throw new UsageError(message);
    return { sound: false, code, message };
  }
};
