import { hash } from 'node:crypto';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import type { Source } from '../../ledger/statements/statement.rule.ts';
import type { Db } from '../../platform/mongo.ts';
import { createTurns } from '../../platform/turns.ts';
import { brokerIdentifiers } from '../brokers/facts.ts';
import { type KnownBroker, knownBrokers } from '../brokers/known.ts';
import { recordWarning } from '../brokers/warned.ts';
import { announce, announcedItem } from './announce.ts';
import {
  announcementOf,
  authorityKey,
  endedMatch,
  isTakenBack,
  judge,
  type Match,
  matchId,
  withoutMerger,
} from './decide.rule.ts';
import { type BrokerIndex, findBrokers, indexBrokers, type MatchableBroker, mayFit } from './match.rule.ts';
import * as store from './store.ts';
import type { WarningState } from './warning.rule.ts';

/** A match that is to be written, and what it replaces. */
export interface Move {
  readonly before: Match | undefined;
  readonly after: Match;
  readonly warning: WarningState;
  /** undefined: there is no such broker any more. */
  readonly broker: MatchableBroker | undefined;
}

/** What matches are judged by. */
interface World {
  readonly index: BrokerIndex;
  readonly brokers: ReadonlyMap<string, MatchableBroker>;
  /** Matches by warning. */
  readonly matches: ReadonlyMap<string, readonly Match[]>;
  /** Grounds of matches that a person took back, by broker and authority. */
  readonly undone: ReadonlyMap<string, ReadonlySet<string>>;
  /** Warnings that are new, or say something else than before. */
  readonly changed: ReadonlySet<string>;
  readonly now: Date;
}

const pairKey = (broker: string, authority: string): string => JSON.stringify([broker, authority]);

const undoneIn = (matches: readonly Match[]): Map<string, Set<string>> => {
  const undone = new Map<string, Set<string>>();
  for (const { broker, authority, grounds } of matches.filter(isTakenBack)) {
    const key = pairKey(broker, authority);
    undone.set(key, new Set([...(undone.get(key) ?? []), ...grounds]));
  }
  return undone;
};

/** Returns the match of a warning with a broker: its own, or one of a broker that was merged into it. */
const matchOf = (matches: readonly Match[], { key, keys }: MatchableBroker): Match | undefined => {
  const own = matches.find((match) => match.broker === key);
  if (own?.from !== undefined && !keys.includes(own.from)) return withoutMerger(own);
  const former = matches.find((match) => keys.includes(match.broker));
  if (own || !former) return own;
  const { warning } = former;
  return { ...former, _id: matchId(warning, key), broker: key, from: former.broker, published: null };
};

/** Returns what has to be written of the matches of one warning. */
const movesOf = (warning: WarningState, world: World): Move[] => {
  const { index, brokers, matches, undone, changed, now } = world;
  const known = matches.get(warning._id) ?? [];
  const found = new Map(findBrokers(warning, index).map((one) => [one.broker.key, one]));
  const concerned = new Set([...found.keys(), ...known.map(({ broker }) => broker)]);
  return [...concerned].flatMap((key): Move[] => {
    const broker = brokers.get(key);
    const fits = found.get(key);
    const before = broker ? matchOf(known, broker) : known.find((match) => match.broker === key);
    const taken = (broker?.keys ?? [key]).map((one) => undone.get(pairKey(one, authorityKey(warning))));
    const isUndoneBefore = fits?.grounds.some((ground) => taken.some((grounds) => grounds?.has(ground))) ?? false;
    const after = judge({ warning, found: fits, before, isUndoneBefore, isChanged: changed.has(warning._id), now });
    const stored = known.find((match) => match.broker === key);
    return after === undefined || after === stored ? [] : [{ before: stored, after, warning, broker }];
  });
};

/** Maps in turns, so that a process that serves goes on serving. */
const inTurns = async <T, U>(all: readonly T[], map: (one: T) => readonly U[], signal?: AbortSignal): Promise<U[]> => {
  const mapped: U[] = [];
  const giveTurn = createTurns();
  for (const one of all) {
    mapped.push(...map(one));
    await giveTurn();
    signal?.throwIfAborted();
  }
  return mapped;
};

const digestsOf = (brokers: readonly MatchableBroker[]): Record<string, string> =>
  Object.fromEntries(
    brokers.map((broker) => [broker.key, hash('sha256', JSON.stringify(broker), 'base64url').slice(0, 16)]),
  );

