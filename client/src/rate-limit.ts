/**
 * What is left of the budget of requests, as the last answers said.
 * @example if (client.rateLimit?.remaining === 0) console.log(client.rateLimit.resetsAt.toISOString());
 */
export interface RateLimit {
  /** Requests per window, where the API says it. */
  readonly limit: number | undefined;
  /** Requests left, less those sent since. */
  readonly remaining: number;
  /** When the budget is full again, by this machine's clock; it is full once that has passed. */
  readonly resetsAt: Date;
}

interface Budget {
  limit: number | undefined;
  windowMs: number;
  remaining: number;
  /** Milliseconds of the epoch. */
  resetsAt: number;
}

/** More digits are no number of requests, and no time that a `Date` could hold. */
const MOST_DIGITS = 9;

/** The number in what a pattern finds. */
const number = (text: string | null, pattern: RegExp): number | undefined => {
  const digits = pattern.exec(text ?? '')?.[1];
  return digits === undefined || digits.length > MOST_DIGITS ? undefined : Number(digits);
};

/** Follows the budget through `RateLimit` headers (draft-ietf-httpapi-ratelimit-headers-10). */
export class RateLimiter {
  #budget: Budget | undefined;
  /** Whether the API tells nothing. */
  #silent = false;
  /** Ends with the request whose answer is to tell the budget, while there is one. */
  scout: Promise<void> | undefined;

  /** Makes a request the one whose answer tells, where none has told. */
  follow<T>(request: Promise<T>, now: number): Promise<T> {
    const over = () => {
      this.scout = undefined;
    };
    const isKnown = this.#budget && (this.#budget.limit !== undefined || now < this.#budget.resetsAt);
    if (!isKnown && !this.#silent) this.scout = request.then(over, over);
    return request;
  }

  /** Reads an answer's headers. One from a shared cache (with `Age`) tells of somebody else's request. */
  read(headers: Headers, now: number): void {
    const header = headers.get('ratelimit');
    if (headers.has('age')) return;
    const remaining = number(header, /;\s*r=(\d+)/);
    const seconds = number(header, /;\s*t=(\d+)/);
    this.#silent = remaining === undefined || seconds === undefined;
    if (remaining === undefined || seconds === undefined) return;
    const resetsAt = now + seconds * 1000;
    const budget = this.#budget;
    // Times are whole seconds.
    if (budget !== undefined && now < budget.resetsAt && resetsAt < budget.resetsAt + 1500) {
      // Answers overtake each other: within one window the smaller number is the newer one.
      budget.remaining = Math.min(budget.remaining, remaining);
      budget.resetsAt = resetsAt;
      return;
    }
    const policy = headers.get('ratelimit-policy');
    const windowMs = (number(policy, /;\s*w=(\d+)/) ?? 0) * 1000;
    this.#budget = { limit: number(policy, /;\s*q=(\d+)/), windowMs, remaining, resetsAt };
  }

  /** Takes one request from the budget. @returns milliseconds until there is one, 0 where it was taken */
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
