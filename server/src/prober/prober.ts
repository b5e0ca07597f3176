import { chmod, mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { VerifierKey } from '@broker-transparency/log';
import { isUp, minuteNumber, minuteText, type ProbeResult } from '@broker-transparency/service-level';
import type { LogKey } from '../ledger/log/keys.ts';
import type { Clock } from '../platform/clock.ts';
import { DomainError } from '../platform/domain-error.ts';
import { createCaller } from './ask.ts';
import { countUndelivered, type DeliveryParts, deliver, isKnown } from './deliver.ts';
import { lockFolder } from './folder-lock.ts';
import { listen, type ProberListenAddress } from './listen.ts';
import { measure, type ProbeRound } from './measure.ts';
import { createProberMetrics } from './metrics.ts';
import { KEPT_DAYS, openResults } from './results.ts';
import { type ProberState, readState, writeState } from './state.ts';
import { createStatus } from './status.ts';
import { computeOffset, computeWait } from './tick.rule.ts';
import { createReceiver, ensureEndpoint, type WebhookReceiver } from './webhook.ts';
import { CheckError, formatError } from './wrong.rule.ts';

/** The options of a prober. */
export interface ProberOptions {
  /** Address of the service, without a slash at its end. */
  readonly service: string;
  readonly key: LogKey;
  /** Folder of the prober. */
  readonly dir: string;
  readonly enterpriseKey: string | undefined;
  readonly logKeys: readonly VerifierKey[];
  readonly canaryEvery: number | undefined;
  readonly listenAt: ProberListenAddress | undefined;
  /** Address of the prober's `/webhook`, as the service reaches it. */
  readonly webhookUrl: string | undefined;
  readonly clock: Clock;
  /** Reports a line to the person who runs the prober. */
  readonly tell: (line: string) => void;
}

/** The pace at which minutes are measured. */
export interface Pace {
  /** Resolves when the next minute is to be measured; to false if no more minutes are. */
  readonly next: (last: number | undefined, offsetMs: number) => Promise<boolean>;
}

/** Returns the pace of every minute of a clock, until a signal. */
export const createMinutePace = (clock: Clock, signal: AbortSignal): Pace => ({
  next: async (last, offsetMs) => {
    for (;;) {
      if (signal.aborted) return false;
      const ms = computeWait(clock(), last, offsetMs);
      if (ms === 0) return true;
      await sleep(ms, undefined, { signal }).catch(() => {});
    }
  },
});

/** Returns the pace of the current minute, once. */
export const createSinglePace = (clock: Clock): Pace => {
  let isDone = false;
  return {
    next: async (last) => {
      const wasDone = isDone;
      isDone = true;
      return !wasDone && last !== minuteNumber(clock().toISOString());
    },
  };
};

const DAY_MS = 86_400_000;

/** @throws DomainError that names the folder */
const prepareFolder = async (dir: string): Promise<void> => {
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await chmod(dir, 0o700);
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    throw new DomainError('invalid_setting', `--dir ${dir} cannot be used (${why}): give a folder of its own`);
  }
};

const formatOutcome = ({ minute, checks }: ProbeResult): string => {
  const wrong = Object.entries(checks).flatMap(([name, check]) => (check?.ok ? [] : [`${name}: ${check?.error}`]));
  return `${minute} ${wrong.length === 0 ? 'up' : `not up: ${wrong.join('; ')}`}`;
};

/** Returns a function that reports a line unless it equals the last one. */
const createChangeReporter = (tell: (line: string) => void) => {
  let told = '';
  return (line: string): void => {
    if (line !== told && line !== '') tell(line);
    told = line;
  };
};

/** Returns a function that writes the state, in the order of calls. */
const createStateWriter = (dir: string, state: ProberState) => {
  let writing = Promise.resolve();
  return (): Promise<void> => {
    writing = writing.catch(() => {}).then(() => writeState(dir, state));
    return writing;
  };
};

