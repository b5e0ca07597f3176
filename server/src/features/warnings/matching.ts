import { hash } from 'node:crypto';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import type { StatementSource } from '../../ledger/statements/statement.rule.ts';
import type { Db } from '../../platform/mongo.ts';
import { createTurns } from '../../platform/turns.ts';
import { listBrokerIdentifiers } from '../brokers/facts.ts';
import { type KnownBroker, readKnownBrokers } from '../brokers/known.ts';
import { recordWarning } from '../brokers/warned.ts';
import { announce, findAnnouncedItem } from './announce.ts';
import {
  endMatch,
  evaluateMatch,
  findAnnouncement,
  isTakenBack,
  toAuthorityKey,
  toMatchId,
  type WarningMatch,
  withoutMerger,
} from './decide.rule.ts';
import { type BrokerIndex, findBrokers, indexBrokers, type MatchableBroker, mayFit } from './match.rule.ts';
import * as store from './store.ts';
import type { WarningState } from './warning.rule.ts';

/** A match to be written, and the match that it replaces. */
export interface MatchMove {
  readonly before: WarningMatch | undefined;
  readonly after: WarningMatch;
  readonly warning: WarningState;
  /** undefined if the broker no longer exists. */
  readonly broker: MatchableBroker | undefined;
}

/** The data by which matches are evaluated. */
interface MatchContext {
  readonly index: BrokerIndex;
  readonly brokers: ReadonlyMap<string, MatchableBroker>;
  /** Matches by warning. */
  readonly matches: ReadonlyMap<string, readonly WarningMatch[]>;
  /** Grounds of matches that a person withdrew, by broker and authority. */
  readonly undone: ReadonlyMap<string, ReadonlySet<string>>;
  /** Ids of new or changed warnings. */
  readonly changed: ReadonlySet<string>;
  readonly now: Date;
}

const toPairKey = (broker: string, authority: string): string => JSON.stringify([broker, authority]);

const indexUndone = (matches: readonly WarningMatch[]): Map<string, Set<string>> => {
  const undone = new Map<string, Set<string>>();
  for (const { broker, authority, grounds } of matches.filter(isTakenBack)) {
    const key = toPairKey(broker, authority);
    undone.set(key, new Set([...(undone.get(key) ?? []), ...grounds]));
  }
  return undone;
};

/** Returns the match of a warning with a broker: its own, or one of a broker that was merged into it. */
const findMatchFor = (matches: readonly WarningMatch[], { key, keys }: MatchableBroker): WarningMatch | undefined => {
  const own = matches.find((match) => match.broker === key);
  if (own?.from !== undefined && !keys.includes(own.from)) return withoutMerger(own);
  const former = matches.find((match) => keys.includes(match.broker));
  if (own || !former) return own;
  const { warning } = former;
  return { ...former, _id: toMatchId(warning, key), broker: key, from: former.broker, published: null };
};

/** Returns the matches of one warning that have to be written. */
const planMoves = (warning: WarningState, world: MatchContext): MatchMove[] => {
  const { index, brokers, matches, undone, changed, now } = world;
  const known = matches.get(warning._id) ?? [];
  const found = new Map(findBrokers(warning, index).map((one) => [one.broker.key, one]));
  const concerned = new Set([...found.keys(), ...known.map(({ broker }) => broker)]);
  return [...concerned].flatMap((key): MatchMove[] => {
    const broker = brokers.get(key);
    const fits = found.get(key);
    const before = broker ? findMatchFor(known, broker) : known.find((match) => match.broker === key);
    const taken = (broker?.keys ?? [key]).map((one) => undone.get(toPairKey(one, toAuthorityKey(warning))));
    const isUndoneBefore = fits?.grounds.some((ground) => taken.some((grounds) => grounds?.has(ground))) ?? false;
    const after = evaluateMatch({
      warning,
      found: fits,
      before,
      isUndoneBefore,
      isChanged: changed.has(warning._id),
      now,
    });
    const stored = known.find((match) => match.broker === key);
    return after === undefined || after === stored ? [] : [{ before: stored, after, warning, broker }];
  });
};

/** Maps with pauses, so that the process can answer requests meanwhile. */
const mapInTurns = async <T, U>(
  all: readonly T[],
  map: (one: T) => readonly U[],
  signal?: AbortSignal,
): Promise<U[]> => {
  const mapped: U[] = [];
  const giveTurn = createTurns();
  for (const one of all) {
    mapped.push(...map(one));
    await giveTurn();
    signal?.throwIfAborted();
  }
  return mapped;
};

const computeDigests = (brokers: readonly MatchableBroker[]): Record<string, string> =>
  Object.fromEntries(
    brokers.map((broker) => [broker.key, hash('sha256', JSON.stringify(broker), 'base64url').slice(0, 16)]),
  );

