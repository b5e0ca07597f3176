import { hash, randomBytes } from 'node:crypto';
import mongoose from 'mongoose';
import type { Tx } from '../mongo.ts';
import { asConflict } from '../mongo-errors.ts';
import { type CausedDraft, valueText } from './entry.rule.ts';
import * as store from './store.ts';

/** Returns the commitment to a text: the hash of its random bytes and itself. */
const commitmentOf = ({ salt, text }: store.SaltedText): string =>
  hash('sha256', Buffer.concat([Buffer.from(salt, 'base64'), Buffer.from(text)]), 'base64');

/** Returns the commitments to texts, by field. */
export const commitmentsOf = (texts: store.StoredTexts['texts']): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([field, one]) => [field, commitmentOf(one)]));

/** Returns the texts of a draft as they are to be stored: one that did not change keeps its random bytes. */
const saltedTexts = ({ value, texts = {} }: CausedDraft, known: store.StoredTexts | undefined) =>
  Object.fromEntries(
    Object.entries(value === null ? {} : texts).map(([field, text]) => {
      const stored = known?.texts[field];
      return [field, stored?.text === text ? stored : { text, salt: randomBytes(32).toString('base64') }];
    }),
  );

const isSameTexts = (a: store.StoredTexts['texts'], b: store.StoredTexts['texts']): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((field) => a[field] === b[field]);

/** Stores the texts of drafts in place of those that were there. Returns the commitments of each key, by field. */
const keepTexts = async (drafts: readonly CausedDraft[], tx: Tx): Promise<Map<string, Record<string, string>>> => {
  const written = drafts.filter(({ texts }) => texts !== undefined);
  if (written.length === 0) return new Map();
  const keys = written.map(({ key }) => key);
  const known = await store.findTexts(keys, tx);
  const rows = written.map((draft) => ({ _id: draft.key, texts: saltedTexts(draft, known.get(draft.key)) }));
  const [kept, none] = [rows.filter(({ texts }) => Object.keys(texts).length > 0), new Set(keys)];
  for (const { _id } of kept) none.delete(_id);
  await store.writeTexts(
    {
      fresh: kept.filter(({ _id }) => !known.has(_id)),
      changed: kept.filter(({ _id, texts }) => known.has(_id) && !isSameTexts(texts, known.get(_id)?.texts ?? {})),
      gone: [...none].filter((key) => known.has(key)),
    },
    tx,
  );
  return new Map(kept.map(({ _id, texts }) => [_id, commitmentsOf(texts)]));
};

/** Times have one form, since the bytes of an entry depend on it. */
const timeText = (time: string): string => new Date(time).toISOString();

/**
 * Writes the entries of a transaction. Of several with one key the last counts; one that says what its key says already
 * is left out. Only `inTransaction` calls it.
 */
export const appendEntries = async (all: readonly CausedDraft[], tx: Tx): Promise<void> => {
  const drafts = [...new Map(all.map((draft) => [draft.key, draft])).values()];
  if (drafts.length === 0) return;
  const commitments = await keepTexts(drafts, tx);
  const last = await store.findLast(
    drafts.map(({ key }) => key),
    tx,
  );
  const entries = drafts.flatMap((draft): store.StoredEntry[] => {
    const { key, kind, subject, cause, validFrom, validTo, isBulk } = draft;
    const before = last.get(key);
    const value = valueText(draft, commitments.get(key) ?? {});
    if (value === (before?.value ?? 'null')) return [];
    return [
      {
        _id: new mongoose.Types.ObjectId(),
        key,
        sequence: (before?.sequence ?? -1) + 1,
        subject,
        kind,
        cause,
        ...(validFrom === undefined ? {} : { validFrom: timeText(validFrom) }),
        ...(validTo === undefined ? {} : { validTo: timeText(validTo) }),
        value,
        pending: isBulk ? 1 : 0,
      },
    ];
  });
  if (entries.length > 0) await store.insertEntries(entries, tx).catch(asConflict);
};
