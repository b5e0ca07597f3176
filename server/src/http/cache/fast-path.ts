import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AnswerSource } from '../../platform/observe/requests.ts';
import type { Caller, Identify } from '../auth/identify.ts';
import type { Overload } from '../load/overload.ts';
import { inTime } from '../request/deadline.ts';
import { acceptsJson, type Coding, codingFor, type EncodedBody, isKnown } from '../response/encoded-body.ts';
import { API_HEADERS } from '../response/headers.ts';
import type { RecordAnswer } from '../response/record.ts';
import type { CachedRead, FindRead } from './cached-routes.ts';
import type { CachedAnswer, ResponseCache } from './response-cache.ts';

export interface FastPathParts {
  readonly cache: ResponseCache;
  readonly findRead: FindRead;
  readonly identify: Identify;
  readonly record: RecordAnswer;
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

/** Headers of a body, put together once. */
const heads = new WeakMap<EncodedBody, Heads>();
const headsOf = (body: EncodedBody, answer: CachedAnswer): Heads => {
  const ready = heads.get(body);
  if (ready) return ready;
  const notModified = flat({
    ...API_HEADERS,
    Vary: 'Accept-Encoding',
    ...answer.headers,
    ETag: body.etag,
  });
  const made = { notModified, whole: [...notModified, ...flat(body.headers)] };
  heads.set(body, made);
  return made;
};

/** Whether a request may ask for what everybody gets. */
const isPlain = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') && acceptsJson(headers.accept);

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

const codingOf = ({ headers }: IncomingMessage, answer: CachedAnswer): Coding =>
  codingFor(headers['accept-encoding'] as string | undefined, answer.plain.length);

/** An answer in the coding that is asked for. */
interface Ready {
  readonly answer: CachedAnswer;
  readonly body: EncodedBody;
}

/** Hands a request to Express as far as there is room, for a body that has to be waited for, too. */
const bounded =
  (express: RequestListener, { inFlight, isAlwaysAnswered, refuse }: Overload, publicUrl: string): RequestListener =>
  (req, res) => {
    if (isAlwaysAnswered(req.context.target)) express(req, res);
    else if (inFlight.isFull() || (hasBody(req) && inFlight.isFullOfBodies())) refuse(res, publicUrl);
    else {
      inFlight.hold(res);
      express(req, res);
    }
  };

/**
 * The fast path: public reads are answered from the response cache, behind the same limiter, without Express. What is ready is answered
 * also where there is no room for more work. Everything else goes to Express, and so does whatever goes wrong: it words the problems.
 */
export const createFastPath = (
  { cache, findRead, identify, record, overload, publicUrl }: FastPathParts,
  express: RequestListener,
): RequestListener => {
  const toExpress = bounded(express, overload, publicUrl);
  const write = (
    req: IncomingMessage,
    res: ServerResponse,
    { answer, body }: Ready,
    { budget }: Caller,
    source: AnswerSource,
  ): void => {
    const { whole, notModified } = headsOf(body, answer);
    const own = flat(budget.headers);
    own.push('X-Request-Id', req.context.id);
    const age = cache.ageOf(answer);
    if (age > 0) own.push('Age', String(age));
    if (isKnown(req.headers['if-none-match'], body.etag)) {
      res.writeHead(304, notModified.concat(own));
      res.end();
    } else {
      res.writeHead(200, whole.concat(own));
      res.end(req.method === 'HEAD' ? undefined : body.bytes);
    }
    record(req, { status: res.statusCode, route: answer.route, source });
  };

  /** Answers what has to be made, or compressed, first, and tells its end. */
  const make = async (
    req: IncomingMessage,
    res: ServerResponse,
    { key, obtain }: CachedRead,
    caller: Caller,
    end: (() => void) | undefined,
  ): Promise<void> => {
    try {
      const answer = await inTime(obtain(), req.context.start);
      const body = await cache.encode(key, answer, codingOf(req, answer));
      write(req, res, { answer, body }, caller, 'made');
    } catch (fault) {
      req.context.fault = fault;
      express(req, res);
    } finally {
      end?.();
    }
  };

  /** What a target asks for, ready or to be made; undefined where Express has to look. */
  const find = (req: IncomingMessage): Ready | CachedRead | undefined => {
    const { target } = req.context;
    const encoded = (answer: CachedAnswer | undefined): Ready | undefined => {
      const body = answer?.bodies.get(codingOf(req, answer));
      return answer && body && { answer, body };
    };
    const found = encoded(cache.find(target));
    if (found) return found;
    const read = findRead(target);
    return read && ((read.key === target ? undefined : encoded(cache.find(read.key))) ?? read);
  };

  return (req, res) => {
    const found = isPlain(req) ? find(req) : undefined;
    if (!found) {
      toExpress(req, res);
      return;
    }
    const waits = !('body' in found) || req.headers.authorization !== undefined;
    if (waits && overload.inFlight.isFull()) {
      overload.refuse(res, publicUrl); // before it is counted
      return;
    }
    const end = waits ? overload.inFlight.begin() : undefined; // what waits for the limiter takes room, too
    identify(req, true).then(
      (caller) => {
        if (!caller.budget.allowed) {
          end?.();
          express(req, res);
        } else if ('body' in found) {
          end?.();
          write(req, res, found, caller, 'ready');
        } else make(req, res, found, caller, end);
      },
      () => {
        end?.();
        toExpress(req, res);
      },
    );
  };
};
