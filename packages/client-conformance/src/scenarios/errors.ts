import {
  answers,
  answersOrFails,
  asksAtMost,
  type Check,
  endsWithin,
  fails,
  keepsKey,
  must,
  sendsKey,
  should,
  tellsCode,
  tellsStatus,
  waits,
} from '../checks.ts';
import {
  buildAnswer,
  CREATE,
  GET,
  NAME,
  REVIEW,
  REVIEW_ID,
  type Scenario,
  sendBroker,
  sendJson,
  sendProblem,
  TIMEOUT_MS,
  type Turn,
} from './scenario.ts';

const SECOND_MS = 1_000;

/** A refusal first, then the broker. */
const refuseOnce =
  (refusal: () => Uint8Array) =>
  ({ nth }: Turn): Uint8Array =>
    nth === 1 ? refusal() : sendBroker();

/** An odd `Retry-After` must neither start a storm nor a wait without end. */
const ODD: readonly Check[] = [
  must(answersOrFails(NAME)),
  must(asksAtMost(10)),
  must(endsWithin(TIMEOUT_MS + 2_000)),
  should(fails('api')),
];

const refuseOddly = (name: string, value: string, why: string): Scenario => ({
  name,
  server: `The server answers 503 with \`Retry-After: ${value}\`.`,
  why,
  task: GET,
  answer: () => sendProblem(503, 'unavailable', { 'Retry-After': value }),
  checks: ODD,
});

const ONCE: readonly Check[] = [must(keepsKey), should(sendsKey), should(answers(REVIEW_ID))];

