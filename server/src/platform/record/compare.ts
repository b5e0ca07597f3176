import type { Tx } from '../mongo.ts';
import { commitmentsOf } from './append.ts';
import { type EntryDraft, valueText } from './entry.rule.ts';
import * as store from './store.ts';

/** How a draft relates to the record: its key has no entry, or the last one says something else. */
export interface Differing {
  readonly draft: EntryDraft;
  readonly isMissing: boolean;
}

/** Returns those of these drafts that the record does not say. */
export const findDiffering = async (drafts: readonly EntryDraft[], tx: Tx): Promise<Differing[]> => {
  if (drafts.length === 0) return [];
  const keys = drafts.map(({ key }) => key);
  const last = await store.findLast(keys, tx);
  const texts = await store.findTexts(keys, tx);
  return drafts.flatMap((draft): Differing[] => {
    const entry = last.get(draft.key);
    if (!entry) return draft.value === null ? [] : [{ draft, isMissing: true }];
    const stored = Object.entries(texts.get(draft.key)?.texts ?? {});
    const said = Object.fromEntries(stored.filter(([field, { text }]) => draft.texts?.[field] === text));
    return valueText(draft, commitmentsOf(said)) === entry.value ? [] : [{ draft, isMissing: false }];
  });
};
