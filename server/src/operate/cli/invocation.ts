import type { Rights } from '../../features/operators/policy.rule.ts';
import type { StoredAuditEntry } from '../../ledger/audit/store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/mongo.ts';

/** The service that runs a command in its own process. */
export interface CommandHost {
  readonly db: Db;
  readonly clock: Clock;
  readonly dataDir: string;
}

/** The effect that a dry run would have had. */
export interface ForeseenEffect {
  readonly audit: StoredAuditEntry[];
  /** False: it sent nothing to the database that writes. */
  hasWrites: boolean;
}

/** The words of the command line beside the options of its command: the command, and who acts. */
export interface Invocation {
  /** The words of the command, such as `review publish`. */
  readonly command: string;
  readonly rights: Rights;
  /** The name given by `--actor`; undefined if none is. */
  readonly actor: string | undefined;
  /** File that has the token. */
  readonly tokenFile: string | undefined;
  /** True if the command may start the embedded database where no server runs. */
  readonly mayStart: boolean;
  /** The service in whose process it runs; undefined: it has a process of its own. */
  readonly host: CommandHost | undefined;
  /** True if it must change nothing. */
  readonly isDryRun: boolean;
  /** True if it prints JSON. */
  readonly isJson: boolean;
  /** The effect that a dry run would have had; undefined if the command says by itself what it would do. */
  readonly foreseen: ForeseenEffect | undefined;
}

/**
 * By the environment that the command has, so that no command has to pass them on. Each run of the command line has an
 * environment of its own.
 */
const invocations = new WeakMap<NodeJS.ProcessEnv, Invocation>();

export const saveInvocation = (env: NodeJS.ProcessEnv, invocation: Invocation): void => {
  invocations.set(env, invocation);
};

/** Returns what the command line said; undefined if no command runs yet. */
export const findInvocation = (env: NodeJS.ProcessEnv): Invocation | undefined => invocations.get(env);

/** Returns what the command line said. @throws Error if no command runs with this environment */
export const requireInvocation = (env: NodeJS.ProcessEnv): Invocation => {
  const found = findInvocation(env);
  if (!found) throw new Error('no command runs with this environment');
  return found;
};
