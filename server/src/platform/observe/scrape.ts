import cluster, { type Worker } from 'node:cluster';
import { Registry } from '@prometheus-io/client';
import { shareRead } from '../shared.ts';
import type { Metrics } from './metrics.ts';

type MetricsJson = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/**
 * `all`: a worker asks the primary for the metrics of all processes, as text. `own`: the primary asks a worker for its
 * own metrics.
 */
type Message =
  | { readonly scrape: 'all'; readonly id: number; readonly text?: string }
  | { readonly scrape: 'own'; readonly id: number; readonly metrics?: MetricsJson };

/** Time to wait for a worker. A worker whose database hangs needs a second; a worker that hangs itself is left out. */
const WORKER_MS = 2500;
/** Time to wait for the primary: longer than the primary waits for a worker. */
const PRIMARY_MS = 4000;

const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'scrape' in message;

/** Matches answers to questions by id. A question resolves to undefined if no answer comes in time. */
const createQuestions = <T>(patienceMs: number) => {
  const open = new Map<number, (answer: T | undefined) => void>();
  let last = 0;
  return {
    ask: (send: (id: number) => void): Promise<T | undefined> =>
      new Promise((resolve) => {
        const id = ++last;
        const timer = setTimeout(() => settle(undefined), patienceMs);
        const settle = (answer: T | undefined): void => {
          clearTimeout(timer);
          open.delete(id);
          resolve(answer);
        };
        open.set(id, settle);
        send(id);
      }),
    answer: (id: number, answer: T | undefined): void => open.get(id)?.(answer),
  };
};

/**
 * Handles the messages of the primary in a worker. Returns the function that reads the metrics of all processes as
 * text, or those of this worker if the primary does not answer.
 */
export const reportMetrics = (metrics: Metrics): (() => Promise<string>) => {
  const texts = createQuestions<string>(PRIMARY_MS);
  process.on('message', async (message: unknown) => {
    if (!isMessage(message)) return;
    if (message.scrape === 'all') texts.answer(message.id, message.text);
    else process.send?.({ ...message, metrics: await metrics.registry.getMetricsAsJSON() } satisfies Message);
  });
  const askPrimary = (): Promise<string | undefined> =>
    texts.ask((id) => process.send?.({ scrape: 'all', id } satisfies Message));
  return shareRead(async () => (await askPrimary()) ?? metrics.read());
};

const watchWorkers = (metrics: Metrics, wanted: number, answering: () => number): void => {
  metrics.gauge('broker_rating_workers', 'Processes that are to answer requests (WORKERS).', () => wanted);
  metrics.gauge('broker_rating_workers_answering', 'Workers that reported their metrics in time.', answering);
  const ended = metrics.counter('broker_rating_worker_exits_total', 'Workers that ended; each is replaced.')({});
  cluster.on('exit', ended);
};

/**
 * Collects the primary's metrics and those of `wanted` workers, in the primary. The label `worker` tells them apart.
 */
export const gatherMetrics = (metrics: Metrics, wanted: number): void => {
  const questions = createQuestions<MetricsJson>(WORKER_MS);
  let answering = 0;
  const askWorker = (worker: Worker): Promise<MetricsJson | undefined> =>
    questions.ask((id) => worker.send({ scrape: 'own', id } satisfies Message, () => {}));
  const read = shareRead(async (): Promise<string> => {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const told = (await Promise.all(workers.map(askWorker))).filter((one) => one !== undefined);
    answering = told.length;
    const all = [await metrics.registry.getMetricsAsJSON(), ...told];
    // no two samples have the same labels, so none are added up or lost
    const apart = all.map((one) => one.map((metric) => ({ ...metric, aggregator: 'first' })));
    return Registry.aggregate(apart).metrics();
  });
  watchWorkers(metrics, wanted, () => answering);
  cluster.on('message', async (worker, message: unknown) => {
    if (!isMessage(message)) return;
    if (message.scrape === 'own') questions.answer(message.id, message.metrics);
    else worker.send({ ...message, text: await read() } satisfies Message, () => {});
  });
};
