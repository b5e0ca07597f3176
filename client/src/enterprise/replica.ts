import { type Policy, parseSignedCheckpoint, toBase64 } from '@broker-transparency/log';
import { pause } from '../deadline.ts';
import { InvalidResponseError, ProblemError } from '../errors.ts';
import type { ChangesPage } from '../generated/enterprise.ts';
import type { CallOptions } from '../options.ts';
import { isTemporary } from '../send.ts';
import { readPolicy } from '../verify/policy.ts';
import { type EnterpriseCalls, type EnterpriseClient, type FollowOptions, followPatiently } from './calls.ts';
import { checkCovering, type Head } from './checkpoint.ts';
import { ProofError } from './error.ts';
import { followFeed } from './feed.ts';
import { MissingTexts, NUMBERED_MS } from './missing-texts.ts';
import { collectTexts, findMissingFields, provePage, readCommitments, selectTexts, toStoredEntry } from './page.ts';
import type { KeyTexts, ReplicaBatch, ReplicaEntry, ReplicaPosition, ReplicaStore } from './replica-store.ts';
import { checkManifest, findSnapshot, readSnapshotEntries, readSnapshotTexts } from './snapshot.ts';
import { computeTreeRoot, NO_TREE, type ReplicaTree } from './tree.ts';

/**
 * The source, the store and the policy of a replica.
 * @example const options: ReplicaOptions = { client, policy, store: memoryReplica() };
 */
export interface ReplicaOptions extends FollowOptions {
  readonly client: EnterpriseClient;
  readonly store: ReplicaStore;
  /** A policy file (c2sp.org/tlog-policy): which logs and witnesses you trust. */
  readonly policy: string;
  /** Start of an empty store: the newest snapshot (default) or the first entry. */
  readonly from?: 'snapshot' | 'start' | undefined;
  /** Compares each entry of the snapshot with the public log. */
  readonly prove?: 'tiles' | undefined;
  /**
   * Maximum seconds that a request waits for new entries; 25 by default. With 0 the replica ends where the record ends.
   */
  readonly wait?: number | undefined;
  /** Maximum entries of a page. */
  readonly limit?: number | undefined;
  /**
   * Maximum number of retries of a request. By default a replica never gives up: it reports refusals of the feed as a
   * stall.
   */
  readonly retries?: number | undefined;
}

/**
 * The state of a replica after a page: numbers of entries, −1 for none.
 * @example const isComplete = ({ applied, end }: ReplicaState): boolean => applied === end;
 */
export interface ReplicaState {
  /** The last entry that is in the store. */
  readonly applied: number;
  /** The last entry of the store that a checkpoint of the log covers. Those after it may still be taken back. */
  readonly signed: number;
  /** The last entry of the store that enough witnesses have signed; −1 if the policy requires none. */
  readonly witnessed: number;
  /** The last entry of the record. */
  readonly end: number;
  /** The service was restored: entries after this number that nobody had signed were taken back before this page. */
  readonly takenBackTo: number | undefined;
  /**
   * Reason of a stall: the service has refused the entries after `applied` several times in a row, as it does while an
   * entry is missing. The replica keeps retrying, each time after the wait that the answer asks for. After five answers
   * in a row that cannot be read, it ends with their error. Undefined without a stall.
   */
  readonly stalled: string | undefined;
  /**
   * Texts that the entries in force say are public and that the service does not give, such as `content of review/1`:
   * somebody may have reworded or deleted them. Known at the end of the record, of what was applied since the replica
   * began to run.
   */
  readonly missingTexts: readonly string[];
}

const BATCH = 1000;
/** Retries after which a replica reports a stall: about ten seconds, or as long as the answers ask it to wait. */
const RETRIES_BEFORE_STALL = 5;
/** Number of unreadable answers in a row after which a replica gives up: they may come from another server. */
const MOST_UNREADABLE = 5;
/**
 * Number of checks that the record ends below the known end, since a server may not know its end right after a start.
 */
const LOOKS = 5;
const BETWEEN_LOOKS_MS = 1000;

const RESET: ReplicaBatch = { isReset: true, entries: [], texts: [], position: null };
const NOWHERE: ReplicaPosition = { tree: NO_TREE, signed: null, witnessed: null, ahead: null, textsThrough: null };

