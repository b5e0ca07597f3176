import { BASE_PATH, TRANSPARENCY_BASE_PATH } from '@broker-transparency/contract';
import { ENTERPRISE_BASE_PATH } from '@broker-transparency/contract/enterprise';
import { toBase64, type VerifierKey } from '@broker-transparency/log';
import {
  CHECK_TIMEOUT_MS,
  type CheckResult,
  minuteNumber,
  OBJECTIVES,
  OBJECTIVES_VERSION,
  type Objectives,
} from '@broker-transparency/service-level';
import { type LogKey, verifyEd25519 } from '../ledger/log/keys.ts';
import { AccountAnswer, BrokerAnswer, BrokerPage, parseResponse, requireBody } from './answers.rule.ts';
import type { ServiceCaller } from './ask.ts';
import { readCheckpoint, requireContinues, requireFresh, toCheckpointPath } from './checkpoint.rule.ts';
import {
  type FeedPageFields,
  type FeedPosition,
  findCanary,
  findNextPosition,
  readPage,
  requireProgress,
} from './feed.rule.ts';
import type { UnsignedResult } from './results.ts';
import type { ProberState } from './state.ts';
import { isCanaryDue } from './tick.rule.ts';
import type { PendingWebhook, WebhookReceiver } from './webhook.ts';
import { CheckError, DeclinedError, formatError, RollbackError } from './wrong.rule.ts';

/** The parts that a round of checks needs. */
export interface ProbeRound {
  readonly caller: ServiceCaller;
  readonly key: LogKey;
  /** Key of a customer; without it `enterprise` and `feed` are not checked. */
  readonly token: string | undefined;
  /** Keys of the log; without any the proof is not checked. */
  readonly logKeys: readonly VerifierKey[];
  /** Minutes between canaries; undefined for none. */
  readonly canaryEvery: number | undefined;
  readonly webhooks: WebhookReceiver | undefined;
  readonly state: ProberState;
  /**
   * The canary whose webhook is awaited. It is not kept across restarts, since nothing receives webhooks meanwhile.
   */
  readonly pending: { canary?: PendingWebhook | undefined };
  /** Reports a line to the person who runs the prober. */
  readonly tell: (line: string) => void;
}

/** Maximum time in a result, in milliseconds. */
const MOST_MS = 600_000;
/** Number of entries in one request. */
const PAGE = 200;
/** Number of minutes whose ends are kept, to check that checkpoints cover them. */
const ENDS = 10;
/** Time of a missed webhook, just above the objective, so that it does not count as in time. */
const WEBHOOK_MS = (OBJECTIVES[OBJECTIVES_VERSION] as Objectives).webhooks.limitMs + 1;

const toWholeMs = (ms: number): number => Math.min(Math.max(0, Math.round(ms)), MOST_MS);

/** Runs a check. It succeeds unless it throws, and may return its own time. */
const runCheck = async (check: () => Promise<number | undefined>): Promise<CheckResult> => {
  const began = performance.now();
  try {
    const ms = await check();
    return { ok: true, ms: toWholeMs(ms ?? performance.now() - began) };
  } catch (error) {
    return { ok: false, ms: toWholeMs(performance.now() - began), error: formatError(error) };
  }
};

const measureTime = async <T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly ms: number }> => {
  const began = performance.now();
  const value = await work();
  return { value, ms: performance.now() - began };
};

/** Reads a list and a broker on it. The slower answer counts. */
const checkPublic = ({ caller }: ProbeRound) =>
  runCheck(async () => {
    const list = await measureTime(() => caller.ask(`${BASE_PATH}/brokers?limit=5`));
    const [first] = parseResponse('the list of brokers', list.value, BrokerPage).data;
    if (first === undefined) return list.ms;
    const broker = await measureTime(() => caller.ask(`${BASE_PATH}/brokers/${first.slug}`));
    if (parseResponse('a broker', broker.value, BrokerAnswer).slug !== first.slug)
      throw new CheckError('a broker is another one');
    return Math.max(list.ms, broker.ms);
  });

const checkEnterprise = ({ caller, token }: ProbeRound) =>
  runCheck(async () => {
    const { value, ms } = await measureTime(() => caller.ask(`${ENTERPRISE_BASE_PATH}/account`, { token }));
    parseResponse('the account', value, AccountAnswer);
    return ms;
  });

