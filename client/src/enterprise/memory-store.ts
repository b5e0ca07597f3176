import { isCommitted } from '../verify/commitment.ts';
import { KeyHistory } from './key-history.ts';
import type {
  ReplicaBatch,
  ReplicaEntry,
  ReplicaPosition,
  ReplicaReader,
  ReplicaStore,
  TextsOfKey,
} from './replica-store.ts';

/** Returns those texts that an entry commits to. */
export const committedTexts = async (
  entry: ReplicaEntry | undefined,
  texts: TextsOfKey | undefined,
): Promise<TextsOfKey> => {
  const value = entry && (entry.value === undefined ? JSON.parse(entry.line).value : JSON.parse(entry.value));
  const found: Record<string, TextsOfKey[string]> = {};
  for (const [field, text] of Object.entries(texts ?? {}))
    if (await isCommitted(text, value?.texts?.[field])) found[field] = text;
  return found;
};

/**
 * A store in memory: the replica begins anew at every start.
 * @example for await (const { applied } of replica({ client, policy, store: memoryReplica() })) console.log(applied);
 */
export const memoryReplica = (): ReplicaStore & ReplicaReader => {
  const keys = new KeyHistory<ReplicaEntry>();
  const allTexts = new Map<string, TextsOfKey>();
  let position: ReplicaPosition | null = null;
  const apply = (batch: ReplicaBatch): number[] => {
    if (batch.isReset) keys.clear();
    if (batch.isReset) allTexts.clear();
    const again = batch.backTo === undefined ? [] : keys.backTo(batch.backTo);
    if (batch.backTo !== undefined) for (const key of allTexts.keys()) if (!keys.get(key)) allTexts.delete(key);
    for (const entry of batch.entries) keys.add(entry.key, entry);
    for (const { key, texts } of batch.texts)
      if (texts) allTexts.set(key, texts);
      else allTexts.delete(key);
    ({ position } = batch);
    if (position) keys.settle(position.signed?.size ?? 0);
    return again.map(({ number }) => number);
  };
  return {
    load: async () => position ?? undefined,
    apply: async (batch) => apply(batch),
    get: async (key) => keys.get(key),
    readTexts: (key) => committedTexts(keys.get(key), allTexts.get(key)),
    async *entries() {
      for (const key of keys.keys()) yield keys.get(key) as ReplicaEntry;
    },
  };
};
