/**
 * Runs the service as ops/deploy sets it up: each part has exactly the rights of its example, behind the example proxy.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, chown, readFile, rename, rm } from 'node:fs/promises';
import { type RequestOptions, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { freePort } from '@broker-transparency/embedded-mongo/port';
import { Redis } from 'ioredis';
import { type Document, ObjectId } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createScratch, type Scratch } from '../support/files.ts';
import { createToken, importRows, reviewIds, runJob, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { type LockedMongo, startLockedMongo } from '../support/locked-mongo.ts';
import { isSignedBy } from '../support/log-reader.ts';
import { type Nginx, startNginx } from '../support/nginx.ts';
import { bin, runCli, type ServiceProcess, startProcess } from '../support/process.ts';
import { brokerRow, reviewBody } from '../support/records.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { createReader, newLogKey, untilSigned } from '../support/signed-log.ts';
import { until } from '../support/until.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 });

const PASSWORD = 'correct-horse';
const UNAUTHORIZED = 13;

const example = (path: string): Promise<string> =>
  readFile(new URL(`../../ops/deploy/${path}`, import.meta.url), 'utf8');

let scratch: Scratch;
let mongo: LockedMongo;
let redis: RedisServer;
let service: ServiceProcess;
let nginx: Nginx;
let token: string;

beforeAll(async () => {
  scratch = await createScratch();
  const users = (await example('redis/users.acl')).replace('CHANGE_ME', PASSWORD);
  mongo = await startLockedMongo(JSON.parse(await example('mongodb/roles.json')) as Document[]);
  redis = await startRedis({ settings: ['--aclfile', await scratch.write('users.acl', users)] });
  const port = await freePort();
  service = await startProcess({
    PORT: String(port),
    INTERNAL_PORT: '0',
    PUBLIC_URL: 'https://ratings.example',
    TRUST_PROXY: '1',
    MONGODB_URL: mongo.url('brokerRatingServer'),
    REDIS_URL: `redis://broker-rating:${PASSWORD}@127.0.0.1:${redis.port}`,
    PUBLIC_RATE_LIMIT: '1000',
    JOBS: 'on',
  });
  nginx = await startNginx(`127.0.0.1:${port}`, scratch);
  await importRows(service, 'brokers', [brokerRow('alpha-markets')]);
  token = await createToken(service, 'alice');
});
afterAll(async () => {
  await nginx?.stop();
  await service?.remove();
  await Promise.all([redis?.stop(), mongo?.stop(), scratch?.remove()]);
});

/** Sends a request through the proxy. */
const ask = async (path: string, options: RequestOptions = {}, body?: object) => {
  const asked = request({ host: '127.0.0.1', port: nginx.port, path, rejectUnauthorized: false, ...options });
  asked.end(body && JSON.stringify(body));
  const [answer] = await once(asked, 'response');
  return { status: answer.statusCode, headers: answer.headers, text: await text(answer) };
};

const metric = async (name: string): Promise<number> => {
  const { text: metrics } = await send(`${service.internal}/metrics`);
  const values = [...metrics.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'))].map(([, value]) =>
    Number(value),
  );
  return values.reduce((sum, value) => sum + value, 0);
};

const tryAs = (user: string, work: (database: import('mongodb').Db) => Promise<unknown>): Promise<unknown> =>
  mongo.as(user, (client) =>
    work(client.db('ratings')).then(
      () => 'allowed',
      (error: { code: number }) => error.code,
    ),
  );

