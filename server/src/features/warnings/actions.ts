import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db, Tx } from '../../platform/mongo.ts';
import { listBrokerIdentifiers, resolveSlugs } from '../brokers/facts.ts';
import { requireUnclaimedCase } from '../claims/actions.ts';
import { requireNotOwn } from '../representatives/own-cases.ts';
import {
  applyDecision,
  canDecide,
  MATCH_STATES,
  type MatchState,
  toAuthorityKey,
  toMatchId,
  type WarningDecision,
  type WarningMatch,
} from './decide.rule.ts';
import type { MatchableBroker } from './match.rule.ts';
import { writeMove } from './matching.ts';
import * as store from './store.ts';
import type { WarningState } from './warning.rule.ts';

export { beginChange, countMoves, type MatchCounts, matchWarnings, planMatches } from './matching.ts';
export { recordChanges, withdrawWarnings } from './record.ts';
export { listReadings, saveReading, takeBackReading } from './store.ts';

/** Reads the stored warnings of a list, and its last reading. */
export const readList = async (db: Db, source: string) => ({
  known: new Map((await store.findWarnings(db, source)).map((warning) => [warning._id, warning])),
  last: await store.findReading(db, source),
});

/** @throws DomainError not_found */
const requireWarning = async (db: Db, id: string, tx?: Tx): Promise<WarningState> => {
  const found = (await store.readWarnings(db, [id], tx)).get(id);
  if (found) return found;
  throw new DomainError('not_found', `There is no warning "${id}". See: warning list`);
};

const NOT_MATCHED: Omit<WarningMatch, '_id' | 'warning' | 'authority' | 'broker' | 'foundAt'> = {
  state: 'waiting',
  about: null,
  evidence: [],
  suggests: 'this_firm',
  grounds: [],
  doubts: [],
  decidedAt: null,
  correctedAt: null,
  published: null,
};

/** Returns the match of a warning with a broker. To confirm one that the rules do not find, creates it. */
const findOrCreateMatch = async (
  c: TxContext,
  warning: WarningState,
  broker: string,
  kind: WarningDecision['kind'],
) => {
  const stored = await store.findMatch(toMatchId(warning._id, broker), c.tx);
  if (stored) return { stored, match: stored };
  if (kind !== 'confirm')
    throw new DomainError('not_found', `The warning does not fit "${broker}": there is nothing to ${kind}.`);
  const match: WarningMatch = {
    ...NOT_MATCHED,
    _id: toMatchId(warning._id, broker),
    warning: warning._id,
    authority: toAuthorityKey(warning),
    broker,
    foundAt: c.now,
  };
  return { stored: undefined, match };
};

/** Returns the broker with a slug. @throws DomainError broker_not_found */
const requireMatchable = async (db: Db, slug: string): Promise<MatchableBroker> => {
  const key = (await resolveSlugs(db, [slug]))(slug)?.key;
  const found = (await listBrokerIdentifiers(db)).find((broker) => broker.key === key);
  if (found) return found;
  throw new DomainError('broker_not_found', `No broker has the slug "${slug}".`);
};

/**
 * Decides a match as a person: the warning is about a broker or a clone of it, or not, or its publication was wrong. No
 * later reading of the list changes the decision.
 * @throws NeedsAnother for whoever answers for the broker
 * @throws DomainError not_found, broker_not_found, or state_conflict if it is already decided
 */
export const decideMatch = async (
  context: Context,
  id: string,
  slug: string,
  decision: WarningDecision,
): Promise<{ readonly before: MatchState | null; readonly match: WarningMatch; readonly broker: MatchableBroker }> => {
  const broker = await requireMatchable(context.db, slug);
  return inTransaction(context, async (c) => {
    const warning = await requireWarning(c.db, id, c.tx);
    const { stored, match } = await findOrCreateMatch(c, warning, broker.key, decision.kind);
    await requireUnclaimedCase(c, 'warning', match._id);
    await requireNotOwn(c, { what: `the match ${match._id}`, accounts: [], brokers: [broker.key] });
    if (!canDecide(match.state, decision.kind))
      throw new DomainError(
        'state_conflict',
        `It is ${match.state}: ${MATCH_STATES[match.state]}. See: warning show ${id}`,
      );
    const after = applyDecision(match, warning, decision, c.now);
    await writeMove(c, { before: stored, after, warning, broker }, `warning_${decision.kind}`);
    return { before: stored?.state ?? null, match: after, broker };
  });
};

/** A match with the fields that people see. */
export interface ShownMatch {
  readonly warning: WarningState;
  readonly match: WarningMatch;
  /** Current slug of the broker. */
  readonly broker: string;
}

const toShownMatches = async (db: Db, matches: readonly WarningMatch[]): Promise<ShownMatch[]> => {
  const warnings = await store.readWarnings(
    db,
    matches.map(({ warning }) => warning),
  );
  const find = await resolveSlugs(db, [...new Set(matches.map(({ broker }) => broker))]);
  return matches.flatMap((match) => {
    const warning = warnings.get(match.warning);
    return warning ? [{ warning, match, broker: find(match.broker)?.slug ?? match.broker }] : [];
  });
};

/** Lists the matches that a person has to check: first those that wait, then those that are published unchecked. */
export const listOpenMatches = async (db: Db, limit: number) => {
  const waiting = await store.findInStates(db, ['waiting'], limit);
  const unchecked = await store.findInStates(db, ['unchecked'], limit);
  return {
    rows: await toShownMatches(db, [...unchecked.rows, ...waiting.rows].slice(0, limit)),
    waiting: waiting.count,
    unchecked: unchecked.count,
  };
};

/** Lists warnings, the last seen first, with their total number. */
export const listWarnings = store.listWarnings;

/** Returns a warning with its matches. @throws DomainError not_found */
export const showWarning = async (db: Db, id: string) => {
  const warning = await requireWarning(db, id);
  return { warning, matches: await toShownMatches(db, await store.findWarningMatches(db, [id])) };
};

/** Counts the matches that wait for a person, with the age of the oldest. */
export const countOpenMatches = store.countOpen;

/** Counts the matches in one of these states. */
export const countMatches = async (db: Db, wanted: 'waiting' | 'unchecked') =>
  (await countOpenMatches(db)).find(({ state }) => state === wanted) ?? {};
