import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Log } from '../observe/log.ts';
import { type AnswerSource, countRequest } from '../observe/requests.ts';
import { nameSpan } from '../observe/traces.ts';
import { logRequest, requestIdOf, SECURITY_HEADERS } from './begin.ts';
import { CORS_HEADERS } from './cors.ts';
import { inTime } from './deadline.ts';
import { acceptsJson, type Coding, codingFor, type Form, isKnown } from './forms.ts';
import type { Identify } from './identify.ts';
import { type Caller, keepOutcome } from './outcomes.ts';
import type { Overload } from './overload.ts';
import type { Answer, Prepared } from './prepared.ts';
import type { FindRead, Read } from './preparing.ts';

export interface ShortRoadParts {
  readonly prepared: Prepared;
  readonly findRead: FindRead;
  readonly identify: Identify;
  readonly log: Log;
  readonly overload: Overload;
  readonly publicUrl: string;
}

/** Headers as `writeHead` takes them fastest: names and values in turn. */
const flat = (headers: Readonly<Record<string, string>>): string[] => {
  const list: string[] = [];
  for (const name in headers) list.push(name, headers[name] as string);
  return list;
};

interface Heads {
  readonly whole: readonly string[];
  readonly notModified: readonly string[];
}

/** Headers of a form, put together once. */
const heads = new WeakMap<Form, Heads>();
const headsOf = (form: Form, answer: Answer): Heads => {
  const ready = heads.get(form);
  if (ready) return ready;
  const notModified = flat({
    ...SECURITY_HEADERS,
    ...CORS_HEADERS,
    Vary: 'Accept-Encoding',
    ...answer.headers,
    ETag: form.etag,
  });
  const made = { notModified, whole: [...notModified, ...flat(form.headers)] };
  heads.set(form, made);
  return made;
};

/** Whether a request may ask for what everybody gets. */
const isPlain = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') && acceptsJson(headers.accept);

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

const codingOf = ({ headers }: IncomingMessage, answer: Answer): Coding =>
  codingFor(headers['accept-encoding'] as string | undefined, answer.plain.length);

/** What a target asks for: ready in the coding that is asked for, or how it is made. */
type Found = Read | { readonly answer: Answer; readonly form: Form };

/** Express. `start` is when the request came, by the clock of `performance`. */
export type LongWay = (req: IncomingMessage, res: ServerResponse, start: number) => void;

/** As far as there is room, for a body that has to be waited for, too. */
const bounded =
  (express: LongWay, { inFlight, isAlwaysAnswered, refuse }: Overload, publicUrl: string): LongWay =>
  (req, res, start) => {
    if (isAlwaysAnswered(req.url as string)) express(req, res, start);
    else if (inFlight.isFull() || (hasBody(req) && inFlight.isFullOfBodies())) refuse(res, publicUrl);
    else {
      inFlight.hold(res);
      express(req, res, start);
    }
  };

/**
 * The short road: what everybody may read is answered behind the limiter without Express, ready or not; what is ready, also where
 * there is no room for more work. Whatever is not that plain, and whatever goes wrong, goes the long way, which does the same and
 * words the problems.
 */
export const takeShortRoad = (
  { prepared, findRead, identify, log, overload, publicUrl }: ShortRoadParts,
  express: LongWay,
): RequestListener => {
  const longWay = bounded(express, overload, publicUrl);
  const logs = log.isLevelEnabled('info');
  const write = (
    req: IncomingMessage,
    res: ServerResponse,
    answer: Answer,
    form: Form,
    { budget }: Caller,
    start: number,
    source: AnswerSource,
  ): void => {
    const requestId = requestIdOf(req);
    const { whole, notModified } = headsOf(form, answer);
    const own = flat(budget.headers);
    own.push('X-Request-Id', requestId);
    const age = prepared.ageOf(answer);
    if (age > 0) own.push('Age', String(age));
    if (isKnown(req.headers['if-none-match'], form.etag)) {
      res.writeHead(304, notModified.concat(own));
      res.end();
    } else {
      res.writeHead(200, whole.concat(own));
      res.end(req.method === 'HEAD' ? undefined : form.bytes);
    }
    const method = req.method as string;
    const ms = performance.now() - start;
    countRequest(method, answer.route, res.statusCode, source, ms);
    nameSpan(req, method, answer.route);
    if (logs) logRequest(log, req, res, requestId, ms);
  };

  /** Answers what has to be made, or compressed, first, and tells its end. */
  const make = async (
    req: IncomingMessage,
    res: ServerResponse,
    { key, obtain }: Read,
    caller: Caller,
    start: number,
    end: (() => void) | undefined,
  ): Promise<void> => {
    try {
      const answer = await inTime(obtain(), start);
      write(req, res, answer, await prepared.formOf(key, answer, codingOf(req, answer)), caller, start, 'made');
    } catch (fault) {
      keepOutcome(req, { caller, fault });
      express(req, res, start);
    } finally {
      end?.();
    }
  };

  /** What a target asks for, ready or to be made; undefined where the Express pipeline has to look. */
  const find = (req: IncomingMessage): Found | undefined => {
    const target = req.url as string;
    const inForm = (answer: Answer | undefined): Found | undefined => {
      const form = answer?.forms.get(codingOf(req, answer));
      return answer && form && { answer, form };
    };
    const found = inForm(prepared.find(target));
    if (found) return found;
    const read = findRead(target);
    return read && ((read.key === target ? undefined : inForm(prepared.find(read.key))) ?? read);
  };

  return (req, res) => {
    const start = performance.now();
    const found = isPlain(req) ? find(req) : undefined;
    if (!found) {
      longWay(req, res, start);
      return;
    }
    const waits = !('form' in found) || req.headers.authorization !== undefined;
    if (waits && overload.inFlight.isFull()) {
      overload.refuse(res, publicUrl); // before it is counted
      return;
    }
    const end = waits ? overload.inFlight.begin() : undefined; // what waits for the limiter takes room, too
    identify(req, true).then(
      (caller) => {
        if (!caller.budget.allowed) {
          end?.();
          keepOutcome(req, { caller });
          express(req, res, start);
        } else if ('form' in found) {
          end?.();
          write(req, res, found.answer, found.form, caller, start, 'ready');
        } else make(req, res, found, caller, start, end);
      },
      () => {
        end?.();
        longWay(req, res, start);
      },
    );
  };
};
