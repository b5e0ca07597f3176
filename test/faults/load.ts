/** Readers and writers at a steady rate, whatever the service does. Records the outcome of each request. */
import { createClient } from '@broker-transparency/client';
import { createRandom } from '../bench/names.ts';
import { toToken } from '../support/people.ts';
import { buildComplaint, buildReview } from '../support/submissions.ts';
import { Ledger, type LedgerWrite } from './ledger.ts';

export type Kind = 'hot' | 'cold' | 'write' | 'live' | 'ready';

/** One HTTP request. Each attempt of a call that the client repeats counts separately. */
export interface Exchange {
  readonly kind: Kind;
  readonly target: string;
  /** The time of sending, on the clock of `performance`. */
  readonly at: number;
  readonly ms: number;
  /** 0 means that the connection was refused or ended without an answer. */
  readonly status: number;
  /** Value of Age: seconds since the answer was last known to be current; 0 if it is current. */
  readonly age: number;
  readonly retryAfter: boolean;
  /** Refused because the process, or the machine, is too busy. */
  readonly shed: boolean;
}

export interface LoadOptions {
  readonly baseUrl: string;
  readonly origin: string;
  readonly slugs: readonly string[];
  readonly seed: number;
  /** Part of the names of this load's writes and writers: `person-RUN-N`. */
  readonly run: string;
  /** Requests per second. */
  readonly rates: Readonly<Record<Kind, number>>;
}

export const RATES: LoadOptions['rates'] = { hot: 80, cold: 15, write: 10, live: 5, ready: 10 };
/** For a machine that has other work. */
export const FEWER: LoadOptions['rates'] = { hot: 20, cold: 5, write: 8, live: 5, ready: 5 };

/** A request without an answer after this time counts as unanswered. */
const PATIENCE_MS = 10_000;
const TICK_MS = 5;

export const toPersonName = (run: string, number: number): string => `person-${run}-${number}`;

/** Targets that everybody requests. */
export const hotTargets = (slugs: readonly string[]): string[] => [
  '/brokers',
  '/brokers?color=green',
  '/regulators',
  '/regulators/fca',
  '/news',
  '/search?q=alpha',
  ...slugs.slice(0, 6).flatMap((slug) => [`/brokers/${slug}`, `/reviews?broker=${slug}`]),
];

/** A page of a list that hardly anybody requests. */
export const coldTarget = (slugs: readonly string[], random: () => number): string => {
  const limit = 1 + Math.floor(random() * 100);
  return random() < 0.5
    ? `/brokers?limit=${limit}&offset=${1 + Math.floor(random() * slugs.length)}`
    : `/reviews?broker=${pick(slugs, random)}&limit=${limit}`;
};

export const pick = <T>(from: readonly T[], random: () => number): T => from[Math.floor(random() * from.length)] as T;

export class FaultLoad {
  readonly exchanges: Exchange[] = [];
  readonly ledger: Ledger;
  readonly #options: LoadOptions;
  readonly #random: () => number;
  readonly #open = new Set<Promise<unknown>>();
  readonly #hot: readonly string[];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LoadOptions) {
    this.#options = options;
    this.#random = createRandom(options.seed);
    this.#hot = hotTargets(options.slugs);
    this.ledger = new Ledger(options.run);
  }

  /** Fills the cache with every hot answer, then sends at the given rates until stopped. */
  async start(): Promise<void> {
    for (const target of this.#hot) await this.#read('hot', target);
    const begin = performance.now();
    const sent = new Map<Kind, number>();
    const tick = (): void => {
      const seconds = (performance.now() - begin) / 1000;
      for (const [kind, rate] of Object.entries(this.#options.rates) as [Kind, number][])
        for (; (sent.get(kind) ?? 0) < seconds * rate; sent.set(kind, (sent.get(kind) ?? 0) + 1)) this.#send(kind);
    };
    this.#timer = setInterval(tick, TICK_MS);
  }

  /** Sends no more requests, and waits for the pending ones. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    while (this.#open.size > 0) await Promise.all(this.#open);
  }

  /** Sends one additional write now. */
  write(): void {
    this.#track(this.submit(this.ledger.open()));
  }

  /** Sends a write by the published client, as a consumer would. The entry records whether it was acknowledged. */
  async submit(entry: LedgerWrite): Promise<void> {
    const { baseUrl, run, slugs } = this.#options;
    const client = createClient({
      baseUrl,
      token: toToken(toPersonName(run, entry.number)),
      fetch: (url, init) => this.#try(entry, url, init),
    });
    const broker = slugs[entry.number % slugs.length] as string;
    const title = this.ledger.formatTitle(entry);
    const options = { idempotencyKey: entry.key };
    try {
      if (entry.kind === 'reviews')
        entry.ids.add((await client.reviews.create(buildReview(broker, { title }), options)).id);
      else entry.ids.add((await client.complaints.create(buildComplaint(broker, { title }), options)).reference);
    } catch {} // the outcome is unknown; the entry has the answers
  }

  async #try({ refusals }: LedgerWrite, url: string, init: RequestInit): Promise<Response> {
    const refuse = (text: string) => refusals.set(text, (refusals.get(text) ?? 0) + 1);
    const response = await this.#exchange('write', url, init).catch((error) => {
      refuse('no answer');
      throw error;
    });
    if (!response.ok) {
      const { code, detail } = (await response.clone().json()) as { readonly code?: string; readonly detail?: string };
      refuse(`${response.status} ${code}: ${detail}`);
    }
    return response;
  }

  #send(kind: Kind): void {
    if (kind === 'write') this.write();
    else this.#track(this.#read(kind, this.#chooseTarget(kind)));
  }

  #track(work: Promise<unknown>): void {
    this.#open.add(work);
    work.finally(() => this.#open.delete(work));
  }

  #chooseTarget(kind: Exclude<Kind, 'write'>): string {
    if (kind === 'hot') return pick(this.#hot, this.#random);
    if (kind === 'live') return '/healthz';
    if (kind === 'ready') return '/readyz';
    return coldTarget(this.#options.slugs, this.#random);
  }

  #read(kind: Exclude<Kind, 'write'>, target: string): Promise<unknown> {
    const { baseUrl, origin } = this.#options;
    const url = `${kind === 'live' || kind === 'ready' ? origin : baseUrl}${target}`;
    return this.#exchange(kind, url, {}).catch(() => {}); // recorded as an exchange
  }

  async #exchange(kind: Kind, url: string, init: RequestInit): Promise<Response> {
    const at = performance.now();
    const note = (response?: Response, body?: ArrayBuffer): void => {
      const { pathname, search } = new URL(url);
      this.exchanges.push({
        kind,
        target: `${pathname}${search}`,
        at,
        ms: performance.now() - at,
        status: response?.status ?? 0,
        age: Number(response?.headers.get('age') ?? 0),
        retryAfter: response?.headers.has('retry-after') ?? false,
        shed: response?.status === 503 && new TextDecoder().decode(body).includes('more to do than it can'),
      });
    };
    try {
      const signals = [AbortSignal.timeout(PATIENCE_MS), ...(init.signal ? [init.signal] : [])];
      const response = await fetch(url, { ...init, signal: AbortSignal.any(signals) });
      const body = await response.arrayBuffer();
      note(response, body);
      return new Response(body.byteLength > 0 ? body : null, response);
    } catch (error) {
      note();
      throw error;
    }
  }
}
