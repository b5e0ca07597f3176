import type { ServerResponse } from 'node:http';
import { PLANS } from '@broker-transparency/contract/enterprise';
import type { Request } from 'express';
import pLimit from 'p-limit';
import { createAuthProblem } from '../../http/auth/access.ts';
import { ProblemError } from '../../http/problem/problem.ts';
import { withTimeout } from '../../http/request/deadline.ts';
import { isAnswered, keepAlive, onClosed } from '../../http/response/reply.ts';
import type { Db } from '../../platform/mongo.ts';
import { type Customer, requireCustomer } from '../access/customer.ts';
import type { LongPolls, WaitingPlace } from './long-polls.ts';
import { type FeedPage, type FeedQuery, readPage } from './page.ts';

/** Interval between blanks, which keep the connection alive. */
const BLANK_MS = 5000;
/** Time for a page after the wait. */
const READ_MS = 1500;
/** Maximum pages built at once for waiting requests. */
const AT_ONCE = 8;

/** Returns true if a page should be answered: it has entries, or the next page may have some. */
export const hasAnswer = ({ count, through, size }: FeedPage): boolean => count > 0 || through < size - 1;

/** Builds pages for waiting requests. Concurrent requests for the same page share it. */
const createSharedRead = (db: Db) => {
  const inTurn = pLimit(AT_ONCE);
  const running = new Map<string, Promise<FeedPage>>();
  return (asked: FeedQuery): Promise<FeedPage> => {
    const key = JSON.stringify(asked);
    const page = running.get(key) ?? inTurn(() => withTimeout(READ_MS, () => readPage(db, asked)));
    running.set(key, page);
    const forget = () => running.delete(key);
    page.then(forget, forget);
    return page;
  };
};

const takeWaitingPlace = (longPolls: LongPolls, req: PollExchange['req']): WaitingPlace => {
  const { organisation, plan } = requireCustomer(req);
  const most = PLANS[plan].longPolls;
  const place = longPolls.take(organisation, most);
  if (place === 'organisation')
    throw new ProblemError('rate_limited', `Your organisation may wait with ${most} requests at a time.`, {
      headers: { 'Retry-After': '1' },
    });
  if (place === 'process')
    throw new ProblemError('unavailable', 'Too many requests wait already. Ask without "wait".', {
      headers: { 'Retry-After': '5' },
    });
  return place;
};

/** A waiting request and its answer. */
interface PollExchange {
  readonly req: Pick<Request, 'context' | 'headers' | 'ip'>;
  readonly res: ServerResponse;
}

interface PendingPoll extends PollExchange {
  readonly place: WaitingPlace;
  readonly asked: FeedQuery;
  readonly untilMs: number;
}

/** Finds the customer of a request. Throws a ProblemError if the request is not allowed. */
export type Authenticate = (req: PollExchange['req'], address: string) => Promise<Pick<Customer, 'scopes'>>;

/** Checks the access again: a key can be revoked, or lose a scope, while its request waits. */
const recheckAccess = async (
  authenticate: Authenticate,
  req: PollExchange['req'],
  asked: FeedQuery,
): Promise<FeedQuery> => {
  const { scopes } = await authenticate(req, req.ip ?? '');
  if (!scopes.includes('record:read'))
    throw createAuthProblem('invalid_token', 'The key has lost the scope "record:read".');
  return { ...asked, withTexts: scopes.includes('texts:read') };
};

/** Lets requests wait for entries. */
export const createPollWait = (db: Db, longPolls: LongPolls, authenticate: Authenticate) => {
  const read = createSharedRead(db);
  /** Reads the page again. If that fails after the answer has begun, returns the page before, which has no entries. */
  const readAgain = async ({ req, res, asked }: PendingPoll, before: FeedPage): Promise<FeedPage> => {
    try {
      return await read(await recheckAccess(authenticate, req, asked));
    } catch (error) {
      if (isAnswered(res)) return before;
      throw error;
    }
  };
  const waitForAnswer = async (waiting: PendingPoll, first: FeedPage): Promise<FeedPage> => {
    const { place, untilMs } = waiting;
    for (let page = first; ; ) {
      const isGrown = await place.untilGrown(page.size, untilMs - performance.now());
      const isLate = performance.now() >= untilMs;
      if (!isGrown && !isLate) return page; // the process ends, or the caller has left
      const next = await readAgain(waiting, page);
      if (isLate || next === page || hasAnswer(next)) return next;
      page = next;
    }
  };
  /**
   * Waits until a page should be answered, for `seconds` at most, or until the process ends. A waiting request counts
   * neither against its deadline nor as being processed.
   */
  return async ({ req, res }: PollExchange, asked: FeedQuery, first: FeedPage, seconds: number): Promise<FeedPage> => {
    const place = takeWaitingPlace(longPolls, req);
    const { context } = req;
    const begun = performance.now();
    context.deadline?.pause();
    context.place?.giveUp();
    const rest = keepAlive(res, BLANK_MS);
    onClosed(res, place.leave);
    try {
      return await waitForAnswer({ req, res, place, asked, untilMs: begun + seconds * 1000 }, first);
    } finally {
      rest();
      place.leave();
      context.waitedMs = performance.now() - begun;
    }
  };
};
