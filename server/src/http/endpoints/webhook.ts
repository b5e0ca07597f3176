import { type Request, type RequestHandler, Router } from 'express';
import type { Clock } from '../../platform/clock.ts';
import { messageFaults } from '../auth/signature.rule.ts';
import { invalidRequest, ProblemError } from '../problem/problem.ts';
import { addressKey, enforceLimit, type Limit } from '../rate-limit/limit.ts';
import { readBytes } from '../request/body.ts';
import { withDeadline } from '../request/deadline.ts';
import { send, sendJson } from '../response/reply.ts';

export interface WebhookParts {
  readonly keys: readonly Buffer[];
  readonly limit: Limit;
  readonly clock: Clock;
}

/** A message with a valid signature. */
export interface VerifiedMessage {
  readonly id: string;
  readonly body: unknown;
}

/** Body of the answer. `replayed`: the message had been received before. */
export interface Receipt {
  readonly body: unknown;
  readonly replayed: boolean;
}

const ALLOW = { Allow: 'POST, OPTIONS' };

/** Decodes the bytes strictly: lossy decoding would give one meaning to messages with different bytes. */
const parse = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new ProblemError('malformed_json', 'The body is not valid JSON in UTF-8.', { cause });
  }
};

/** @throws ProblemError invalid_request with the header at fault */
const verify = (req: Request, { keys, clock }: WebhookParts): VerifiedMessage => {
  const body: Buffer = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
  const id = req.get('webhook-id');
  const message = { id, timestamp: req.get('webhook-timestamp'), signature: req.get('webhook-signature'), body };
  const faults = messageFaults(message, keys, clock());
  if (id === undefined || faults.length > 0) throw invalidRequest(faults);
  return { id, body: parse(body) };
};

/**
 * Returns the route of a signed webhook: it counts, reads and verifies a message, and answers 200 with the result of
 * `receive`.
 */
export const webhookRoute = (
  path: string,
  parts: WebhookParts,
  receive: (delivery: VerifiedMessage) => Promise<Receipt>,
): RequestHandler => {
  const answer: RequestHandler = async (req, res) => {
    const { body, replayed } = await receive(verify(req, parts));
    await sendJson(res, { status: 200, headers: replayed ? { 'Idempotent-Replayed': 'true' } : {}, json: body });
  };
  const count: RequestHandler = async (req, _res, next) => {
    await enforceLimit(parts.limit, addressKey(req), req);
    next();
  };
  const router = Router({ caseSensitive: true, strict: true });
  router.post(path, count, readBytes, answer);
  router.options(path, (_req, res) => send(res, { status: 204, headers: ALLOW }));
  router.all(path, count, (req) => {
    throw new ProblemError('method_not_allowed', `${req.method} is not possible here.`, { headers: ALLOW });
  });
  return withDeadline(router);
};
