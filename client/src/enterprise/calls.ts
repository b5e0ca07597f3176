import type { FamilyBudget } from '../families.ts';
import type { EnterpriseFeedChangesQuery, EnterpriseOperations, FeedEntry } from '../generated/enterprise.ts';
import type { enterpriseRoutes } from '../generated/enterprise-routes.ts';
import type { Calls } from '../operations.ts';
import type { CallOptions } from '../options.ts';

/**
 * Options of what makes many requests, and does not give up by itself. They hold for each request. Its time
 * limits count from the end of its wait for new entries.
 * @example const options: FollowOptions = { signal: AbortSignal.timeout(600_000), tryTimeoutMs: 5_000, retries: 20 };
 */
export interface FollowOptions extends CallOptions {
  /** Time limit for a request including its retries, in milliseconds; `Infinity` by default. */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of retries of a request; `Infinity` by default. */
  readonly retries?: number | undefined;
}

/** Returns the options of each request of what does not give up by itself. */
export const followPatiently = (options: FollowOptions): CallOptions => ({
  ...options,
  timeoutMs: options.timeoutMs ?? Infinity,
  retries: options.retries ?? Infinity,
});

/**
 * The start and the filter of the feed.
 * @example const options: FeedOptions = { after: 41, signal: AbortSignal.timeout(60_000) };
 */
export interface FeedOptions extends EnterpriseFeedChangesQuery, FollowOptions {}

/**
 * The part of a snapshot to read, and its proof.
 * @example const options: SnapshotOptions = { prove: 'tiles', policy };
 */
export interface SnapshotOptions extends FollowOptions {
  /** Only entries of these kinds. */
  readonly kinds?: readonly string[] | undefined;
  /** A policy file (c2sp.org/tlog-policy): the checkpoint of the snapshot must be signed as it requires. */
  readonly policy?: string | undefined;
  /**
   * Compares the hash of each entry with that in the public log. This proves that each entry was published. That none
   * is missing, only the unfiltered feed proves.
   */
  readonly prove?: 'tiles' | undefined;
}

/** An entry of a snapshot. */
export interface SnapshotEntry {
  readonly entry: FeedEntry;
  /** The bytes that the log has: canonical JSON. */
  readonly line: string;
}

/**
 * Options of a file. `tryTimeoutMs` and `timeoutMs` limit silence, not the length of the download: a piece that comes
 * gives it the whole time and all retries anew.
 * @example const options: FileOptions = { from: 4096, signal: AbortSignal.timeout(60_000) };
 */
export interface FileOptions extends CallOptions {
  /** The number of bytes that you already have; 0 by default. */
  readonly from?: number | undefined;
}

/**
 * Files, as they are stored.
 * @example for await (const bytes of client.enterprise.files.readSnapshotFile(12, 'brokers.ndjson.gz')) console.log(bytes);
 */
export interface EnterpriseFiles {
  /** A file of a snapshot, in pieces. It continues after a lost connection. */
  readSnapshotFile(number: number, name: string, options?: FileOptions): AsyncGenerator<Uint8Array, void, undefined>;
  /** A file of the public log, which needs no key, such as a tile of hashes; undefined if there is none. */
  readLogFile(log: string, path: string, options?: CallOptions): Promise<Uint8Array | undefined>;
}

/**
 * Calls for customers. They reject with the errors of the other calls.
 * @example const readName = async (calls: EnterpriseCalls) => (await calls.account.get()).name;
 */
export interface EnterpriseCalls
  extends Calls<EnterpriseOperations, typeof enterpriseRoutes, 'throwing'>,
    FamilyBudget {
  readonly files: EnterpriseFiles;
}

/**
 * The calls of {@link EnterpriseCalls} that resolve with `{ data, error, response }`.
 * @example const { data, error } = await client.safe.enterprise.webhooks.list();
 */
export interface SafeEnterpriseCalls extends Calls<EnterpriseOperations, typeof enterpriseRoutes, 'safe'> {}

/**
 * A client with the calls for customers.
 * @example const readName = async ({ enterprise }: EnterpriseClient) => (await enterprise.account.get()).name;
 */
export interface EnterpriseClient {
  readonly enterprise: EnterpriseCalls;
}
