/** Three real mongods that reach each other, and are reached, by links that can break. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Document, MongoClient, type Timestamp } from 'mongodb';
import { freePort } from '../../server/src/platform/embedded/port.ts';
import { mongodPath } from '../support/cache.ts';
import { type Guarded, startGuarded } from '../support/guarded.ts';
import { until } from '../support/service.ts';
import { Link } from './link.ts';
import { OUTSIDE, sourceAmong } from './sources.ts';

const NAME = 'faults';
const OPLOG_MB = 16;

const execute = promisify(execFile);

/** As docs/reliability.md recommends them, and says why. */
const SETTINGS = {
  electionTimeoutMillis: 5000,
  heartbeatTimeoutSecs: 3,
  catchUpTimeoutMillis: 2000,
  heartbeatIntervalMillis: 500,
};
const PARAMETERS = { oplogFetcherSteadyStateMaxFetcherRestarts: 0, transactionLifetimeLimitSeconds: 10 };

export interface Member {
  readonly name: string;
  /** The way to it, for everybody. */
  readonly link: Link;
  /** Its own port, past the link. */
  readonly port: number;
  readonly folder: string;
  process: Guarded;
}

export interface ReplicaSetOptions {
  /** Puts the data of each member on a disk of its own in memory, of this size. */
  readonly diskMb?: number;
}

/** Whether this machine lets a process have a disk of its own. */
export const canHaveOwnDisk = (): Promise<boolean> =>
  execute('unshare', ['--map-root-user', '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()]).then(
    () => true,
    () => false,
  );

/** A disk of its own, which nobody else sees; no privilege is needed where the kernel lets users have namespaces. */
const onOwnDisk = (folder: string, megabytes: number, command: readonly string[]): string[] => {
  const mount = `mount -t tmpfs -o size=${megabytes}m tmpfs "$0" && exec "$@"`;
  return ['unshare', '--map-root-user', '--mount', 'sh', '-c', mount, folder, ...command];
};

const commandOf = async (folder: string, port: number, { diskMb }: ReplicaSetOptions): Promise<string[]> => {
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

const start = async (folder: string, port: number, options: ReplicaSetOptions): Promise<Guarded> =>
  startGuarded(await commandOf(folder, port, options), 'Waiting for connections');

/** Asks one member, past its link. */
const askMember = async ({ port }: Pick<Member, 'port'>, command: Document): Promise<Document> => {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 1000,
    connectTimeoutMS: 1000,
    socketTimeoutMS: 2000,
  });
  try {
    return await client.db('admin').command(command);
  } finally {
    await client.close(true);
  }
};

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
    const sourceOf = sourceAmong(() => new Map(members.map(({ name, process }) => [name, process.pid])));
    for (const name of ['a', 'b', 'c']) {
      const folder = await mkdtemp(join(root, name));
      const port = await freePort();
      const link = await Link.open(await freePort(), port, sourceOf);
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

  /** Waits until every member has its part: a fault of one more could else leave no majority. */
  async whole(): Promise<void> {
    await until('every member follows', 60_000, async () => {
      const ask = (member: Member): Promise<Document> => askMember(member, { hello: 1 }).catch(() => ({}));
      const states = await Promise.all(this.members.map(ask));
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

  /** The one that a majority follows: where there are two, that of the later election. */
  async primary(except?: Member): Promise<Member> {
    return until('there is a primary', 40_000, async () => {
      const asked = this.members.filter((member) => member !== except);
      const states = await Promise.all(
        asked.map(async (member) => ({ member, ...(await askMember(member, { hello: 1 }).catch(() => ({}))) })),
      );
      return states.find((state: Document) => state['isWritablePrimary'])?.member;
    });
  }

  ask(member: Member, command: Document): Promise<Document> {
    return askMember(member, command);
  }

  /** Starts a member again on its data. */
  async restart(member: Member): Promise<void> {
    member.process = await start(member.folder, member.port, this.#options);
  }

  /** Cuts a member off from the others without a word to anybody; from the service too, unless it stays in reach. */
  isolate(member: Member, { inReach }: { readonly inReach: boolean }): void {
    for (const other of this.members) {
      if (other === member) continue;
      other.link.blackhole(member.name);
      member.link.blackhole(other.name);
    }
    if (!inReach) member.link.blackhole(OUTSIDE);
  }

  /** Writes past the links, until the log that change streams read no longer has what is its end now. */
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
        await client.db('admin').command({ fsync: 1 }); // nothing leaves the log before it is on the disk
        return (await first()).greaterThan(last);
      });
      await client.db('filler').dropDatabase();
    } finally {
      await client.close();
    }
  }

  /** Leaves no byte on the member's own disk, and makes it write. */
  async fillDisk(member: Member): Promise<void> {
    const { pid } = member.process;
    const file = `/proc/${pid}/root${member.folder}/full`;
    await execute('dd', ['if=/dev/zero', `of=${file}`, 'bs=1M']).catch(() => {}); // it ends when there is no room
    await this.ask(member, { fsync: 1 }).catch(() => {}); // or mongod
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