const checkProof = ({ caller, logKeys, state }: ProbeRound, minute: number) =>
  runCheck(async () => {
    const [key] = logKeys;
    const { value, ms } = await measureTime(() => caller.ask(toCheckpointPath(key as VerifierKey)));
    const tree = await readCheckpoint(requireBody('the log', value), logKeys, verifyEd25519);
    requireContinues(tree, state.log);
    state.log = tree;
    requireFresh(tree, state.ends, minute);
    return ms;
  });

/** A request for a page of the feed. */
interface FeedPageRequest {
  /** Number after which the page begins; -1 for the beginning of the record. */
  readonly after: number;
  readonly limit?: number;
  /** Seconds to wait for something new. */
  readonly wait?: number;
  readonly timeoutMs?: number;
}

const readFeedPage = async (
  { caller, token }: ProbeRound,
  { after, limit = PAGE, wait = 0, timeoutMs = CHECK_TIMEOUT_MS }: FeedPageRequest,
): Promise<FeedPageFields> => {
  const query = new URLSearchParams({
    limit: `${limit}`,
    wait: `${wait}`,
    ...(after < 0 ? {} : { after: `${after}` }),
  });
  const answer = await caller.ask(`${ENTERPRISE_BASE_PATH}/changes?${query}`, { token, timeoutMs });
  if (answer.status === 409) throw new RollbackError(`the feed says that nothing can come after ${after} any more`);
  return readPage(answer, after);
};

/** Stores the position in the feed. */
const savePosition = (state: ProberState, { through, end }: FeedPageFields, minute: number): void => {
  state.feed = { after: through, end };
  state.ends = [...state.ends.filter((seen) => seen.minute < minute), { minute, end }].slice(-ENDS);
};

/** Finds the end of the record, and reads its last entry. */
const beginFeed = async (round: ProbeRound): Promise<FeedPageFields> => {
  const first = await readFeedPage(round, { after: -1, limit: 1 });
  return first.end > first.through ? readFeedPage(round, { after: first.end - 1 }) : first;
};

/** Reads the feed without a gap, at least to the end of a minute ago. */
const continueFeed = async (round: ProbeRound, known: FeedPosition): Promise<FeedPageFields> => {
  const page = await readFeedPage(round, { after: known.after });
  requireProgress(page, known);
  const leap = findNextPosition(page, known);
  if (leap === undefined) return page;
  const last = await readFeedPage(round, { after: leap }); // there are more new entries than one page holds
  requireProgress(last, known);
  return last;
};

const readFeed = async (round: ProbeRound, minute: number): Promise<void> => {
  const { state } = round;
  try {
    savePosition(state, state.feed ? await continueFeed(round, state.feed) : await beginFeed(round), minute);
  } catch (error) {
    if (error instanceof RollbackError) delete state.feed;
    throw error;
  }
};

/** Waits in the feed for a canary. Returns its number. @throws CheckError if it does not appear in time */
const awaitCanary = async (round: ProbeRound, mark: string, minute: number): Promise<number> => {
  const end = performance.now() + CHECK_TIMEOUT_MS;
  const late = new CheckError(`what was written is not in the feed after ${CHECK_TIMEOUT_MS / 1000} s`);
  for (;;) {
    const timeoutMs = end - performance.now();
    if (timeoutMs < 1) throw late;
    const wait = Math.max(1, Math.floor(timeoutMs / 1000));
    const asked = { after: round.state.feed?.after ?? -1, wait, timeoutMs };
    const page = await readFeedPage(round, asked).catch((error: unknown) => {
      throw performance.now() >= end ? late : error;
    });
    savePosition(round.state, page, minute);
    const number = findCanary(page, round.key.name, mark);
    if (number !== undefined) return number;
  }
};

const writeCanary = async ({ caller, key }: ProbeRound, mark: string): Promise<void> => {
  const signature = toBase64(key.sign(new TextEncoder().encode(`canary ${key.name} ${mark}`)));
  const path = `${TRANSPARENCY_BASE_PATH}/service-level/canary/${key.name}`;
  const answer = await caller.ask(path, { body: JSON.stringify({ mark, signature }) });
  if (answer.status === 409 || answer.status === 429)
    throw new DeclinedError('no canary is written: is this prober registered with --canary, and for as many minutes?');
  requireBody('the canary', answer);
};

