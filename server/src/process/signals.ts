import cluster from 'node:cluster';

/** What a primary tells its workers. */
export interface StopMessage {
  readonly stop: NodeJS.Signals;
}

const isStop = (message: unknown): message is StopMessage =>
  typeof message === 'object' && message !== null && 'stop' in message;

/** The first signal drains, the second ends at once. SIGINT comes from a person: no probe period. */
const ownSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    let first = true;
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.on(signal, () => {
        if (!first) process.exit(1);
        first = false;
        resolve(signal);
      });
  });

/** A terminal sends SIGINT to every process: a worker waits for its primary's word. SIGTERM to a worker recycles it alone. */
const workerSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    process.on('SIGINT', () => {});
    process.on('SIGTERM', resolve);
    process.on('message', (message) => {
      if (isStop(message)) resolve(message.stop);
    });
  });

export const nextSignal = (): Promise<NodeJS.Signals> => (cluster.isWorker ? workerSignal() : ownSignal());

/** A signal came before the service was ready. */
export class StoppedEarly extends Error {}

/** Ends a start that hangs. */
export const stoppedEarly = async (signal: Promise<NodeJS.Signals>): Promise<never> => {
  throw new StoppedEarly(await signal);
};
