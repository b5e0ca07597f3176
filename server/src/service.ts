import type { RequestListener } from 'node:http';
import type { Mode } from './mode.ts';
import { run as runCommandLine } from './operate/cli/program.ts';
import type { Config } from './operate/config.ts';
import { requireInputs } from './operate/inputs.ts';
import { createParts } from './operate/process/parts.ts';
import { openDemo, openPool, prepareStores, startBackgroundWorkers } from './operate/process/upkeep.ts';
import { createWeb, formatOrigin, type RequestTimeouts } from './operate/process/web.ts';
import type { Clock } from './platform/clock.ts';
import type { Db } from './platform/mongo.ts';
import type { Log } from './platform/observe/log.ts';
import type { Metrics } from './platform/observe/metrics.ts';
import type { connectRedis } from './platform/redis.ts';
import { withTerminal } from './platform/terminal.ts';

/** The settings of a service: those of `serve`, without ports and processes. */
export type ServiceConfig = Config & Partial<Mode> & RequestTimeouts;

/** The resources that a service uses and does not create. */
export interface Resources {
  /** Opens the connections of the service, which the service closes at its end. */
  readonly db: {
    /** Connections for requests. */
    readonly foreground: () => Promise<Db>;
    /** Connections for background work. */
    readonly background: () => Promise<Db>;
  };
  /**
   * Redis in which requests are counted together with other services; undefined for `config.redisUrl`, or memory. Its
   * owner closes it.
   */
  readonly redis?: ReturnType<typeof connectRedis> | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Outcome of a command. */
export interface CommandResult {
  /** 0 done, 1 refused or failed, 2 wrong usage. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running service. */
export interface Service extends AsyncDisposable {
  /**
   * Answers requests: `http.createServer(service.listener)`. Answers name `config.publicUrl`; without it they are 503
   * until `listen`.
   */
  readonly listener: RequestListener;
  /** Listens with the bounds that `serve` has for connections. Returns the port. */
  readonly listen: (port: number, host: string) => Promise<number>;
  /**
   * Runs a command line on the open database, such as `['review', 'publish', id]`. `MONGODB_URL` is not read. Its
   * writes are visible when it resolves.
   * @param env settings of the command, such as `BROKER_RATING_TOKEN`
   */
  readonly run: (
    command: readonly string[],
    env?: Readonly<Record<string, string | undefined>>,
  ) => Promise<CommandResult>;
  /**
   * Resolves when documents, numbers, log, outboxes and caches have caught up with all durable data: all work due at
   * the service's clock has been tried once. It does not wait for retries.
   * @throws Error naming the work that does not catch up within `patienceMs`
   */
  readonly settle: (patienceMs?: number) => Promise<void>;
  /** Ends everything that the service began, and closes its connections. */
  readonly close: () => Promise<void>;
}

/** Time in milliseconds for each kind of work to catch up. */
const PATIENCE_MS = 30_000;

/** @throws Error with the name if `work` takes longer than `patienceMs` */
const inTime = async (name: string, patienceMs: number, work: () => Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${name}: not caught up within ${patienceMs} ms`)), patienceMs);
  });
  const named = async (): Promise<void> => {
    await work().catch((error: Error) => {
      throw new Error(`${name}: ${error.message}`, { cause: error });
    });
  };
  await Promise.race([named(), late]).finally(() => clearTimeout(timer));
};

/**
 * Starts a service. Any number of them can run in one process: each has its own database, caches, limits, metrics and
 * clock.
 * @throws Error with a one-line message if something it needs is unavailable; nothing stays open then
 */
export const createService = async (config: ServiceConfig, resources: Resources): Promise<Service> => {
  const { clock, log, metrics, redis } = resources;
  const { demo = false, only } = config;
  await requireInputs(config);
  const parts = createParts({ clock, log, metrics });
  const { closers } = parts;
  const close = (): Promise<void> => closers.closeAll(log);
  try {
    const tell = (line: string): void => log.info(line);
    const web = createWeb(config, { ...parts, demo, only, redis, tell }, undefined);
    closers.add(() => web.http.close(0));
    const background = await openPool('background', resources.db.background, parts);
    await prepareStores(background, config, demo, parts, tell);
    const foreground = await openPool('foreground', resources.db.foreground, parts);
    const serveAt = (url: string): Promise<void> => {
      web.reachedAt(url);
      return web.serve({ foreground, background }, new Promise(() => {}));
    };
    if (config.publicUrl !== undefined) await serveAt(config.publicUrl);
    const settings = demo ? await openDemo(background, config, parts, tell) : config;
    const upkeep = await startBackgroundWorkers(background, settings, parts);
    return {
      listener: web.http.listener,
      listen: async (port, host) => {
        const taken = await web.http.listen(port, host);
        if (config.publicUrl === undefined) await serveAt(formatOrigin(host, taken));
        return taken;
      },
      run: async (command, env = {}) => {
        const stdout: string[] = [];
        const stderr: string[] = [];
        const to = {
          write: (text: string): void => void stdout.push(text),
          writeError: (text: string): void => void stderr.push(text),
          columns: undefined,
          ask: undefined,
        };
        const host = { db: background, clock, dataDir: config.dataDir };
        const code = await withTerminal(to, () =>
          runCommandLine(['node', 'broker-rating', ...command], { ...env }, host),
        );
        if (code === 0) await inTime('change stream', PATIENCE_MS, web.settle);
        return { code, stdout: stdout.join(''), stderr: stderr.join('') };
      },
      settle: async (patienceMs = PATIENCE_MS) => {
        for (const [name, settle] of upkeep) await inTime(name, patienceMs, settle);
        await inTime('change stream', patienceMs, web.settle);
      },
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};