/** The scope of a matching. */
interface MatchScope {
  /** Changed warnings, in place of the stored ones. */
  readonly changed?: readonly WarningState[];
  /** True if the other warnings are matched with all brokers, not only with those that changed since. */
  readonly isWhole?: boolean;
  /** The result of `beginChange`. */
  readonly since?: store.MatchProgress['matched'];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Marks that warnings are about to change, so that the next matching is complete if this one does not finish. Returns
 * the brokers with which all other warnings were matched.
 */
export const beginChange = async (db: Db): Promise<store.MatchProgress['matched']> => {
  const { matched } = await store.readProgress(db);
  await store.saveProgress(db, { matched: null });
  return matched;
};

/** Returns the warnings that may match changed brokers, or matched them before. */
const findConcerned = async (
  warnings: readonly WarningState[],
  { brokers, gone }: { readonly brokers: readonly MatchableBroker[]; readonly gone: ReadonlySet<string> },
  { matches, signal }: { readonly matches: readonly WarningMatch[]; readonly signal: AbortSignal | undefined },
): Promise<WarningState[]> => {
  const keys = new Set([...gone, ...brokers.map(({ key }) => key)]);
  if (keys.size === 0) return [];
  const matched = new Set(matches.filter(({ broker }) => keys.has(broker)).map(({ warning }) => warning));
  const index = indexBrokers(brokers);
  return mapInTurns(
    warnings,
    (warning) => (matched.has(warning._id) || mayFit(warning, index) ? [warning] : []),
    signal,
  );
};

/** The work of a matching. */
interface MatchWork {
  readonly warnings: readonly WarningState[];
  /** undefined if there is nothing to match. */
  readonly world: MatchContext | undefined;
  readonly digests: Readonly<Record<string, string>>;
}

/**
 * Returns true if a warning has an LEI or a number, by which it can count at once. These come first, so that a long
 * list does not delay them.
 */
const isIdentified = ({ leis, licenseNumbers }: WarningState): boolean => leis.length + licenseNumbers.length > 0;

const prepareWork = async (
  db: Db,
  now: Date,
  { changed = [], isWhole = false, since, signal }: MatchScope,
): Promise<MatchWork> => {
  const [all, matches, progress] = await Promise.all([
    listBrokerIdentifiers(db),
    store.findMatches(db),
    store.readProgress(db),
  ]);
  const matched = since === undefined ? progress.matched : since;
  const digests = computeDigests(all);
  const isAll = isWhole || matched === null;
  const brokers = all.filter(({ key }) => matched?.[key] !== digests[key]);
  const gone = new Set(Object.keys(matched ?? {}).filter((key) => digests[key] === undefined));
  const kept = isAll || brokers.length + gone.size > 0 ? await store.findWarnings(db, undefined) : [];
  const others = isAll ? kept : await findConcerned(kept, { brokers, gone }, { matches, signal });
  const warnings = [...new Map([...others, ...changed].map((warning) => [warning._id, warning])).values()];
  if (warnings.length === 0) return { warnings, world: undefined, digests };
  const world: MatchContext = {
    index: indexBrokers(all),
    brokers: new Map(all.map((broker) => [broker.key, broker])),
    matches: Map.groupBy(matches, ({ warning }) => warning),
    undone: indexUndone(matches),
    changed: new Set(changed.map(({ _id }) => _id)),
    now,
  };
  return { warnings: warnings.sort((a, b) => Number(isIdentified(b)) - Number(isIdentified(a))), world, digests };
};

/** Returns the changes that a matching would make now. */
export const planMatches = async (db: Db, now: Date, scope: MatchScope = {}): Promise<MatchMove[]> => {
  const { warnings, world } = await prepareWork(db, now, scope);
  return world ? mapInTurns(warnings, (warning) => planMoves(warning, world), scope.signal) : [];
};

/** Returns the facts of a match for the audit trail. */
const toAuditFacts = (match: WarningMatch | undefined) =>
  match
    ? {
        broker: match.broker,
        state: match.state,
        about: match.about,
        by: match.grounds.map((ground) => ground.split(':', 1)[0]).join(' '),
      }
    : null;

const toSource = ({ authority }: WarningState): StatementSource => ({ kind: 'authority', name: authority.name });

/** Writes a move: the match, the broker's published warnings, the audit trail, and the announcement. */
export const writeMove = async (
  c: TxContext,
  { before, after, warning, broker }: MatchMove,
  reason: string,
): Promise<void> => {
  const announcement = findAnnouncement(before?.published ?? null, after.published);
  const item = broker && findAnnouncedItem({ announcement, warning, match: after, broker }, c.now);
  const match = item === undefined ? after : { ...after, announced: item };
  await store.saveMatch(match, c.tx);
  c.audit(
    'warning.matched',
    { kind: 'warning', id: warning._id },
    {
      before: toAuditFacts(before),
      after: toAuditFacts(after),
      reason,
    },
  );
  if (broker === undefined || announcement === 'none') return;
  const known = (await readKnownBrokers([broker.key], c.tx)).get(broker.key) as KnownBroker;
  if (known.state === null) return;
  const isCorrection = announcement === 'corrected';
  await recordWarning(
    c,
    known,
    { id: warning._id, value: after.published },
    {
      origin: {
        source: toSource(warning),
        url: warning.url,
        credit: warning.credit,
        // a correction is valid from the beginning of the warning
        validFrom: isCorrection ? (warning.publishedAt ?? warning.publishedBy ?? warning.seenAt) : null,
      },
      asOf: c.now,
      occasion: { cause: isCorrection ? 'correction' : 'fact', run: null, batch: null },
      reason,
    },
  );
  await announce(c, { announcement, warning, match, broker });
};

const CLOSED: ReadonlySet<WarningMatch['state']> = new Set(['rejected', 'undone', 'ended']);

/** Ends the matches of warnings that are no longer kept, and withdraws their publications. */
export const endMatches = async (c: TxContext, gone: readonly WarningState[], reason: string): Promise<void> => {
  const warnings = new Map(gone.map((warning) => [warning._id, warning]));
  const matches = await store.findWarningMatches(c.db, [...warnings.keys()], c.tx);
  const open = matches.filter(({ state }) => !CLOSED.has(state));
  if (open.length === 0) return;
  const brokers = new Map((await listBrokerIdentifiers(c.db)).map((broker) => [broker.key, broker]));
  for (const before of open) {
    const warning = warnings.get(before.warning) as WarningState;
    const after = endMatch(before, warning, c.now);
    await writeMove(c, { before, after, warning, broker: brokers.get(before.broker) }, reason);
  }
};

/** Counts of written moves. */
export type MatchCounts = Readonly<Record<'published' | 'waiting' | 'corrected' | 'ended', number>>;

/** Counts the moves that publish, wait, correct and end. */
export const countMoves = (moves: readonly Pick<MatchMove, 'before' | 'after'>[]): MatchCounts => {
  const count = (is: (move: Pick<MatchMove, 'before' | 'after'>) => boolean): number => moves.filter(is).length;
  return {
    published: count(({ before, after }) => after.state === 'unchecked' && before?.state !== 'unchecked'),
    waiting: count(({ before, after }) => after.state === 'waiting' && before?.state !== 'waiting'),
    corrected: count(
      ({ before, after }) => findAnnouncement(before?.published ?? null, after.published) === 'corrected',
    ),
    ended: count(({ before, after }) => after.state === 'ended' && before !== undefined),
  };
};

/**
 * Returns true if nobody decided since a match was read. Compares more than the state, which a change from firm to
 * clone keeps.
 */
const isUnchanged = (stored: WarningMatch | undefined, before: WarningMatch | undefined): boolean =>
  stored?.state === before?.state &&
  stored?.about === before?.about &&
  stored?.decidedAt?.getTime() === before?.decidedAt?.getTime();

/** Writes a move unless the match changed meanwhile. Returns true if written. */
const writeUnchanged = (context: Context, move: MatchMove, reason: string): Promise<boolean> =>
  inTransaction(context, async (c) => {
    const stored = (await store.findMatch(move.after._id, c.tx)) ?? undefined;
    if (!isUnchanged(stored, move.before)) return false;
    await writeMove(c, move, reason);
    return true;
  });

/** Number of warnings that are compared before their moves are written. */
const PART = 500;

/**
 * Matches warnings with brokers, and writes each changed match in its own transaction. Matches changed warnings with
 * all brokers, and all warnings with the brokers that changed since the last time.
 */
export const matchWarnings = async (
  context: Context,
  { reason = 'warnings_matched', ...scope }: MatchScope & { readonly reason?: string } = {},
): Promise<MatchCounts> => {
  const { warnings, world, digests } = await prepareWork(context.db, context.clock(), scope);
  const written: MatchMove[] = [];
  let isAll = true;
  for (let at = 0; world && at < warnings.length; at += PART) {
    const part = warnings.slice(at, at + PART);
    for (const move of await mapInTurns(part, (warning) => planMoves(warning, world), scope.signal)) {
      scope.signal?.throwIfAborted();
      if (await writeUnchanged(context, move, reason)) written.push(move);
      else isAll = false;
    }
  }
  // matches that changed meanwhile are evaluated again next time
  if (isAll) await store.saveProgress(context.db, { matched: digests });
  return countMoves(written);
};
