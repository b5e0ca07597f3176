import { type RateLimit, RateLimiter } from '../rate-limit.ts';

/** Returns the budgets of a header by name, such as `"month"`. */
const readBudgets = (headers: Headers, header: string): Map<string, string> =>
  new Map((headers.get(header)?.split(',') ?? []).map((text) => [text.split(';', 1)[0]?.trim() ?? '', text]));

/** Returns the milliseconds until a budget has a request. */
const findWaitMs = ({ remaining, resetsAt }: RateLimit, now: number): number =>
  remaining === 0 ? Math.max(0, resetsAt.getTime() - now) : 0;

/**
 * Tracks every budget that an answer states: a request counts against each. It waits for the one that is nearest to its
 * end.
 */
export class EnterpriseRateLimiter extends RateLimiter {
  /** The budgets that the latest answer states behind the first one. */
  #others = new Map<string, RateLimiter>();

  override read(headers: Headers, now: number): void {
    super.read(headers, now);
    if (headers.has('age') || !headers.has('ratelimit')) return;
    const policies = readBudgets(headers, 'ratelimit-policy');
    const [, ...others] = readBudgets(headers, 'ratelimit');
    this.#others = new Map(
      others.map(([name, ratelimit]) => {
        const limiter = this.#others.get(name) ?? new RateLimiter();
        limiter.read(new Headers({ ratelimit, 'ratelimit-policy': policies.get(name) ?? '' }), now);
        return [name, limiter];
      }),
    );
  }

  /** Takes one request from all budgets, or from none. */
  override take(now: number): number {
    const waitMs = Math.max(0, ...this.#listStates().map((state) => findWaitMs(state, now)));
    if (waitMs > 0) return waitMs;
    for (const limiter of this.#others.values()) limiter.take(now);
    return super.take(now);
  }

  override get state(): RateLimit | undefined {
    return this.#listStates().sort(
      (a, b) => a.remaining - b.remaining || b.resetsAt.getTime() - a.resetsAt.getTime(),
    )[0];
  }

  #listStates(): RateLimit[] {
    return [super.state, ...[...this.#others.values()].map(({ state }) => state)].filter(
      (state) => state !== undefined,
    );
  }
}
