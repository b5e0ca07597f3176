import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AnswerSource } from '../../platform/observe/requests.ts';
import type { Identify } from '../auth/identify.ts';
import type { CachedRead } from '../cache/cached-routes.ts';
import type { Obtain } from '../cache/obtain.ts';
import type { CachedAnswer, ResponseCache } from '../cache/response-cache.ts';
import type { Overload } from '../load/overload.ts';
import type { BudgetLimits } from '../rate-limit/limit.ts';
import { timeLeft, withTimeout } from '../request/deadline.ts';
import type { FindMatch, RouteMatch } from '../request/match.ts';
import { acceptsJson, type EncodedBody, negotiateCoding } from '../response/encoded-body.ts';
import type { RecordAnswer } from '../response/record.ts';
import { onClosed, sendCached } from '../response/reply.ts';

export interface PipelineParts {
  readonly match: FindMatch<CachedRead>;
  readonly cache: ResponseCache;
  readonly obtain: Obtain;
  readonly identify: Identify;
  readonly overload: Overload;
  readonly record: RecordAnswer;
  readonly publicUrl: string;
}

/** A cached answer in the requested coding. */
interface ReadyAnswer {
  readonly answer: CachedAnswer;
  readonly body: EncodedBody;
  readonly source: AnswerSource;
}

/** A request to an API. Its answer is ready, can be made for the cache, or comes from Express. */
interface PipelineRequest extends Pick<RouteMatch<CachedRead>, 'read'> {
  readonly policy: RouteMatch<CachedRead>;
  readonly ready: ReadyAnswer | undefined;
}

/** Rules for a request whose answer is ready: only its budget matters. */
const READY_READS: Readonly<Record<keyof BudgetLimits, RouteMatch<CachedRead>>> = {
  public: { access: 'public', limit: 'public' },
  history: { access: 'public', limit: 'history' },
  pages: { access: 'public', limit: 'pages' },
  badges: { access: 'public', limit: 'badges' },
};

const isCacheable = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') && acceptsJson(headers.accept);

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/**
 * The way of each request that the HTTP server admits:
 * 1. The response cache or the contracts find its rules.
 * 2. It gets a place within the concurrency limit, unless its answer is ready and it has no credential.
 * 3. An API request is counted once, and a page once more if it is charged extra and must be built. Express counts the
 *    rest by other budgets.
 * 4. The response cache or Express answers it. Express also answers earlier errors.
 */
export const createPipeline = (parts: PipelineParts, express: RequestListener): RequestListener => {
  const { match, cache, obtain, identify, overload, record, publicUrl } = parts;
  const { inFlight } = overload;

  const findReady = ({ headers }: IncomingMessage, key: string): ReadyAnswer | undefined => {
    const answer = cache.find(key);
    const body = answer?.bodies.get(negotiateCoding(headers, answer.plain.length, answer.contentType));
    return answer && body && { answer, body, source: 'ready' };
  };
  const makeReady = async (req: IncomingMessage, read: CachedRead): Promise<ReadyAnswer> => {
    const answer = await withTimeout(timeLeft(req.context), () => obtain(read, req));
    const body = await cache.encode(
      read.key,
      answer,
      negotiateCoding(req.headers, answer.plain.length, answer.contentType),
    );
    return { answer, body, source: 'made' };
  };
  const answerCached = (req: IncomingMessage, res: ServerResponse, { answer, body, source }: ReadyAnswer): void => {
    req.context.place?.giveUp();
    const { status: made, headers } = answer;
    const status = sendCached(res, { status: made, body, headers, ageSeconds: cache.readAge(answer) });
    record(req, { status, route: answer.route, source });
  };
  const passToExpress = (req: IncomingMessage, res: ServerResponse, fault?: unknown): void => {
    const { context } = req;
    context.fault = fault;
    if (context.place) onClosed(res, context.place.giveUp);
    express(req, res);
  };
  /** Counts an API request, and answers it from the cache if the cache has or can make the answer. */
  const serve = async (
    req: IncomingMessage,
    res: ServerResponse,
    { ready, read, policy }: PipelineRequest,
  ): Promise<void> => {
    const { budget } = await identify(req, policy);
    const cached = budget.allowed ? (ready ?? (read && (await makeReady(req, read)))) : undefined;
    if (cached) answerCached(req, res, cached);
    else passToExpress(req, res);
  };
  /** Returns whether a request that waits has to be refused. */
  const mustRefuse = (req: IncomingMessage, isRead: boolean): boolean =>
    inFlight.isFull() || (!isRead && hasBody(req) && inFlight.isFullOfBodies());

  return (req, res) => {
    const { context } = req;
    const { method, target } = context;
    const mayBeCached = isCacheable(req);
    const found = mayBeCached ? findReady(req, target) : undefined;
    const asked = found ? READY_READS[found.answer.limit] : match(method, target);
    const read = mayBeCached ? asked?.read : undefined;
    const ready = found ?? (read && read.key !== target ? findReady(req, read.key) : undefined);

    const waits = !ready || req.headers.authorization !== undefined;
    if (waits && !overload.isAlwaysAnswered(target)) {
      if (mustRefuse(req, read !== undefined)) {
        overload.refuse(req, res, publicUrl);
        return;
      }
      context.place = inFlight.take();
    }
    if (!asked) {
      passToExpress(req, res);
      return;
    }
    serve(req, res, { policy: asked, ready, read }).catch((fault) => passToExpress(req, res, fault));
  };
};
