import type { IncomingMessage } from 'node:http';
import type { Log } from '../../platform/observe/log.ts';
import { type AnswerSource, countRequest } from '../../platform/observe/requests.ts';
import { nameSpan, traceIdsOf } from '../../platform/observe/traces.ts';

/** What is longer is no address of ours, and would make a line that several processes cannot write whole to one pipe. */
const MAX_PATH = 1024;

const pathOf = (target: string): string => {
  const end = target.indexOf('?');
  const path = end < 0 ? target : target.slice(0, end);
  return path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path;
};

/** What came of a request. */
export interface Outcome {
  readonly status: number;
  /** Template of the route. */
  readonly route: string;
  readonly source: AnswerSource;
}

/** Makes the function that counts an answer, names its span and logs it: the one way for all that is answered. */
export const createRecord = (log: Log) => {
  const logs = log.isLevelEnabled('info');
  return (req: IncomingMessage, { status, route, source }: Outcome): void => {
    const { id: requestId, start, method, target } = req.context;
    const took = performance.now() - start;
    countRequest(method, route, status, source, took);
    nameSpan(req, method, route);
    if (!logs) return;
    const ms = Math.round(took * 10) / 10;
    log.request({ requestId, method, path: pathOf(target), status, ms, trace: traceIdsOf(req) });
  };
};
export type RecordAnswer = ReturnType<typeof createRecord>;
