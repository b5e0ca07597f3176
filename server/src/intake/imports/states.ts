import { hash } from 'node:crypto';
import { complaintStates, takeBackComplaints } from '../../features/complaints/imported.ts';
import { refuseReviewsInUse } from '../../features/moderation/imported.ts';
import { newsStates, restoreNews } from '../../features/news/actions.ts';
import { reviewStates, takeBackReviews } from '../../features/reviews/imported.ts';
import type { TxContext } from '../../ledger/context.ts';
import { bytesOf, type Tx } from '../../platform/mongo.ts';
import type { BatchItem, StateKind } from './store.ts';

type States<T> = ReadonlyMap<string, T>;

/** Reads and restores the stored state of one kind of record. */
interface Keeper<T extends object> {
  /** Whether erasures of people take such records away, which an undo then leaves alone. */
  readonly isPersonal?: boolean;
  readonly read: (keys: readonly string[], tx: Tx) => Promise<States<T>>;
  /** @throws DomainError if one of these records cannot be removed */
  readonly refuseInUse: (keys: readonly string[], tx: Tx) => Promise<void>;
  readonly restore: (c: TxContext, former: States<T | null>, reason: string) => Promise<void>;
}

/** Erases the type: each keeper only receives states that it read itself. */
const keeper = <T extends object>(definition: Keeper<T>): Keeper<object> => definition as unknown as Keeper<object>;

export const KEEPERS: Readonly<Record<StateKind, Keeper<object>>> = {
  news: keeper({ read: newsStates, refuseInUse: async () => {}, restore: restoreNews }),
  reviews: keeper({
    isPersonal: true,
    read: reviewStates,
    refuseInUse: refuseReviewsInUse,
    restore: (c, former, reason) => takeBackReviews(c, [...former.keys()], reason),
  }),
  complaints: keeper({
    isPersonal: true,
    read: complaintStates,
    refuseInUse: async () => {},
    restore: (c, former, reason) => takeBackComplaints(c, [...former.keys()], reason),
  }),
};

/** Identifies a state, to detect later changes. Returns an empty string if the record does not exist. */
export const fingerprint = (state: object | undefined): string =>
  state === undefined ? '' : hash('sha256', bytesOf(state));

/** The records of one kind that `work` is going to write, and their states before where the caller has read them. */
interface Writing {
  readonly kind: StateKind;
  readonly keys: readonly string[];
  readonly before?: States<object>;
}

/** Runs `work`, and returns what it replaced of these records. */
export const replaced = async (
  { kind, keys, before: known }: Writing,
  work: (before: States<object>) => Promise<void>,
  tx: Tx,
): Promise<BatchItem[]> => {
  const before = known ?? (await KEEPERS[kind].read(keys, tx));
  await work(before);
  const after = await KEEPERS[kind].read(keys, tx);
  return keys.map((key) => ({ kind, key, before: before.get(key) ?? null, after: fingerprint(after.get(key)) }));
};

/** Returns what is kept of records that a batch brought: nothing was there before. */
export const brought = async (kind: StateKind, keys: readonly string[], tx: Tx): Promise<BatchItem[]> => {
  const after = await KEEPERS[kind].read(keys, tx);
  return keys.map((key) => ({ kind, key, before: null, after: fingerprint(after.get(key)) }));
};
