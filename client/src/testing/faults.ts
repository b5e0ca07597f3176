import type { ProblemCode } from '@broker-transparency/client';
import { PROBLEMS } from '@broker-transparency/contract';
import { type CallName, ROUTES } from './policy.ts';

const WAYS = ['slow', 'trickle', 'dropped', 'dropped_after_write', 'cut', 'drift', 'html'] as const;

/**
 * What goes wrong with a request:
 * - a problem code: that error is answered and nothing is done, such as `rate_limited` (429) or `unavailable` (503);
 * - `slow`: it is answered after `delayMs`, and done then even if the caller has gone;
 * - `trickle`: its answer comes in ten pieces, one each `delayMs`;
 * - `dropped`: the connection breaks and nothing is done;
 * - `dropped_after_write`: it is done, what it writes is stored, and the connection breaks before the answer;
 * - `cut`: the answer's JSON ends in the middle;
 * - `drift`: the answer differs from the contract: the first field of the first item is of another type;
 * - `html`: a page of a proxy with `status` is answered, and nothing is done.
 * @example const kinds: FaultKind[] = ['unavailable', 'dropped_after_write'];
 */
export type FaultKind = ProblemCode | (typeof WAYS)[number];

/**
 * Which requests a fault meets; the next one where nothing is said.
 * @example const options: FaultOptions = { call: 'reviews.create', broker: 'alpha-markets', times: 2 };
 */
export interface FaultOptions {
  /** Only this call, such as `brokers.get`. */
  readonly call?: CallName;
  readonly method?: 'GET' | 'POST';
  /** Only requests about this broker: in the path, the query or the body. */
  readonly broker?: string;
  /** How many requests it meets; 1 by default, `Infinity` for all. */
  readonly times?: number;
  /** `Retry-After` of a 429 or 503 in seconds; 1 by default. */
  readonly retryAfter?: number;
  /** How long `slow`, or a piece of `trickle`, takes in milliseconds; 1 000 by default. */
  readonly delayMs?: number;
  /** Status of `html`; 502 by default. */
  readonly status?: number;
}

const OPTIONS = ['call', 'method', 'broker', 'times', 'retryAfter', 'delayMs', 'status'];

const refuseUnknown = (what: string, given: unknown, known: readonly unknown[]): void => {
  if (given !== undefined && !known.includes(given))
    throw new TypeError(`there is no ${what} ${JSON.stringify(given)}; there are ${known.join(', ')}`);
};

const refuseBelow = (least: number, name: string, given: number | undefined): void => {
  if (given !== undefined && !(given >= least)) throw new RangeError(`${name} must be ${least} or more`);
};

/** @throws TypeError for a name that is none, RangeError for a number that is none */
const check = (kind: FaultKind, options: FaultOptions): void => {
  refuseUnknown('fault', kind, [...WAYS, ...Object.keys(PROBLEMS)]);
  for (const name of Object.keys(options)) refuseUnknown('option', name, OPTIONS);
  refuseUnknown(
    'call',
    options.call,
    ROUTES.map(({ call }) => call),
  );
  refuseUnknown('method', options.method, ['GET', 'POST']);
  refuseBelow(1, 'times', options.times);
  refuseBelow(0, 'retryAfter', options.retryAfter);
  refuseBelow(0, 'delayMs', options.delayMs);
  refuseBelow(200, 'status', options.status);
};

/** A fault that meets a request. */
export interface Fault {
  readonly kind: FaultKind;
  readonly retryAfter: number;
  readonly delayMs: number;
  readonly status: number;
}

/** As far as a fault looks at a request. */
interface Target {
  readonly call: CallName | undefined;
  readonly method: string;
  readonly broker: unknown;
}

const meets = ({ call, method, broker }: FaultOptions, target: Target): boolean =>
  (call === undefined || call === target.call) &&
  (method === undefined || method === target.method) &&
  (broker === undefined || broker === target.broker);

/** The faults to come, in the order they were given. */
export class Faults {
  #planned: { readonly kind: FaultKind; readonly options: FaultOptions; left: number }[] = [];

  plan(kind: FaultKind, options: FaultOptions): void {
    check(kind, options);
    this.#planned.push({ kind, options, left: options.times ?? 1 });
  }

  /** The first fault that meets the request, and one time less of it. */
  take(target: Target): Fault | undefined {
    const fault = this.#planned.find(({ options }) => meets(options, target));
    if (fault === undefined) return undefined;
    fault.left -= 1;
    if (fault.left === 0) this.#planned = this.#planned.filter((one) => one !== fault);
    const { retryAfter = 1, delayMs = 1000, status = 502 } = fault.options;
    return { kind: fault.kind, retryAfter, delayMs, status };
  }
}

/** The connection breaks. */
export class Dropped extends Error {
  override readonly message = 'the test server dropped the connection';
}

/** The waits of slow answers. */
export class Pauses {
  readonly #pending = new Set<() => void>();

  /** A caller who has gone keeps no process from ending. @throws Dropped when the server ends first */
  wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timer);
        this.#pending.delete(drop);
        settle();
      };
      const drop = () => end(() => reject(new Dropped()));
      const timer = setTimeout(() => end(resolve), ms);
      // only Node's timers can be let go
      signal?.addEventListener('abort', () => (timer as { unref?: () => void }).unref?.(), { once: true });
      this.#pending.add(drop);
    });
  }

  /** Drops the requests that wait. */
  end(): void {
    for (const drop of this.#pending) drop();
  }
}
