import type {
  ChangesPage,
  EnterpriseAccount,
  EnterpriseUsage,
  FeedEntry,
  SnapshotList,
  SnapshotManifest,
} from '@broker-transparency/contract/enterprise';
import type { ApiCall } from '../calls.ts';
import type { CallOptions } from '../options.ts';

/**
 * A query of the feed.
 * @example const query: ChangesQuery = { after: 41, wait: 25 };
 */
export interface ChangesQuery {
  /** The last number that you have. Default: none. */
  readonly after?: number | undefined;
  /** Maximum entries of the page. */
  readonly limit?: number | undefined;
  /** Maximum seconds to wait for new entries. */
  readonly wait?: number | undefined;
  readonly kind?: string | undefined;
  readonly broker?: string | undefined;
  readonly watchlist?: string | undefined;
}

/**
 * The start and the filter of the feed.
 * @example const options: FeedOptions = { after: 41, signal: AbortSignal.timeout(60_000) };
 */
export interface FeedOptions extends ChangesQuery {
  /** Ends the feed with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The part of a snapshot to read, and its proof.
 * @example const options: SnapshotOptions = { prove: 'tiles', policy };
 */
export interface SnapshotOptions {
  /** Only entries of these kinds. */
  readonly kinds?: readonly string[] | undefined;
  /** A policy file (c2sp.org/tlog-policy): the checkpoint of the snapshot must be signed as it requires. */
  readonly policy?: string | undefined;
  /**
   * Compares the hash of each entry with that in the public log. This proves that each entry was published. That none
   * is missing, only the unfiltered feed proves.
   */
  readonly prove?: 'tiles' | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An entry of a snapshot. */
export interface SnapshotEntry {
  readonly entry: FeedEntry;
  /** The bytes that the log has: canonical JSON. */
  readonly line: string;
}

/**
 * Calls for customers. They reject with the errors of the other clients.
 * @example const nameOf = async (client: EnterpriseClient) => (await client.account()).name;
 */
export interface EnterpriseClient {
  /** Your organisation, its plan, and what this key may do. */
  account(options?: CallOptions): ApiCall<EnterpriseAccount>;
  /** Your organisation's use in a month (`2026-11`); the current one by default. */
  usage(query?: { readonly month?: string }, options?: CallOptions): ApiCall<EnterpriseUsage>;
  /** The snapshots that are kept, the newest first. */
  snapshots(options?: CallOptions): ApiCall<SnapshotList>;
  /** The contents of a snapshot. */
  manifest(number: number, options?: CallOptions): ApiCall<SnapshotManifest>;
  /** One page of the feed. */
  changes(query?: ChangesQuery, options?: CallOptions): ApiCall<ChangesPage>;
  /**
   * The pages of the feed, without end: it waits for new entries, and continues after a lost connection and temporary
   * refusals. With `wait: 0` it ends where the record ends.
   * @example for await (const { entries } of client.feed({ after: 41 })) console.log(entries);
   */
  feed(options?: FeedOptions): AsyncGenerator<ChangesPage, void, undefined>;
  /**
   * The entries of a snapshot. Each file is checked against its SHA-256 before its first entry is given.
   * @throws ProofError
   * @example for await (const { entry } of client.snapshot('latest')) console.log(entry.key);
   */
  snapshot(number: number | 'latest', options?: SnapshotOptions): AsyncGenerator<SnapshotEntry, void, undefined>;
  /**
   * A file of a snapshot, in pieces, as it is stored. It continues after a lost connection.
   * @param from the number of bytes that you already have
   */
  file(number: number, name: string, from?: number, signal?: AbortSignal): AsyncGenerator<Uint8Array, void, undefined>;
  /** A file of the public log, which needs no key, such as a tile of hashes; undefined if there is none. */
  logFile(log: string, path: string, signal?: AbortSignal): Promise<Uint8Array | undefined>;
}
