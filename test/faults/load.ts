/** Readers and writers at a steady rate, whatever the service does, and what came of each of their requests. */
import { createClient } from '@broker-transparency/client';
import { createRandom } from '../bench/names.ts';
import { tokenOf } from '../support/people.ts';
import { complaintOf, reviewOf } from '../support/submissions.ts';
import { type Entry, Ledger } from './ledger.ts';

export type Kind = 'hot' | 'cold' | 'write' | 'live' | 'ready';

/** One request over HTTP: of a call that the client repeats, each try is one. */
export interface Exchange {
  readonly kind: Kind;
  readonly target: string;
  /** When it was sent, by the clock of `performance`. */
  readonly at: number;
  readonly ms: number;
  /** 0: nobody took the connection, or it ended without an answer. */
  readonly status: number;
  /** Seconds since the answer was known to be current; 0 where it is. */
  readonly age: number;
  readonly retryAfter: boolean;
  /** Refused because the process, or the machine it shares, is too busy. */
  readonly shed: boolean;
}

export interface LoadOptions {
  readonly baseUrl: string;
  readonly origin: string;
  readonly slugs: readonly string[];
  readonly seed: number;
  /** Names this load's writes, and its writers: `person-RUN-N`. */
  readonly run: string;
  /** Requests a second. */
  readonly rates: Readonly<Record<Kind, number>>;
}

export const RATES: LoadOptions['rates'] = { hot: 80, cold: 15, write: 10, live: 5, ready: 10 };

/** No answer takes so long: it counts as none. */
const PATIENCE_MS = 10_000;
const TICK_MS = 5;

export const personOf = (run: string, number: number): string => `person-${run}-${number}`;

/** What everybody asks for. */
export const hotTargets = (slugs: readonly string[]): string[] => [
  '/brokers',
  '/brokers?color=green',
  '/regulators',
  '/regulators/fca',
  '/news',
  '/search?q=alpha',
  ...slugs.slice(0, 6).flatMap((slug) => [`/brokers/${slug}`, `/reviews?broker=${slug}`]),
];

/** A page of a list that hardly anybody asks for. */
export const coldTarget = (slugs: readonly string[], random: () => number): string => {
  const limit = 1 + Math.floor(random() * 100);
  return random() < 0.5
    ? `/brokers?limit=${limit}&offset=${1 + Math.floor(random() * slugs.length)}`
    : `/reviews?broker=${pick(slugs, random)}&limit=${limit}`;
};

export const pick = <T>(from: readonly T[], random: () => number): T => from[Math.floor(random() * from.length)] as T;

export class Load {
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

  /** Makes every hot answer ready, then sends at the rates until it is stopped. */
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

  /** Sends no more, and waits for what is under way. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    while (this.#open.size > 0) await Promise.all(this.#open);
  }

  /** One more write, now. */
  write(): void {
    this.#track(this.submit(this.ledger.open()));
  }

  /** Sends a write, by the published client as a consumer would. Whether it was acknowledged stands in the entry. */
  async submit(entry: Entry): Promise<void> {
    const { baseUrl, run, slugs } = this.#options;
    const client = createClient({
      baseUrl,
      token: tokenOf(personOf(run, entry.number)),
      fetch: (url, init) => this.#try(entry, url, init),
    });
    const broker = slugs[entry.number % slugs.length] as string;
    const title = this.ledger.titleOf(entry);
    const options = { idempotencyKey: entry.key };
    try {
      if (entry.kind === 'reviews')
        entry.ids.add((await client.reviews.create(reviewOf(broker, { title }), options)).id);
      else entry.ids.add((await client.complaints.create(complaintOf(broker, { title }), options)).reference);
    } catch {} // its outcome is unknown; what each try was answered stands in the entry
  }

  async #try({ refusals }: Entry, url: string, init: RequestInit): Promise<Response> {
    const refuse = (text: string) => refusals.set(text, (refusals.get(text) ?? 0) + 1);
    const response = await this.#exchange('write', url, init).catch((error) => {
      refuse('no answer');
      throw error;
    });
    if (!response.ok) {
      const { code } = (await response.clone().json()) as { readonly code?: string };
      refuse(`${response.status} ${code}`);
    }
    return response;
  }

  #send(kind: Kind): void {
    if (kind === 'write') this.write();
    else this.#track(this.#read(kind, this.#targetOf(kind)));
  }

  #track(work: Promise<unknown>): void {
    this.#open.add(work);
    work.finally(() => this.#open.delete(work));
  }

  #targetOf(kind: Exclude<Kind, 'write'>): string {
    if (kind === 'hot') return pick(this.#hot, this.#random);
    if (kind === 'live') return '/healthz';
    if (kind === 'ready') return '/readyz';
    return coldTarget(this.#options.slugs, this.#random);
  }

  #read(kind: Exclude<Kind, 'write'>, target: string): Promise<unknown> {
    const { baseUrl, origin } = this.#options;
    const url = `${kind === 'live' || kind === 'ready' ? origin : baseUrl}${target}`;
    return this.#exchange(kind, url, {}).catch(() => {}); // it stands among the exchanges
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
