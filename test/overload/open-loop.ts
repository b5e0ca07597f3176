/**
 * A load that does not wait for answers: a process of its own, one job at a time by message. Requests are sent when they are due, on
 * a connection that is free, else on a new one, as many callers would.
 */
import { connect, type Socket } from 'node:net';
import { parseAnswer } from '../bench/wire.ts';

export interface Flood {
  readonly port: number;
  /** Asked for in turn. */
  readonly paths: readonly string[];
  readonly perSecond: number;
  readonly seconds: number;
  /** Open at once; a request that finds all of them busy waits, and its time counts from when it was due. */
  readonly connections: number;
}

/** Answers of one status, in milliseconds from when the request was due. */
export interface Answers {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly worst: number;
}

export interface Flooded {
  readonly sent: number;
  readonly seconds: number;
  readonly byStatus: Readonly<Record<string, Answers>>;
  /** Refusals that do not say when to come back. */
  readonly withoutRetryAfter: number;
  /** Connections that ended without an answer. */
  readonly lost: number;
  readonly connections: number;
}

interface Line {
  readonly socket: Socket;
  bytes: Buffer | undefined;
  due: number;
}

const summed = (times: readonly number[]): Answers => {
  const sorted = Float64Array.from(times).sort();
  const at = (q: number) => Math.round(sorted[Math.ceil(sorted.length * q) - 1] ?? Number.NaN);
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), worst: at(1) };
};

const flood = ({ port, paths, perSecond, seconds, connections }: Flood): Promise<Flooded> =>
  new Promise((resolve) => {
    const requests = paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`));
    const times = new Map<string, number[]>();
    const idle: Line[] = [];
    const waiting: number[] = [];
    const open = new Set<Line>();
    const begin = performance.now();
    let [sent, lost, withoutRetryAfter, most, pending] = [0, 0, 0, 0, 0];
    let [due, isOver] = [begin, false];

    const endWhenAnswered = (): void => {
      if (!isOver || pending > 0) return;
      isOver = false;
      for (const { socket } of open) socket.destroy();
      const byStatus = Object.fromEntries([...times].map(([status, all]) => [status, summed(all)]));
      const took = (performance.now() - begin) / 1000;
      resolve({ sent, seconds: took, byStatus, withoutRetryAfter, lost, connections: most });
    };
    const settle = (): void => {
      pending--;
      endWhenAnswered();
    };
    const send = (line: Line, at: number): void => {
      line.due = at;
      line.socket.write(requests[sent++ % requests.length] as Buffer);
    };
    const free = (line: Line): void => {
      const next = waiting.shift();
      if (next === undefined) idle.push(line);
      else send(line, next);
    };
    const read = (line: Line, chunk: Buffer): void => {
      line.bytes = line.bytes ? Buffer.concat([line.bytes, chunk]) : chunk;
      const answer = parseAnswer(line.bytes);
      if (!answer) return;
      const status = String(answer.status);
      const head = line.bytes.toString('latin1', 0, answer.end - answer.size);
      if (status === '503' && !/\r\nretry-after: [1-9]/i.test(head)) withoutRetryAfter++;
      line.bytes = undefined;
      const spent = performance.now() - line.due;
      line.due = 0;
      times.set(status, times.get(status) ?? []);
      times.get(status)?.push(spent);
      if (!/\r\nconnection: close/i.test(head)) free(line);
      settle();
    };
    const dial = (at: number): void => {
      const socket = connect({
        port,
        host: '127.0.0.1',
        localAddress: `127.0.2.${1 + (open.size % 250)}`,
        noDelay: true,
      });
      const line: Line = { socket, bytes: undefined, due: 0 };
      open.add(line);
      most = Math.max(most, open.size);
      send(line, at);
      socket.on('data', (chunk: Buffer) => read(line, chunk));
      socket.on('error', () => {});
      socket.once('close', () => {
        open.delete(line);
        const place = idle.indexOf(line);
        if (place >= 0) idle.splice(place, 1);
        if (line.due === 0) return;
        lost++;
        settle();
      });
    };
    const tick = (): void => {
      for (; due <= performance.now(); due += 1000 / perSecond) {
        if (due > begin + seconds * 1000) {
          isOver = true;
          endWhenAnswered();
          return;
        }
        pending++;
        const line = idle.pop();
        if (line) send(line, due);
        else if (open.size < connections) dial(due);
        else waiting.push(due);
      }
      setTimeout(tick, 2);
    };
    tick();
  });

process.on('message', (job: Flood) => {
  flood(job).then((flooded) => process.send?.(flooded));
});
