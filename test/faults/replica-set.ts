/** Three real mongods that are connected, to each other and to clients, by links that can break. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@broker-transparency/embedded-mongo/port';
import { isAlive } from '@broker-transparency/embedded-mongo/processes';
import { type Document, MongoClient, type Timestamp } from 'mongodb';
import { mongodPath } from '../support/cache.ts';
import { type GuardedProcess, startGuarded } from '../support/guarded.ts';
import { until } from '../support/until.ts';
import { Link } from './link.ts';
import { createSourceFinder, OUTSIDE } from './sources.ts';

const NAME = 'faults';
const OPLOG_MB = 16;

const execute = promisify(execFile);

/** The settings that docs/reliability.md recommends and explains. */
const SETTINGS = {
  electionTimeoutMillis: 5000,
  heartbeatTimeoutSecs: 3,
  catchUpTimeoutMillis: 2000,
  heartbeatIntervalMillis: 500,
};
const PARAMETERS = { oplogFetcherSteadyStateMaxFetcherRestarts: 0, transactionLifetimeLimitSeconds: 10 };

export interface Member {
  readonly name: string;
  /** The link through which everybody reaches it. */
  readonly link: Link;
  /** Its own port, which bypasses the link. */
  readonly port: number;
  readonly folder: string;
  process: GuardedProcess;
}

export interface ReplicaSetOptions {
  /** Puts the data of each member on its own in-memory disk of this size. */
  readonly diskMb?: number;
}

/** Returns true if this machine lets a process mount its own disk. */
export const canHaveOwnDisk = (): Promise<boolean> =>
  execute('unshare', ['--map-root-user', '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()]).then(
    () => true,
    () => false,
  );

/** Mounts a disk that only this command sees. It needs no privileges if the kernel allows user namespaces. */
const onOwnDisk = (folder: string, megabytes: number, command: readonly string[]): string[] => {
  const mount = `mount -t tmpfs -o size=${megabytes}m tmpfs "$0" && exec "$@"`;
  return ['unshare', '--map-root-user', '--mount', 'sh', '-c', mount, folder, ...command];
};

const buildCommand = async (folder: string, port: number, { diskMb }: ReplicaSetOptions): Promise<string[]> => {
  const command = [
    await mongodPath(),
    '--dbpath',
    folder,
    '--port',
    String(port),
    '--bind_ip',
    '127.0.0.1',
    '--replSet',
    NAME,
    '--nounixsocket',
    '--quiet',
    '--wiredTigerCacheSizeGB',
    '0.25',
    '--oplogSize',
    String(OPLOG_MB),
    '--setParameter',
    'diagnosticDataCollectionEnabled=false',
    ...Object.entries(PARAMETERS).flatMap(([name, value]) => ['--setParameter', `${name}=${value}`]),
  ];
  return diskMb === undefined ? command : onOwnDisk(folder, diskMb, command);
};

const start = async (folder: string, port: number, options: ReplicaSetOptions): Promise<GuardedProcess> =>
  startGuarded(await buildCommand(folder, port, options), 'Waiting for connections');

/** Milliseconds to wait for a member that is asked once. */
const PATIENCE = 30_000;
/** The same for a member that may hang, and is asked again and again. */
const LOOK = 2000;

/** Sends a command to one member, bypassing its link. */
const askMember = async ({ port }: Pick<Member, 'port'>, command: Document, waitMs = PATIENCE): Promise<Document> => {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: waitMs,
    connectTimeoutMS: waitMs,
    socketTimeoutMS: waitMs,
  });
  try {
    return await client.db('admin').command(command);
  } finally {
    await client.close(true);
  }
};

/** Returns a member's own account of its state; empty if it does not answer. */
const readState = (member: Member): Promise<Document> => askMember(member, { hello: 1 }, LOOK).catch(() => ({}));

export class ReplicaSet {
  readonly members: readonly Member[];
  readonly #root: string;
  readonly #options: ReplicaSetOptions;

  private constructor(members: readonly Member[], root: string, options: ReplicaSetOptions) {
    this.members = members;
    this.#root = root;
    this.#options = options;
  }

