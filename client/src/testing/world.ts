import { LIMITS, scaleBudget } from '@broker-transparency/contract';
import { PLANS, type Plan, type PlanName } from '@broker-transparency/contract/enterprise';
import { Accounts } from './accounts.ts';
import { Budgets } from './budget.ts';
import { Customers } from './customers.ts';
import type { SendWebhook } from './deliver.ts';
import { Faults, Pauses } from './faults.ts';
import type { Fixtures } from './fixtures.ts';
import { Repetitions } from './idempotency.ts';
import type { BudgetName, CallName } from './policy.ts';
import { State } from './state.ts';

/**
 * A request that a test server received.
 * @example const posted = server.requests.filter(({ call }: ReceivedRequest) => call === 'reviews.create');
 */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query, such as `/api/v1/brokers?limit=5`. */
  readonly path: string;
  /** Name of the call; undefined if the request is not one of the API's calls. */
  readonly call: CallName | undefined;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON, or the text if it is not JSON; undefined if there was no body. */
  readonly body: unknown;
  /** Status of the answer; undefined while there is none. */
  readonly status: number | undefined;
}

/**
 * Options of a test server.
 * @example const options: TestServerOptions = { seed: 'a', fixtures: { brokers: 3 } };
 */
export interface TestServerOptions {
  /** The seed that determines all drawn data. */
  readonly seed?: string;
  readonly fixtures?: Fixtures;
  /**
   * The origin that `fetch` answers, such as `https://brokers.example`. The default is a domain that belongs to nobody.
   */
  readonly origin?: string;
  /** The server's clock. The default starts at 2026-01-15T12:00:00Z and advances. */
  readonly now?: () => Date;
  /**
   * Requests per minute and account to the API; by default 60, as in the service. A third as many read the record.
   * Requests without a token share one budget.
   */
  readonly rateLimit?: number;
  /** Sends webhooks, to a handler of yours for example. The platform's `fetch` by default. */
  readonly sendWebhook?: SendWebhook;
}

const START = Date.UTC(2026, 0, 15, 12);

const runningClock = (): (() => Date) => {
  const begun = performance.now();
  return () => new Date(START + Math.floor(performance.now() - begun));
};

/** Creates the budget of each plan. */
const mapPlans = (create: (plan: Plan) => Budgets): Readonly<Record<PlanName, Budgets>> => ({
  media: create(PLANS.media),
  institution: create(PLANS.institution),
  regulator: create(PLANS.regulator),
});

/** Creates the whole state of a test server. A new state has forgotten everything. */
export const createWorld = ({
  seed = 'test',
  fixtures = {},
  now,
  rateLimit,
  sendWebhook = (request) => fetch(request),
}: TestServerOptions) => {
  const publicRequests = rateLimit ?? LIMITS.public.requests;
  const clock = now ?? runningClock();
  return {
    now: clock,
    state: new State(fixtures, seed, now === undefined ? new Date(START) : clock()),
    accounts: new Accounts(),
    customers: new Customers(),
    sendWebhook,
    budgets: {
      public: new Budgets(publicRequests, 'public'),
      history: new Budgets(scaleBudget('history', publicRequests), 'history'),
      log: new Budgets(publicRequests, 'log'),
    } satisfies Partial<Record<BudgetName, Budgets>>,
    enterpriseBudgets: mapPlans(({ requestsPerMinute }) => new Budgets(requestsPerMinute, 'enterprise')),
    recordBudgets: mapPlans(({ recordReadsPerMinute }) => new Budgets(recordReadsPerMinute, 'record')),
    repetitions: new Repetitions(),
    faults: new Faults(),
    pauses: new Pauses(),
    received: [] as { -readonly [K in keyof ReceivedRequest]: ReceivedRequest[K] }[],
  };
};
export type World = ReturnType<typeof createWorld>;
