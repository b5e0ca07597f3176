import type { DocumentChange } from '../platform/changes.ts';
import type { Clock } from '../platform/clock.ts';
import type { JobRun } from '../platform/jobs/job.ts';
import type { MailSettings } from '../platform/mail/smtp.ts';
import type { Db, Tx } from '../platform/mongo.ts';
import type { Count } from '../platform/observe/counted.ts';
import type { Metrics } from '../platform/observe/metrics.ts';
import type { DatabaseMetrics } from '../platform/observe/state.ts';
import type { CheckPolicy, CheckReading } from './checks.rule.ts';
import type { Context, TxContext } from './context.ts';
import type { ImportKind } from './import-kind.ts';
import type { RecordSource } from './record/source.ts';

/** The identifiers by which stored data refers to a person. */
export interface DataSubject {
  readonly accountIds: readonly string[];
  /** Hashes of the KYC provider's references to the person. */
  readonly personHashes: readonly string[];
  /** Addresses of mail that are known to be theirs, in small letters. */
  readonly addresses: readonly string[];
  /** Only data written until then is meant. Later data belongs to a new account of the same person. */
  readonly until: Date;
}

/** Exports and erases the data that one module holds about people. */
export interface PersonalDataSource {
  /** Name under which an erasure counts its documents. */
  readonly name: string;
  /** Returns everything about a person, by its name in an export. All reads must use one snapshot. */
  readonly held: (person: DataSubject, tx: Tx) => Promise<Readonly<Record<string, readonly object[]>>>;
  /** Erases up to `limit` documents. Returns their number; fewer than `limit` means that none is left. */
  readonly erase: (c: TxContext, person: DataSubject, limit: number) => Promise<number>;
  /** Returns addresses of mail that accounts are known to have, by this module's data. */
  readonly findAddresses?: (accountIds: readonly string[], tx: Tx) => Promise<readonly string[]>;
  /**
   * Returns the ids that stand for somebody without an account in exports and erasures. They are random, and nobody
   * else gets them later.
   * @param address of mail, as somebody typed it
   */
  readonly findByAddress?: (address: string, tx: Tx) => Promise<readonly string[]>;
}

/** The rules for one collection of the database. */
export interface CollectionRules {
  /**
   * `erased`: an erasure of a person deletes their data. `kept`: it leaves data about people alone, for the reason in a
   * comment. `none`: the collection holds no data about people.
   */
  readonly people: 'erased' | 'kept' | 'none';
  /** Changes that the server may make to its documents, from which its role in MongoDB follows; all if omitted. */
  readonly writes?: readonly ('insert' | 'update')[];
  /** Cache tags of the answers that a change affects. They are the tags under `shows` in the contract. */
  readonly shows?: (change: DocumentChange) => readonly string[];
  /** Filter for the changes that affect answers; all if omitted. */
  readonly shownChanges?: Readonly<Record<string, unknown>>;
  /** True if a change takes a public text down. Then no answer with the former text is given any more. */
  readonly takesTextDown?: (change: DocumentChange) => boolean;
}

/** The settings that jobs receive. */
export interface JobSettings {
  readonly dataDir: string;
  readonly mail: MailSettings | undefined;
  readonly newsFeeds: string | undefined;
  readonly newsFeedsAllowLoopback: boolean;
  readonly newsFeedsPorts: number[];
  readonly operatorMail: readonly string[];
  readonly registers: string | undefined;
  readonly registersAllowLoopback: boolean;
  readonly registersPorts: number[];
  readonly snapshotsKept: number;
}

/** The inputs of checks. */
export interface CheckInputs extends Pick<JobSettings, 'newsFeeds' | 'dataDir' | 'mail'> {
  /** Names of the jobs that run here. */
  readonly jobs: readonly string[];
}

/** A check of `status`: something that waits, fails or is old. */
export interface Check extends CheckPolicy {
  /** Resolves to undefined if this installation does not have it. */
  readonly read: (db: Db, inputs: CheckInputs, now: Date) => Promise<CheckReading | undefined>;
}

/** A job of the service. It may run more than once, so its effect must be idempotent or guarded by a transaction. */
export interface ServiceJob {
  readonly name: string;
  readonly what: string;
  /** Cron expression with five fields, in UTC. */
  readonly schedule: string;
  /** Milliseconds after the last heartbeat of a killed process until another process takes its job over. */
  readonly lockMs: number;
  /** The setting that the job requires, and its variable. A process without it leaves the job to other processes. */
  readonly needs?: { readonly setting: keyof JobSettings; readonly variable: string };
  /** Returns true if it has work that no run has done yet, whatever its schedule says. Then it is due at the start. */
  readonly isBehind?: (context: Context) => Promise<boolean>;
  /**
   * Resolves to what it did: numbers and lists by name, which are reported as counts.
   * @param summarize reads all checks, and resolves to their summary
   */
  readonly run: (
    context: Context,
    run: JobRun,
    settings: JobSettings,
    countCorrection: Count,
    summarize: () => Promise<{ readonly subject: string; readonly text: string }>,
  ) => Promise<unknown>;
}

/** Publishes what the collections of a module hold as metrics. Every process that calls it reports the same values. */
export type ModuleMetrics = (
  db: Db,
  parts: { readonly database: DatabaseMetrics; readonly metrics: Metrics; readonly clock: Clock },
) => void;

/** The handlers of a module: those of each API, by the resource or the route of its contract. */
interface ModuleRoutes {
  readonly public?: object;
  readonly account?: object;
  readonly transparency?: object;
}

/** Milliseconds until another process takes over the job of a killed process. */
export const LOCK_MS = 30_000;

/** A capability of the service. Tables that name capabilities are derived from these values. */
export interface Module {
  readonly name: string;
  /** The features that this one may import. Only features have these, data about people, entries and kinds of imports. */
  readonly needs?: readonly string[];
  readonly collections?: Readonly<Record<string, CollectionRules>>;
  /** Loads the files that define the models of its collections. */
  readonly models?: () => Promise<unknown>;
  /** Actions of the audit trail, with their meanings. */
  readonly audit?: Readonly<Record<string, string>>;
  /** Kinds of subjects that entries of the audit trail are about. */
  readonly subjects?: readonly string[];
  /** Loads the source of the data about people. */
  readonly personalData?: () => Promise<PersonalDataSource>;
  /** Loads the function that makes the handlers of its routes, by API and resource. */
  readonly routes?: () => Promise<(parts: never) => ModuleRoutes>;
  readonly jobs?: readonly ServiceJob[];
  /** Loads the source of its entries in the record. */
  readonly recordSource?: () => Promise<RecordSource>;
  /** Loads the kinds of records that an import of a file can have, by their names. */
  readonly importKinds?: Readonly<Record<string, () => Promise<ImportKind<unknown>>>>;
  /** Checks of `status`, by their names. */
  readonly checks?: Readonly<Record<string, Check>>;
  /** Loads the metrics that are read from the database. */
  readonly metrics?: () => Promise<ModuleMetrics>;
}

/**
 * Declares a capability: its only registration. The file imports nothing that runs, so that every process and every
 * check can read it; jobs and sources load their code when they are used.
 */
export const defineModule = <const M extends Module>(module: M): M => module;
