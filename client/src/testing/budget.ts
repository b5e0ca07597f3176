import { LIMITS } from '@broker-transparency/contract';
import type { BudgetName } from './policy.ts';

const WINDOW_MS = LIMITS.public.windowSeconds * 1000;

/** The state of a caller's budget, with its headers (draft-ietf-httpapi-ratelimit-headers-10). */
export interface BudgetState {
  readonly allowed: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** Counts the requests of each caller, in windows that begin with the caller's first request. */
export class Budgets {
  readonly #windows = new Map<string, { used: number; endsAt: number }>();
  readonly requests: number;
  readonly #name: BudgetName;

  constructor(requests: number, name: BudgetName) {
    this.requests = requests;
    this.#name = name;
  }

  take(caller: string, now: number): BudgetState {
    const known = this.#windows.get(caller);
    const window = known !== undefined && now < known.endsAt ? known : { used: 0, endsAt: now + WINDOW_MS };
    window.used += 1;
    this.#windows.set(caller, window);
    const seconds = Math.max(1, Math.ceil((window.endsAt - now) / 1000));
    const allowed = window.used <= this.requests;
    return {
      allowed,
      headers: {
        'RateLimit-Policy': `"${this.#name}";q=${this.requests};w=${WINDOW_MS / 1000}`,
        RateLimit: `"${this.#name}";r=${Math.max(0, this.requests - window.used)};t=${seconds}`,
        ...(allowed ? {} : { 'Retry-After': String(seconds) }),
      },
    };
  }
}