/** Returns a head if it is beyond a tree. */
const findAhead = (head: Head | null, { size }: ReplicaTree): Head | null => (head && head.size > size ? head : null);

const toReplicaState = (
  { tree, signed, witnessed }: ReplicaPosition,
  end: number,
  { takenBackTo, stalled, missingTexts = [] }: Partial<Pick<ReplicaState, 'takenBackTo' | 'stalled' | 'missingTexts'>>,
): ReplicaState => ({
  applied: tree.size - 1,
  signed: (signed?.size ?? 0) - 1,
  witnessed: (witnessed?.size ?? 0) - 1,
  end,
  takenBackTo,
  stalled,
  missingTexts,
});

/** Collects items to lists of a size. */
async function* collectBatches<T>(items: AsyncIterable<T>): AsyncGenerator<T[], void, undefined> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** The shared parts of the steps of a replica. */
interface ReplicaContext extends Pick<ReplicaOptions, 'store'> {
  /** Options of each request. */
  readonly options: CallOptions;
  readonly client: EnterpriseCalls;
  readonly policy: Policy;
  readonly missing: MissingTexts;
}

/** Returns the page that ends with an entry. */
const fetchPage = async ({ client, options }: ReplicaContext, number: number): Promise<ChangesPage> =>
  client.feed.changes({ after: number - 1, limit: 1 }, options);

async function* toStoredEntries(
  parts: ReplicaContext,
  entries: ReturnType<typeof readSnapshotEntries>,
): AsyncGenerator<ReplicaEntry> {
  for await (const { entry, line } of entries) {
    const isLong = entry.valueHash !== undefined;
    yield toStoredEntry(entry, line, isLong ? (await fetchPage(parts, entry.number)).values[entry.number] : undefined);
  }
}

const isCode = (error: unknown, code: string): boolean => error instanceof ProblemError && error.code === code;

/**
 * Returns true for an answer that cannot be read: it comes from a server in between. A strict client refuses answers
 * that it has read, by an error of another name.
 */
const isUnreadable = (error: unknown): boolean =>
  error instanceof InvalidResponseError && error.name === InvalidResponseError.prototype.name && error.status === 200;

/** Returns the fields of an entry's texts that are public by it. */
const listTextFields = (line: string, long: string | undefined): string[] => {
  const { cause, value } = JSON.parse(line);
  return Object.keys(readCommitments(cause, long === undefined ? value : JSON.parse(long)));
};

/** Fills an empty store. */
const fillStore = async (
  parts: ReplicaContext,
  { from, prove }: Pick<ReplicaOptions, 'from' | 'prove'>,
): Promise<ReplicaPosition> => {
  const { client, store, policy, options, missing } = parts;
  await store.apply(RESET);
  missing.clear();
  const manifest = from === 'start' ? undefined : await findSnapshot(client, 'latest', options);
  if (!manifest) return NOWHERE;
  await checkManifest(manifest, undefined);
  const { tree, hashes, signed } = manifest;
  const { standing, head } = await checkCovering(tree, signed, policy);
  const unfinished = { isReset: false, entries: [], texts: [], position: null };
  const snapshot = readSnapshotEntries(client, manifest, { prove }, options);
  for await (const entries of collectBatches(toStoredEntries(parts, snapshot))) {
    for (const { key, line, value } of entries) missing.note(key, listTextFields(line, value), performance.now());
    await store.apply({ ...unfinished, entries });
  }
  try {
    for await (const texts of collectBatches<KeyTexts>(readSnapshotTexts(client, manifest, options))) {
      for (const { key, texts: given } of texts)
        missing.note(
          key,
          missing.listFields(key).filter((field) => !Object.hasOwn(given ?? {}, field)),
          performance.now(),
        );
      await store.apply({ ...unfinished, texts });
    }
  } catch (error) {
    if (!isCode(error, 'insufficient_scope')) throw error; // a key without texts
    missing.clear();
  }
  const known = { size: tree.size, hashes };
  const vouched = signed && { ...known, checkpoint: signed.checkpoint, consistency: signed.consistency };
  const position: ReplicaPosition = {
    tree: known,
    signed: standing === 'unsigned' ? null : vouched,
    witnessed: standing === 'witnessed' ? vouched : null,
    ahead: findAhead(head, known),
    textsThrough: null,
  };
  await store.apply({ ...unfinished, position });
  return position;
};

