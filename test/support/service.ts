/** Services that run in the process of their tests. */

import { PATIENT } from '@broker-transparency/embedded-mongo/patient';
import {
  connectAsReader,
  createClock,
  createLog,
  createMetrics,
  createService,
  type Mode,
  readSettings,
} from '@broker-transparency/server';
import { createApiClient, createEnvironment, prepare, runBeside, type Service, type Settings } from './process.ts';
import { noteStructure } from './shared-database.ts';

/** A service in the process of its tests. */
export interface LocalService extends Service {
  /** Resolves when everything that was written shows everywhere, and all mail and webhooks that are due were tried. */
  readonly settle: () => Promise<void>;
  /** Ends it, and leaves its data. */
  readonly close: () => Promise<void>;
  /** Reads its metrics in Prometheus's text format. */
  readonly metrics: () => Promise<string>;
}

/** Name under which the database knows the connection for work that belongs to no request. */
export const BACKGROUND = 'background';

/** Time in milliseconds for each kind of work of a service to catch up, on a machine that does much else. */
const PATIENCE_MS = 120_000;

/** @throws TypeError if no database is named */
const requireDatabase = (url: string | undefined): string => {
  if (url === undefined) throw new TypeError('a service in the process of its tests needs MONGODB_URL');
  return url;
};

/**
 * Starts a service on a free port in this process, with its own empty database unless `settings` name one. Requests and
 * complaints are unlimited unless `PUBLIC_RATE_LIMIT` and `COMPLAINTS_PER_DAY` are set, and no job runs unless `JOBS`
 * is set.
 */
export const startService = async (settings: Settings = {}, mode: Partial<Mode> = {}): Promise<LocalService> => {
  const { dataDir, mongodbUrl, data, env, discard } = await prepare(settings);
  const url = requireDatabase(mongodbUrl);
  const config = readSettings(createEnvironment(env));
  let printed = '';
  const write = (line: string): void => {
    printed += line;
  };
  const metrics = createMetrics();
  const service = await createService(
    { ...config, ...mode, requestPatienceMs: 20_000 }, // behaviour does not depend on how busy the machine is
    {
      db: {
        foreground: () => connectAsReader(url, { ...PATIENT, monitorCommands: true }),
        background: () => connectAsReader(url, { ...PATIENT, appName: BACKGROUND }),
      },
      clock: createClock(config.clock),
      log: createLog(config.logLevel, {}, { write }),
      metrics,
    },
  );
  const origin = `http://127.0.0.1:${await service.listen(config.port, '127.0.0.1')}`;
  if (!('MONGODB_URL' in settings)) await noteStructure(url);
  const { CLOCK: _, ...others } = env; // commands have the clock of the service
  let isOpen = true;
  const run = (more: Settings, args: readonly string[]) =>
    isOpen
      ? service.run(args, createEnvironment({ ...others, ...more }))
      : runBeside(args, createEnvironment({ ...env, ...more }));
  const close = async (): Promise<void> => {
    isOpen = false;
    await service.close();
  };
  return {
    origin,
    baseUrl: `${origin}/api/v1`,
    dataDir,
    data,
    output: () => printed,
    client: (token) => createApiClient(origin, token),
    cli: (...args) => run({}, args),
    cliWith: (more, ...args) => run(more, args),
    settle: () => service.settle(PATIENCE_MS),
    metrics: metrics.read,
    close,
    remove: async () => {
      await close();
      await discard();
    },
  };
};