  static async start(options: ReplicaSetOptions = {}): Promise<ReplicaSet> {
    const root = await mkdtemp(join(tmpdir(), 'broker-rating-faults-'));
    const members: Member[] = [];
    const findSource = createSourceFinder(() => new Map(members.map(({ name, process }) => [name, process.pid])));
    for (const name of ['a', 'b', 'c']) {
      const folder = await mkdtemp(join(root, name));
      const port = await freePort();
      const link = await Link.open(await freePort(), port, findSource);
      members.push({ name, link, port, folder, process: await start(folder, port, options) });
    }
    const set = new ReplicaSet(members, root, options);
    await set.#initiate();
    return set;
  }

  async #initiate(): Promise<void> {
    const members = this.members.map(({ link }, at) => ({ _id: at, host: `127.0.0.1:${link.port}` }));
    await askMember(this.members[0] as Member, { replSetInitiate: { _id: NAME, members, settings: SETTINGS } });
    await this.whole();
  }

  /** Waits until every member is primary or secondary. Otherwise one more fault could leave no majority. */
  async whole(): Promise<void> {
    await until('every member follows', 60_000, async () => {
      const states = await Promise.all(this.members.map(readState));
      return (
        states.some((state) => state['isWritablePrimary']) &&
        states.every((state) => state['isWritablePrimary'] || state['secondary'])
      );
    });
  }

  get url(): string {
    const hosts = this.members.map(({ link }) => `127.0.0.1:${link.port}`);
    return `mongodb://${hosts.join(',')}/ratings?replicaSet=${NAME}`;
  }

  /** The member that reports to be the writable primary. */
  async primary(except?: Member): Promise<Member> {
    return until('there is a primary', 40_000, async () => {
      const asked = this.members.filter((member) => member !== except);
      const states = await Promise.all(asked.map(async (member) => ({ member, ...(await readState(member)) })));
      return states.find((state: Document) => state['isWritablePrimary'])?.member;
    });
  }

  ask(member: Member, command: Document): Promise<Document> {
    return askMember(member, command);
  }

  /** Restarts a member on its data. */
  async restart(member: Member): Promise<void> {
    member.process = await start(member.folder, member.port, this.#options);
  }

  /** Silently cuts a member off from the others. With `inReach` the service still reaches it. */
  isolate(member: Member, { inReach }: { readonly inReach: boolean }): void {
    for (const other of this.members) {
      if (other === member) continue;
      other.link.blackhole(member.name);
      member.link.blackhole(other.name);
    }
    if (!inReach) member.link.blackhole(OUTSIDE);
  }

  /** Writes past the links until the log of changes no longer contains its current end. */
  async rollOplog(): Promise<void> {
    const { port } = await this.primary();
    const client = await MongoClient.connect(`mongodb://127.0.0.1:${port}/?directConnection=true`);
    const oplog = client.db('local').collection('oplog.rs');
    const first = async () => (await oplog.find().sort({ $natural: 1 }).limit(1).next())?.['ts'] as Timestamp;
    try {
      const filler = client.db('filler').collection('filler', { writeConcern: { w: 'majority' } });
      const last = (await oplog.find().sort({ $natural: -1 }).limit(1).next())?.['ts'] as Timestamp;
      await until('the log has lost it', 60_000, async () => {
        await filler.insertMany(Array.from({ length: 4 }, () => ({ text: 'x'.repeat(2 ** 20) })));
        await client.db('admin').command({ fsync: 1 }); // the log only drops what is on the disk
        return (await first()).greaterThan(last);
      });
      await client.db('filler').dropDatabase();
    } finally {
      await client.close();
    }
  }

  /** Fills the member's own disk completely, and makes mongod write until it ends: else it writes within a minute. */
  async fillDisk(member: Member): Promise<void> {
    const { pid } = member.process;
    const file = `/proc/${pid}/root${member.folder}/full`;
    await execute('dd', ['if=/dev/zero', `of=${file}`, 'bs=1M']).catch(() => {}); // ends when the disk is full
    await until('the member ends', 60_000, async () => {
      await askMember(member, { fsync: 1 }, LOOK).catch(() => {});
      return !(await isAlive(pid));
    });
  }

  heal(): void {
    for (const { link } of this.members) link.heal();
  }

  async stop(): Promise<void> {
    await Promise.all(this.members.map(({ process }) => process.kill()));
    await Promise.all(this.members.map(({ link }) => link.close()));
    await rm(this.#root, { recursive: true, force: true });
  }
}
