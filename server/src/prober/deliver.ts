import { TRANSPARENCY_BASE_PATH } from '@broker-transparency/contract';
import { hashOfResult, ProbeResult } from '@broker-transparency/contract/service-level';
import type { Clock } from '../platform/clock.ts';
import { bodyOf, Delivered, parsed } from './answers.rule.ts';
import { type Caller, createCaller } from './ask.ts';
import { agreedLines, type Has, isOpen, nextLines, TAKES_NO_MORE } from './deliver.rule.ts';
import { sha256 } from './hashing.ts';
import type { Results } from './results.ts';
import type { State } from './state.ts';
import { shownError, Wrong } from './wrong.rule.ts';

/** What deliveries need. */
export interface DeliveryParts {
  readonly service: string;
  readonly prober: string;
  readonly results: Results;
  readonly state: State;
  readonly clock: Clock;
}

/** A delivery may take longer than a check: nobody waits for it. */
const TIMEOUT_MS = 20_000;

/** Codes by which the service says that it will never take the lines of this day. Others can pass. */
const FINAL = new Set(['results_sealed']);

const hashes = (lines: readonly string[]): string[] =>
  lines.map((line) => hashOfResult(ProbeResult.parse(JSON.parse(line)), sha256));

const codeIn = (body: string): string | undefined => {
  try {
    return (JSON.parse(body) as { code?: string }).code;
  } catch {
    return undefined;
  }
};

/** What the service has, if its refusal says so. */
const hasIn = (body: string): Has | undefined => {
  try {
    return Delivered.parse(JSON.parse(body));
  } catch {
    return undefined;
  }
};

/** Delivers what the service lacks of a day. @throws Wrong if it must be tried again later */
const deliverDay = async (caller: Caller, date: string, { prober, results, state }: DeliveryParts): Promise<void> => {
  const lines = await results.lines(date);
  const path = `${TRANSPARENCY_BASE_PATH}/service-level/results/${prober}/${date}`;
  let resumed = false;
  for (;;) {
    const given = state.given[date] ?? 0;
    const next = nextLines(lines, given);
    if (next.length === 0) return;
    const body = `${next.join('\n')}\n`;
    const answer = await caller.ask(path, { body, contentType: 'application/x-ndjson', timeoutMs: TIMEOUT_MS });
    if (answer.status === 409 && !resumed) {
      const has = hasIn(answer.body);
      const agreed = has && agreedLines(has, hashes(lines));
      if (has && agreed === undefined) throw new Wrong(`of ${date} it has ${has.lines} lines that are not ours`);
      if (agreed !== undefined) {
        resumed = true;
        state.given[date] = agreed;
        continue;
      }
    }
    if (FINAL.has(codeIn(answer.body) ?? '')) {
      state.given[date] = TAKES_NO_MORE;
      throw new Wrong(`of ${date} it takes nothing more: ${lines.length - given} lines came too late`);
    }
    bodyOf('the delivery', answer);
    const { lines: has } = parsed('the delivery', answer, Delivered);
    if (has <= given) throw new Wrong(`it says that it has ${has} lines of ${date} after a delivery behind ${given}`);
    state.given[date] = Math.min(has, lines.length);
  }
};

/**
 * Delivers what the service lacks of every day that it still takes. A day that is refused does not hold up others.
 * @returns what was refused
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
        if (!(error instanceof Wrong)) throw error;
        refused.push(shownError(error));
      }
    }
    return refused;
  } finally {
    await caller.close();
  }
};

/** How many lines the service lacks that it would still take. */
export const undelivered = async ({ results, state, clock }: DeliveryParts): Promise<number> => {
  let count = 0;
  for (const date of await results.days()) {
    const given = state.given[date] ?? 0;
    if (isOpen(date, clock()) && given !== TAKES_NO_MORE) count += (await results.lines(date)).length - given;
  }
  return count;
};
