/**
 * The load generator, a process that runs one job at a time by message. Autocannon 9 cannot replace it: at a constant
 * rate it sends the requests of a second in one burst and rounds to milliseconds, so its latencies mean nothing.
 */
import { createQuantile } from './spread.ts';
import { Connection, type WireResponse } from './wire.ts';

export interface Request {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Job {
  readonly port: number;
  /** Sent in turn, starting at number `from` and wrapping around. */
  readonly requests: readonly Request[];
  readonly from: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  /** The job ends after this time, or after this number of requests. */
  readonly until: { readonly seconds: number } | { readonly count: number };
  /** Requests per second, whatever the server does. If omitted, each connection sends as soon as it has its answer. */
  readonly rate?: number;
  readonly expected: { readonly status: number; readonly size?: number };
}

export interface LoadOutcome {
  readonly answered: number;
  readonly seconds: number;
  /** Quantiles of the seconds from when a request was due to its answer. */
  readonly p50: number;
  readonly p99: number;
  /** Number of answers with an unexpected status or size, and one example. */
  readonly wrong: number;
  readonly example?: WireResponse;
}

const encode = ({ path, headers = {}, body }: Request, common: Job['headers']): Buffer => {
  const all = { Host: '127.0.0.1', ...common, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  if (body === undefined) return Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  const length = Buffer.byteLength(body);
  lines.push('Content-Type: application/json\r\n', `Content-Length: ${length}\r\n`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
};

/** Collects the answers. */
class Tally {
  readonly #expected: Job['expected'];
  readonly #latencies: number[] = [];
  #wrong = 0;
  #example: WireResponse | undefined;

  constructor(expected: Job['expected']) {
    this.#expected = expected;
  }

  get answered(): number {
    return this.#latencies.length;
  }

  add({ status, size }: WireResponse, milliseconds: number): void {
    this.#latencies.push(milliseconds);
    const { status: wanted, size: wantedSize = size } = this.#expected;
    if (status === wanted && size === wantedSize) return;
    this.#wrong++;
    this.#example ??= { status, size };
  }

  outcome(milliseconds: number): LoadOutcome {
    const rank = createQuantile(this.#latencies);
    return {
      answered: this.answered,
      seconds: milliseconds / 1000,
      p50: rank(0.5) / 1000,
      p99: rank(0.99) / 1000,
      wrong: this.#wrong,
      ...(this.#example ? { example: this.#example } : {}),
    };
  }
}

/** Returns a function that gives the next request to send, or undefined once the job has sent them all. */
const createSource = ({ requests, headers, from, until }: Job, begin: number) => {
  const encoded = requests.map((request) => encode(request, headers));
  let sent = 0;
  const over = 'count' in until ? () => sent >= until.count : () => performance.now() - begin >= until.seconds * 1000;
  return (): Buffer | undefined => (over() ? undefined : encoded[(from + sent++) % encoded.length]);
};

/** Sends as fast as the server answers. */
const saturate = (job: Job, connections: readonly Connection[], tally: Tally): Promise<number> =>
  new Promise((resolve) => {
    const begin = performance.now();
    const next = createSource(job, begin);
    let busy = connections.length;
    const turn = (connection: Connection): void => {
      const request = next();
      const sent = performance.now();
      if (!request) {
        if (--busy === 0) resolve(sent - begin);
        return;
      }
      connection.send(request, (answer) => {
        tally.add(answer, performance.now() - sent);
        turn(connection);
      });
    };
    for (const connection of connections) turn(connection);
  });

/**
 * Sends at a constant rate. A request that waits for a connection counts from when it was due, so a slow server cannot
 * hide the wait.
 */
const pace = (job: Job, rate: number, connections: readonly Connection[], tally: Tally): Promise<number> =>
  new Promise((resolve) => {
    const begin = performance.now();
    const next = createSource(job, begin);
    const idle = [...connections];
    const waiting: { request: Buffer; due: number }[] = [];
    let due = begin;
    let sourceEnded = false;
    const endWhenIdle = () => {
      if (sourceEnded && idle.length === connections.length) resolve(performance.now() - begin);
    };
    const send = (connection: Connection, { request, due }: { request: Buffer; due: number }): void =>
      connection.send(request, (answer) => {
        tally.add(answer, performance.now() - due);
        const first = waiting.shift();
        if (first) send(connection, first);
        else idle.push(connection);
        endWhenIdle();
      });
    const tick = (): void => {
      for (; due <= performance.now(); due += 1000 / rate) {
        const request = next();
        if (!request) {
          sourceEnded = true;
          endWhenIdle();
          return;
        }
        const connection = idle.pop();
        if (connection) send(connection, { request, due });
        else waiting.push({ request, due });
      }
      setImmediate(tick); // a timer would be a millisecond late
    };
    tick();
  });

const run = async (job: Job): Promise<LoadOutcome> => {
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => {}); // it may reject before it is awaited
  const connections = await Promise.all(
    Array.from({ length: job.connections }, (_, index) => Connection.open(job.port, index, lost.reject)),
  );
  const tally = new Tally(job.expected);
  const work = job.rate === undefined ? saturate(job, connections, tally) : pace(job, job.rate, connections, tally);
  try {
    return tally.outcome(await Promise.race([work, lost.promise]));
  } finally {
    for (const connection of connections) connection.close();
  }
};

process.on('message', (job: Job) => {
  run(job).then(
    (outcome) => process.send?.(outcome),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
