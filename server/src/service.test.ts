import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PATIENT } from '@broker-transparency/embedded-mongo/patient';
import { openScratchDatabase, type ScratchDatabase } from '@broker-transparency/embedded-mongo/scratch-database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from './operate/config.ts';
import { createClock } from './platform/clock.ts';
import { connectAsReader, connectMongo } from './platform/mongo.ts';
import { createLog } from './platform/observe/log.ts';
import { createMetrics } from './platform/observe/metrics.ts';
import { createService, type Service } from './service.ts';

interface RunningService {
  readonly service: Service;
  readonly api: string;
  readonly metrics: ReturnType<typeof createMetrics>;
  readonly remove: () => Promise<void>;
}

let folder = '';

/** Starts a service on an empty database of its own. */
const start = async (settings: Record<string, string>, database?: ScratchDatabase): Promise<RunningService> => {
  const own = database ?? (await openScratchDatabase());
  const config = readConfig({ DATA_DIR: folder, MONGODB_URL: own.url, JOBS: 'off', LOG_LEVEL: 'fatal', ...settings });
  const metrics = createMetrics();
  const service = await createService(config, {
    db: {
      foreground: () => connectAsReader(own.url, { ...PATIENT, monitorCommands: true }),
      background: () => connectMongo(own.url, PATIENT),
    },
    clock: createClock(config.clock),
    log: createLog('fatal'),
    metrics,
  });
  const port = await service.listen(0, '127.0.0.1');
  const remove = async (): Promise<void> => {
    await service.close();
    await own.remove();
  };
  return { service, api: `http://127.0.0.1:${port}/api/v1`, metrics, remove };
};

const importBroker = async ({ service }: RunningService, slug: string): Promise<void> => {
  const file = join(folder, `${slug}.ndjson`);
  const legalName = `${slug} Ltd`;
  const row = {
    slug,
    name: slug,
    legalName,
    website: `https://${slug}.example/`,
    domains: [`${slug}.example`],
    country: 'GB',
    licensesCheckedAt: '2026-01-05T00:00:00Z',
    entities: [{ legalName, country: 'GB' }],
    licenses: [],
  };
  await writeFile(file, `${JSON.stringify(row)}\n`);
  expect(await service.run(['import', 'brokers', file])).toMatchObject({ code: 0 });
};

const fetchStatus = async (url: string): Promise<number> => (await fetch(url)).status;

let one: RunningService;
let other: RunningService;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'services-'));
  one = await start({ PUBLIC_RATE_LIMIT: '5' });
  other = await start({ PUBLIC_RATE_LIMIT: '1000', CLOCK: '2031-05-01T00:00:00Z' });
});
afterAll(async () => {
  await one?.remove();
  await other?.remove();
  await rm(folder, { recursive: true, force: true });
});

describe('two services in one process', () => {
  test('two services have data, caches and search of their own', async () => {
    expect(await fetchStatus(`${other.api}/brokers/only-there`)).toBe(404);
    await importBroker(other, 'only-there');
    await other.service.settle();
    expect(await fetchStatus(`${other.api}/brokers/only-there`)).toBe(200);
    const found = (await (await fetch(`${other.api}/search?q=only`)).json()) as { data: { slug: string }[] };
    expect(found.data.map(({ slug }) => slug)).toEqual(['only-there']);
    expect(await fetchStatus(`${one.api}/brokers/only-there`)).toBe(404);
  });

  test('two services count requests apart', async () => {
    const first = await Promise.all(Array.from({ length: 8 }, () => fetchStatus(`${one.api}/regulators`)));
    expect(first).toContain(429);
    expect(await fetchStatus(`${other.api}/regulators`)).toBe(200);
  });

  test('two services have metrics of their own', async () => {
    const refused = /http_server_request_duration_seconds_count\{[^}]*="429"[^}]*\} ([1-9]\d*)/;
    expect(await one.metrics.read()).toMatch(refused);
    expect(await other.metrics.read()).not.toMatch(refused);
  });

  test('two services tell different times', async () => {
    const broker = (await (await fetch(`${other.api}/brokers/only-there`)).json()) as { score: { computedAt: string } };
    expect(broker.score.computedAt).toMatch(/^2031-05-01/);
  });

  test('two services stay apart while both answer under load', async () => {
    const ask = ({ api }: RunningService) => fetchStatus(`${api}/brokers/only-there`);
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, at) => ({ at, status: await ask(at % 2 === 0 ? other : one) })),
    );
    expect(answers.filter(({ at, status }) => at % 2 === 0 && status !== 200)).toEqual([]);
    expect(answers.filter(({ at, status }) => at % 2 === 1 && ![404, 429].includes(status))).toEqual([]);
  });
});

describe('a command that a service runs', () => {
  test('writes to its result, and not to the process', async () => {
    const [listed, wrong] = await Promise.all([
      other.service.run(['broker', 'list', '--json']),
      other.service.run(['broker', 'list', '--nonsense']),
    ]);
    expect(JSON.parse(listed.stdout)).toMatchObject([{ slug: 'only-there' }]);
    expect([wrong.code, wrong.stdout]).toEqual([2, '']);
    expect(wrong.stderr).toContain("unknown option '--nonsense'");
  });

  test('a command that needs the database alone is refused', async () => {
    const { code, stderr } = await one.service.run(['restore', folder]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('A server is running')]);
  });

  test('a service does not run the command that would start another one', async () => {
    expect(await one.service.run(['serve'])).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('serve needs a process of its own.'),
    });
  });
});

test('settling names the work that does not catch up', async () => {
  const database = await openScratchDatabase();
  const started = await start({}, database);
  await started.service.close();
  await expect(started.service.settle(500)).rejects.toThrow(/^lists of erasures and blocks: /);
  await database.remove();
});
