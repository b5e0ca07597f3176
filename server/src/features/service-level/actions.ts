import { entryKey, type ProberVote } from '@broker-transparency/contract/record';
import { parseVerifierKey } from '@broker-transparency/log';
import { hasVote, minuteNumber, minuteText, ProbeResult } from '@broker-transparency/service-level';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { hasItsId, verifyEd25519 } from '../../ledger/log/keys.ts';
import { hasEntry } from '../../ledger/record/read.ts';
import { DomainError } from '../../platform/domain-error.ts';
import {
  type DeliveryLine,
  hashLine,
  hasLastLine,
  type LineFault,
  readDelivery,
  selectNewLines,
} from './delivery.rule.ts';
import { AHEAD_MINUTES, MARK_MINUTES, MOST_LINES } from './policy.rule.ts';
import { findHeadFault, type HeadFault, type SignedHead } from './signed.rule.ts';
import * as store from './store.ts';

export { listProbers } from './facts.ts';

/** Returns the valid name of a prober. @throws DomainError invalid_input */
export const requireProberName = (name: string): string => {
  const { data, error } = ProbeResult.shape.prober.safeParse(name);
  if (data !== undefined) return data;
  throw new DomainError('invalid_input', `"${name}" is not a name for a prober: it ${error?.issues[0]?.message}.`);
};

const requireKey = (text: string) => {
  try {
    const key = parseVerifierKey(text);
    if (!hasItsId(key)) throw new SyntaxError('its id is not the one of its name and key');
    requireProberName(key.name);
    return key;
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new DomainError('invalid_input', `This is not a verifier key, name+id+base64: ${(error as Error).message}.`);
  }
};

/** Adds a prober's vote to the record. The time of the entry proves that votes do not change for the past. */
const publishVote = (c: TxContext, name: string, value: ProberVote): void => {
  const key = entryKey('service-level', 'prober', name);
  c.publish({ kind: 'service-level', key, subject: key, value: { ...value }, cause: 'fact' });
};

/** Returns the minute that begins this many minutes after the current one. */
const addMinutes = (minutes: number, now: Date): string => minuteText(minuteNumber(now.toISOString()) + minutes);

/**
 * Registers a prober by its verifier key. Its vote begins with the second minute from now: the prober learns of the
 * vote in the first one and may not measure it. It never covers earlier time.
 * @throws DomainError invalid_input or state_conflict
 */
export const registerProber = (
  context: Context,
  text: string,
  canaryMinutes: number | undefined,
): Promise<{ readonly name: string; readonly since: string }> => {
  const { name } = requireKey(text);
  return inTransaction(context, async (c) => {
    const known = await store.findProber(c.db, name, c.tx);
    if (known) throw new DomainError('state_conflict', `"${name}" was registered before: no name is ever used again.`);
    const since = addMinutes(2, c.now);
    const canary = canaryMinutes === undefined ? {} : { canaryMinutes };
    await store.insertProber({ _id: name, key: text, since, ...canary }, c.tx);
    publishVote(c, name, { verifierKey: text, since });
    c.audit(
      'prober.registered',
      { kind: 'prober', id: name },
      {
        before: null,
        after: { key: text, since, ...canary },
        reason: 'operator_command',
      },
    );
    return { name, since };
  });
};

/** Ends the vote of a prober with the current minute. @throws DomainError not_found or state_conflict */
export const endProber = (context: Context, name: string): Promise<string> =>
  inTransaction(context, async (c) => {
    const prober = await store.findProber(c.db, name, c.tx);
    if (!prober) throw new DomainError('not_found', `No prober has the name "${name}".`);
    if (prober.until !== undefined) throw new DomainError('state_conflict', `Its vote ended at ${prober.until}.`);
    const until = addMinutes(1, c.now);
    await store.endProber(name, until, c.tx);
    publishVote(c, name, { verifierKey: prober.key, since: prober.since, until });
    const change = { before: { until: null }, after: { until }, reason: 'operator_command' };
    c.audit('prober.ended', { kind: 'prober', id: name }, change);
    return until;
  });

/** The stored lines of a prober and day. */
interface DayHead {
  readonly lines: number;
  readonly head: string | null;
}

/** The result of a delivery. */
export type IngestResult =
  | ({ readonly is: 'taken' } & DayHead)
  /** The lines do not continue the stored ones. */
  | ({ readonly is: 'elsewhere' } & DayHead)
  | { readonly is: 'unknown' | 'sealed' | 'full' }
  | ({ readonly is: 'wrong' } & LineFault);

/** Lines of a prober and day, as delivered. */
export interface ProberDelivery {
  readonly prober: string;
  readonly date: string;
  readonly body: string;
}