/** Proves a page and applies it. @throws ProofError */
const applyPage = async (
  { store, policy, missing }: ReplicaContext,
  page: ChangesPage,
  from: ReplicaPosition,
): Promise<ReplicaPosition> => {
  const { tree, entries } = await provePage(page, from);
  const { standing, head } = await checkCovering(page.tree, page.signed, policy);
  const { signed } = page;
  const vouched = signed && { ...tree, checkpoint: signed.checkpoint, consistency: signed.consistency };
  const position: ReplicaPosition = {
    tree,
    signed: standing === 'unsigned' ? from.signed : vouched,
    witnessed: standing === 'witnessed' ? vouched : from.witnessed,
    ahead: findAhead(from.ahead, tree) ?? findAhead(head, tree),
    textsThrough: from.textsThrough,
  };
  const texts = await collectTexts(page);
  const now = performance.now();
  if (page.texts !== undefined)
    for (const [key, fields] of findMissingFields(page, texts)) missing.note(key, fields, now);
  const isKnown = page.texts !== undefined && page.through >= page.end && !missing.isUnsure(now);
  const known = isKnown ? { ...position, textsThrough: tree.size } : position;
  const isNews =
    known.signed?.size !== from.signed?.size ||
    known.witnessed?.size !== from.witnessed?.size ||
    known.textsThrough !== from.textsThrough;
  if (entries.length > 0 || isNews) await store.apply({ isReset: false, entries, texts, position: known });
  return known;
};

/** Milliseconds between looks at whether witnesses have signed what was applied before. */
const WITNESS_LOOK_MS = 2000;

/**
 * Follows the witnesses while entries come without a pause: they sign later than the log, so the newest page is never
 * witnessed, and an older tree is looked at again. Returns the position with what was found.
 */
const followWitnesses = (parts: ReplicaContext) => {
  let waiting: ReplicaTree = NO_TREE;
  let lookedAt = 0;
  return async (position: ReplicaPosition): Promise<ReplicaPosition> => {
    const { tree, witnessed } = position;
    const known = witnessed?.size ?? 0;
    if (parts.policy.quorum.threshold === 0 || tree.size <= known) return position;
    if (waiting.size <= known || waiting.size > tree.size) [waiting, lookedAt] = [tree, performance.now()];
    if (performance.now() - lookedAt < WITNESS_LOOK_MS) return position;
    lookedAt = performance.now();
    const page = await fetchPage(parts, waiting.size - 1);
    if (page.signed === null || page.tree.root !== (await computeTreeRoot(waiting))) return position; // the next page names it
    const { standing } = await checkCovering(page.tree, page.signed, parts.policy);
    if (standing !== 'witnessed') return position;
    const { checkpoint, consistency } = page.signed;
    const vouched = { ...waiting, checkpoint, consistency };
    const signed = (position.signed?.size ?? 0) < vouched.size ? vouched : position.signed;
    const next: ReplicaPosition = { ...position, signed, witnessed: vouched };
    await parts.store.apply({ isReset: false, entries: [], texts: [], position: next });
    return next;
  };
};

/** Compares the service with the applied entries: it has `other` entries, or its end is `below` them. */
const compareWithService = async (
  parts: ReplicaContext,
  { tree }: ReplicaPosition,
): Promise<'same' | 'other' | 'below'> => {
  if (tree.size === 0) return 'same';
  for (let looks = 1; ; looks++) {
    try {
      const page = await fetchPage(parts, tree.size - 1);
      return page.tree.size === tree.size && page.tree.root === (await computeTreeRoot(tree)) ? 'same' : 'other';
    } catch (error) {
      if (!isCode(error, 'state_conflict')) throw error;
      if (looks === LOOKS) return 'below';
    }
    await pause(BETWEEN_LOOKS_MS, parts.options.signal);
  }
};

/** Asks for the texts of entries that count again. */
const refetchTexts = async (parts: ReplicaContext, numbers: readonly number[]): Promise<KeyTexts[]> => {
  const all: KeyTexts[] = [];
  for (const number of numbers) {
    const { entries, values, texts = {} } = await fetchPage(parts, number);
    const [entry] = entries;
    if (!entry) continue;
    const value = entry.valueHash === undefined ? entry.value : values[entry.number];
    all.push({ key: entry.key, texts: await selectTexts(entry, value, texts[entry.key]) });
  }
  return all;
};