/** Opens a prober: its folder, its results, and its server. */
const openProber = async (options: ProberOptions) => {
  const { service, key, dir, clock, listenAt, webhookUrl, tell } = options;
  await prepareFolder(dir);
  const unlock = await lockFolder(dir);
  try {
    const [results, state] = [await openResults(dir, key), await readState(dir)];
    const webhooks = webhookUrl !== undefined && listenAt !== undefined ? createReceiver(state, key.name) : undefined;
    let last: ProbeResult | undefined;
    let lastAt = clock();
    const parts: DeliveryParts = { service, key, results, state, clock };
    const metrics = createProberMetrics({
      prober: key.name,
      results,
      clock,
      last: () =>
        last && {
          at: lastAt,
          checks: new Map(Object.entries(last.checks).map(([name, check]) => [name, check?.ok === true])),
        },
      undelivered: () => countUndelivered(parts),
    });
    const server = listenAt && (await listen({ dir, metrics: metrics.read, webhooks }, listenAt));
    if (server) tell(`It serves ${server.address}/status/, /results/ and /metrics.`);
    return {
      results,
      state,
      webhooks,
      parts,
      save: createStateWriter(dir, state),
      noteResult: (result: ProbeResult): void => {
        last = result;
        lastAt = clock();
      },
      close: async (): Promise<void> => {
        await server?.close();
        await unlock();
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
};
type OpenProber = Awaited<ReturnType<typeof openProber>>;

/** Removes files that are older than the service's own, but never the newest, in case the clock is wrong. */
const removeOld = async ({ results }: OpenProber, now: Date): Promise<void> => {
  const first = new Date(now.getTime() - KEPT_DAYS * DAY_MS).toISOString().slice(0, 10);
  for (const date of (await results.days()).slice(0, -KEPT_DAYS)) if (date < first) await results.remove(date);
};

/** Creates the work that follows a minute and does not delay the next one. */
const createFollowUp = (opened: OpenProber, options: ProberOptions) => {
  const { dir, tell, clock, service, key } = options;
  const tellRefusals = createChangeReporter(tell);
  const writeStatus = createStatus({ dir, service, prober: key.name, results: opened.results, clock });
  const followUp = async (): Promise<void> => {
    try {
      const refused = await deliver(opened.parts);
      tellRefusals(refused.length === 0 ? '' : `Not delivered; retrying: ${refused.join('; ')}`);
      await removeOld(opened, clock());
      await writeStatus();
    } catch (error) {
      tellRefusals(`What follows a minute failed: ${formatError(error)}`);
    }
    await opened.save();
  };
  let running: Promise<void> | undefined;
  let isAgain = false;
  const runRounds = async (): Promise<void> => {
    do {
      isAgain = false;
      await followUp();
    } while (isAgain);
    running = undefined;
  };
  return {
    /** Begins, or begins again after a running one, which may have started before the last line was stored. */
    begin: (): void => {
      isAgain = running !== undefined;
      running ??= runRounds();
    },
    finish: async (): Promise<void> => {
      await running;
    },
  };
};

/**
 * Starts the receiver of webhooks if the service has an endpoint for this prober. Without one, no webhook can be
 * missed.
 */
const startReceiver = async (
  { state, webhooks }: OpenProber,
  { service, enterpriseKey, webhookUrl }: ProberOptions,
  tell: (line: string) => void,
): Promise<WebhookReceiver | undefined> => {
  if (!webhooks || enterpriseKey === undefined || webhookUrl === undefined) return undefined;
  const caller = createCaller(service);
  try {
    await ensureEndpoint(caller, enterpriseKey, webhookUrl, state);
    tell('');
    return webhooks;
  } catch (error) {
    if (!(error instanceof CheckError)) throw error;
    tell(`No webhook can be asked for: ${formatError(error)}`);
    return undefined;
  } finally {
    await caller.close();
  }
};

/** Returns true if this prober has a vote in a minute, as far as it knows. */
const mayVote = async (opened: OpenProber, { key }: ProberOptions, minute: string, tell: (line: string) => void) => {
  const { state, parts } = opened;
  if (state.knownIn !== undefined) return state.knownIn !== minute;
  try {
    if (await isKnown(parts)) {
      state.knownIn = minute;
      tell('The service knows this prober. It measures from the next minute on.');
    } else tell(`The service does not know this prober yet: broker-rating admin prober add ${key.verifierKey}`);
  } catch (error) {
    if (!(error instanceof CheckError)) throw error;
    tell(`Whether the service knows this prober cannot be asked: ${formatError(error)}`);
  }
  return false;
};

/** Measures a minute over a fresh connection, as a new caller has. */
const measureMinute = async (shared: Omit<ProbeRound, 'caller'>, { service }: ProberOptions, minute: string) => {
  const caller = createCaller(service);
  try {
    return await measure({ ...shared, caller }, minute);
  } finally {
    await caller.close();
  }
};

/**
 * Measures minutes at the given pace, and stores, reports and delivers each. A minute that was measured before a
 * restart is not measured again.
 */
export const runProber = async (options: ProberOptions, pace: Pace): Promise<void> => {
  const { key, enterpriseKey: token, logKeys, canaryEvery, clock, tell } = options;
  const opened = await openProber(options);
  const { results, state, noteResult, save } = opened;
  const readMinute = (): string => minuteText(minuteNumber(clock().toISOString()));
  try {
    const afterwards = createFollowUp(opened, options);
    const [tellOutcome, tellWebhooks, tellVote] = [
      createChangeReporter(tell),
      createChangeReporter(tell),
      createChangeReporter(tell),
    ];
    const shared = { key, token, logKeys, canaryEvery, state, pending: {}, tell };
    const today = await results.read(readMinute().slice(0, 10));
    const before = today.at(-1)?.minute;
    if (before === readMinute()) tell(`${before} is measured already.`);
    afterwards.begin(); // lines that an earlier process could not deliver need not wait for a minute
    let last = before === undefined ? undefined : minuteNumber(before);
    while (await pace.next(last, computeOffset(key.name))) {
      const minute = readMinute();
      last = minuteNumber(minute);
      if (await mayVote(opened, options, minute, tellVote)) {
        const webhooks = await startReceiver(opened, options, tellWebhooks);
        const result = await results.add(await measureMinute({ ...shared, webhooks }, options, minute));
        noteResult(result);
        tellOutcome(isUp(result) ? 'The service is up.' : formatOutcome(result));
      }
      await save();
      afterwards.begin();
    }
    await afterwards.finish();
  } finally {
    await opened.close();
  }
};
