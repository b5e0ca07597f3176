/** A TCP link between two parts that can be cut, blackholed or slowed, for all sources or for one. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Returns the name of the source that opened a connection. */
export type FindSource = (connection: { readonly fromPort: number; readonly toPort: number }) => Promise<string>;

type Trouble =
  | { readonly kind: 'cut' }
  | { readonly kind: 'blackhole'; readonly healed: Promise<void>; readonly heal: () => void }
  | { readonly kind: 'slow'; readonly ms: number };

interface Pair {
  /** Name of the source. It is looked up once, and only while a source has a trouble of its own: a lookup is slow. */
  readonly source: () => Promise<string>;
  readonly sockets: readonly Socket[];
}

const ANYBODY = '*';

export class Link {
  readonly port: number;
  readonly #server: Server;
  readonly #target: number;
  readonly #findSource: FindSource;
  readonly #troubles = new Map<string, Trouble>();
  readonly #pairs = new Set<Pair>();
  /** All accepted sockets, including those that wait for a blackhole to heal. */
  readonly #accepted = new Set<Socket>();

  private constructor(server: Server, target: number, findSource: FindSource) {
    this.port = (server.address() as AddressInfo).port;
    this.#server = server;
    this.#target = target;
    this.#findSource = findSource;
    server.on('connection', (socket: Socket) => {
      socket.on('error', () => {});
      this.#accepted.add(socket);
      socket.on('close', () => this.#accepted.delete(socket));
      this.#accept(socket).catch(() => socket.destroy());
    });
  }

  /** Listens on `port` of loopback and forwards to `target`. */
  static async open(port: number, target: number, findSource: FindSource = async () => ANYBODY): Promise<Link> {
    const server = createServer({ pauseOnConnect: true });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return new Link(server, target, findSource);
  }

  /** Resets existing and new connections. */
  cut(): void {
    this.#trouble(ANYBODY, { kind: 'cut' });
    for (const { sockets } of this.#pairs) for (const socket of sockets) socket.resetAndDestroy();
  }

  /** Delays all data without notice until the link heals. Then it arrives, as if TCP had sent it again. */
  blackhole(source = ANYBODY): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#trouble(source, { kind: 'blackhole', healed: promise, heal: resolve });
  }

  /** Delays each round trip by `ms`. */
  slow(ms: number, source = ANYBODY): void {
    this.#trouble(source, { kind: 'slow', ms });
  }

  heal(): void {
    for (const source of [...this.#troubles.keys()]) this.#trouble(source, undefined);
  }

  async close(): Promise<void> {
    this.cut();
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#accepted) socket.destroy();
    await closed;
  }

  #trouble(source: string, trouble: Trouble | undefined): void {
    const last = this.#troubles.get(source);
    if (trouble) this.#troubles.set(source, trouble);
    else this.#troubles.delete(source);
    if (last?.kind === 'blackhole') last.heal();
  }

  async #findTrouble({ source }: Pair): Promise<Trouble | undefined> {
    if (this.#troubles.size === 0) return undefined;
    return this.#troubles.get(ANYBODY) ?? this.#troubles.get(await source());
  }

  /** Resolves once data from one side may reach the other, with the trouble that still exists then. */
  async #passage(pair: Pair): Promise<Trouble | undefined> {
    let trouble = await this.#findTrouble(pair);
    while (trouble?.kind === 'blackhole') {
      await trouble.healed;
      trouble = await this.#findTrouble(pair);
    }
    if (trouble?.kind === 'slow') await sleep(trouble.ms / 2);
    return trouble;
  }

  async #accept(near: Socket): Promise<void> {
    const fromPort = near.remotePort ?? 0;
    let found: Promise<string> | undefined;
    const source = (): Promise<string> => (found ??= this.#findSource({ fromPort, toPort: this.port }));
    const trouble = await this.#passage({ source, sockets: [near] });
    if (trouble?.kind === 'cut') {
      near.resetAndDestroy();
      return;
    }
    const far = connect(this.#target, '127.0.0.1');
    for (const socket of [near, far]) socket.setNoDelay(true);
    const pair: Pair = { source, sockets: [near, far] };
    this.#pairs.add(pair);
    this.#pump(near, far, pair);
    this.#pump(far, near, pair);
    near.resume();
  }

  #pump(from: Socket, to: Socket, pair: Pair): void {
    let last = Promise.resolve();
    const pass = (act: () => void): void => {
      last = Promise.all([last, this.#passage(pair)]).then(act);
    };
    from.on('error', () => {});
    from.on('data', (bytes) => pass(() => void to.write(bytes)));
    from.on('close', () => {
      pass(() => void to.destroySoon());
      this.#pairs.delete(pair);
    });
  }
}
