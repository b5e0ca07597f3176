import type { Tx } from '../../platform/mongo.ts';
import { computeCommitment, computeCommitments } from './append.ts';
import { type EntryDraft, valueText } from './entry.rule.ts';
import * as store from './store.ts';

/** Returns the drafts that differ from the record: their key has no entry, or another value. */
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
    return valueText(draft, computeCommitments(said)) !== entry.value;
  });
};

/** Returns the entries that are the last ones of their keys. */
export const keepLast = async (entries: readonly store.NumberedEntry[], tx: Tx): Promise<store.NumberedEntry[]> => {
  const last = await store.findLast([...new Set(entries.map(({ key }) => key))], tx);
  return entries.filter(({ key, sequence }) => last.get(key)?.sequence === sequence);
};

/** A public text that differs from the commitment of its entry, or cannot be checked against it. */
export interface DoubtfulText {
  readonly key: string;
  readonly field: string;
  /** The text beside the record; undefined if the text and the random bytes of its commitment are missing. */
  readonly recorded: string | undefined;
  /** The published text; undefined if it is missing. */
  readonly published: string | undefined;
  /** True if the text beside the record matches the commitment of its entry. */
  readonly isCommitted: boolean;
}

interface CommittedValue {
  readonly texts?: Readonly<Record<string, string>>;
  readonly state?: string;
}

/**
 * Returns the texts of these drafts that the entries in force declare public, and that are missing or published in
 * other words.
 */
export const findDoubtful = async (drafts: readonly EntryDraft[], tx: Tx): Promise<DoubtfulText[]> => {
  const keys = drafts.map(({ key }) => key);
  const [stored, last] = [await store.findTexts(keys, tx), await store.findLast(keys, tx)];
  return drafts.flatMap(({ key, value, texts = {} }) => {
    const { texts: commitments = {}, state } = (JSON.parse(last.get(key)?.value ?? 'null') ?? {}) as CommittedValue;
    const isPublic = value !== null && (value as CommittedValue).state === state;
    return Object.entries(commitments).flatMap(([field, commitment]) => {
      const salted = stored.get(key)?.texts[field];
      const [recorded, published] = [salted?.text, texts[field]];
      const isCommitted = salted !== undefined && computeCommitment(salted) === commitment;
      const isRight = isCommitted && (published === recorded || (published === undefined && !isPublic));
      return isRight ? [] : [{ key, field, recorded, published, isCommitted }];
    });
  });
};
