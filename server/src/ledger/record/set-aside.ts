import { ENTRY_KINDS, entryKey } from '@broker-transparency/contract/record';
import type { Tx } from '../../platform/mongo.ts';
import * as store from './store.ts';

/** The part of an entry that is replaced in place. */
export type ReplacedEntry = Pick<store.NumberedEntry, 'key' | 'kind' | 'subject' | 'value'>;

const findKind = (key: string) => ENTRY_KINDS.find((kind) => key.startsWith(`${kind}/`));

/**
 * Replaces an entry by the former value of its key, so that numbers have no gaps. An impossible key is replaced by a
 * special one with the value null.
 * @returns the entry before and after; undefined if there is no such entry
 */
export const setAside = async (
  number: number,
  tx: Tx,
): Promise<{ readonly before: ReplacedEntry; readonly after: ReplacedEntry } | undefined> => {
  const [entry] = await store.findNumbers([number], tx);
  if (!entry) return undefined;
  const [former] = await store.findFormer(tx.db, [entry]);
  const kind = findKind(entry.key);
  const own = entryKey('news', `set-aside-${number}`);
  const after: ReplacedEntry =
    kind === undefined
      ? { key: own, kind: 'news', subject: own, value: 'null' }
      : { key: entry.key, kind, subject: former?.subject ?? entry.subject, value: former?.value ?? 'null' };
  await store.replaceEntry(number, after, tx);
  const { key, subject, value } = entry;
  return { before: { key, kind: entry.kind, subject, value }, after };
};
