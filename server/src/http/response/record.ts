import type { IncomingMessage } from 'node:http';
import type { Log } from '../../platform/observe/log.ts';
import type { AnswerSource, CountRequest } from '../../platform/observe/requests.ts';
import { findTraceIds, nameSpan } from '../../platform/observe/traces.ts';

/**
 * Maximum length of a logged path: no address of ours is longer. A longer log line could be mixed with those of other
 * workers.
 */
const MAX_PATH = 1024;

const truncatePath = (target: string): string => {
  const end = target.indexOf('?');
  const path = end < 0 ? target : target.slice(0, end);
  return path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path;
};

/** Returns the part of a template before its parameter. */
const cutAtParameter = (template: string): string => template.split(':', 1)[0] ?? template;

/** Summary of an answer. */
export interface ResponseSummary {
  readonly status: number;
  /** Template of the route. */
  readonly route: string;
  readonly source: AnswerSource;
}

/**
 * Returns the function that counts each answer, names its span and logs it.
 * @param secretRoutes templates whose parameter or query is a secret: log and span show the template in place of a path
 *   that begins like one
 */
export const createRecord = (log: Log, countRequest: CountRequest, secretRoutes: readonly string[] = []) => {
  const isLogged = log.isLevelEnabled('info');
  const findSecretRoute = (target: string): string | undefined => {
    const path = target.toLowerCase();
    return secretRoutes.find((template) => path.startsWith(cutAtParameter(template)));
  };
  return (req: IncomingMessage, { status, route, source }: ResponseSummary): void => {
    const { id: requestId, start, method, target, waitedMs = 0 } = req.context;
    const ms = performance.now() - start - waitedMs;
    countRequest({ method, route, status, source, ms });
    nameSpan(req, method, route, () => findSecretRoute(target));
    if (!isLogged) return;
    const rounded = Math.round(ms * 10) / 10;
    log.request({
      requestId,
      method,
      path: findSecretRoute(target) ?? truncatePath(target),
      status,
      ms: rounded,
      trace: findTraceIds(req),
    });
  };
};
export type RecordAnswer = ReturnType<typeof createRecord>;