/** Returns true if the last of these lines is already stored: the delivery is an old one. */
const isStored = async (
  lines: readonly DeliveryLine[],
  { date, prober }: ProberDelivery,
  { tx, db }: TxContext,
): Promise<boolean> => {
  const kept = (await store.readText(db, date, prober, tx)).split('\n').filter((line) => line !== '');
  const hashes = new Set(kept.map(hashLine));
  return hashes.has(lines.at(-1)?.hash as string);
};

const appendNew = async (
  c: TxContext,
  lines: readonly DeliveryLine[],
  delivery: ProberDelivery,
): Promise<IngestResult> => {
  const { date, prober } = delivery;
  const { lines: from, head, isSealed } = await store.findDay(c.db, date, prober, c.tx);
  const added = selectNewLines(lines, head);
  const isRepeated = added?.length === 0 || (!added && from > 0 && (await isStored(lines, delivery, c)));
  if (isRepeated) return { is: 'taken', lines: from, head };
  if (isSealed || (await hasEntry(entryKey('service-level', date), c.tx))) return { is: 'sealed' };
  if (!added) return { is: 'elsewhere', lines: from, head };
  if (from + added.length > MOST_LINES) return { is: 'full' };
  const last = added.at(-1) as DeliveryLine;
  await store.appendLines({ date, prober }, { added, from, head: last.hash }, c.tx);
  return { is: 'taken', lines: from + added.length, head: last.hash };
};

/** Returns the fault of a delivery's headers, before the body is read; undefined if there is none. */
export const checkHead = async (
  { db, clock }: Context,
  head: SignedHead,
): Promise<HeadFault | 'unknown prober' | undefined> => {
  const prober = await store.findProber(db, head.prober);
  return prober ? findHeadFault(head, parseVerifierKey(prober.key), clock(), verifyEd25519) : 'unknown prober';
};

/** Appends lines to those that the prober has delivered about a day. Accepts lines that are already stored. */
export const ingestDelivery = async (context: Context, delivery: ProberDelivery): Promise<IngestResult> => {
  const { prober: name, date, body } = delivery;
  const prober = await store.findProber(context.db, name);
  if (!prober) return { is: 'unknown' };
  const { lines: has, head } = await store.findDay(context.db, date, name);
  if (head !== null && hasLastLine(body, head)) return { is: 'taken', lines: has, head };
  const of = { key: parseVerifierKey(prober.key), date, vote: prober, now: context.clock() };
  const lines = await readDelivery(body, of, verifyEd25519);
  if ('why' in lines) return { is: 'wrong', ...lines };
  return inTransaction(context, (c) => appendNew(c, lines, delivery));
};

/** The result of a mark. */
export type MarkResult =
  | { readonly is: 'written'; readonly mark: string }
  | { readonly is: 'unknown' | 'wrong signature' | 'wrong time' | 'not allowed' }
  | { readonly is: 'too soon'; readonly seconds: number };

/** A mark with the prober's signature over `canary <prober> <mark>`. */
export interface SignedMark {
  readonly prober: string;
  /** The minute of the mark. */
  readonly mark: string;
  /** In base64. */
  readonly signature: string;
}

const isRecent = (mark: string, now: Date): boolean => {
  const age = minuteNumber(now.toISOString()) - minuteNumber(mark);
  return age >= -AHEAD_MINUTES && age <= MARK_MINUTES;
};

/** Writes a mark into the record, by which a prober measures the delay of the feed and webhooks. */
export const writeMark = async (
  context: Context,
  { prober: name, mark, signature }: SignedMark,
): Promise<MarkResult> => {
  const known = await store.findProber(context.db, name);
  if (!known) return { is: 'unknown' };
  const { publicKey } = parseVerifierKey(known.key);
  const signed = Buffer.from(`canary ${name} ${mark}`);
  if (!(await verifyEd25519(publicKey, signed, Buffer.from(signature, 'base64')))) return { is: 'wrong signature' };
  return inTransaction(context, async (c): Promise<MarkResult> => {
    const prober = await store.findProber(c.db, name, c.tx);
    const { canaryMinutes, mark: last } = prober ?? known;
    const isVoter = hasVote(known, minuteNumber(mark));
    if (canaryMinutes === undefined || !isVoter || prober?.until !== undefined) return { is: 'not allowed' };
    if (!isRecent(mark, c.now)) return { is: 'wrong time' };
    if (mark === last) return { is: 'written', mark };
    const due = last === undefined ? 0 : minuteNumber(last) + canaryMinutes;
    if (minuteNumber(mark) < due) return { is: 'too soon', seconds: (due - minuteNumber(mark)) * 60 };
    await store.setMark(name, mark, c.tx);
    const key = entryKey('service-level', 'canary', name);
    c.publish({ kind: 'service-level', key, subject: key, value: { mark }, cause: 'fact' });
    return { is: 'written', mark };
  });
};