describe('MongoDB', () => {
  test('the role of the server suffices to start, write, moderate, erase, run jobs and back up', async () => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const sent = await ask('/api/v1/reviews', { method: 'POST', headers }, reviewBody('alpha-markets'));
    expect(sent.status, sent.text).toBe(201);
    const [id] = await reviewIds(service, 'pending');
    succeeded(await service.cli('review', 'publish', String(id)));
    await until('it shows', 10_000, async () =>
      (await ask('/api/v1/reviews?broker=alpha-markets')).text.includes(String(id)),
    );
    await runJob(service, 'kyc-expiry');
    succeeded(await service.cli('backup', `${scratch.path}/first`));
    succeeded(await service.cli('account', 'erase', 'alice', '--yes', 'alice', '--reason', 'requested'));
    succeeded(await service.cli('admin', 'rebuild', '--check'));
    expect(service.output()).not.toMatch(/not authorized/i);
  });

  test('the role of the server may not change the audit trail, use other databases or drop anything', async () => {
    const role = 'brokerRatingServer';
    const attempts = await Promise.all([
      tryAs(role, (db) => db.collection('audit').updateOne({}, { $set: { reason: 'forged' } })),
      tryAs(role, (db) => db.collection('audit').deleteMany({})),
      tryAs(role, (db) => db.collection('reviews').drop()),
      tryAs(role, (db) => db.collection('audit').rename('gone')),
      tryAs(role, (db) => db.collection('unknown').insertOne({})),
      tryAs(role, (db) => db.command({ createUser: 'mallory', pwd: 'x', roles: [] })),
      mongo.as(role, (client) =>
        client
          .db('other')
          .collection('x')
          .findOne({})
          .catch(({ code }) => code),
      ),
    ]);
    expect(attempts).toEqual(attempts.map(() => UNAUTHORIZED));
  });

  test('the role of migrations suffices to migrate, and to replace all data by a backup', async () => {
    const settings = { MONGODB_URL: mongo.url('brokerRatingMigrate'), DATA_DIR: service.dataDir };
    succeeded(await runCli(['admin', 'migrate'], settings));
    succeeded(await service.cli('backup', `${scratch.path}/second`));
    const restore = ['restore', `${scratch.path}/second`, '--drop', '--yes', 'ratings', '--beside-servers'];
    expect(await service.cli(...restore)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Use one with the role brokerRatingMigrate'),
    });
    succeeded(await runCli(restore, settings));
  });
});

