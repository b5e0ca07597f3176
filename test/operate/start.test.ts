import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, readdir } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { freePort } from '@broker-transparency/embedded-mongo/port';
import { isAlive } from '@broker-transparency/embedded-mongo/processes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mongodPath } from '../support/cache.ts';
import { inDatabase, readEmbedded } from '../support/database.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { createToken, getJson, importRows } from '../support/filled-service.ts';
import { bin, type CliResult, EMBEDDED, runCli, type ServiceProcess, startProcess } from '../support/process.ts';
import { RawConnection } from '../support/raw-http.ts';
import { brokerRow, reviewBody } from '../support/records.ts';
import { newSharedDatabase } from '../support/shared-database.ts';
import { createReader, newLogKey } from '../support/signed-log.ts';
import { twoAtATime } from '../support/two-at-a-time.ts';
import { until } from '../support/until.ts';

/** An operator should not wait long for a refusal. A loaded machine needs most of this time just to start node. */
const QUICK_MS = 30_000;

let scratch: Scratch;
const services: ServiceProcess[] = [];
const children: ChildProcess[] = [];
const servers: Server[] = [];

beforeAll(async () => {
  scratch = await createScratch();
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const server of servers) server.close();
  // two of them may have the same folder, one after the other
  await Promise.all(services.map((service) => service.end('SIGINT')));
  await Promise.all(services.map((service) => service.remove()));
  await scratch.remove();
});

let directories = 0;
const freshDirectory = (): string => join(scratch.path, `data-${++directories}`);

const start = async (settings: Record<string, string> = {}): Promise<ServiceProcess> => {
  const service = await startProcess({ LOG_LEVEL: 'silent', ...EMBEDDED, ...settings });
  services.push(service);
  return service;
};

const serve = (settings: Record<string, string>): Promise<CliResult> =>
  runCli(['serve'], { PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: freshDirectory(), ...settings }, QUICK_MS);

