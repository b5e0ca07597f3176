import { parseEntryKey } from '@broker-transparency/contract/record';
import { isWarningInForce } from '@broker-transparency/contract/score';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { findEntries, findFormer, type NumberedEntry, nextNumber } from '../../ledger/record/read.ts';
import { resolveSlugs } from '../brokers/facts.ts';
import { notifyFollowers } from '../notices/followers.ts';
import * as store from './store.ts';
import { decideTelling, parseWarning } from './warning.rule.ts';

/** Entries that are read at once. */
const BATCH = 200;

/** Causes that tell nothing new: the record began, or was put together again. */
const SILENT: ReadonlySet<string> = new Set(['start', 'restore']);

/** Tells the followers of one broker of a change of a warning. A correction goes to those who were told before. */
const tellChange = async (c: TxContext, entry: NumberedEntry, former: NumberedEntry | undefined): Promise<number> => {
  const [before, after] = [former && parseWarning(former.value), parseWarning(entry.value)];
  // a warning that moves with its broker, as by a merger, is not taken back
  const isMoved = entry.cause === 'identity' && after === undefined;
  const kind = SILENT.has(entry.cause) || isMoved ? undefined : decideTelling(before, after);
  const warning = after ?? before;
  const [, broker = ''] = parseEntryKey(entry.key);
  if (kind === undefined || warning === undefined) return 0;
  const keys = (await resolveSlugs(c.db, [broker], { session: c.tx }))(broker)?.keys ?? [broker];
  const follows = (await store.findFollowsFor(keys, c.tx)).filter(
    ({ told }) => kind === 'follow.warning' || told?.includes(entry.key),
  );
  if (follows.length === 0) return 0;
  const ids = follows.map(({ _id }) => _id);
  if (kind === 'follow.warning') await store.noteTold(ids, entry.key, c.tx);
  else if (!isWarningInForce(after)) await store.forgetTold(ids, entry.key, c.tx);
  const followers = [...new Set(follows.map(({ follower }) => follower))];
  return notifyFollowers(c, followers, kind, { broker, authority: warning.source, url: warning.url });
};

/** Tells followers of the warnings that the record has since the last run. Each entry counts once. */
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
      signal.throwIfAborted();
      const earlier = former.find(({ key, sequence }) => key === entry.key && sequence === entry.sequence - 1);
      told += await inTransaction(context, async (c) => {
        await store.saveProgress({ _id: 'warnings', number: entry.number + 1 }, c.tx);
        return tellChange(c, entry, earlier);
      });
      from = entry.number + 1;
    }
    if (entries.length < BATCH) break;
  }
  await inTransaction(context, (c) => store.saveProgress({ _id: 'warnings', number: end }, c.tx));
  return { told };
};
