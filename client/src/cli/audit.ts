import { setFlagsFromString } from 'node:v8';
import type { BrokerDetail, Client, Fetch } from '@broker-transparency/client';
import type { Audit } from '@broker-transparency/client/audit';
import { VerifyError } from '@broker-transparency/client/verify';
import { EXIT, SourceError } from './failures.ts';
import { UsageError, type Values } from './usage.ts';
import { policyIn, type Sources, textIn } from './verify.ts';

/** Live answers that are compared unless `--sample` says otherwise. The API answers 60 requests a minute. */
const SAMPLE = 20;

/** The result of an audit, or why none is possible. */
export type AuditCheck =
  | ({ readonly sound: boolean } & Audit)
  | { readonly sound: false; readonly code: string; readonly message: string };

/** Returns brokers spread over the whole list, best score first. */
const sampled = async (client: Client, sample: number): Promise<BrokerDetail[]> => {
  if (sample === 0) return [];
  const { pagination } = await client.brokers.list({ limit: 1 });
  const step = Math.max(1, Math.floor(pagination.total / sample));
  const answers: BrokerDetail[] = [];
  for (let offset = 0; offset < pagination.total && answers.length < sample; offset += step) {
    const { data } = await client.brokers.list({ limit: 1, offset });
    const [broker] = data;
    if (broker) answers.push(await client.brokers.get(broker.slug));
  }
  return answers;
};

interface Asked extends Sources {
  readonly client: Client;
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

const progress = (note: Asked['note']): ((done: number, size: number) => void) => {
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
export const checkLog = async ({ client, given, values, read, fetch, note }: Asked): Promise<AuditCheck> => {
  if (!/^https?:\/\//i.test(given)) throw new UsageError(`URL must be the address of a log, not "${given}"`);
  const policy = await policyIn('audit', values, { read, fetch });
  const since = values.since === undefined ? undefined : await textIn(values.since, read);
  for (const flag of FLAGS) setFlagsFromString(flag);
  const { audit, SourceFailure } = await import('@broker-transparency/client/audit'); // other commands need none of it
  try {
    const live = () => sampled(client, values.sample ?? SAMPLE);
    const found = await audit({
      url: given,
      policy,
      since,
      live,
      fetch: fetch as typeof globalThis.fetch,
      onProgress: progress(note),
    });
    return { sound: found.findings.length === 0, ...found };
  } catch (error) {
    if (error instanceof SourceFailure)
      throw new SourceError(error.message, error.isAnswered ? EXIT.refused : EXIT.unanswered);
    if (!(error instanceof VerifyError)) throw error;
    const { code, message } = error;
    if (code === 'invalid_policy' || code === 'unsupported') throw new UsageError(message);
    return { sound: false, code, message };
  }
};
