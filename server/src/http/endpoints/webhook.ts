import express, { type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express';
import type { Clock } from '../../platform/clock.ts';
import { messageFaults } from '../auth/signature.rule.ts';
import { invalidRequest, ProblemError } from '../problem/problem.ts';
import { addressKey, enforceLimit, type Limit } from '../rate-limit/limit.ts';
import { readBytes } from '../request/body.ts';
import { withDeadline } from '../request/deadline.ts';
import { sendJson } from '../response/reply.ts';

export interface WebhookParts {
  readonly keys: readonly Buffer[];
  readonly limit: Limit;
  readonly clock: Clock;
}

/** A message that is genuine. */
export interface Delivery {
  readonly id: string;
  readonly body: unknown;
}

/** What is answered: `replayed` where the message had come before. */
export interface Receipt {
  readonly body: unknown;
  readonly replayed: boolean;
}

/** The bytes as text: lossy decoding would give messages with different bytes one meaning. */
const parse = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new ProblemError('malformed_json', 'The body is not valid JSON in UTF-8.', { cause });
  }
};

/** @throws ProblemError invalid_request naming the header */
const verify = (req: Request, { keys, clock }: WebhookParts): Delivery => {
  const body: Buffer = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
  const id = req.get('webhook-id');
  const message = { id, timestamp: req.get('webhook-timestamp'), signature: req.get('webhook-signature'), body };
  const faults = messageFaults(message, keys, clock());
  if (id === undefined || faults.length > 0) throw invalidRequest(faults);
  return { id, body: parse(body) };
};

/** The route of a signed webhook: counts, reads, verifies, and answers 200 with what `receive` says. */
export const webhookRoute = (
  path: string,
  parts: WebhookParts,
  receive: (delivery: Delivery) => Promise<Receipt>,
): RequestHandler => {
  const answer = async (req: Request, res: Response): Promise<void> => {
    const { body, replayed } = await receive(verify(req, parts));
    if (replayed) res.set('Idempotent-Replayed', 'true');
    await sendJson(req, res.status(200), body);
  };
  const count = async (req: Request, res: Response): Promise<void> => enforceLimit(parts.limit, addressKey(req), res);
  const router = Router({ caseSensitive: true, strict: true });
  const counted = (req: Request, res: Response, next: NextFunction) => count(req, res).then(() => next(), next);
  router.post(path, counted, readBytes, (req: Request, res: Response, next: NextFunction) =>
    answer(req, res).catch(next),
  );
  router.options(path, (_req, res) => {
    res.set('Allow', 'POST, OPTIONS').status(204).end();
  });
  router.all(path, counted, (req: express.Request) => {
    throw new ProblemError('method_not_allowed', `${req.method} is not possible here.`, {
      headers: { Allow: 'POST, OPTIONS' },
    });
  });
  return withDeadline(router);
};
