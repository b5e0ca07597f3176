import { type Context, inTransaction } from '../../ledger/context.ts';
import { claimUnsigned } from '../../ledger/log/hold.ts';
import { type EntryDraft, nameIn } from '../../ledger/record/entry.rule.ts';
import { numberEntries } from '../../ledger/record/sequencer.ts';
import { type ReplacedEntry, setAside } from '../../ledger/record/set-aside.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { loadRecordSources } from './sources.ts';
import { repairSubtotals } from './subtotals.ts';

/** An entry before which the log stopped, before and after it was set aside. */
export interface EntrySetAside {
  readonly number: number;
  readonly before: ReplacedEntry;
  readonly after: ReplacedEntry;
}

/**
 * Sets the entry aside before which the log stops: it gets the former value of its key. If the database publishes
 * another value, that is added to the record.
 * @throws DomainError not_found, or state_conflict if the log does not stop before it: signed entries never change
 */
export const setEntryAside = async (context: Context, number: number, reason: string): Promise<EntrySetAside> => {
  const done = await inTransaction(context, async (c) => {
    await claimUnsigned(number, c.tx);
    const set = await setAside(number, c.tx);
    if (!set) throw new DomainError('not_found', `No entry has the number ${number}.`);
    const { before, after } = set;
    const source = (await loadRecordSources()).find(({ kinds }) => kinds.includes(after.kind));
    const said = source && (await source.entries([nameIn(after.key)], c.tx)).find(({ key }) => key === after.key);
    const none = { ...after, value: null, texts: {} } as EntryDraft;
    if (source && after.key === before.key) c.publish({ ...(said ?? none), cause: 'correction' });
    c.audit('log.entry_set_aside', { kind: 'entry', id: String(number) }, { before, after, reason });
    return { number, before, after };
  });
  for (const subject of new Set([done.before.subject, done.after.subject])) await repairSubtotals(context.db, subject);
  await numberEntries(context.db, context.clock);
  return done;
};
