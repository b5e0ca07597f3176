/** Three real mongods that reach each other, and are reached, by links that can break. */
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Document, MongoClient } from 'mongodb';
import { findMongod } from '../../server/src/platform/embedded/mongod-binary.ts';
import { freePort } from '../../server/src/platform/embedded/port.ts';
import { type Guarded, startGuarded } from '../support/guarded.ts';
import { until } from '../support/service.ts';
import { Link } from './link.ts';
import { OUTSIDE, sourceAmong } from './sources.ts';

const NAME = 'faults';

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
  /** How long a primary may be silent before the others elect; 10 s is MongoDB's default. */
  readonly electionTimeoutMs?: number;
  /** Puts the data of each member on a disk of its own in memory, of this size. */
  readonly diskMb?: number;
}

/** A disk of its own, which nobody else sees; no privilege is needed where the kernel lets users have namespaces. */
const onOwnDisk = (folder: string, megabytes: number, command: readonly string[]): string[] => {
  const mount = `mount -t tmpfs -o size=${megabytes}m tmpfs "$0" && exec "$@"`;
  return ['unshare', '--map-root-user', '--mount', 'sh', '-c', mount, folder, ...command];
};

const commandOf = async (folder: string, port: number, { diskMb }: ReplicaSetOptions): Promise<string[]> => {
  const cacheDir = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'broker-transparency');
  const { path } = await findMongod({ binary: process.env['MONGOD_BINARY'], cacheDir, log: () => {} });
  const command = [
    ...[path, '--dbpath', folder, '--port', String(port), '--bind_ip', '127.0.0.1', '--replSet', NAME],
    ...['--nounixsocket', '--quiet', '--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '16'],
    ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
  ];
  return diskMb === undefined ? command : onOwnDisk(folder, diskMb, command);
};

const start = async (folder: string, port: number, options: ReplicaSetOptions): Promise<Guarded> =>
  startGuarded(await commandOf(folder, port, options), 'Waiting for connections');

/** Asks one member, past its link. */
const askMember = async ({ port }: Pick<Member, 'port'>, command: Document): Promise<Document> => {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    ...{ serverSelectionTimeoutMS: 1000, connectTimeoutMS: 1000, socketTimeoutMS: 2000 },
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
    const settings = { electionTimeoutMillis: this.#options.electionTimeoutMs ?? 10_000 };
    await askMember(this.members[0] as Member, { replSetInitiate: { _id: NAME, members, settings } });
    await this.primary();
    await until('every member follows', 30_000, async () => {
      const states = await Promise.all(this.members.map((member) => askMember(member, { hello: 1 })));
      return states.every(({ isWritablePrimary, secondary }) => isWritablePrimary || secondary);
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

  heal(): void {
    for (const { link } of this.members) link.heal();
  }

  async stop(): Promise<void> {
    await Promise.all(this.members.map(({ process }) => process.kill()));
    await Promise.all(this.members.map(({ link }) => link.close()));
    await rm(this.#root, { recursive: true, force: true });
  }
}
