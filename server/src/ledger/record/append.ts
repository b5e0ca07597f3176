import { hash, randomBytes } from 'node:crypto';
import mongoose from 'mongoose';
import type { Tx } from '../../platform/mongo.ts';
import { rethrowAsConflict } from '../../platform/mongo-errors.ts';
import { type CausedDraft, valueText } from './entry.rule.ts';
import * as store from './store.ts';

/** Returns the commitment to a text: the hash of its random bytes and itself. */
export const computeCommitment = ({ salt, text }: store.SaltedText): string =>
  hash('sha256', Buffer.concat([Buffer.from(salt, 'base64'), Buffer.from(text)]), 'base64');

/** Returns new random bytes for a commitment. */
export const newSalt = (): string => randomBytes(32).toString('base64');

/** Returns the commitments to texts, by field. */
export const computeCommitments = (texts: store.StoredTexts['texts']): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([field, one]) => [field, computeCommitment(one)]));

/** Returns the texts of a draft for storage: an unchanged text keeps its random bytes, a new one has its own. */
const saltTexts = ({ value, texts = {}, salts = {} }: CausedDraft, known: store.StoredTexts | undefined) =>
  Object.fromEntries(
    Object.entries(value === null ? {} : texts).map(([field, text]) => {
      const stored = known?.texts[field];
      return [field, stored?.text === text ? stored : { text, salt: salts[field] ?? newSalt() }];
    }),
  );

const isSameTexts = (a: store.StoredTexts['texts'], b: store.StoredTexts['texts']): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((field) => a[field] === b[field]);

/** The last entries of keys. */
type LastEntries = ReadonlyMap<string, store.LastEntry>;

/**
 * Replaces the stored texts of drafts. Returns the commitments of each key, by field. A key without an entry has no
 * texts yet.
 */
const storeTexts = async (
  drafts: readonly CausedDraft[],
  last: LastEntries,
  tx: Tx,
): Promise<ReadonlyMap<string, Record<string, string>>> => {
  const written = drafts.filter(({ key, texts }) => texts && (last.has(key) || Object.keys(texts).length > 0));
  if (written.length === 0) return new Map();
  const begun = written.map(({ key }) => key).filter((key) => last.has(key));
  const known = begun.length === 0 ? new Map<string, store.StoredTexts>() : await store.findTexts(begun, tx);
  const rows = written.map((draft) => ({ _id: draft.key, texts: saltTexts(draft, known.get(draft.key)) }));
  const kept = rows.filter(({ texts }) => Object.keys(texts).length > 0);
  await store.writeTexts(
    {
      fresh: kept.filter(({ _id }) => !known.has(_id)),
      changed: kept.filter(({ _id, texts }) => known.has(_id) && !isSameTexts(texts, known.get(_id)?.texts ?? {})),
      gone: rows.flatMap(({ _id, texts }) => (Object.keys(texts).length === 0 && known.has(_id) ? [_id] : [])),
    },
    tx,
  );
  return new Map(kept.map(({ _id, texts }) => [_id, computeCommitments(texts)]));
};

/** Returns a time in the one form that entries use, since their bytes depend on it. */
const formatTime = (time: string): string => new Date(time).toISOString();

/** Returns entries with their places in one change. */
export const makeChange = <T extends object>(entries: readonly T[]): (T & store.StoredPlace)[] => {
  const change = new mongoose.Types.ObjectId();
  const changeSize = entries.length;
  return entries.map((entry, changeIndex) => ({
    ...entry,
    _id: new mongoose.Types.ObjectId(),
    change,
    changeIndex,
    changeSize,
  }));
};

/**
 * Writes the entries of a transaction as one change. Of several entries with one key the last one counts. An entry that
 * repeats the last value of its key is left out. Only `inTransaction` calls this.
 */
export const appendEntries = async (all: readonly CausedDraft[], tx: Tx): Promise<void> => {
  const drafts = [...new Map(all.map((draft) => [draft.key, draft])).values()];
  if (drafts.length === 0) return;
  const last = await store.findLast(
    drafts.map(({ key }) => key),
    tx,
  );
  const commitments = await storeTexts(drafts, last, tx);
  const pending = drafts.every(({ isBulk }) => isBulk) ? 1 : 0;
  const entries = drafts.flatMap((draft): Omit<store.StoredEntry, keyof store.StoredPlace>[] => {
    const { key, kind, subject, cause, validFrom, validTo } = draft;
    const before = last.get(key);
    const value = valueText(draft, commitments.get(key) ?? {});
    if (value === (before?.value ?? 'null')) return [];
    return [
      {
        key,
        sequence: (before?.sequence ?? -1) + 1,
        subject,
        kind,
        cause,
        ...(validFrom === undefined ? {} : { validFrom: formatTime(validFrom) }),
        ...(validTo === undefined ? {} : { validTo: formatTime(validTo) }),
        value,
        pending,
      },
    ];
  });
  if (entries.length === 0) return;
  await store.insertEntries(makeChange(entries), tx).catch(rethrowAsConflict);
};
