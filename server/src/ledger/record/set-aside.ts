import { ENTRY_KINDS, entryKey } from '@broker-transparency/contract/record';
import type { Tx } from '../../platform/mongo.ts';
import * as store from './store.ts';

/** The part of an entry that is replaced where it stands. */
export type ReplacedEntry = Pick<store.NumberedEntry, 'key' | 'kind' | 'subject' | 'value'>;

const findKind = (key: string) => ENTRY_KINDS.find((kind) => key.startsWith(`${kind}/`));

/**
 * Puts in the place of an entry what its key said before: numbers stay without gaps. A key that no entry can have gives
 * way to one of its own, which says nothing.
 * @returns what stood there, and what stands there now; undefined if there is no such entry
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