/** Expects exit code 1, nothing on stdout, and one line on stderr that contains all `names`. */
const expectRefusal = ({ code, stdout, stderr }: CliResult, ...names: (string | RegExp)[]): void => {
  const shown = JSON.stringify({ code, stdout, stderr });
  expect(code, shown).toBe(1);
  expect(stdout, shown).toBe('');
  expect(stderr, shown).toMatch(/^[^\n]+\n$/);
  for (const name of names) expect(stderr, shown).toMatch(name);
  expect(stderr).not.toMatch(/\bat .*:\d+:\d+|\[object|undefined/);
};

const occupy = async (): Promise<number> => {
  const server = createServer();
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

describe('an unusable setting', () => {
  test.each<[name: string, values: readonly string[]]>([
    ['PORT', ['x', '65536']],
    ['PUBLIC_URL', ['ratings.example', 'https://x.example?y']],
    ['MONGODB_URL', ['postgres://db/x', 'mongodb://']],
    ['REDIS_URL', ['http://127.0.0.1']],
    ['PUBLIC_RATE_LIMIT', ['0', '1.5']],
    ['TRUST_PROXY', ['true', '10.0.0.0/99']],
    ['LOG_LEVEL', ['loud']],
  ])('an unusable setting is refused: %s', async (name, values) => {
    const refuse = async (value: string): Promise<void> => {
      const directory = freshDirectory();
      const result = await serve({ [name]: value, DATA_DIR: directory });
      expectRefusal(result, 'Wrong setting: ', name, /must be/);
      await expect(access(directory), 'nothing is written').rejects.toThrow('ENOENT');
    };
    await twoAtATime(values, refuse);
  });

  test('an unusable setting is named together with all others', async () => {
    expectRefusal(await serve({ PORT: 'x', LOG_LEVEL: 'loud', TRUST_PROXY: 'y' }), 'PORT', 'LOG_LEVEL', 'TRUST_PROXY');
  });

  test('an empty setting counts as not set', async () => {
    expectRefusal(await serve({ LOG_LEVEL: '', MONGODB_URL: '', PORT: 'x' }), /^Wrong setting: PORT [^;]*$/);
  });

  test('an unusable setting is refused without printing a password in an address', async () => {
    const refuse = async (name: string, value: string): Promise<void> => {
      const result = await serve({ [name]: value });
      expectRefusal(result, name);
      expect(result.stderr).not.toContain('hunter2');
    };
    await refuse('MONGODB_URL', 'mongo://admin:hunter2@db/x');
    await refuse('REDIS_URL', 'rediss//:hunter2@db');
    await refuse('MONGODB_URL', 'mongodb://admin:hunter2@127.0.0.1:1/x');
  });

  test('an unusable setting is refused by other commands than serve, too', async () => {
    const result = await runCli(['token', 'list'], { DATA_DIR: freshDirectory(), MONGODB_URL: 'postgres://db/x' });
    expectRefusal(result, 'Wrong setting: MONGODB_URL');
  });
});

test('a start says what is probably a misspelt setting, which database is used, and once that Redis is missed', async () => {
  const redis = `redis://127.0.0.1:${await freePort()}`;
  const service = await startProcess({ MONGO_URL: 'mongodb://user:hunter2@db/x', REDIS_URL: redis });
  services.push(service);
  expect(service.output()).not.toContain('MONGO_URL is no setting'); // MONGODB_URL is set
  const url = new URL(String(service.data['MONGODB_URL']));
  expect(service.output()).toContain(`  Database   mongodb://${url.host}${url.pathname} (MONGODB_URL)\n`);
  const lost = () => service.output().match(/Redis does not answer: until it is back, each process counts/g)?.length;
  await until('Redis is missed', 5000, async () => lost() !== undefined);
  const { stderr } = await serve({ MONGO_URL: 'mongodb://user:hunter2@db/x', NEWS_FEEDS: '/none' });
  expect(stderr).toMatch(/^MONGO_URL is not a setting of this service: did you mean MONGODB_URL, which is not set\?\n/);
  expect(stderr).not.toContain('hunter2');
  expect(lost()).toBe(1); // it is tried again all the time
});

test('two processes that start at once on an empty database both serve, sign one log, and log no error', async () => {
  const { file } = await newLogKey(scratch, 'log.key');
  const settings = { LOG_LEVEL: 'error', LOG_KEY: file, JOBS: 'on', MONGODB_URL: newSharedDatabase() };
  const both = await Promise.all(
    [freshDirectory(), freshDirectory()].map((DATA_DIR) => startProcess({ ...settings, DATA_DIR })),
  );
  services.push(...both);
  await until('both show one tree', 45_000, async () => {
    const [one, other] = await Promise.all(both.map((service) => createReader(service).checkpoint()));
    return one !== undefined && one.size === other?.size && one.root === other.root;
  });
  for (const service of both)
    expect(service.output()).not.toMatch(/"level":"?(50|60|error|fatal)|E11000|duplicate key/);
});

describe('refuses to start without', () => {
  test('refuses to start without a free port', async () => {
    const port = await occupy();
    expectRefusal(await serve({ PORT: String(port) }), String(port), 'taken', 'set PORT');
    expectRefusal(await serve({ INTERNAL_PORT: String(port) }), String(port), 'taken', 'set INTERNAL_PORT');
  });

  test.each(['203.0.113.7', 'no.such.host.invalid', 'not a host'])(
    'refuses to start without the address %s',
    async (HOST) => {
      expectRefusal(await serve({ HOST }), HOST, 'set HOST');
    },
  );

  test('refuses to start without the mongod that MONGOD_BINARY names', async () => {
    const refuse = async (binary: string): Promise<void> =>
      expectRefusal(await serve({ PATH: '', MONGOD_BINARY: binary }), 'MONGOD_BINARY', binary);
    await twoAtATime(['/nonexistent', '/', '/bin/true', '/etc/hostname'], refuse);
  });

  test('refuses to start without a database that runs, answers and has a known host', async () => {
    const refuse = async (host: string): Promise<void> => {
      const directory = freshDirectory();
      const result = await serve({ MONGODB_URL: `mongodb://${host}/x`, DATA_DIR: directory });
      expectRefusal(result, 'MONGODB_URL', host);
      await expect(access(directory)).rejects.toThrow('ENOENT');
    };
    const [unused, silent] = [await freePort(), await occupy()];
    await twoAtATime([`127.0.0.1:${unused}`, `127.0.0.1:${silent}`, 'no.such.host.invalid'], refuse);
  });

  test('refuses to start without a database that is a replica set', async () => {
    const port = await freePort();
    const mongod = spawn(
      await mongodPath(),
      ['--dbpath', scratch.path, '--port', String(port), '--bind_ip', '127.0.0.1', '--quiet'],
      {
        stdio: 'ignore',
      },
    );
    children.push(mongod);
    const address = `http://127.0.0.1:${port}`;
    await until('mongod listens', 20_000, () =>
      fetch(address).then(
        () => true,
        () => false,
      ),
    );
    expectRefusal(await serve({ MONGODB_URL: `mongodb://127.0.0.1:${port}/x` }), 'MONGODB_URL', 'replica set');
  });

  test('refuses to start without a usable data directory', async () => {
    const file = await scratch.write('a-file', '');
    const refuse = async (directory: string): Promise<void> =>
      expectRefusal(await serve({ DATA_DIR: directory }), 'DATA_DIR', directory);
    await twoAtATime([file, join(file, 'data'), '/sys/none', '/proc/none'], refuse);
  });

  test('refuses to start without a list of feeds that can be read, if NEWS_FEEDS names one', async () => {
    const wrong = await scratch.write('feeds.json', '[');
    const refuse = async (file: string): Promise<void> =>
      expectRefusal(await serve({ NEWS_FEEDS: file }), 'Wrong setting: NEWS_FEEDS: ', file);
    await twoAtATime([wrong, join(scratch.path, 'no-feeds.json')], refuse);
  });

  test('refuses to start without lists of registers that it knows, if REGISTERS names some', async () => {
    const file = await scratch.write('registers.json', JSON.stringify([{ name: 'asicc' }]));
    expectRefusal(await serve({ REGISTERS: file }), 'Wrong setting: REGISTERS: ', 'no list has the name "asicc"');
    expectRefusal(await serve({ REGISTERS: '/none.json' }), 'Wrong setting: REGISTERS: /none.json cannot be read');
  });

  test('refuses to start without a data directory that can be written, beside any database', async () => {
    const elsewhere = { MONGODB_URL: String(newSharedDatabase()), DATA_DIR: '/proc/data' };
    expectRefusal(await serve(elsewhere), 'DATA_DIR /proc/data cannot be used');
  });

  test('refuses to start without a data directory of its own', async () => {
    const service = await start();
    await until('it keeps its list of erasures', 10_000, async () => {
      return (await readdir(service.dataDir)).includes('erasures.ndjson');
    });
    const before = await readdir(service.dataDir);
    const result = await serve({ DATA_DIR: service.dataDir });
    expectRefusal(result, service.dataDir, String(service.pid), 'DATA_DIR', 'MONGODB_URL');
    expect(await readdir(service.dataDir)).toEqual(before);
    await getJson(service, '/regulators');
    const { mongodPid } = await readEmbedded(service);
    expect(await isAlive(mongodPid)).toBe(true);
  });
});

const fetchStatus = (service: ServiceProcess, path: string): Promise<number | undefined> =>
  fetch(`${service.origin}${path}`).then(
    ({ status }) => status,
    () => undefined,
  );

describe('at the end', () => {
  test('SIGTERM fails readiness at once, serves on for a while, lets requests end, and exits with 0', async () => {
    const service = await start();
    await importRows(service, 'brokers', [brokerRow('alpha-markets')]);
    const token = await createToken(service, 'alice');
    const { mongodPid } = await readEmbedded(service);
    const body = JSON.stringify(reviewBody('alpha-markets'));
    const slow = await RawConnection.open(service.origin);
    slow.send(
      `POST /api/v1/reviews HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 20)}`,
    );
    expect(await fetchStatus(service, '/readyz')).toBe(200);
    const began = Date.now();
    const gone = service.end('SIGTERM');

    await until('readiness fails', 1000, async () => (await fetchStatus(service, '/readyz')) === 503);
    const during = await fetch(`${service.baseUrl}/brokers/alpha-markets`);
    expect([during.status, during.headers.get('connection')]).toEqual([200, 'close']);
    expect(await fetchStatus(service, '/healthz')).toBe(200);

    await until(
      'it takes no more connections',
      6000,
      async () => (await fetchStatus(service, '/healthz')) === undefined,
    );
    slow.send(body.slice(20));
    const answer = await slow.answer();
    expect(answer?.status, answer?.body).toBe(201);
    expect(await gone).toBe(0);
    expect(Date.now() - began).toBeLessThan(15_000);
    expect(await isAlive(mongodPid)).toBe(false);

    const again = await start({ DATA_DIR: service.dataDir });
    const stored = await inDatabase(again, (db) => db.collection('reviews').find({ status: 'pending' }).toArray());
    expect(stored.map(({ _id }) => String(_id))).toEqual([JSON.parse(answer?.body ?? '').id]);
  });

  test('SIGINT exits with 0 without waiting for probes or for a stalled request', async () => {
    const service = await start();
    const { mongodPid } = await readEmbedded(service);
    const idle = await RawConnection.open(service.origin);
    idle.send('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
    await idle.answer();
    const began = Date.now();
    expect(await service.end('SIGINT')).toBe(0);
    expect(Date.now() - began).toBeLessThan(3000);
    await idle.closed();
    expect(await isAlive(mongodPid)).toBe(false);
    expect(await readdir(service.dataDir)).not.toContain('mongod.json');
  });

  test('a second signal ends it at once', async () => {
    const service = await start();
    const gone = service.end('SIGTERM');
    await until('readiness fails', 1000, async () => (await fetchStatus(service, '/readyz')) === 503);
    process.kill(service.pid, 'SIGTERM');
    expect(await gone).toBe(1);
    // The next start takes over the embedded database that is left behind.
    const again = await start({ DATA_DIR: service.dataDir });
    expect(await fetchStatus(again, '/readyz')).toBe(200);
  });

  test('a signal during the start ends it and its database', async () => {
    const directory = freshDirectory();
    const child = spawn(process.execPath, [bin, 'serve'], {
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0', DATA_DIR: directory },
      stdio: 'ignore',
    });
    children.push(child);
    const exited = once(child, 'exit');
    await until('it starts its database', 20_000, () =>
      access(join(directory, 'mongod.json')).then(
        () => true,
        () => false,
      ),
    );
    const { mongodPid } = await readEmbedded({ dataDir: directory });
    child.kill('SIGINT');
    expect((await exited)[0]).toBe(0);
    expect(await isAlive(mongodPid)).toBe(false);
  });
});
