import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { TraceIds } from './traces.ts';

/** A request as the log shows it: what was asked, not by whom or with what. */
interface RequestLine {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  readonly trace: TraceIds;
}

/** Structured log, one JSON object per line. Secrets never reach it: requests are logged by named fields only. */
export interface Log extends Logger {
  /** Writes the line of a request, at level info, whatever the level of the log: ask that once. */
  readonly request: (line: RequestLine) => void;
}

/**
 * Lines are written together, at the latest after this time: a write for each costs more than all else of a request that has its
 * answer ready. What is left is written when the process ends. Lines that nobody takes are kept up to 16 MB; then new ones are lost.
 */
const TOGETHER = { sync: false, periodicFlush: 250, maxLength: 2 ** 24 } as const;
/** Bytes at once, about. Of several processes that write to one pipe, writes of up to 4096 (PIPE_BUF) stay whole. */
const AT_ONCE = {
  alone: { minLength: 12_288, maxWrite: 16_384 },
  shared: { minLength: 3072, maxWrite: 4096 },
} as const;
/** Fits into the room that is left of the smaller of them. */
const MAX_TURN = 1024;

/** Lines of one turn of the event loop go on together: the stream looks through all it holds whenever it gets more. */
const inTurns = (stream: ReturnType<typeof pino.destination>) => {
  let lines = '';
  const pass = (): void => {
    if (lines === '') return;
    stream.write(lines);
    lines = '';
  };
  process.prependListener('exit', pass); // before the stream writes what it holds
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

/** Standard output, on which this process writes alone or others too. */
export const standardOutput = (use: keyof typeof AT_ONCE): DestinationStream =>
  inTurns(pino.destination({ ...TOGETHER, ...AT_ONCE[use] }));

/** Many lines are of the same millisecond. */
const createTimestamp = () => {
  let [last, text] = [0, ''];
  return (): string => {
    const now = Date.now();
    if (now !== last) [last, text] = [now, `,"time":"${new Date(now).toISOString()}"`];
    return text;
  };
};

/** The same line as pino makes, for a third of the time: there is one for each request. Ids and methods have nothing to escape. */
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

/** The log of a process, with these fields in every line. */
export const createLog = (
  level: string,
  fields: object = {},
  out: DestinationStream = standardOutput('alone'),
): Log => {
  const timestamp = createTimestamp();
  const log = pino({ level, base: fields, timestamp }, out);
  return Object.assign(log, { request: createRequestLine(fields, timestamp, out) });
};

const PATIENCE_MS = 2000;

/**
 * Waits until no write is under way, which the end of the process would cut off; it writes what is held. Not for long: whoever reads
 * the lines may have stopped.
 */
export const written = async (log: Log): Promise<void> => {
  const flushed = promisify(log.flush.bind(log))().catch(() => {}); // the reader has gone
  await Promise.race([flushed, sleep(PATIENCE_MS, undefined, { ref: false })]);
};
