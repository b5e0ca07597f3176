import { TRANSPARENCY_BASE_PATH } from '@broker-transparency/contract';
import { toBase64 } from '@broker-transparency/log';
import { DELIVERY_HEADERS, deliveryText, hashResult, ProbeResult } from '@broker-transparency/service-level';
import * as z from 'zod';
import type { LogKey } from '../ledger/log/keys.ts';
import type { Clock } from '../platform/clock.ts';
import { sha256 } from '../platform/sha256.rule.ts';
import { Delivered, parseResponse, requireBody } from './answers.rule.ts';
import { createCaller, type ServiceCaller } from './ask.ts';
import {
  type ChainHead,
  countAgreedLines,
  countLinesBefore,
  isOpen,
  TAKES_NO_MORE,
  takeNextLines,
} from './deliver.rule.ts';
import type { ProberResults } from './results.ts';
import type { ProberState } from './state.ts';
import { CheckError, formatError } from './wrong.rule.ts';

/** The parts that deliveries need. */
export interface DeliveryParts {
  readonly service: string;
  /** The key of the prober, with its name. */
  readonly key: Pick<LogKey, 'name' | 'sign'>;
  readonly results: ProberResults;
  readonly state: ProberState;
  readonly clock: Clock;
}

/** Time limit of a delivery. It may take longer than a check, since nobody waits for it. */
const TIMEOUT_MS = 20_000;

const hashLines = (lines: readonly string[]): string[] =>
  lines.map((line) => hashResult(ProbeResult.parse(JSON.parse(line)), sha256));

/** The fields of a refusal beside its text. */
const Refusal = z.object({
  detail: z.string().optional(),
  errors: z.array(z.object({ detail: z.string() })).optional(),
  /** The day takes no more lines. */
  sealed: z.boolean().optional(),
});

const parseRefusal = (body: string) => {
  try {
    const { detail = '', errors = [], sealed } = Refusal.parse(JSON.parse(body));
    return { text: errors[0]?.detail ?? detail, isFinal: sealed !== undefined };
  } catch {
    return { text: '', isFinal: false };
  }
};

/** Returns the service's state of a day, if its refusal contains it. */
const findChainHead = (body: string): ChainHead | undefined => {
  try {
    return Delivered.parse(JSON.parse(body));
  } catch {
    return undefined;
  }
};

/**
 * Returns the number of our lines that the service has, if its refusal says that ours do not continue its own. @throws
 * CheckError if it has other lines
 */
const findResumeLine = (body: string, lines: readonly string[], date: string): number | undefined => {
  const has = findChainHead(body);
  if (!has) return undefined;
  const agreed = countAgreedLines(has, hashLines(lines));
  if (agreed === undefined) throw new CheckError(`of ${date} it has ${has.lines} lines that are not ours`);
  return agreed;
};

/** Delivers past days again, because the service has lost lines, for example by a restore. */
const resetDeliveries = (state: ProberState, but: string): void => {
  for (const [date, given] of Object.entries(state.given))
    if (date !== but && given !== TAKES_NO_MORE) state.given[date] = 0;
};

/** The headers by which a prober signs a delivery. */
const createSignedHeaders = async (body: string, date: string, { key, clock }: DeliveryParts) => {
  const time = String(Math.floor(clock().getTime() / 1000));
  const digest = toBase64(sha256(new TextEncoder().encode(body)));
  const signature = await key.sign(new TextEncoder().encode(deliveryText({ prober: key.name, date, time, digest })));
  return {
    [DELIVERY_HEADERS.time]: time,
    [DELIVERY_HEADERS.digest]: digest,
    [DELIVERY_HEADERS.signature]: toBase64(signature),
  };
};

/** Delivers the lines of a day that the service lacks. @throws CheckError if it must be tried again later */
const deliverDay = async (caller: ServiceCaller, date: string, parts: DeliveryParts): Promise<void> => {
  const { key, results, state } = parts;
  const lines = await results.lines(date);
  const path = `${TRANSPARENCY_BASE_PATH}/service-level/results/${key.name}/${date}`;
  let [isResumed, most] = [false, lines.length];
  for (;;) {
    const given = state.given[date] ?? 0;
    const next = takeNextLines(lines.slice(0, most), given);
    if (next.length === 0) return;
    const body = `${next.join('\n')}\n`;
    const headers = await createSignedHeaders(body, date, parts);
    const asked = { body, headers, contentType: 'application/x-ndjson', timeoutMs: TIMEOUT_MS };
    const answer = await caller.ask(path, asked);
    const agreed = answer.status === 409 && !isResumed ? findResumeLine(answer.body, lines, date) : undefined;
    if (agreed !== undefined) {
      if (agreed < given) resetDeliveries(state, date);
      [isResumed, state.given[date]] = [true, agreed];
      continue;
    }
    const { text, isFinal } = parseRefusal(answer.body);
    if (answer.status === 409 && isFinal) {
      state.given[date] = TAKES_NO_MORE;
      throw new CheckError(`of ${date} it takes nothing more: ${lines.length - given} lines came too late`);
    }
    const before = answer.status < 500 ? countLinesBefore(text) : 0;
    if (answer.status >= 400 && before > 0 && before < next.length) {
      most = given + before; // the lines before the faulty one
      continue;
    }
    if (answer.status >= 400 && text !== '') throw new CheckError(`of ${date}: ${text}`);
    requireBody('the delivery', answer);
    const { lines: has } = parseResponse('the delivery', answer, Delivered);
    if (has <= given)
      throw new CheckError(`it says that it has ${has} lines of ${date} after a delivery behind ${given}`);
    state.given[date] = Math.min(has, lines.length);
  }
};

/**
 * Returns true if the service knows this prober. It refuses lines up to the minute of the registration, and all that
 * continue them. @throws CheckError if the service cannot be asked
 */
export const isKnown = async ({ service, key, clock }: DeliveryParts): Promise<boolean> => {
  const caller = createCaller(service);
  try {
    const date = clock().toISOString().slice(0, 10);
    const answer = await caller.ask(`${TRANSPARENCY_BASE_PATH}/service-level/results/${key.name}/${date}`);
    if (answer.status === 404) return false;
    requireBody('the intake of results', answer);
    return true;
  } finally {
    await caller.close();
  }
};

/**
 * Delivers all lines that the service lacks and still accepts. A refused day does not delay others. @returns the
 * refusals
 */
export const deliver = async (parts: DeliveryParts): Promise<readonly string[]> => {
  const { service, results, state, clock } = parts;
  const caller = createCaller(service);
  const refused: string[] = [];
  try {
    const open = (await results.days()).filter((date) => isOpen(date, clock()));
    state.given = Object.fromEntries(open.map((date) => [date, state.given[date] ?? 0]));
    for (const date of open) {
      try {
        await deliverDay(caller, date, parts);
      } catch (error) {
        if (!(error instanceof CheckError)) throw error;
        refused.push(formatError(error));
      }
    }
    return refused;
  } finally {
    await caller.close();
  }
};

/** Returns the number of lines that the service lacks and would still accept. */
export const countUndelivered = async ({ results, state, clock }: DeliveryParts): Promise<number> => {
  let count = 0;
  for (const date of await results.days()) {
    const given = state.given[date] ?? 0;
    if (isOpen(date, clock()) && given !== TAKES_NO_MORE) count += (await results.lines(date)).length - given;
  }
  return count;
};
