import { MongoInstance } from 'mongodb-memory-server-core';
import type { MemberKey } from './member-key.ts';
import { memberCredentials } from './members.ts';
import type { MongodBinary } from './mongod-binary.ts';
import { MongodFailed } from './mongod-failed.ts';
import { REPLICA_SET } from './replica-set.ts';

/**
 * Limits the oplog, in which erased texts stay until mongod truncates it. mongod truncates the oplog when it exceeds
 * its size, in megabytes, and the entries to remove are older than an hour. Heartbeats alone fill that size in less
 * than a day.
 */
const OPLOG_ARGUMENTS = [
  '--oplogSize',
  '1',
  '--oplogMinRetentionHours',
  '1',
  '--setParameter',
  'periodicNoopIntervalSecs=5',
];

const ARGUMENTS = [
  '--nounixsocket',
  '--quiet',
  '--wiredTigerCacheSizeGB',
  '0.5',
  ...OPLOG_ARGUMENTS,
  // otherwise the first client to connect could create an administrator
  '--setParameter',
  'enableLocalhostAuthBypass=false',
  '--setParameter',
  'diagnosticDataCollectionEnabled=false',
  // ends transactions of a killed process; a batch takes a second or two
  '--setParameter',
  'transactionLifetimeLimitSeconds=30',
];

/** Time limit of a start in milliseconds, including recovery after a crash. */
const START_TIMEOUT_MS = 60_000;

export interface MongodOptions {
  binary: MongodBinary;
  dbPath: string;
  port: number;
  key: MemberKey;
  log: (line: string) => void;
  /** Called if mongod ends by itself. */
  onLost: () => void;
}

export interface Mongod {
  pid: number;
  stop(): Promise<unknown>;
}

/**
 * Starts mongod with MongoInstance. MongoMemoryReplSet silently replaces a taken port, does not handle a changed port,
 * and prints to the console.
 * @throws MongodFailed if mongod does not start
 */
export async function startMongod({ binary, dbPath, port, key, log, onLost }: MongodOptions): Promise<Mongod> {
  const instance = new Instance(
    {
      instance: {
        dbPath,
        port,
        ip: '127.0.0.1',
        storageEngine: 'wiredTiger',
        auth: true,
        replSet: REPLICA_SET,
        keyfileLocation: key.file,
        args: ARGUMENTS,
        launchTimeout: START_TIMEOUT_MS,
      },
      binary: { systemBinary: binary.path, version: binary.version },
      // its own process group, so that Ctrl-C in a terminal only reaches the server, which stops mongod last
      spawn: { detached: true },
    },
    log,
    onLost,
  );
  instance.extraConnectionOptions = memberCredentials(key);
  try {
    await instance.start();
  } catch (error) {
    await instance.stop();
    throw new MongodFailed(binary.version, instance.exitCode, instance.lastError ?? (error as Error).message);
  }
  return { pid: instance.mongodProcess?.pid ?? 0, stop: () => instance.stop() };
}

class Instance extends MongoInstance {
  exitCode: number | null = null;
  lastError: string | undefined;
  readonly #log: MongodOptions['log'];
  readonly #onLost: MongodOptions['onLost'];
  #isStopped = false;

  constructor(
    options: ConstructorParameters<typeof MongoInstance>[0],
    log: MongodOptions['log'],
    onLost: MongodOptions['onLost'],
  ) {
    super(options);
    this.#log = log;
    this.#onLost = onLost;
  }

  override stdoutHandler(message: string | Buffer) {
    if (!this.isInstanceReady) this.lastError = errorIn(message.toString()) ?? this.lastError;
    super.stdoutHandler(message);
  }

  /**
   * Does nothing. The library stops mongod at log lines that look like certain errors, but a line may quote user input,
   * as in slow queries. Here only the exit of mongod counts as an error.
   */
  protected override checkErrorInLine() {}

  /** Notes that the stop was requested, since the library forgets this before mongod's output ends. */
  override stop() {
    this.#isStopped = true;
    return super.stop();
  }

  override closeHandler(code: number | null, signal: string | null) {
    this.exitCode = code;
    if (this.isInstanceReady && !this.#isStopped) {
      this.#log(`the embedded mongod ended unasked (${signal ?? code})`);
      this.#onLost();
    }
    super.closeHandler(code, signal);
  }
}

function errorIn(lines: string) {
  const [, json] = /^(\{.*"s":"[EF]".*\})$/m.exec(lines) ?? [];
  if (!json) return undefined;
  try {
    const { msg, attr } = JSON.parse(json);
    return String(attr?.error?.errmsg ?? attr?.error ?? msg);
  } catch {
    return undefined;
  }
}
