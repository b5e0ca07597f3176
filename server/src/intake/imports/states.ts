import { hash } from 'node:crypto';
import { readComplaintStates, takeBackComplaints } from '../../features/complaints/imported.ts';
import { refuseReviewsInUse } from '../../features/moderation/imported.ts';
import { readNewsStates, restoreNews } from '../../features/news/actions.ts';
import { readReviewStates, takeBackReviews } from '../../features/reviews/imported.ts';
import type { TxContext } from '../../ledger/context.ts';
import { serializeDocument, type Tx } from '../../platform/mongo.ts';
import type { BatchItem, StateKind } from './store.ts';

type StatesByKey<T> = ReadonlyMap<string, T>;

/** Reads and restores the stored state of one kind of record. */
interface StateKeeper<T extends object> {
  /** True if erasures of people delete such records, which an undo then does not restore. */
  readonly isPersonal?: boolean;
  readonly read: (keys: readonly string[], tx: Tx) => Promise<StatesByKey<T>>;
  /** @throws DomainError if one of these records cannot be removed */
  readonly refuseInUse: (keys: readonly string[], tx: Tx) => Promise<void>;
  readonly restore: (c: TxContext, former: StatesByKey<T | null>, reason: string) => Promise<void>;
}

/** Erases the type: each keeper only receives states that it read itself. */
const defineKeeper = <T extends object>(definition: StateKeeper<T>): StateKeeper<object> =>
  definition as unknown as StateKeeper<object>;

export const KEEPERS: Readonly<Record<StateKind, StateKeeper<object>>> = {
  news: defineKeeper({ read: readNewsStates, refuseInUse: async () => {}, restore: restoreNews }),
  reviews: defineKeeper({
    isPersonal: true,
    read: readReviewStates,
    refuseInUse: refuseReviewsInUse,
    restore: (c, former, reason) => takeBackReviews(c, [...former.keys()], reason),
  }),
  complaints: defineKeeper({
    isPersonal: true,
    read: readComplaintStates,
    refuseInUse: async () => {},
    restore: (c, former, reason) => takeBackComplaints(c, [...former.keys()], reason),
  }),
};

/** Identifies a state, to detect later changes. Returns an empty string if the record does not exist. */
export const hashState = (state: object | undefined): string =>
  state === undefined ? '' : hash('sha256', serializeDocument(state));

/** The records of one kind that `work` will write, and their former states if the caller has read them. */
interface StateWrite {
  readonly kind: StateKind;
  readonly keys: readonly string[];
  readonly before?: StatesByKey<object>;
}

/** Runs `work`, and returns the former states of these records. */
export const captureReplaced = async (
  { kind, keys, before: known }: StateWrite,
  work: (before: StatesByKey<object>) => Promise<void>,
  tx: Tx,
): Promise<BatchItem[]> => {
  const before = known ?? (await KEEPERS[kind].read(keys, tx));
  await work(before);
  const after = await KEEPERS[kind].read(keys, tx);
  return keys.map((key) => ({ kind, key, before: before.get(key) ?? null, after: hashState(after.get(key)) }));
};

/** Returns the items of new records, which have no former state. */
export const captureNew = async (kind: StateKind, keys: readonly string[], tx: Tx): Promise<BatchItem[]> => {
  const after = await KEEPERS[kind].read(keys, tx);
  return keys.map((key) => ({ kind, key, before: null, after: hashState(after.get(key)) }));
};