/** What to match. */
interface Scope {
  /** Warnings as they will be, in place of those that are kept. */
  readonly changed?: readonly WarningState[];
  /** Whether the others are to be matched with all brokers, not only with those that changed since. */
  readonly isWhole?: boolean;
  /** What `beginChange` returned. */
  readonly since?: store.Progress['matched'];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Notes that warnings are about to change: if their matching never ends, the next one is whole. Returns with which
 * brokers all others were matched.
 */
export const beginChange = async (db: Db): Promise<store.Progress['matched']> => {
  const { matched } = await store.readProgress(db);
  await store.saveProgress(db, { matched: null });
  return matched;
};

/** Returns the warnings that may fit brokers that changed, or fitted them. */
const concernedBy = async (
  warnings: readonly WarningState[],
  { brokers, gone }: { readonly brokers: readonly MatchableBroker[]; readonly gone: ReadonlySet<string> },
  { matches, signal }: { readonly matches: readonly Match[]; readonly signal: AbortSignal | undefined },
): Promise<WarningState[]> => {
  const keys = new Set([...gone, ...brokers.map(({ key }) => key)]);
  if (keys.size === 0) return [];
  const matched = new Set(matches.filter(({ broker }) => keys.has(broker)).map(({ warning }) => warning));
  const index = indexBrokers(brokers);
  return inTurns(warnings, (warning) => (matched.has(warning._id) || mayFit(warning, index) ? [warning] : []), signal);
};

/** What is to be matched. */
interface Work {
  readonly warnings: readonly WarningState[];
  /** undefined: there is nothing to match. */
  readonly world: World | undefined;
  readonly digests: Readonly<Record<string, string>>;
}

/** Whether a warning can count by itself. Such ones come first, so that the length of a list does not delay them. */
const isIdentified = ({ leis, licenseNumbers }: WarningState): boolean => leis.length + licenseNumbers.length > 0;

const prepare = async (db: Db, now: Date, { changed = [], isWhole = false, since, signal }: Scope): Promise<Work> => {
  const [all, matches, progress] = await Promise.all([
    brokerIdentifiers(db),
    store.findMatches(db),
    store.readProgress(db),
  ]);
  const matched = since === undefined ? progress.matched : since;
  const digests = digestsOf(all);
  const isAll = isWhole || matched === null;
  const brokers = all.filter(({ key }) => matched?.[key] !== digests[key]);
  const gone = new Set(Object.keys(matched ?? {}).filter((key) => digests[key] === undefined));
  const kept = isAll || brokers.length + gone.size > 0 ? await store.findWarnings(db, undefined) : [];
  const others = isAll ? kept : await concernedBy(kept, { brokers, gone }, { matches, signal });
  const warnings = [...new Map([...others, ...changed].map((warning) => [warning._id, warning])).values()];
  if (warnings.length === 0) return { warnings, world: undefined, digests };
  const world: World = {
    index: indexBrokers(all),
    brokers: new Map(all.map((broker) => [broker.key, broker])),
    matches: Map.groupBy(matches, ({ warning }) => warning),
    undone: undoneIn(matches),
    changed: new Set(changed.map(({ _id }) => _id)),
    now,
  };
  return { warnings: warnings.sort((a, b) => Number(isIdentified(b)) - Number(isIdentified(a))), world, digests };
};

/** Finds out what changes if warnings are matched now. */
export const planMatches = async (db: Db, now: Date, scope: Scope = {}): Promise<Move[]> => {
  const { warnings, world } = await prepare(db, now, scope);
  return world ? inTurns(warnings, (warning) => movesOf(warning, world), scope.signal) : [];
};

/** Returns the facts of a match for the audit trail. */
const audited = (match: Match | undefined) =>
  match
    ? {
        broker: match.broker,
        state: match.state,
        about: match.about,
        by: match.grounds.map((ground) => ground.split(':', 1)[0]).join(' '),
      }
    : null;

const sourceOf = ({ authority }: WarningState): Source => ({ kind: 'authority', name: authority.name });

/** Writes a move: the match, what is published of the broker, the audit trail, and who is told. */
export const writeMove = async (
  c: TxContext,
  { before, after, warning, broker }: Move,
  reason: string,
): Promise<void> => {
  const announcement = announcementOf(before?.published ?? null, after.published);
  const item = broker && announcedItem({ announcement, warning, match: after, broker }, c.now);
  const match = item === undefined ? after : { ...after, announced: item };
  await store.saveMatch(match, c.tx);
  c.audit(
    'warning.matched',
    { kind: 'warning', id: warning._id },
    {
      before: audited(before),
      after: audited(after),
      reason,
    },
  );
  if (broker === undefined || announcement === 'none') return;
  const known = (await knownBrokers([broker.key], c.tx)).get(broker.key) as KnownBroker;
  if (known.state === null) return;
  const isCorrection = announcement === 'corrected';
  await recordWarning(
    c,
    known,
    { id: warning._id, value: after.published },
    {
      origin: {
        source: sourceOf(warning),
        url: warning.url,
        credit: warning.credit,
        // what was wrong was so from its beginning
        validFrom: isCorrection ? (warning.publishedAt ?? warning.publishedBy ?? warning.seenAt) : null,
      },
      asOf: c.now,
      occasion: { cause: isCorrection ? 'correction' : 'fact', run: null, batch: null },
      reason,
    },
  );
  await announce(c, { announcement, warning, match, broker });
};

const CLOSED: ReadonlySet<Match['state']> = new Set(['rejected', 'undone', 'ended']);

/** Ends the matches of warnings that are kept no more, and takes back what was published of them. */
export const endMatches = async (c: TxContext, gone: readonly WarningState[], reason: string): Promise<void> => {
  const warnings = new Map(gone.map((warning) => [warning._id, warning]));
  const matches = await store.findMatchesOf(c.db, [...warnings.keys()], c.tx);
  const open = matches.filter(({ state }) => !CLOSED.has(state));
  if (open.length === 0) return;
  const brokers = new Map((await brokerIdentifiers(c.db)).map((broker) => [broker.key, broker]));
  for (const before of open) {
    const warning = warnings.get(before.warning) as WarningState;
    const after = endedMatch(before, warning, c.now);
    await writeMove(c, { before, after, warning, broker: brokers.get(before.broker) }, reason);
  }
};

/** Counts of what was written. */
export type Matched = Readonly<Record<'published' | 'waiting' | 'corrected' | 'ended', number>>;

/** Returns how many moves publish, wait, take back and end. */
export const countMoves = (moves: readonly Pick<Move, 'before' | 'after'>[]): Matched => {
  const count = (is: (move: Pick<Move, 'before' | 'after'>) => boolean): number => moves.filter(is).length;
  return {
    published: count(({ before, after }) => after.state === 'unchecked' && before?.state !== 'unchecked'),
    waiting: count(({ before, after }) => after.state === 'waiting' && before?.state !== 'waiting'),
    corrected: count(({ before, after }) => announcementOf(before?.published ?? null, after.published) === 'corrected'),
    ended: count(({ before, after }) => after.state === 'ended' && before !== undefined),
  };
};

/** Whether nobody decided since a match was read: whoever says "clone" after "firm" leaves the state as it is. */
const isStill = (stored: Match | undefined, before: Match | undefined): boolean =>
  stored?.state === before?.state &&
  stored?.about === before?.about &&
  stored?.decidedAt?.getTime() === before?.decidedAt?.getTime();

/** Writes a move, unless somebody decided, or another process matched, meanwhile. */
const writeFresh = (context: Context, move: Move, reason: string): Promise<boolean> =>
  inTransaction(context, async (c) => {
    const stored = (await store.findMatch(move.after._id, c.tx)) ?? undefined;
    if (!isStill(stored, move.before)) return false;
    await writeMove(c, move, reason);
    return true;
  });

/** Warnings that are compared before what follows is written. */
const PART = 500;

/**
 * Matches warnings with brokers, and writes what follows, each match in a transaction of its own: those that changed
 * with all brokers, and all with the brokers that changed since the last time.
 */
export const matchWarnings = async (
  context: Context,
  { reason = 'warnings_matched', ...scope }: Scope & { readonly reason?: string } = {},
): Promise<Matched> => {
  const { warnings, world, digests } = await prepare(context.db, context.clock(), scope);
  const written: Move[] = [];
  let isAll = true;
  for (let at = 0; world && at < warnings.length; at += PART) {
    const part = warnings.slice(at, at + PART);
    for (const move of await inTurns(part, (warning) => movesOf(warning, world), scope.signal)) {
      scope.signal?.throwIfAborted();
      if (await writeFresh(context, move, reason)) written.push(move);
      else isAll = false;
    }
  }
  // what somebody else decided meanwhile is judged again next time
  if (isAll) await store.saveProgress(context.db, { matched: digests });
  return countMoves(written);
};
