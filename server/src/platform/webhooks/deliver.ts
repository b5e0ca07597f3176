import { Webhook } from 'standardwebhooks';
import type { Clock } from '../clock.ts';
import { NoAnswerError, type Pool } from '../outbound/pool.ts';
import type { WebhookKey } from './keys.ts';
import { ANSWER_MS, type DeliveryFault, type Message, MOST_RETRY_AFTER_MS, type Secret } from './message.rule.ts';

/** Dependencies of deliveries. */
export interface DeliveryParts {
  readonly clock: Clock;
  readonly pool: Pick<Pool, 'post'>;
  /** Keys of `v1a` signatures, newest first. Each of them signs. */
  readonly keys: readonly WebhookKey[];
}

/** Address of a message, and the secrets that sign it. */
export interface Receiver {
  readonly url: string;
  readonly secrets: readonly Secret[];
}

/** Outcome of a delivery. */
export interface DeliveryResult {
  /** Absent if the receiver accepted the message. */
  readonly fault?: DeliveryFault;
  /** Absent without an answer. */
  readonly status?: number;
  /** True if the receiver wants no more messages (410). */
  readonly isGone?: boolean;
  readonly outcome: 'delivered' | 'refused' | 'unreachable' | 'no_answer';
}

/** Signers by secret: decoding a secret each time would cost as much as signing. */
const signers = new WeakMap<Secret, Webhook>();

const obtainSigner = (secret: Secret): Webhook => {
  const known = signers.get(secret);
  if (known) return known;
  const made = new Webhook(secret.secret);
  signers.set(secret, made);
  return made;
};

/** Returns the value of `webhook-signature`: one signature per live secret, then one per key. */
const formatSignatures = (
  { id, body }: Message,
  at: Date,
  secrets: readonly Secret[],
  keys: readonly WebhookKey[],
): string => {
  const live = secrets.filter(({ endsAt }) => endsAt === null || endsAt > at);
  const signed = `${id}.${Math.floor(at.getTime() / 1000)}.${body}`;
  return [
    ...live.map((secret) => obtainSigner(secret).sign(id, at, body)),
    ...keys.map((key) => `v1a,${key.sign(signed)}`),
  ].join(' ');
};

const parseRetryAfter = (header: string | undefined): number | undefined =>
  header !== undefined && /^\d{1,7}$/.test(header) ? Math.min(Number(header) * 1000, MOST_RETRY_AFTER_MS) : undefined;

const toRefusedDelivery = (status: number, retryAfter: string | undefined): DeliveryResult => {
  const isRedirect = status >= 300 && status < 400;
  const problem = isRedirect ? `answers ${status}, and redirects are not followed` : `answers ${status}`;
  const fault = { problem, isWhole: status === 429, retryAfterMs: parseRetryAfter(retryAfter) };
  return { status, fault, isGone: status === 410, outcome: 'refused' };
};

/**
 * Returns the function that signs and sends a message. It throws only the reason of `signal`, and faults of this
 * service.
 */
export const createDeliver =
  ({ clock, pool, keys }: DeliveryParts) =>
  async (
    { url, secrets }: Receiver,
    message: Message,
    {
      headers = {},
      signal,
    }: { readonly headers?: Readonly<Record<string, string>>; readonly signal?: AbortSignal } = {},
  ): Promise<DeliveryResult> => {
    const at = clock();
    const sent = {
      body: message.body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'broker-rating-webhooks',
        'webhook-id': message.id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': formatSignatures(message, at, secrets, keys),
        ...headers,
      },
    };
    try {
      const { status, header } = await pool.post(url, sent, { timeoutMs: ANSWER_MS, signal });
      return status >= 200 && status < 300
        ? { status, outcome: 'delivered' }
        : toRefusedDelivery(status, header('retry-after'));
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error;
      const { message: problem, isReached } = error;
      return { fault: { problem, isWhole: !isReached }, outcome: isReached ? 'no_answer' : 'unreachable' };
    }
  };
export type Deliver = ReturnType<typeof createDeliver>;
