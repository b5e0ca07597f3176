import type { IncomingMessage, ServerResponse } from 'node:http';
import { PLANS } from '@broker-transparency/contract/enterprise';
import pLimit from 'p-limit';
import { ProblemError } from '../../http/problem/problem.ts';
import { within } from '../../http/request/deadline.ts';
import { isAnswered, keepAlive, onClosed } from '../../http/response/reply.ts';
import { requireCustomer } from '../access/customer.ts';
import type { LongPolls, WaitingPlace } from './long-polls.ts';
import { type AskedPage, type Page, readPage } from './page.ts';

/** Interval between blanks, which tell the caller and everything in between that the request is alive. */
const BLANK_MS = 5000;
/** Time for a page after the wait. */
const READ_MS = 1500;
/** Pages that are made at once for those who have waited. */
const AT_ONCE = 8;

/** Whether a page is worth its answer: it has entries, or the next page may have some. */
export const isWorthAnswer = ({ count, through, size }: Page): boolean => count > 0 || through < size - 1;

/** Makes pages for those who have waited: all who ask for the same one at the same time get the same one. */
const createSharedRead = () => {
  const inTurn = pLimit(AT_ONCE);
  const running = new Map<string, Promise<Page>>();
  return (asked: AskedPage): Promise<Page> => {
    const key = JSON.stringify(asked);
    const page = running.get(key) ?? inTurn(() => within(READ_MS, () => readPage(asked)));
    running.set(key, page);
    const forget = () => running.delete(key);
    page.then(forget, forget);
    return page;
  };
};

const takePlace = (longPolls: LongPolls, req: IncomingMessage): WaitingPlace => {
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

/** A request that waits, and its answer. */
interface Waited {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

interface Waiting {
  readonly place: WaitingPlace;
  readonly res: ServerResponse;
  readonly asked: AskedPage;
  readonly untilMs: number;
}

/** Lets requests wait for entries. */
export const createWait = (longPolls: LongPolls) => {
  const read = createSharedRead();
  /** Reads the page again. Once an answer was begun it has to be a page: then the one before has to do. */
  const readAgain = (res: ServerResponse, asked: AskedPage, before: Page): Promise<Page> =>
    read(asked).catch((error: unknown) => {
      if (isAnswered(res)) return before;
      throw error;
    });
  const untilWorth = async ({ place, res, asked, untilMs }: Waiting, first: Page): Promise<Page> => {
    let page = first;
    while (!isWorthAnswer(page)) {
      const isGrown = await place.untilGrown(page.size, untilMs - performance.now());
      if (!isGrown) return performance.now() < untilMs ? page : readAgain(res, asked, page);
      page = await readAgain(res, asked, page);
    }
    return page;
  };
  /**
   * Waits until a page is worth its answer, or for so many seconds, or until the process ends. While it waits the request
   * counts neither against its deadline nor as one that is worked on.
   */
  return async ({ req, res }: Waited, asked: AskedPage, first: Page, seconds: number): Promise<Page> => {
    const place = takePlace(longPolls, req);
    const { context } = req;
    const begun = performance.now();
    context.deadline?.pause();
    context.place?.giveUp();
    const rest = keepAlive(res, BLANK_MS);
    onClosed(res, place.leave);
    try {
      return await untilWorth({ place, res, asked, untilMs: begun + seconds * 1000 }, first);
    } finally {
      rest();
      place.leave();
      context.waitedMs = performance.now() - begun;
    }
  };
};
