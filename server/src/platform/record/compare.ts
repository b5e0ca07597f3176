import type { Tx } from '../mongo.ts';
import { commitmentOf, commitmentsOf } from './append.ts';
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

/** A text that is published in other words than the record has. */
export interface RewordedText {
  readonly key: string;
  readonly field: string;
  readonly recorded: string;
  readonly published: string;
  /** Whether the text of the record is still the one that its entry commits to. */
  readonly isCommitted: boolean;
}

/** Returns the texts of these drafts that are published in other words than the record has. */
export const findReworded = async (drafts: readonly EntryDraft[], tx: Tx): Promise<RewordedText[]> => {
  const keys = drafts.map(({ key }) => key);
  const [stored, last] = [await store.findTexts(keys, tx), await store.findLast(keys, tx)];
  return drafts.flatMap(({ key, texts = {} }) => {
    const { texts: commitments = {} } = (JSON.parse(last.get(key)?.value ?? 'null') ?? {}) as {
      readonly texts?: Readonly<Record<string, string>>;
    };
    return Object.entries(stored.get(key)?.texts ?? {}).flatMap(([field, salted]) => {
      const published = texts[field];
      if (published === undefined || published === salted.text) return [];
      const isCommitted = commitmentOf(salted) === commitments[field];
      return [{ key, field, recorded: salted.text, published, isCommitted }];
    });
  });
};
