import { answers, answersOrFails, asksAtMost, fails, must, should, waits } from '../checks.ts';
import {
  LIST_BROKERS,
  LIST_REVIEWS,
  REVIEW,
  type Scenario,
  SUMMARY,
  sendJson,
  sendProblem,
  type Turn,
} from './scenario.ts';

const readQuery = ({ request }: Turn): URLSearchParams => new URL(request.target, 'http://x').searchParams;

const name = (index: number): string => `Broker ${index + 1}`;

const range = (length: number): readonly number[] => Array.from({ length }, (_, index) => index);

/** A page of `total` brokers as the query asks. The server gives at most `most`, like a list that got shorter pages. */
const sendBrokers = (turn: Turn, total: number, most: number, fields: Readonly<Record<string, string>> = {}) => {
  const query = readQuery(turn);
  const offset = Number(query.get('offset') ?? 0);
  const limit = Number(query.get('limit') ?? 20);
  const data = range(total)
    .slice(offset, offset + Math.min(limit, most))
    .map((index) => ({ ...SUMMARY, id: `broker-${index}`, slug: `broker-${index}`, name: name(index) }));
  return sendJson(200, { data, pagination: { limit, offset, total } }, fields);
};

const sendReviews = (ids: readonly string[], nextCursor: string | null): Uint8Array =>
  sendJson(200, { data: ids.map((id) => ({ ...REVIEW, id })), pagination: { limit: 20, nextCursor } });

const WINDOW_MS = 1_000;
const BUDGET = 3;
const PAGES_IN_ALL = 8;

const limitPages = (): Scenario['answer'] => {
  let startedMs = Number.NEGATIVE_INFINITY;
  let used = 0;
  return (turn) => {
    const { atMs } = turn.request;
    if (turn.nth === 1 || atMs - startedMs >= WINDOW_MS) {
      startedMs = atMs;
      used = 0;
    }
    used += 1;
    const budget = {
      'RateLimit-Policy': `"public";q=${BUDGET};w=1`,
      RateLimit: `"public";r=${Math.max(0, BUDGET - used)};t=1`,
    };
    return used > BUDGET
      ? sendProblem(429, 'rate_limited', { ...budget, 'Retry-After': '1' })
      : sendBrokers(turn, PAGES_IN_ALL * 20, 20, budget);
  };
};

/** Lists that are read to their end, and lists that have none. */
export const LISTS: readonly Scenario[] = [
  {
    name: 'list-offset',
    server: 'The list has three pages, by offset.',
    why: 'A client that ends after the first page seems to have read everything.',
    task: LIST_BROKERS,
    answer: (turn) => sendBrokers(turn, 250, 100),
    checks: [must(answers(range(250).map(name)))],
  },
  {
    name: 'list-cursor',
    server: 'The list has three pages, by cursor; the one in the middle is empty.',
    why: 'An empty page is not the last one: `nextCursor` says which is.',
    task: LIST_REVIEWS,
    answer: (turn) => {
      const cursor = readQuery(turn).get('cursor');
      if (cursor === null) return sendReviews(['r-1', 'r-2'], 'a+/=b');
      return cursor === 'a+/=b' ? sendReviews([], 'c') : sendReviews(['r-3'], null);
    },
    checks: [must(answers(['r-1', 'r-2', 'r-3']))],
  },
  {
    name: 'list-budget',
    server: `Of ${PAGES_IN_ALL} pages the server gives ${BUDGET} in a second, and says so. It answers 429 to what is more.`,
    why: 'Long lists are longer than a budget.',
    task: { ...LIST_BROKERS, timeoutMs: 8_000 },
    answer: limitPages(),
    checks: [must(asksAtMost(40)), should(answers(range(PAGES_IN_ALL * 20).map(name)))],
  },
  {
    name: 'list-limited',
    server: 'The second page is refused once by 429 with `Retry-After: 1`.',
    why: 'Who asks earlier is refused again; who gives up throws away the pages that were read.',
    task: LIST_BROKERS,
    answer: (turn) =>
      turn.nth === 2 ? sendProblem(429, 'rate_limited', { 'Retry-After': '1' }) : sendBrokers(turn, 40, 20),
    checks: [
      must(answersOrFails(range(40).map(name))),
      must(waits(WINDOW_MS, 2)),
      should(answers(range(40).map(name))),
    ],
  },
  {
    name: 'cursor-loop',
    server: 'Each page names the same next cursor.',
    why: 'The list never ends, and memory does.',
    task: LIST_REVIEWS,
    answer: ({ nth }) => sendReviews([`r-${nth}`], 'again'),
    checks: [must(asksAtMost(50)), must(fails())],
  },
  {
    name: 'offset-loop',
    server: 'The list says that it has 1 000 brokers, and every page is empty.',
    why: 'Who counts what came never reaches the end.',
    task: LIST_BROKERS,
    answer: (turn) => sendBrokers(turn, 1_000, 0),
    checks: [must(asksAtMost(50)), must(answersOrFails([])), should(fails('unexpected', 'api'))],
  },
  {
    name: 'list-broken',
    server: 'The second page is always a page of HTML.',
    why: 'Half of a list must not pass as the list.',
    task: LIST_BROKERS,
    answer: (turn) =>
      turn.nth === 1
        ? sendBrokers(turn, 40, 20)
        : Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nno'),
    checks: [must(fails())],
  },
];
