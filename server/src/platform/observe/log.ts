import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type DestinationStream, type Logger, pino } from 'pino';
import { describeError } from './error-line.ts';
import type { TraceIds } from './traces.ts';

/** A request as the log shows it: neither the caller nor the data. */
interface RequestLine {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  readonly trace: TraceIds;
}

/**
 * Structured log, one JSON object per line. Secrets never reach it, because requests are logged by named fields only.
 */
export interface Log extends Logger {
  /** Writes the line of a request at level info, whatever the level of the log. Callers check that level once. */
  readonly request: (line: RequestLine) => void;
}

/**
 * Lines are written in groups, at the latest after 250 ms: one write per line would cost more than the rest of a cached
 * answer. The remaining lines are written when the process ends. If the reader is too slow, up to 16 MB of lines are
 * kept; further lines are lost.
 */
const TOGETHER = { sync: false, periodicFlush: 250, maxLength: 2 ** 24 } as const;
/**
 * Approximate number of bytes per write. If several processes share a pipe, only writes of up to 4096 bytes (PIPE_BUF)
 * stay whole.
 */
const AT_ONCE = {
  alone: { minLength: 12_288, maxWrite: 16_384 },
  shared: { minLength: 3072, maxWrite: 4096 },
} as const;
/** Bytes of one turn: the difference between `minLength` and `maxWrite` of a shared output. */
const MAX_TURN = 1024;

/**
 * Passes the lines of one turn of the event loop to the stream together, because each write scans the stream's whole
 * buffer.
 */
const inTurns = (stream: ReturnType<typeof pino.destination>) => {
  let lines = '';
  const pass = (): void => {
    if (lines === '') return;
    stream.write(lines);
    lines = '';
  };
  process.prependListener('exit', pass); // runs before the stream's own exit handler
  return {
    write: (line: string): void => {
      if (lines.length + line.length > MAX_TURN) pass();
      if (lines === '') setImmediate(pass);
      lines += line;
    },
    flush: (done: (error?: Error) => void): void => {
      pass();
      stream.flush(done);
    },
  };
};

/** Returns standard output, which this process has to itself or shares with others. */
export const standardOutput = (use: keyof typeof AT_ONCE): DestinationStream =>
  inTurns(pino.destination({ ...TOGETHER, ...AT_ONCE[use] }));

/** Returns the time field of a line. Lines of the same millisecond share one string. */
const createTimestamp = () => {
  let [last, text] = [0, ''];
  return (): string => {
    const now = Date.now();
    if (now !== last) [last, text] = [now, `,"time":"${new Date(now).toISOString()}"`];
    return text;
  };
};

/**
 * Writes the same line as pino in a third of the time, since every request has one. Ids and methods need no escaping.
 */
const createRequestLine = (fields: object, timestamp: () => string, out: DestinationStream): Log['request'] => {
  const own = JSON.stringify(fields).slice(1, -1);
  const head = `{"level":${pino.levels.values['info']}`;
  const middle = `${own && `,${own}`},"requestId":"`;
  const idsIn = ({ traceId, spanId }: TraceIds): string =>
    traceId === undefined ? '' : `,"traceId":"${traceId}","spanId":"${spanId}"`;
  return ({ requestId, method, path, status, ms, trace }) =>
    out.write(
      `${head}${timestamp()}${middle}${requestId}","method":"${method}","path":${JSON.stringify(path)},"status":${status},"ms":${ms}${idsIn(trace)},"msg":"request"}\n`,
    );
};

/** Creates the log of a process. Every line carries `fields`. */
export const createLog = (
  level: string,
  fields: object = {},
  out: DestinationStream = standardOutput('alone'),
): Log => {
  const timestamp = createTimestamp();
  const log = pino({ level, base: fields, timestamp, serializers: { err: describeError } }, out);
  return Object.assign(log, { request: createRequestLine(fields, timestamp, out) });
};

const PATIENCE_MS = 2000;

/**
 * Writes the buffered lines and waits until they are written, since the end of the process would cut them off. Waits
 * two seconds at most: the process that reads the log may have stopped.
 */
export const flushLog = async (log: Log): Promise<void> => {
  const flushed = promisify(log.flush.bind(log))().catch(() => {}); // fails if the reader has gone
  await Promise.race([flushed, sleep(PATIENCE_MS, undefined, { ref: false })]);
};
