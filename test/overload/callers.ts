/** Callers in their own process, which runs one job at a time by message. */
import { setPriority } from 'node:os';
import { CallerConnection, type ConnectionEvents } from './line.ts';
import { createTally, type TallyResult } from './tally.ts';

export interface CallerLoad {
  readonly port: number;
  /** Requested in turn. */
  readonly paths: readonly string[];
  readonly seconds: number;
  /** True if callers keep their connections, false if they use a new one for each request. */
  readonly connections: 'kept' | 'new';
  /**
   * Either requests per second, whatever the server does: each is sent when due, on a free connection or else a new
   * one, as many independent callers would. Or a number of callers that each wait for an answer before the next
   * request.
   */
  readonly from: { readonly perSecond: number } | { readonly waiting: number };
}

export interface LoadResult extends TallyResult {
  readonly sent: number;
  /** Until the last answer arrived. */
  readonly seconds: number;
  /** Connections that ended without an answer. */
  readonly lost: number;
  /** Highest number of simultaneously open connections. */
  readonly connections: number;
}

/** More connections than needed if every answer arrives within two seconds, but fewer than the server accepts. */
const MOST = 3500;
/** Time after which a waiting caller retries a refused request. */
const BACK_MS = 100;
/**
 * The server closes a connection that is idle for ten seconds. Older idle connections are not used, because they may be
 * closing.
 */
const KEPT_MS = 8000;
/** Every tick sends the requests that are due. */
const TICK_MS = 1;

/** Raises the priority of this process, so that it does not wait for a processor, as if it ran on another machine. */
const preferThis = (): void => {
  try {
    setPriority(-10);
  } catch {} // not allowed; the delay is measured
};

const encode = ({ paths, connections }: CallerLoad): Buffer[] => {
  const close = connections === 'new' ? 'Connection: close\r\n' : '';
  return paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${close}\r\n`));
};

const run = (load: CallerLoad): Promise<LoadResult> =>
  new Promise((resolve) => {
    const { port, seconds, from } = load;
    const requests = encode(load);
    const tally = createTally();
    const [idle, open, waiting] = [[] as CallerConnection[], new Set<CallerConnection>(), [] as number[]];
    const begin = performance.now();
    const end = begin + seconds * 1000;
    let [sent, pending, lost, most, opened] = [0, 0, 0, 0, 0];
    let [due, isOver] = [begin, false];

    const finish = (): void => {
      for (const line of open) line.destroy();
      const took = (performance.now() - begin) / 1000;
      resolve({ ...tally.tallied(), sent, seconds: took, lost, connections: most });
    };
    const send = (line: CallerConnection, at: number): void =>
      line.send(requests[sent++ % requests.length] as Buffer, at);
    const dial = (at: number): void => {
      // Spreads connections over addresses, so that none exhausts its budget.
      const line = new CallerConnection(port, `127.0.2.${1 + (opened++ % 250)}`, { answered, closed });
      open.add(line);
      most = Math.max(most, open.size);
      send(line, at);
    };
    const ask = (at: number): void => {
      pending++;
      const line = idle.pop();
      if (line && at - line.freeSince < KEPT_MS) send(line, at);
      else if (open.size < MOST) dial(at);
      else waiting.push(at);
    };
    const endIfOver = (): void => {
      if (isOver && pending === 0) finish();
    };
    const again = (): void => {
      if (performance.now() < end) ask(performance.now());
      else isOver = true;
      endIfOver();
    };
    const settle = (wasRefused: boolean): void => {
      pending--;
      if ('perSecond' in from) endIfOver();
      else if (wasRefused) setTimeout(again, BACK_MS);
      else again();
    };
    const free = (line: CallerConnection): void => {
      const next = waiting.shift();
      if (next === undefined) idle.push(line);
      else send(line, next);
    };
    const answered: ConnectionEvents['answered'] = (line, head, call) => {
      const status = head.slice(9, 12);
      tally.add(status, head, call);
      if (!/\r\nconnection: close/i.test(head)) free(line);
      settle(status !== '200');
    };
    const closed = (line: CallerConnection): void => {
      open.delete(line);
      const place = idle.indexOf(line);
      if (place >= 0) idle.splice(place, 1);
      const next = waiting.shift();
      if (next !== undefined) dial(next);
      if (!line.call) return;
      lost++;
      settle(true);
    };
    const tick = (perSecond: number): void => {
      for (; due <= performance.now(); due += 1000 / perSecond) {
        if (due > end) {
          isOver = true;
          endIfOver();
          return;
        }
        ask(due);
      }
      setTimeout(tick, TICK_MS, perSecond);
    };
    if ('perSecond' in from) tick(from.perSecond);
    else for (let n = 0; n < from.waiting; n++) ask(begin);
  });

preferThis();
process.on('message', (load: CallerLoad) => {
  run(load).then((loaded) => process.send?.(loaded));
});
