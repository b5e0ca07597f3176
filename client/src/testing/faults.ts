import type { ProblemCode } from '@broker-transparency/client';
import { PROBLEMS } from '@broker-transparency/contract';
import { type CallName, ROUTES } from './policy.ts';

const WAYS = ['slow', 'trickle', 'dropped', 'dropped_after_write', 'cut', 'drift', 'html'] as const;

/**
 * The faults of a request:
 * - a problem code, such as `rate_limited` (429) or `unavailable` (503): the server answers this error and does
 *   nothing;
 * - `slow`: the server processes and answers the request after `delayMs`, even if the caller has gone;
 * - `trickle`: the server sends the answer in ten pieces, one every `delayMs`;
 * - `dropped`: the connection breaks and the server does nothing;
 * - `dropped_after_write`: the server processes the request and stores what it writes, but the connection breaks before
 *   the answer;
 * - `cut`: the answer's JSON ends in the middle;
 * - `drift`: the answer differs from the contract, because the first field of its first item has another type;
 * - `html`: a proxy's page with `status` is answered, and the server does nothing.
 * @example const kinds: FaultKind[] = ['unavailable', 'dropped_after_write'];
 */
export type FaultKind = ProblemCode | (typeof WAYS)[number];

/**
 * The requests that a fault affects; by default the next one.
 * @example const options: FaultOptions = { call: 'reviews.create', broker: 'alpha-markets', times: 2 };
 */
export interface FaultOptions {
  /** Affects only this call, such as `brokers.get`. */
  readonly call?: CallName;
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Affects only requests that name this broker in the path, the query or the body. */
  readonly broker?: string;
  /** Number of requests that the fault affects; 1 by default, `Infinity` for all. */
  readonly times?: number;
  /** `Retry-After` of a 429 or 503 answer, in seconds; 1 by default. */
  readonly retryAfter?: number;
  /** Delay of `slow`, or of each piece of `trickle`, in milliseconds; 1 000 by default. */
  readonly delayMs?: number;
  /** Status of the `html` page; 502 by default. */
  readonly status?: number;
}

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];
const OPTIONS = ['call', 'method', 'broker', 'times', 'retryAfter', 'delayMs', 'status'];

const refuseUnknown = (what: string, given: unknown, known: readonly unknown[]): void => {
  if (given !== undefined && !known.includes(given))
    throw new TypeError(`there is no ${what} ${JSON.stringify(given)}; there are ${known.join(', ')}`);
};

const refuseBelow = (least: number, name: string, given: number | undefined): void => {
  if (given !== undefined && !(given >= least)) throw new RangeError(`${name} must be ${least} or more`);
};

/**
 * Checks the arguments of a fault.
 * @throws TypeError for an unknown name, RangeError for a number that is not in range
 */
const checkFault = (kind: FaultKind, options: FaultOptions): void => {
  refuseUnknown('fault', kind, [...WAYS, ...Object.keys(PROBLEMS)]);
  for (const name of Object.keys(options)) refuseUnknown('option', name, OPTIONS);
  refuseUnknown(
    'call',
    options.call,
    ROUTES.map(({ call }) => call),
  );
  refuseUnknown('method', options.method, METHODS);
  refuseBelow(1, 'times', options.times);
  refuseBelow(0, 'retryAfter', options.retryAfter);
  refuseBelow(0, 'delayMs', options.delayMs);
  refuseBelow(200, 'status', options.status);
};

/** A fault of one request. */
export interface Fault {
  readonly kind: FaultKind;
  readonly retryAfter: number;
  readonly delayMs: number;
  readonly status: number;
}

/** What a fault matches against a request. */
interface FaultTarget {
  readonly call: CallName | undefined;
  readonly method: string;
  readonly broker: unknown;
}

const matchesTarget = ({ call, method, broker }: FaultOptions, target: FaultTarget): boolean =>
  (call === undefined || call === target.call) &&
  (method === undefined || method === target.method) &&
  (broker === undefined || broker === target.broker);

/** The planned faults, in the order in which they were planned. */
export class Faults {
  #planned: { readonly kind: FaultKind; readonly options: FaultOptions; left: number }[] = [];

  plan(kind: FaultKind, options: FaultOptions): void {
    checkFault(kind, options);
    this.#planned.push({ kind, options, left: options.times ?? 1 });
  }

  /** Returns the first fault that matches a request, and counts it. */
  take(target: FaultTarget): Fault | undefined {
    const fault = this.#planned.find(({ options }) => matchesTarget(options, target));
    if (fault === undefined) return undefined;
    fault.left -= 1;
    if (fault.left === 0) this.#planned = this.#planned.filter((one) => one !== fault);
    const { retryAfter = 1, delayMs = 1000, status = 502 } = fault.options;
    return { kind: fault.kind, retryAfter, delayMs, status };
  }
}

/** Means that the connection breaks. */
export class DroppedError extends Error {
  override readonly message = 'the test server dropped the connection';
}

/** The pauses of slow answers. */
export class Pauses {
  readonly #pending = new Set<() => void>();

  /**
   * Waits for some milliseconds, or until `early` resolves. The pause of a caller who has gone does not keep the
   * process from ending.
   * @throws DroppedError if the server closes first
   */
  wait(ms: number, signal: AbortSignal | undefined, early?: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timer);
        this.#pending.delete(drop);
        settle();
      };
      const drop = () => end(() => reject(new DroppedError()));
      const timer = setTimeout(() => end(resolve), ms);
      early?.then(() => end(resolve));
      // only Node's timers have `unref`
      signal?.addEventListener('abort', () => (timer as { unref?: () => void }).unref?.(), { once: true });
      this.#pending.add(drop);
    });
  }

  /** Drops the waiting requests. */
  end(): void {
    for (const drop of this.#pending) drop();
  }
}
