import type { Tx } from '../mongo.ts';
import { commitmentsOf } from './append.ts';
import { type EntryDraft, valueText } from './entry.rule.ts';
import * as store from './store.ts';

/** Returns those of these drafts that the record does not say: it has no entry, or another one. */
export const findDiffering = async (drafts: readonly EntryDraft[], tx: Tx): Promise<EntryDraft[]> => {
  if (drafts.length === 0) return [];
  const keys = drafts.map(({ key }) => key);
  const last = await store.findLast(keys, tx);
  const texts = await store.findTexts(keys, tx);
  return drafts.filter((draft) => {
    const entry = last.get(draft.key);
    if (!entry) return draft.value !== null;
    const stored = Object.entries(texts.get(draft.key)?.texts ?? {});
    const said = Object.fromEntries(stored.filter(([field, { text }]) => draft.texts?.[field] === text));
    return valueText(draft, commitmentsOf(said)) !== entry.value;
  });
};
