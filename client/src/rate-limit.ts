/**
 * The request budget according to the latest answers.
 * @example if (client.rateLimit?.remaining === 0) console.log(client.rateLimit.resetsAt.toISOString());
 */
export interface RateLimit {
  /** Requests per window; undefined if the API does not state it. */
  readonly limit: number | undefined;
  /** Number of requests left, minus those sent since the answer. */
  readonly remaining: number;
  /** Time at which the budget is full again, by this machine's clock. */
  readonly resetsAt: Date;
}

interface RequestBudget {
  limit: number | undefined;
  windowMs: number;
  remaining: number;
  /** In milliseconds since 1970. */
  resetsAt: number;
}

/** Maximum number of digits. A longer number is neither a number of requests nor a time that a `Date` can hold. */
const MOST_DIGITS = 9;

/** Returns the number that the pattern's first group matches. */
const number = (text: string | null, pattern: RegExp): number | undefined => {
  const digits = pattern.exec(text ?? '')?.[1];
  return digits === undefined || digits.length > MOST_DIGITS ? undefined : Number(digits);
};

/** Tracks the budget through `RateLimit` headers (draft-ietf-httpapi-ratelimit-headers-10). */
export class RateLimiter {
  #budget: RequestBudget | undefined;
  /** True if the API does not state the budget. */
  #silent = false;
  /** Settles with the request whose answer is expected to state the budget; undefined if there is no such request. */
  scout: Promise<void> | undefined;

  /** While the budget is unknown, makes this request the one whose answer is expected to state it. */
  follow<T>(request: Promise<T>, now: number): Promise<T> {
    const over = () => {
      this.scout = undefined;
    };
    const isKnown = this.#budget && (this.#budget.limit !== undefined || now < this.#budget.resetsAt);
    if (!isKnown && !this.#silent) this.scout = request.then(over, over);
    return request;
  }

  /**
   * Reads the headers of an answer. Ignores an answer from a shared cache (with `Age`), because its budget belongs to
   * another request.
   */
  read(headers: Headers, now: number): void {
    const header = headers.get('ratelimit');
    if (headers.has('age')) return;
    const remaining = number(header, /;\s*r=(\d+)/);
    const seconds = number(header, /;\s*t=(\d+)/);
    this.#silent = remaining === undefined || seconds === undefined;
    if (remaining === undefined || seconds === undefined) return;
    const resetsAt = now + seconds * 1000;
    const budget = this.#budget;
    // The headers state whole seconds.
    if (budget !== undefined && now < budget.resetsAt && resetsAt < budget.resetsAt + 1500) {
      // Answers can arrive out of order. Within one window the smaller number is the newer one.
      budget.remaining = Math.min(budget.remaining, remaining);
      budget.resetsAt = resetsAt;
      return;
    }
    const policy = headers.get('ratelimit-policy');
    const windowMs = (number(policy, /;\s*w=(\d+)/) ?? 0) * 1000;
    this.#budget = { limit: number(policy, /;\s*q=(\d+)/), windowMs, remaining, resetsAt };
  }

  /**
   * Takes one request from the budget.
   * @returns 0 if it could, otherwise the milliseconds until a request is available
   */
  take(now: number): number {
    const budget = this.#budget;
    if (budget === undefined) return 0;
    if (now >= budget.resetsAt) {
      if (budget.limit === undefined) return 0;
      budget.remaining = budget.limit;
      budget.resetsAt = now + budget.windowMs;
    }
    if (budget.remaining === 0) return budget.resetsAt - now;
    budget.remaining -= 1;
    return 0;
  }

  get state(): RateLimit | undefined {
    if (this.#budget === undefined) return undefined;
    const { limit, remaining, resetsAt } = this.#budget;
    return { limit, remaining, resetsAt: new Date(resetsAt) };
  }
}
