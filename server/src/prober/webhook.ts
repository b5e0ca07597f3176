import { setTimeout as sleep } from 'node:timers/promises';
import { ENTERPRISE_BASE_PATH } from '@broker-transparency/contract/enterprise';
import { Webhook } from 'standardwebhooks';
import * as z from 'zod';
import { parseResponse } from './answers.rule.ts';
import type { ServiceCaller } from './ask.ts';
import type { ProberState } from './state.ts';
import { CheckError } from './wrong.rule.ts';

/* The service sends a webhook about each canary to the prober's own endpoint. */

const Endpoint = z.object({ id: z.string().regex(/^[A-Za-z0-9_-]{1,60}$/), url: z.string(), state: z.string() });
const Made = z.object({ secret: z.string().max(200), endpoint: Endpoint });
const Event = z.object({ data: z.object({ number: z.int().min(0), key: z.string() }) });

/** A canary whose webhook is awaited, by monotonic time. */
export interface PendingWebhook {
  readonly sentAt: number;
  /** Number in the record, if the feed had it. */
  readonly number: number | undefined;
}

/** Receives webhooks, and gives their times of arrival. */
export interface WebhookReceiver {
  /** Handles a request. Returns the status of the answer. */
  readonly receive: (body: string, headers: Readonly<Record<string, string>>) => number;
  /**
   * Resolves to the arrival of a canary's webhook, in monotonic time; undefined if it does not arrive within
   * `withinMs`.
   */
  readonly findArrival: (canary: PendingWebhook, withinMs?: number) => Promise<number | undefined>;
}

/** Maximum arrivals that are kept. The service may also send webhooks about earlier publications. */
const MOST_ARRIVALS = 1000;
/**
 * Milliseconds between checks for an arrival. Arrivals have their own times, so the interval does not affect results.
 */
const LOOK_MS = 50;

export const createReceiver = (state: ProberState, prober: string): WebhookReceiver => {
  const arrivals = new Map<number, number>();
  const findArrival = ({ sentAt, number }: PendingWebhook): number | undefined =>
    number === undefined ? [...arrivals.values()].find((at) => at >= sentAt) : arrivals.get(number);
  return {
    receive: (body, headers) => {
      if (state.webhook === undefined) return 503;
      try {
        new Webhook(state.webhook.secret).verify(body, headers);
      } catch {
        return 401;
      }
      const { data: event } = Event.safeParse(JSON.parse(body));
      if (event?.data.key !== `service-level/canary/${prober}`) return 204;
      if (arrivals.size >= MOST_ARRIVALS) arrivals.delete(arrivals.keys().next().value as number);
      if (!arrivals.has(event.data.number)) arrivals.set(event.data.number, performance.now());
      return 204;
    },
    findArrival: async (canary, withinMs = 0) => {
      const end = performance.now() + withinMs;
      for (;;) {
        const arrived = findArrival(canary);
        if (arrived !== undefined || performance.now() >= end) return arrived;
        await sleep(LOOK_MS);
      }
    },
  };
};

const toJsonBody = (value: object): string => JSON.stringify(value);

/** Ensures that the service has an active endpoint for this prober. @throws CheckError */
export const ensureEndpoint = async (
  caller: ServiceCaller,
  token: string,
  url: string,
  state: ProberState,
): Promise<void> => {
  const path = `${ENTERPRISE_BASE_PATH}/webhooks`;
  if (state.webhook) {
    const known = await caller.ask(`${path}/${state.webhook.id}`, { token });
    if (known.status !== 404) {
      const endpoint = parseResponse('the endpoint of webhooks', known, Endpoint);
      if (endpoint.url === url && endpoint.state !== 'paused') return;
      const body = toJsonBody({ url, state: 'active' });
      const changed = await caller.ask(`${path}/${endpoint.id}`, { token, method: 'PATCH', body });
      if (changed.status !== 200)
        throw new CheckError(`the endpoint of webhooks cannot be resumed (${changed.status})`);
      return;
    }
  }
  const body = toJsonBody({ url, description: 'A prober of the service level', kinds: ['service-level'] });
  const { secret, endpoint } = parseResponse(
    'a new endpoint of webhooks',
    await caller.ask(path, { token, body }),
    Made,
  );
  state.webhook = { id: endpoint.id, url, secret };
};