describe('the audit trail in its own file', () => {
  const processes: ChildProcess[] = [];
  afterAll(() => {
    for (const child of processes) child.kill('SIGKILL');
  });
  const follow = (file: string): ChildProcess => {
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, MONGODB_URL: mongo.url('brokerRatingAudit') };
    const child = spawn(process.execPath, [bin, 'admin', 'audit', 'follow', file], { env, stdio: 'inherit' });
    processes.push(child);
    return child;
  };
  const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  const readLogLines = async (file: string): Promise<Document[]> => {
    const content = await readFile(file, 'utf8').catch(() => '');
    const lines = content.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'));
    return lines.map((line) => JSON.parse(line) as Document);
  };
  const entry = (n: number) => ({
    _id: new ObjectId(),
    at: new Date(),
    actor: { type: 'system', name: 'test' },
    action: 'token.created',
    subject: { kind: 'token', id: `t${n}` },
    before: null,
    after: { n },
    reason: 'submitted',
  });
  const insert = (count: number) =>
    mongo.as(undefined, async (client) => {
      for (let n = 0; n < count; n++) await client.db('ratings').collection('audit').insertOne(entry(n));
    });
  const stored = () =>
    mongo.as(undefined, async (client) =>
      (await client.db('ratings').collection('audit').find().sort({ at: 1, _id: 1 }).toArray()).map(({ _id }) =>
        String(_id),
      ),
    );
  const holdsAll = (...files: string[]) =>
    until('the file has every entry', 60_000, async () => {
      const ids = new Set((await Promise.all(files.map(readLogLines))).flat().map(({ id }) => id));
      return (await stored()).every((id) => ids.has(id));
    });

  test('the trail file has every entry in order despite restarts, kills and rotation, and shows a deletion', async () => {
    const file = `${scratch.path}/audit.ndjson`;
    const first = follow(file);
    await holdsAll(file);
    expect((await readLogLines(file)).map(({ id }) => id)).toEqual(await stored());
    await insert(3);
    await holdsAll(file);
    await end(first, 'SIGTERM');
    expect(first.exitCode).toBe(0);

    await insert(3); // while no follower runs
    await appendFile(file, '{"operation":"ins');
    const second = follow(file);
    await holdsAll(file);
    await end(second, 'SIGKILL');
    await insert(3);
    await rename(file, `${file}.1`);
    const third = follow(file);
    await holdsAll(`${file}.1`, file);
    await rename(file, `${file}.2`);
    await insert(3);
    await holdsAll(`${file}.1`, `${file}.2`, file);

    const [id] = await stored();
    await mongo.as(undefined, (client) =>
      client
        .db('ratings')
        .collection('audit')
        .deleteOne({ _id: new ObjectId(id) }),
    );
    await until('the deletion is told', 60_000, async () =>
      (await readLogLines(file)).some((line) => line['operation'] === 'delete' && line['id'] === id),
    );
    await end(third, 'SIGTERM');
    const all = (await Promise.all([`${file}.1`, `${file}.2`, file].map(readLogLines))).flat();
    expect(all[0]).toMatchObject({
      operation: 'insert',
      at: expect.any(String),
      actor: {},
      action: expect.any(String),
    });
  });

  test('the trail file is completed from the trail itself if the position is lost', async () => {
    const file = `${scratch.path}/lost.ndjson`;
    const first = follow(file);
    await holdsAll(file);
    await until('the place is kept', 60_000, () => readFile(`${file}.position`, 'utf8').catch(() => undefined));
    await end(first, 'SIGTERM');
    await rm(`${file}.position`);
    await insert(2);
    const second = follow(file);
    await holdsAll(file);
    await end(second, 'SIGTERM');
  });

  test('the audit role reads the trail and nothing else', async () => {
    const role = 'brokerRatingAudit';
    const attempts = [
      await tryAs(role, (db) => db.collection('reviews').findOne({})),
      await tryAs(role, (db) => db.collection('audit').insertOne(entry(0))),
      await tryAs(role, (db) => db.collection('audit').deleteMany({})),
    ];
    expect(attempts).toEqual(attempts.map(() => UNAUTHORIZED));
  });
});

describe('keys that systemd hands over', () => {
  const ANOTHER_USER = 65_534;

  /** Credentials and settings that the unit names, as systemd makes them of files of the administrator. */
  const credentials = async (files: Readonly<Record<string, string>>): Promise<Record<string, string>> => {
    const unit = await example('systemd/broker-rating.service');
    const handed = [...unit.matchAll(/^LoadCredential=([^:]+):(.+)$/gm)].map(([, name = '', path = '']) => ({
      name,
      from: String(files[path]),
    }));
    expect(handed.map(({ name }) => name)).toEqual(['log.key', 'webhook.key']);
    for (const { name, from } of handed) {
      const file = await scratch.write(`credential-${name}`, await readFile(from, 'utf8'));
      if (process.getuid?.() === 0) await chown(file, ANOTHER_USER, ANOTHER_USER);
      await chmod(file, process.getuid?.() === 0 ? 0o440 : 0o400);
    }
    return Object.fromEntries(
      [...unit.matchAll(/^Environment=(\w+)=%d\/(\S+)$/gm)].map(([, setting = '', name = '']) => [
        setting,
        scratch.file(`credential-${name}`),
      ]),
    );
  };

  test('a service that owns no key signs with the ones of the unit', async () => {
    const log = await newLogKey(scratch, 'log.key');
    const webhook = scratch.file('webhook.key');
    succeeded(await runCli(['admin', 'enterprise', 'new-webhook-key', webhook], {}));
    const settings = await credentials({
      '/etc/broker-rating/log.key': log.file,
      '/etc/broker-rating/webhook.key': webhook,
    });
    expect(Object.keys(settings).sort()).toEqual(['LOG_KEY', 'WEBHOOK_KEY']);
    const signing = await startProcess(settings);
    try {
      const { text: checkpoint } = await untilSigned(createReader(signing), 1);
      expect(isSignedBy(checkpoint, log.verifierKey)).toBe(true);
    } finally {
      await signing.remove();
    }
  });
});