/** Problems, refusals and the retries that they ask for. */
export const ERRORS: readonly Scenario[] = [
  {
    name: 'problem',
    server: 'The server answers 404 with the problem `broker_not_found`.',
    why: 'Callers switch over the code.',
    task: GET,
    answer: () => sendProblem(404, 'broker_not_found'),
    checks: [must(fails('api')), must(asksAtMost(1)), must(tellsStatus(404)), should(tellsCode('broker_not_found'))],
  },
  {
    name: 'problem-without-body',
    server: 'The server answers 404 without a body.',
    why: 'Proxies do; the status is all there is.',
    task: GET,
    answer: () => buildAnswer(404, {}),
    checks: [must(fails()), should(fails('api', 'unexpected')), should(tellsStatus(404))],
  },
  {
    name: 'code-unknown',
    server: 'The server answers 409 with a code that the client does not know.',
    why: 'An error of an older client must not hide the error of the API.',
    task: CREATE,
    answer: () => sendProblem(409, 'novel_conflict'),
    checks: [
      must(fails()),
      should(fails('api')),
      should(tellsStatus(409)),
      should(tellsCode('novel_conflict')),
      must(keepsKey),
    ],
  },
  {
    name: 'code-proto',
    server: 'The code of a problem is `__proto__`.',
    why: 'A lookup of the code in an object finds what nobody put there.',
    task: GET,
    answer: () => sendProblem(404, '__proto__'),
    checks: [must(fails()), should(fails('api', 'unexpected')), should(tellsStatus(404))],
  },
  {
    name: 'token-refused',
    server: 'The server answers 401 and repeats the token in the detail of the problem.',
    why: 'A fixed token does not get better, and errors are logged.',
    task: CREATE,
    answer: ({ request }) =>
      sendJson(
        401,
        {
          type: 'about:blank',
          title: 'The token is not valid',
          status: 401,
          code: 'invalid_token',
          detail: `Not valid: ${request.headers['authorization']}`,
          instance: request.target,
          requestId: 'r-1',
        },
        { 'Content-Type': 'application/problem+json', 'WWW-Authenticate': 'Bearer error="invalid_token"' },
      ),
    checks: [must(fails('api')), must(asksAtMost(1)), must(tellsStatus(401)), should(tellsCode('invalid_token'))],
  },
  {
    name: 'html-502',
    server: 'A proxy answers 502 with a page of HTML, always.',
    why: 'It is the most frequent answer of a service that is away.',
    task: GET,
    answer: () => buildAnswer(502, { 'Content-Type': 'text/html' }, '<h1>Bad Gateway</h1>'),
    checks: [must(fails()), must(asksAtMost(10)), should(fails('unexpected')), should(tellsStatus(502))],
  },
  {
    name: 'unavailable-once',
    server: 'The server answers 503 with `Retry-After: 0`, then the broker.',
    why: 'A restart of the service is no error of its callers.',
    task: GET,
    answer: refuseOnce(() => sendProblem(503, 'unavailable', { 'Retry-After': '0' })),
    checks: [must(answersOrFails(NAME)), should(answers(NAME))],
  },
  {
    name: 'limited-once',
    server: 'The server answers 429 with `Retry-After: 1`, then the broker.',
    why: 'Who asks earlier is refused again, and longer.',
    task: GET,
    answer: refuseOnce(() =>
      sendProblem(429, 'rate_limited', {
        'Retry-After': '1',
        'RateLimit-Policy': '"public";q=60;w=60',
        RateLimit: '"public";r=0;t=1',
      }),
    ),
    checks: [must(answersOrFails(NAME)), must(waits(SECOND_MS)), should(answers(NAME))],
  },
  {
    name: 'limited-for-long',
    server: 'The server answers 429 with `Retry-After: 3600`.',
    why: 'The caller decides whether to wait an hour, and hears of it at once.',
    task: GET,
    answer: () => sendProblem(429, 'rate_limited', { 'Retry-After': '3600' }),
    checks: [must(fails('api')), must(asksAtMost(1)), must(tellsStatus(429)), should(endsWithin(SECOND_MS))],
  },
  {
    name: 'retry-after-date',
    server: 'The server answers 503 with a `Retry-After` that is a date two to three seconds ahead, then the broker.',
    why: 'HTTP allows a date as well as seconds.',
    task: GET,
    answer: refuseOnce(() =>
      sendProblem(503, 'unavailable', {
        Date: new Date().toUTCString(),
        'Retry-After': new Date(Date.now() + 2.9 * SECOND_MS).toUTCString(),
      }),
    ),
    checks: [must(answersOrFails(NAME)), should(waits(1.8 * SECOND_MS))],
  },
  refuseOddly('retry-after-negative', '-5', 'A timer of less than nothing fires at once, and again.'),
  refuseOddly(
    'retry-after-text',
    'soon',
    'What is no number becomes nothing in many languages, and nothing is at once.',
  ),
  refuseOddly(
    'retry-after-huge',
    '99999999999999999999',
    'A timer that overflows fires at once; one that does not never fires.',
  ),
  {
    name: 'post-dropped',
    server: 'The server takes a POST, stores it and drops the connection. It answers the next one.',
    why: 'A review that is sent again without its key is there twice.',
    task: CREATE,
    answer: ({ nth, socket }) => {
      if (nth > 1) return sendJson(201, REVIEW);
      socket.destroy();
      return undefined;
    },
    checks: [must(answersOrFails(REVIEW_ID)), ...ONCE],
  },
  {
    name: 'post-unavailable',
    server: 'The server answers a POST by 503 with `Retry-After: 0`, then by 201.',
    why: 'The POST may have taken effect before the 503.',
    task: CREATE,
    answer: ({ nth }) => (nth === 1 ? sendProblem(503, 'unavailable', { 'Retry-After': '0' }) : sendJson(201, REVIEW)),
    checks: [must(answersOrFails(REVIEW_ID)), ...ONCE],
  },
  {
    name: 'post-in-progress',
    server:
      'The server drops the first POST and still works on it: it answers the second by 409 `idempotency_in_progress`, then by 201.',
    why: 'The first try takes effect: who reports a conflict misleads the caller.',
    task: CREATE,
    answer: ({ nth, socket }) => {
      if (nth > 2) return sendJson(201, REVIEW);
      if (nth === 2) return sendProblem(409, 'idempotency_in_progress', { 'Retry-After': '1' });
      socket.destroy();
      return undefined;
    },
    checks: [must(answersOrFails(REVIEW_ID)), must(waits(SECOND_MS, 2)), ...ONCE],
  },
  {
    name: 'post-hangs',
    server: 'The server takes a POST and says nothing, then answers the next one.',
    why: 'Nobody knows whether it took effect.',
    task: CREATE,
    answer: ({ nth }) => (nth === 1 ? undefined : sendJson(201, REVIEW)),
    checks: [must(answersOrFails(REVIEW_ID)), must(keepsKey), should(endsWithin(TIMEOUT_MS + 2_000))],
  },
];
