import { CallRefusal } from './policy.ts';

const KEPT_MS = 24 * 3_600_000;

interface StoredAnswer {
  readonly fingerprint: string;
  readonly answer: unknown;
  readonly at: number;
}

/** The parts of a POST that identify its repetitions. */
export interface RepeatableRequest {
  /** Token of the caller. */
  readonly token: string;
  readonly path: string;
  /** Value of the header, bare or quoted. */
  readonly key: string | undefined;
  readonly policy: 'key' | 'key-or-body';
  readonly body: unknown;
}

const toRepetitionKey = ({ token, path, key, policy, body }: RepeatableRequest): string | undefined => {
  if (key === undefined && policy === 'key') return undefined;
  const name = key === undefined ? `body ${JSON.stringify(body)}` : `key ${/^"(.*)"$/.exec(key)?.[1] ?? key}`;
  return `${token} ${path} ${name}`;
};

/** Stores the answers to POSTs for a day, by token, path and key. */
export class Repetitions {
  readonly #kept = new Map<string, StoredAnswer>();
  readonly #running = new Set<string>();

  /**
   * Does work at most once. A refusal is not stored.
   * @throws CallRefusal `idempotency_in_progress`, `idempotency_key_reused`
   */
  async once<T>(
    request: RepeatableRequest,
    now: () => number,
    work: () => Promise<T>,
  ): Promise<{ readonly answer: T; readonly replayed: boolean }> {
    const name = toRepetitionKey(request);
    if (name === undefined) return { answer: await work(), replayed: false };
    const fingerprint = JSON.stringify(request.body);
    const kept = this.#kept.get(name);
    if (kept !== undefined && now() - kept.at < KEPT_MS) {
      if (kept.fingerprint === fingerprint) return { answer: kept.answer as T, replayed: true };
      throw new CallRefusal('idempotency_key_reused', 'This Idempotency-Key was sent with another body before.');
    }
    if (this.#running.has(name))
      throw new CallRefusal('idempotency_in_progress', 'The first request with this key has not finished.', {
        headers: { 'Retry-After': '1' },
      });
    this.#running.add(name);
    try {
      const answer = await work();
      this.#kept.set(name, { fingerprint, answer, at: now() });
      return { answer, replayed: false };
    } finally {
      this.#running.delete(name);
    }
  }
}