describe('Redis', () => {
  test('the user of Redis suffices to count requests', async () => {
    const counted = () =>
      Promise.all([
        metric('broker_rating_limiter_redis_duration_seconds_count'),
        metric('broker_rating_limiter_insured_total'),
      ]);
    // A busy machine may delay a command, and the service then counts that request in memory.
    await until('a request is counted on Redis alone', 10_000, async () => {
      const [before, insured] = await counted();
      await ask('/api/v1/news');
      const [after, insuredAfter] = await counted();
      return after > before && insuredAfter === insured;
    });
    expect(await metric('broker_rating_redis_up')).toBe(1);
    expect(service.output()).not.toMatch(/NOPERM|NOAUTH/);
  });

  test('the user of Redis may do nothing else, and other clients may do nothing', async () => {
    const user = new Redis(redis.port, { username: 'broker-rating', password: PASSWORD });
    const nobody = new Redis(redis.port, { enableReadyCheck: false });
    try {
      for (const [command, ...args] of [
        ['flushall'],
        ['keys', '*'],
        ['config', 'get', '*'],
        ['set', 'other', '1'],
        ['acl', 'list'],
      ])
        await expect(user.call(String(command), ...args), String(command)).rejects.toThrow('NOPERM');
      await expect(nobody.call('ping')).rejects.toThrow('NOAUTH');
    } finally {
      user.disconnect();
      nobody.disconnect();
    }
  });
});

describe('the proxy', () => {
  test.each(['/healthz', '/readyz', '/metrics', '/metrics/', '/metrics?x', '//metrics', '/%6detrics', '/a/../readyz'])(
    'answers 404 for %s',
    async (path) => {
      expect((await ask(path)).status).toBe(404);
    },
  );

  test('counts each caller by their own address, whatever their headers claim', async () => {
    const left = async (localAddress: string, headers = {}) =>
      Number(/r=(\d+)/.exec(String((await ask('/api/v1/news', { localAddress, headers })).headers['ratelimit']))?.[1]);
    const forged = { 'X-Forwarded-For': '192.0.2.1, 192.0.2.2', Forwarded: 'for=192.0.2.3', 'X-Real-IP': '192.0.2.4' };
    let round = 0;
    // Repeats the round if Redis was late or the minute ended in between.
    await until('two callers are told apart, and one is not two', 60_000, async () => {
      const [caller, other] = [`127.0.1.${++round}`, `127.0.2.${round}`];
      const seen = [await left(caller), await left(caller, forged), await left(other, { 'X-Forwarded-For': caller })];
      return seen.join() === '999,998,999';
    });
  });

  test('leaves it to the service to refuse a body that is too large, as a problem', async () => {
    const headers = {
      Authorization: `Bearer ${await createToken(service, 'carol')}`,
      'Content-Type': 'application/json',
    };
    const answer = await ask('/api/v1/reviews', { method: 'POST', headers }, { content: 'x'.repeat(70_000) });
    expect([answer.status, answer.headers['content-type']]).toEqual([413, 'application/problem+json']);
  });

  test('refuses plain HTTP without a redirect, and TLS below 1.2', async () => {
    expect((await send(`http://127.0.0.1:${nginx.plainPort}/api/v1/news`)).status).toBe(403);
    await expect(ask('/api/v1/news', { maxVersion: 'TLSv1.1', minVersion: 'TLSv1' })).rejects.toThrow();
    expect((await ask('/api/v1/news', { maxVersion: 'TLSv1.2' })).headers['strict-transport-security']).toContain(
      'max-age',
    );
  });
});
