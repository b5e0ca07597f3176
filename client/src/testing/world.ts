import { LIMITS } from '@broker-transparency/contract';
import { Accounts } from './accounts.ts';
import { Budgets } from './budget.ts';
import { Faults, Pauses } from './faults.ts';
import type { Fixtures } from './fixtures.ts';
import { Repetitions } from './idempotency.ts';
import type { CallName } from './policy.ts';
import { State } from './state.ts';

/**
 * A request that a test server received.
 * @example const posted = server.requests.filter(({ call }: ReceivedRequest) => call === 'reviews.create');
 */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query, such as `/api/v1/brokers?limit=5`. */
  readonly path: string;
  /** Which call; undefined: none of the API. */
  readonly call: CallName | undefined;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** As JSON, or as text where it is none; undefined: there was none. */
  readonly body: unknown;
  /** How it was answered; undefined: not, or not yet. */
  readonly status: number | undefined;
}

/**
 * Settings of a test server.
 * @example const options: TestServerOptions = { seed: 'a', fixtures: { brokers: 3 } };
 */
export interface TestServerOptions {
  /** What is drawn depends on this alone. */
  readonly seed?: string;
  readonly fixtures?: Fixtures;
  /** What its `fetch` answers to, such as `https://brokers.example`; by default a name that is nobody's. */
  readonly origin?: string;
  /** The server's clock; by default one that starts at 2026-01-15T12:00:00Z and runs on. */
  readonly now?: () => Date;
  /** Requests per minute and account, 60 by default as the API has it; those without token count together. */
  readonly rateLimit?: number;
}

const START = Date.UTC(2026, 0, 15, 12);

const runningClock = (): (() => Date) => {
  const begun = performance.now();
  return () => new Date(START + Math.floor(performance.now() - begun));
};

/** Everything that a test server is while it runs: a new one has forgotten all. */
export const createWorld = ({ seed = 'test', fixtures = {}, now, rateLimit }: TestServerOptions) => {
  const clock = now ?? runningClock();
  return {
    now: clock,
    state: new State(fixtures, seed, now === undefined ? new Date(START) : clock()),
    accounts: new Accounts(),
    budgets: new Budgets(rateLimit ?? LIMITS.public.requests),
    repetitions: new Repetitions(),
    faults: new Faults(),
    pauses: new Pauses(),
    received: [] as { -readonly [K in keyof ReceivedRequest]: ReceivedRequest[K] }[],
  };
};
export type World = ReturnType<typeof createWorld>;
