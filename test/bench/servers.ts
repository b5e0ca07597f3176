/** The measured servers, each in its own process, started when first needed. */
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bin } from '../support/process.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { until } from '../support/until.ts';
import { type Data, openData, type Size } from './data.ts';
import type { ReadyAnswer } from './peers/peer.ts';
import { ask, endProcess, findChildren, startNode } from './processes.ts';

/** Setting that makes the service build each answer anew. */
const NOTHING_PREPARED = { PREPARED_MB: '0' };
const SETTINGS = {
  PORT: '0',
  JOBS: 'off',
  LOG_LEVEL: 'error',
  PUBLIC_RATE_LIMIT: '1000000',
  COMPLAINTS_PER_DAY: '1000000',
};

interface ServerKind {
  /** A script in `peers`. If omitted, the built service. */
  readonly peer?: 'bare' | 'fastify' | 'naive' | 'driver';
  readonly env?: Readonly<Record<string, string>>;
  readonly redis?: true;
  readonly data?: 'small' | 'large';
  /** Headers of every request to it. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The server returns an answer that it is given beforehand. */
  readonly ready?: true;
}

/** All servers by their name in the report. */
export const SERVERS = {
  bare: { peer: 'bare', ready: true },
  fastify: { peer: 'fastify', ready: true },
  naive: { peer: 'naive', redis: true },
  driver: { peer: 'driver' },
  service: {},
  'service, with a cookie': { headers: { Cookie: `session=${'A'.repeat(43)}` } },
  'service, access log': { env: { LOG_LEVEL: 'info' } },
  'service, limiter on Redis': { redis: true },
  'service, two workers': { redis: true, env: { WORKERS: '2' } },
  'service, nothing prepared': { env: NOTHING_PREPARED },
  'naive, large data': { peer: 'naive', redis: true, data: 'large' },
  'service, large data': { data: 'large' },
  'service, nothing prepared, large data': { env: NOTHING_PREPARED, data: 'large' },
} as const satisfies Record<string, ServerKind>;
export type ServerName = keyof typeof SERVERS;

export interface Server {
  readonly name: ServerName;
  readonly port: number;
  readonly pid: number;
  /** Its own process and those of its workers. */
  readonly pids: readonly number[];
  readonly data: Data;
  readonly headers: Readonly<Record<string, string>>;
  /** True if the server must be given its answer. */
  readonly ready: boolean;
  readonly give: (answer: ReadyAnswer) => Promise<void>;
}

const START_MS = 120_000;
const script = (peer: string): string => fileURLToPath(new URL(`./peers/${peer}.ts`, import.meta.url));

/** Waits until the process announces its port. */
const waitForPort = (child: ChildProcess, name: string, file: string): Promise<number> =>
  until(`${name} listens`, START_MS, async () => {
    const output = await readFile(file, 'utf8');
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}:\n${output}`);
    const port = /^ {2}API +http:\/\/127\.0\.0\.1:(\d+)\//m.exec(output)?.[1];
    return port !== undefined && Number(port);
  });

/** The shared environment of a run. Each part starts once, and `close` ends them all. */
export const createStage = (sizes: Record<'small' | 'large', Size>, root: string, log: (line: string) => void) => {
  const closers: (() => Promise<unknown>)[] = [];
  const closeLater = async <T>(thing: Promise<T>, close: (thing: T) => Promise<unknown>): Promise<T> => {
    const made = await thing;
    closers.push(() => close(made));
    return made;
  };
  const known = new Map<string, Promise<unknown>>();
  const startOnce = <T>(key: string, make: () => Promise<T>): Promise<T> => {
    const made = (known.get(key) as Promise<T> | undefined) ?? make();
    known.set(key, made);
    return made;
  };
  const scratch = () =>
    startOnce('scratch', () =>
      closeLater(mkdtemp(join(tmpdir(), 'bench-')), (folder) => rm(folder, { recursive: true, force: true })),
    );
  const redis = (): Promise<RedisServer> =>
    startOnce('redis', () => closeLater(startRedis(), (server) => server.stop()));
  const data = (which: 'small' | 'large'): Promise<Data> =>
    startOnce(`data ${which}`, () => closeLater(openData(sizes[which], root, log), (opened) => opened.close()));

  const start = async (name: ServerName): Promise<Server> => {
    const kind: ServerKind = SERVERS[name];
    const database = await data(kind.data ?? 'small');
    const { PATH, HOME } = process.env;
    const env = {
      PATH,
      HOME,
      ...SETTINGS,
      MONGODB_URL: database.url,
      NODE_ENV: 'production',
      ...(kind.redis ? { REDIS_URL: (await redis()).url } : {}),
      ...kind.env,
    };
    const file = join(await scratch(), `${name}.log`);
    const output = await closeLater(open(file, 'a'), (handle) => handle.close());
    const args = kind.peer === undefined ? [bin, 'serve'] : [script(kind.peer)];
    const messages = kind.ready === true;
    const child = startNode('server', args, { env, output: output.fd, messages });
    closers.push(() => endProcess(child, kind.peer === undefined ? 'SIGINT' : 'SIGTERM'));
    const port = await waitForPort(child, name, file);
    const pid = child.pid as number;
    return {
      name,
      data: database,
      headers: kind.headers ?? {},
      ready: messages,
      port,
      pid,
      pids: [pid, ...(await findChildren(pid))],
      give: (answer) => ask(child, answer),
    };
  };
  const loader = () =>
    startOnce('load', async () => {
      const child = startNode('load', [fileURLToPath(new URL('./load.ts', import.meta.url))], {
        env: process.env,
        output: 'inherit',
        messages: true,
      });
      closers.push(() => endProcess(child, 'SIGTERM'));
      return child;
    });
  return {
    server: (name: ServerName): Promise<Server> => startOnce(`server ${name}`, () => start(name)),
    data,
    loader,
    close: async (): Promise<void> => {
      for (const close of closers.splice(0).reverse()) await close();
    },
  };
};
export type ServerStage = ReturnType<typeof createStage>;
