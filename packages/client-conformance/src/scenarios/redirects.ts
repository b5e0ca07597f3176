import { answers, answersOrFails, asksAtMost, fails, keepsKey, must, should, staysHome } from '../checks.ts';
import { BROKER_PATH, buildAnswer, CREATE, GET, NAME, type Scenario, sendBroker, type Turn } from './scenario.ts';

const redirect = (status: number, location: string): Uint8Array => buildAnswer(status, { Location: location });

const RENAMED_PATH = `${BROKER_PATH}-global`;

/** Redirects a read by `status` to where `locate` says. The rule about the token is one of all scenarios. */
const lead = (name: string, status: number, server: string, why: string, locate: (turn: Turn) => string): Scenario => ({
  name,
  server,
  why,
  task: GET,
  answer: (turn) => redirect(status, locate(turn)),
  checks: [must(asksAtMost(50)), should(staysHome), should(fails('unexpected', 'network'))],
});

const ELSEWHERE = 'Who answers for a service can then read every token, and every answer is theirs.';

/** Redirects to where the token must not go, and the one that is right. */
export const REDIRECTS: readonly Scenario[] = [
  {
    name: 'redirect-renamed',
    server: 'The server answers 308 to another path below the base address: the broker was renamed.',
    why: 'Former slugs stay good: it is the only redirect of this API.',
    task: GET,
    answer: ({ request }) => (request.target === RENAMED_PATH ? sendBroker() : redirect(308, RENAMED_PATH)),
    checks: [must(answersOrFails(NAME)), should(answers(NAME))],
  },
  ...[302, 307, 308].map((status) =>
    lead(
      `redirect-${status}-host`,
      status,
      `The server answers ${status} to the same path at another host, which would answer.`,
      ELSEWHERE,
      ({ otherOrigin }) => otherOrigin + BROKER_PATH,
    ),
  ),
  lead(
    'redirect-port',
    308,
    'The server answers 308 to another port of its host.',
    'Another port is another origin, and often another tenant.',
    ({ otherOrigin }) => otherOrigin.replace('localhost', '127.0.0.1') + BROKER_PATH,
  ),
  lead(
    'redirect-user',
    308,
    'The address of a 308 begins with the origin of the API, and has it as the user of another host.',
    'A comparison of the first characters takes it for the same host.',
    ({ origin, otherOrigin }) => otherOrigin.replace('http://', `${origin}@`) + BROKER_PATH,
  ),
  lead(
    'redirect-without-scheme',
    308,
    'The address of a 308 begins with two slashes, and thus names another host.',
    'It looks like a path.',
    ({ otherOrigin }) => otherOrigin.replace('http:', '') + BROKER_PATH,
  ),
  {
    name: 'redirect-dots',
    server: 'The address of a 308 begins with the base address and leaves it by `..`, to another service of the host.',
    why: 'The token is for the API, and not for all that is behind the same name.',
    task: GET,
    answer: ({ request, origin }) =>
      request.target.startsWith('/elsewhere')
        ? sendBroker()
        : redirect(308, `${origin}/api/v1/../../elsewhere/brokers`),
    checks: [must(asksAtMost(50)), should(staysHome), should(fails('unexpected', 'network'))],
  },
  {
    name: 'redirect-chain',
    server: 'Each answer is a 308 to one more path below the base address.',
    why: 'A chain without end must have one.',
    task: GET,
    answer: ({ nth }) => redirect(308, `${BROKER_PATH}-${nth}`),
    checks: [must(fails()), must(asksAtMost(50)), should(asksAtMost(10)), should(fails('unexpected', 'network'))],
  },
  {
    name: 'redirect-post',
    server: 'The server answers a POST by 302. A GET of the new address would be answered 200.',
    why: 'A POST that becomes a GET stores nothing, and seems to have worked.',
    task: CREATE,
    answer: ({ request }) => (request.method === 'POST' ? redirect(302, `${BROKER_PATH}-1`) : sendBroker()),
    checks: [must(fails()), must(keepsKey), should(asksAtMost(1)), should(fails('unexpected'))],
  },
  {
    name: 'redirect-post-host',
    server: 'The server answers a POST by 307 to another host.',
    why: 'The text of the author goes to somebody else, with or without the token.',
    task: CREATE,
    answer: ({ otherOrigin }) => redirect(307, `${otherOrigin}/api/v1/reviews`),
    checks: [must(staysHome), must(fails()), should(fails('unexpected'))],
  },
];