/** Takes back what nobody has signed. */
const rollBack = async (parts: ReplicaContext, from: ReplicaPosition): Promise<ReplicaPosition | undefined> => {
  const { signed } = from;
  if (!signed) return undefined;
  const tree = { size: signed.size, hashes: signed.hashes };
  const { checkpoint } = parseSignedCheckpoint(signed.checkpoint);
  const ahead = findAhead({ size: checkpoint.size, root: toBase64(checkpoint.root) }, tree);
  const position: ReplicaPosition = { ...from, tree, ahead, textsThrough: null };
  parts.missing.clear();
  const back = { isReset: false, backTo: signed.size, entries: [], texts: [], position };
  const again = (await parts.store.apply(back)) ?? [];
  const texts = await refetchTexts(parts, again);
  if (texts.length > 0) await parts.store.apply({ isReset: false, entries: [], texts, position });
  return position;
};

/**
 * Returns the position from which to continue after an error, since a restored service may have other unsigned entries;
 * undefined to begin anew.
 * @throws the error, or a more specific ProofError
 */
const recoverPosition = async (
  parts: ReplicaContext,
  error: unknown,
  from: ReplicaPosition,
): Promise<ReplicaPosition | undefined> => {
  const isDoubtful = isCode(error, 'state_conflict') || (error instanceof ProofError && error.code === 'page_altered');
  const found = isDoubtful ? await compareWithService(parts, from) : 'same';
  if (found === 'same') {
    if (isCode(error, 'state_conflict')) return from;
    throw error;
  }
  if (from.signed === null || from.signed.size < from.tree.size) return rollBack(parts, from);
  const last = from.tree.size - 1;
  throw found === 'below'
    ? new ProofError('went_backwards', `the record ends before ${last}, which was signed`, { cause: error })
    : new ProofError('root_not_continued', `the history up to ${last} is not the one that was signed`, {
        cause: error,
      });
};

/**
 * Keeps a copy of everything that is published, and proves it page by page: the hashes of its entries lead from its own
 * tree to the root that the page names, and a checkpoint that the log has signed continues that tree. Nothing is
 * applied that does not.
 * @throws ProofError that names what is wrong
 * @example
 * for await (const { applied, signed } of replica({ client, policy, store: fileReplica('brokers') }))
 *   console.log(`${applied} entries, ${signed} of them signed`);
 */
export async function* replica({
  client: { enterprise: client },
  store,
  policy,
  from,
  prove,
  wait,
  limit,
  ...options
}: ReplicaOptions): AsyncGenerator<ReplicaState, void, undefined> {
  const { signal, retries } = options;
  const missing = new MissingTexts();
  const parts: ReplicaContext = {
    client,
    store,
    missing,
    policy: await readPolicy(policy),
    options: followPatiently(options),
  };
  let position = (await store.load()) ?? (await fillStore(parts, { from, prove }));
  let takenBackTo: number | undefined;
  let unreadable = 0;
  let end = position.tree.size - 1;
  const follow = followWitnesses(parts);
  for (;;) {
    const pages = followFeed(client, {
      ...options,
      retries: retries ?? RETRIES_BEFORE_STALL,
      after: position.tree.size - 1,
      limit,
      wait,
    });
    try {
      for await (const page of pages) {
        unreadable = 0;
        position = await follow(await applyPage(parts, page, position));
        ({ end } = page);
        const isEnd = position.tree.size > end;
        yield toReplicaState(position, end, {
          takenBackTo,
          missingTexts: isEnd ? missing.sure(performance.now()) : [],
        });
        takenBackTo = undefined;
      }
      if (!missing.isUnsure(performance.now())) return;
      await pause(NUMBERED_MS, signal);
    } catch (error) {
      const isStall = isTemporary(error) || (isUnreadable(error) && ++unreadable < MOST_UNREADABLE);
      if (retries === undefined && isStall) {
        yield toReplicaState(position, end, { stalled: (error as Error).message });
        await pause(BETWEEN_LOOKS_MS, signal);
        continue;
      }
      const before = position.tree.size;
      position = (await recoverPosition(parts, error, position)) ?? (await fillStore(parts, { from, prove }));
      if (position.tree.size < before) takenBackTo = position.tree.size - 1;
    }
  }
}
