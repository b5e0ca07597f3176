import type { WebhookEndpoint } from '@broker-transparency/contract/enterprise';
import { computePauseTime } from './policy.rule.ts';
import { deriveEndpointState } from './state.rule.ts';
import type { Endpoint } from './store.ts';

/** Returns an endpoint as its customer sees it. */
export const toEndpointView = (endpoint: Omit<Endpoint, 'slot'>, end: number, now: Date): WebhookEndpoint => {
  const { _id, url, description, kinds, watchlist, createdAt, position, paused, lastDeliveredAt, failures, secrets } =
    endpoint;
  const { next, blocked, whole } = position;
  return {
    id: _id,
    url,
    description,
    kinds: kinds && [...kinds],
    watchlist,
    createdAt: createdAt.toISOString(),
    state: deriveEndpointState(endpoint),
    next,
    end,
    blocked: blocked
      .filter(({ attempts }) => attempts > 0)
      .map(({ subject, at, since, attempts, nextTryAt, problem }) => ({
        subject,
        number: at,
        since: since.toISOString(),
        attempts,
        nextTryAt: nextTryAt?.toISOString() ?? null,
        problem,
      })),
    failing: whole && {
      since: whole.since.toISOString(),
      attempts: whole.attempts,
      nextTryAt: whole.nextTryAt.toISOString(),
      pausesAt: computePauseTime(whole.since).toISOString(),
      problem: whole.problem,
    },
    paused: paused && { at: paused.at.toISOString(), why: paused.why },
    lastDeliveredAt: lastDeliveredAt?.toISOString() ?? null,
    failures: failures.map(({ at, number, problem }) => ({ at: at.toISOString(), number, problem })),
    secrets: secrets
      .filter(({ endsAt }) => endsAt === null || endsAt > now)
      .map((one) => ({ createdAt: one.createdAt.toISOString(), endsAt: one.endsAt?.toISOString() ?? null })),
  };
};
