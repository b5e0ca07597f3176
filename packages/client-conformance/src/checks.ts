import { isDeepStrictEqual } from 'node:util';
import type { ClientRun, ErrorKind, ScenarioOutcome, SeenRequest } from './run.ts';

/** The token that every client is given. */
export const TOKEN = 'btr_conformance-s3cret-0123456789';

/** Path of the API at its host. */
export const BASE_PATH = '/api/v1';

/** A rule about a client. `must`: its callers come to harm otherwise. `should`: they have more work or less comfort. */
export interface Check {
  readonly level: 'must' | 'should';
  /** The rule, after "the client". */
  readonly says: string;
  /** Returns what the client did instead, or undefined if it keeps the rule. */
  readonly findBreach: (run: ClientRun) => string | undefined;
}

type FindBreach = Check['findBreach'];

export const must = ([says, findBreach]: readonly [string, FindBreach]): Check => ({ level: 'must', says, findBreach });
export const should = ([says, findBreach]: readonly [string, FindBreach]): Check => ({
  level: 'should',
  says,
  findBreach,
});

const LONGEST_TEXT = 200;

const describeOutcome = (outcome: ScenarioOutcome): string => {
  if ('nothing' in outcome) return outcome.detail;
  const text = 'value' in outcome ? `the value ${JSON.stringify(outcome.value)}` : JSON.stringify(outcome.error);
  return `reported ${text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text}`;
};

const matches = (outcome: ScenarioOutcome, wanted: (outcome: ScenarioOutcome) => boolean): string | undefined =>
  wanted(outcome) ? undefined : describeOutcome(outcome);

const hasValue = (outcome: ScenarioOutcome, value: unknown): boolean =>
  'value' in outcome && isDeepStrictEqual(outcome.value, value);

const describeAnswer = (value: unknown): string =>
  Array.isArray(value) && value.length > 0
    ? `answers all ${value.length} items`
    : `answers \`${JSON.stringify(value)}\``;

/** The client reports this value. */
export const answers = (value: unknown): readonly [string, FindBreach] => [
  describeAnswer(value),
  ({ outcome }) => matches(outcome, () => hasValue(outcome, value)),
];

/** The client reports an error, of one of these kinds if any are given. */
export const fails = (...kinds: readonly ErrorKind[]): readonly [string, FindBreach] => [
  kinds.length === 0 ? 'reports an error' : `reports an error of the kind ${kinds.map((k) => `\`${k}\``).join(' or ')}`,
  ({ outcome }) =>
    matches(outcome, () => 'error' in outcome && (kinds.length === 0 || kinds.includes(outcome.error.kind))),
];

/** The client either has the right value or reports an error: it never makes up a third. */
export const answersOrFails = (value: unknown): readonly [string, FindBreach] => [
  `${describeAnswer(value)} or reports an error`,
  ({ outcome }) => matches(outcome, () => 'error' in outcome || hasValue(outcome, value)),
];

/** The error tells the status of the answer. */
export const tellsStatus = (status: number): readonly [string, FindBreach] => [
  `tells the status ${status}`,
  ({ outcome }) => matches(outcome, () => 'error' in outcome && outcome.error.status === status),
];

/** The error tells the code of the problem. */
export const tellsCode = (code: string): readonly [string, FindBreach] => [
  `tells the code \`${code}\``,
  ({ outcome }) => matches(outcome, () => 'error' in outcome && outcome.error.code === code),
];

const ofApi = (run: ClientRun): readonly SeenRequest[] => run.requests.filter(({ host }) => host === 'api');

export const asksAtMost = (most: number): readonly [string, FindBreach] => [
  most === 1 ? 'asks once' : `asks at most ${most} times`,
  ({ requests }) => (requests.length <= most ? undefined : `asked ${requests.length} times`),
];

/** Timers and clocks of two processes differ a little. */
const TOLERANCE_MS = 50;

/** After its `nth` request the client waits so long before it sends the next one. */
export const waits = (ms: number, nth = 1): readonly [string, FindBreach] => [
  `waits at least ${ms} ms before it asks again`,
  (run) => {
    const [before, after] = ofApi(run).slice(nth - 1, nth + 1);
    const waited = before && after ? after.atMs - before.atMs : Number.POSITIVE_INFINITY;
    return waited >= ms - TOLERANCE_MS ? undefined : `asked again after ${Math.round(waited)} ms`;
  },
];

/** Milliseconds from the first request to the end of the client. */
export const endsWithin = (ms: number): readonly [string, FindBreach] => [
  `ends within ${ms} ms of its first request`,
  ({ requests, endedMs }) => {
    const took = endedMs - (requests[0]?.atMs ?? endedMs);
    return took <= ms ? undefined : `ended ${Math.round(took)} ms after its first request`;
  },
];

/**
 * The server could send at most these bytes. Buffers between it and the client hold some that the client never read.
 */
export const readsAtMost = (bytes: number): readonly [string, FindBreach] => [
  `reads at most ${bytes / 2 ** 20} MiB`,
  ({ sentBytes }) => (sentBytes <= bytes ? undefined : `read ${Math.round(sentBytes / 2 ** 20)} MiB`),
];

const getKeys = (run: ClientRun): readonly (string | undefined)[] =>
  run.requests.filter(({ method }) => method === 'POST').map(({ headers }) => headers['idempotency-key']?.join());

/** A write takes effect once: who repeats it repeats its key. */
export const keepsKey: readonly [string, FindBreach] = [
  'repeats a POST only with the same `Idempotency-Key`',
  (run) => {
    const keys = getKeys(run);
    if (keys.length < 2) return undefined;
    if (keys.includes(undefined)) return `sent the POST ${keys.length} times, without a key`;
    const different = new Set(keys).size;
    return different === 1 ? undefined : `sent the POST ${keys.length} times, with ${different} keys`;
  },
];

export const sendsKey: readonly [string, FindBreach] = [
  'sends an `Idempotency-Key` with a POST',
  (run) => (getKeys(run)[0] === undefined ? 'sent none' : undefined),
];

/** A request has these values in a header. */
export const sends = (nth: number, name: string, value: string): readonly [string, FindBreach] => [
  `sends \`${name}\` with request ${nth}`,
  (run) => {
    const request = ofApi(run)[nth - 1];
    if (!request) return `sent ${ofApi(run).length} requests`;
    const sent = request.headers[name.toLowerCase()]?.join(', ');
    return sent?.includes(value) ? undefined : sent === undefined ? 'sent none' : `sent another \`${name}\``;
  },
];

/** The client asks no server but the one it was given. */
export const staysHome: readonly [string, FindBreach] = [
  'asks no other host, and nothing outside its base address',
  ({ requests }) => {
    const away = requests.find(({ host, target }) => host === 'other' || !target.startsWith(`${BASE_PATH}/`));
    return away && `asked ${away.host === 'other' ? 'the other host' : 'the same host'} for ${away.target}`;
  },
];

const holdsToken = ({ headers, target, body }: SeenRequest): boolean =>
  [...Object.values(headers).flat(), target, body].some((text) => text.includes(TOKEN));

/** Rules of every scenario. */
export const COMMON_CHECKS: readonly Check[] = [
  must([
    'ends by itself, with one line of its outcome',
    ({ outcome }) => ('nothing' in outcome ? outcome.detail : undefined),
  ]),
  must([
    'sends its token to no other host',
    ({ requests }) =>
      requests.some((request) => request.host === 'other' && holdsToken(request))
        ? 'sent its token to the other host'
        : undefined,
  ]),
  must(['prints no token', ({ printedToken }) => (printedToken ? 'printed its token' : undefined)]),
];
