/**
 * `npx -y pnpm overload [--seconds=N] [--write]`: three times as many requests as the service can answer, for half a
 * minute each, and bursts on a busy machine. `npx -y pnpm overload --silent [--seconds=N]`: 4096 silent callers for
 * five minutes.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { besideBusyProcesses } from '../support/busy.ts';
import { createToken, importRows } from '../support/filled-service.ts';
import { type ServiceProcess, startProcess } from '../support/process.ts';
import { brokerRow } from '../support/records.ts';
import { startRedis } from '../support/redis-server.ts';
import { listWorkers } from '../support/workers.ts';
import { type Burst, createBursts } from './burst.ts';
import { measureOverload, type OverloadResult } from './measure.ts';
import { formatBurstTable, formatTable, withTable } from './row.ts';
import { measureSiege } from './silent.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string' },
    silent: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const seconds = Number(values.seconds ?? (values.silent ? 300 : 30));
if (!(seconds > 0)) throw new Error('--seconds must be a number');

type OverloadSettings = Readonly<Record<string, string | undefined>>;

const withService = async <T>(
  settings: OverloadSettings,
  work: (service: ServiceProcess) => Promise<T>,
): Promise<T> => {
  const service = await startProcess(settings);
  try {
    return await work(service);
  } finally {
    await service.remove();
  }
};

const measureSilent = (): Promise<void> =>
  withService({ PUBLIC_RATE_LIMIT: undefined }, async (service) => {
    const { opened, answers, worstMs } = await measureSiege(service, { callers: 4096, seconds });
    process.stdout.write(`${opened} silent connections in ${seconds} s; answers to fresh callers by status: `);
    process.stdout.write(`${JSON.stringify(answers)}, the worst after ${worstMs} ms\n`);
    if (Object.keys(answers).join() !== '200') process.exitCode = 1;
  });

const BROKERS = Array.from({ length: 300 }, (_, n) => brokerRow(`broker-${n}`));

const measureBoth = async (service: ServiceProcess, pids: readonly number[]): Promise<OverloadResult[]> => {
  const lasts = { load: seconds, capacity: 5 };
  await importRows(service, 'brokers', BROKERS);
  return [await measureOverload(service, 'kept', lasts, pids), await measureOverload(service, 'new', lasts, pids)];
};

const measureAlone = (): Promise<OverloadResult[]> =>
  withService({ PREPARED_MB: '0' }, (service) => measureBoth(service, [service.pid]));

const measureWorkers = async (): Promise<OverloadResult[]> => {
  const redis = await startRedis();
  try {
    const settings = { PREPARED_MB: '0', WORKERS: '2', REDIS_URL: redis.url };
    return await withService(settings, async (service) => measureBoth(service, await listWorkers(service)));
  } finally {
    await redis.stop();
  }
};

/** Numbers of busy processes beside the bursts, and the number of consecutive bursts. */
const BUSY = [0, 6];
const BURSTS = 5;

const measureBursts = (): Promise<[busy: number, burst: Burst][]> =>
  withService({}, async (service) => {
    await importRows(service, 'brokers', BROKERS);
    const { send, end } = await createBursts(service, await createToken(service, 'alice'));
    await send(); // a freshly started server is slow
    const all: [number, Burst][] = [];
    for (const busy of BUSY)
      await besideBusyProcesses(busy, async () => {
        for (let n = 0; n < BURSTS; n++) all.push([busy, await send()]);
      });
    end();
    return all;
  });

const measureLoad = async (): Promise<void> => {
  const alone = await measureAlone();
  const workers = (await measureWorkers()).map((measured) => ({ ...measured, workers: 2 }));
  const table = `${formatTable([...alone, ...workers])}\n\n${formatBurstTable(await measureBursts())}`;
  process.stdout.write(`${table}\n`);
  if (values.write) {
    const page = new URL('../../docs/reliability.md', import.meta.url);
    await writeFile(page, withTable(await readFile(page, 'utf8'), table));
  }
};

await (values.silent ? measureSilent() : measureLoad());
