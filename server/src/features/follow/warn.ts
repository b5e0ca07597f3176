import { parseEntryKey } from '@broker-transparency/contract/record';
import { isWarningInForce } from '@broker-transparency/contract/score';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { findEntries, findFormer, type NumberedEntry, nextNumber } from '../../ledger/record/read.ts';
import { resolveSlugs } from '../brokers/facts.ts';
import { notifyFollowers } from '../notices/followers.ts';
import * as store from './store.ts';
import { decideTelling, type FollowedWarning, parseWarning } from './warning.rule.ts';

/** Entries that are read at once. */
const BATCH = 200;

/** Causes that tell nothing new: the record began, or was put together again. */
const SILENT: ReadonlySet<string> = new Set(['start', 'restore']);

/** Followers who are told in one transaction. */
const TOLD_AT_ONCE = 200;

/** A change of a warning that followers are told. */
interface Telling {
  readonly entry: NumberedEntry;
  readonly kind: 'follow.warning' | 'follow.correction';
  /** Key of the broker. */
  readonly broker: string;
  readonly warning: FollowedWarning;
  readonly isInForce: boolean;
}

/** Returns what followers are told of an entry about a warning; undefined if that is nothing. */
const decideEntry = (entry: NumberedEntry, former: NumberedEntry | undefined): Telling | undefined => {
  const [before, after] = [former && parseWarning(former.value), parseWarning(entry.value)];
  // a warning that moves with its broker, as by a merger, is not taken back
  const isMoved = entry.cause === 'identity' && after === undefined;
  const kind = SILENT.has(entry.cause) || isMoved ? undefined : decideTelling(before, after);
  const warning = after ?? before;
  const [, broker = ''] = parseEntryKey(entry.key);
  return kind && warning && { entry, kind, broker, warning, isInForce: isWarningInForce(after) };
};

/** Returns the follows of whole followers: the last one of a full batch may have more. */
const takeWholeFollowers = (follows: readonly store.Follow[]): readonly store.Follow[] => {
  if (follows.length < TOLD_AT_ONCE) return follows;
  const last = follows.at(-1)?.follower;
  const whole = follows.filter(({ follower }) => follower !== last);
  return whole.length > 0 ? whole : follows;
};

/**
 * Tells the next followers of one broker. A correction goes to those who were told before. The last one is undefined
 * once all are told.
 */
const tellNext = async (c: TxContext, { entry, kind, broker, warning, isInForce }: Telling, after: string) => {
  const keys = (await resolveSlugs(c.db, [broker], { session: c.tx }))(broker)?.keys ?? [broker];
  const found = await store.nextFollowsFor(keys, after, TOLD_AT_ONCE, c.tx);
  const whole = takeWholeFollowers(found);
  const follows = whole.filter(({ told }) => kind === 'follow.warning' || told?.includes(entry.key));
  const ids = follows.map(({ _id }) => _id);
  if (kind === 'follow.warning') await store.noteTold(ids, entry.key, c.tx);
  else if (!isInForce) await store.forgetTold(ids, entry.key, c.tx);
  const followers = [...new Set(follows.map(({ follower }) => follower))];
  const told = await notifyFollowers(c, followers, kind, { broker, authority: warning.source, url: warning.url });
  return { told, last: found.length < TOLD_AT_ONCE ? undefined : whole.at(-1)?.follower };
};

/** Tells all followers after one of an entry, batch by batch. The progress is saved with each. Returns their number. */
const tellEntry = async (
  context: Context,
  entry: NumberedEntry,
  { telling, start, signal }: { telling: Telling | undefined; start: string; signal: AbortSignal },
): Promise<number> => {
  let told = 0;
  for (let after: string | undefined = start; after !== undefined; ) {
    signal.throwIfAborted();
    const from: string = after;
    const batch = await inTransaction(context, async (c) => {
      const { told: count, last } = telling ? await tellNext(c, telling, from) : { told: 0, last: undefined };
      const place = last === undefined ? { number: entry.number + 1 } : { number: entry.number, after: last };
      await store.saveProgress({ _id: 'warnings', ...place }, c.tx);
      return { count, last };
    });
    told += batch.count;
    after = batch.last;
  }
  return told;
};

/**
 * Tells followers of the warnings that the record has since the last run. Each entry counts once. A run that was cut
 * off goes on behind the last follower who was told.
 */
export const tellWarnings = async (context: Context, signal: AbortSignal): Promise<{ readonly told: number }> => {
  let told = 0;
  const end = await nextNumber(context.db);
  const saved = await store.readProgress(context.db, 'warnings');
  const isBehind = saved !== null && saved.number <= end; // it is ahead after a restore
  let from = isBehind ? saved.number : end;
  for (;;) {
    const entries = await findEntries(context.db, { kind: 'warning', from, below: end }, BATCH);
    const former = await findFormer(context.db, entries);
    for (const entry of entries) {
      const earlier = former.find(({ key, sequence }) => key === entry.key && sequence === entry.sequence - 1);
      const start = entry.number === saved?.number ? (saved.after ?? '') : '';
      told += await tellEntry(context, entry, { telling: decideEntry(entry, earlier), start, signal });
      from = entry.number + 1;
    }
    if (entries.length < BATCH) break;
  }
  await inTransaction(context, (c) => store.saveProgress({ _id: 'warnings', number: end }, c.tx));
  return { told };
};