type CanaryChecks = Partial<Record<'feed' | 'write', CheckResult>>;

/**
 * Writes a canary, and looks for it in the feed. Times count from the moment of sending, so they are longer than from
 * the commit.
 */
const checkCanary = async (
  round: ProbeRound,
  mark: string,
  minute: number,
): Promise<CanaryChecks & { freshnessMs?: number }> => {
  const { state, pending, token } = round;
  state.mark = mark;
  if (token !== undefined && state.feed === undefined) await readFeed(round, minute).catch(() => {});
  const sentAt = performance.now();
  let declined: DeclinedError | undefined;
  const write = await runCheck(async () => {
    await writeCanary(round, mark).catch((error: unknown) => {
      if (error instanceof DeclinedError) declined = error;
      throw error;
    });
    return undefined;
  });
  if (declined) {
    round.tell(formatError(declined));
    return {};
  }
  if (!write.ok || token === undefined) return { write };
  let number: number | undefined;
  let freshnessMs = 0;
  const feed = await runCheck(async () => {
    number = await awaitCanary(round, mark, minute).finally(() => {
      freshnessMs = performance.now() - sentAt;
    });
    return undefined;
  });
  if (round.webhooks) pending.canary = { sentAt, number };
  // a missing canary counts at least the maximum wait, so that a feed that fails at once does not count as fast
  return { write, feed, freshnessMs: toWholeMs(feed.ok ? freshnessMs : Math.max(freshnessMs, CHECK_TIMEOUT_MS)) };
};

/** Returns the result of an awaited webhook: arrived, missed, or still awaited. */
const checkWebhook = async (
  { webhooks, pending }: ProbeRound,
  before: PendingWebhook | undefined,
): Promise<{ readonly webhook: CheckResult; readonly webhookMs: number } | undefined> => {
  const canary = before ?? pending.canary;
  if (!webhooks || !canary) return undefined;
  const left = canary.sentAt + WEBHOOK_MS - performance.now();
  const arrived = await webhooks.findArrival(canary, Math.min(Math.max(0, left), CHECK_TIMEOUT_MS));
  const ms = toWholeMs((arrived ?? performance.now()) - canary.sentAt);
  if (arrived === undefined && ms < WEBHOOK_MS) return undefined;
  if (pending.canary === canary) pending.canary = undefined;
  if (arrived !== undefined) return { webhook: { ok: true, ms }, webhookMs: ms };
  const error = `the webhook about what was written has not come after ${Math.floor(ms / 1000)} s`;
  return { webhook: { ok: false, ms, error }, webhookMs: ms };
};

const isCanaryWanted = ({ canaryEvery, key, state }: ProbeRound, mark: string): boolean =>
  canaryEvery !== undefined &&
  isCanaryDue(minuteNumber(mark), canaryEvery, key.name) &&
  (state.mark === undefined || Math.abs(minuteNumber(mark) - minuteNumber(state.mark)) >= canaryEvery);

/** Runs all checks of a minute once, one after another. */
export const measure = async (round: ProbeRound, mark: string): Promise<UnsignedResult> => {
  const minute = minuteNumber(mark);
  const { token, logKeys, pending } = round;
  const checks: UnsignedResult['checks'] = { public: await checkPublic(round) };
  if (token !== undefined) checks.enterprise = await checkEnterprise(round);
  if (logKeys.length > 0) checks.proof = await checkProof(round, minute);
  const before = pending.canary;
  const { freshnessMs, ...canary } = isCanaryWanted(round, mark) ? await checkCanary(round, mark, minute) : {};
  Object.assign(checks, canary);
  if (token !== undefined && checks.feed === undefined)
    checks.feed = await runCheck(async () => {
      await readFeed(round, minute);
      return undefined;
    });
  const { webhook, webhookMs } = (await checkWebhook(round, before)) ?? {};
  if (webhook) checks.webhook = webhook;
  return {
    minute: mark,
    checks,
    ...(freshnessMs === undefined ? {} : { freshnessMs }),
    ...(webhookMs === undefined ? {} : { webhookMs }),
  };
};
