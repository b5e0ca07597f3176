import { createHash } from 'node:crypto';
import { chmod, readFile, stat } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { verifyCheckpoint, verifyConsistency } from '@broker-transparency/client/verify';
import { BASE_PATH, TRANSPARENCY_BASE_PATH } from '@broker-transparency/contract';
import { consistencyPlan, hashesInTiles, listTiles, makeProof, tilePath, toBase64 } from '@broker-transparency/log';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import type { Scratch } from '../support/files.ts';
import { createToken, importRows, succeeded } from '../support/filled-service.ts';
import { type HttpResponse, send } from '../support/http.ts';
import {
  computeRoot,
  hashLeaf,
  isSignedBy,
  type LogReader,
  listTilePaths,
  type ReadCheckpoint,
  WIDTH,
} from '../support/log-reader.ts';
import { expectProblem } from '../support/problem.ts';
import { RawConnection } from '../support/raw-http.ts';
import { brokerRow, newsRow } from '../support/records.ts';
import { publishReviews } from '../support/reviewers.ts';
import { type LocalService, startService } from '../support/service.ts';
import {
  createPolicy,
  createReader,
  newLogKey,
  ORIGIN,
  readLogState,
  readSecret,
  startLogService,
  type TestKey,
  untilAllSigned,
} from '../support/signed-log.ts';
import { until } from '../support/until.ts';

const LOG = `${TRANSPARENCY_BASE_PATH}/log`;
const DAY_SECONDS = 31_536_000;

const warning = {
  source: 'A regulator',
  url: 'https://regulator.example/warning',
  title: 'Not authorised',
  publishedAt: '2025-06-01T00:00:00Z',
  about: 'clone_of_it',
};

let scratch: Scratch;
let key: TestKey;
let service: LocalService;
let reader: LogReader;
let remove: (() => Promise<void>) | undefined;
/** The first checkpoint that covers everything that was brought in. */
let first: ReadCheckpoint;
beforeAll(async () => {
  ({ scratch, key, service, reader, remove } = await startLogService({ PUBLIC_RATE_LIMIT: undefined }));
  await importRows(service, 'brokers', [brokerRow('alpha', { warnings: [warning] }), brokerRow('beta')]);
  await importRows(
    service,
    'news',
    Array.from({ length: 600 }, (_, number) => newsRow(number)),
  );
  await publishReviews(service, 'alpha', [await createToken(service, 'alice')]);
  first = await untilAllSigned(service);
});
afterAll(() => remove?.());

/** A loopback address that no other test uses. */
let hosts = 0;
const newAddress = () => `127.${60 + Math.floor(++hosts / 250)}.${hosts % 250}.1`;

const parseEntry = (bytes: Buffer) =>
  JSON.parse(bytes.toString()) as { number: number; time: string; key: string; kind: string; cause: string };

describe('an independent reader of the log', () => {
  let entries: Buffer[];
  beforeAll(async () => {
    entries = await reader.entries(first.size);
  });

  test('finds a checkpoint that the key of the log signed, under its origin', async () => {
    expect(first).toMatchObject({ origin: ORIGIN, signers: [ORIGIN] });
    expect(isSignedBy(first.text, key.verifierKey)).toBe(true);
    expect(isSignedBy(first.text.replace(`\n${first.size}\n`, `\n${first.size + 1}\n`), key.verifierKey)).toBe(false);
    const { level, size, root } = await verifyCheckpoint(first.text, createPolicy(key));
    expect({ level, size, root }).toEqual({ level: 'signed', size: first.size, root: first.root });
  });

  test('rebuilds the tree from the entries and gets the root that is signed', () => {
    expect(entries).toHaveLength(first.size);
    expect(computeRoot(entries.map(hashLeaf)).toString('base64')).toBe(first.root);
  });

  test('finds numbers without a gap, and times that never decrease', () => {
    const read = entries.map(parseEntry);
    expect(read.map(({ number }) => number)).toEqual(entries.map((_, at) => at));
    const times = read.map(({ time }) => time);
    expect(times).toEqual(times.toSorted());
    for (const { key: name, kind } of read) expect(name.split('/')[0]).toBe(kind);
    expect(new Set(read.map(({ kind }) => kind))).toEqual(
      new Set(['regulator', 'methodology', 'broker', 'license', 'warning', 'review', 'news']),
    );
  });

  test('finds in the tiles of each level the hashes that follow from the entries', async () => {
    const leaves = entries.map(hashLeaf);
    expect(await reader.hashes(0, first.size)).toEqual(leaves);
    const complete = Math.floor(first.size / WIDTH);
    expect(complete).toBeGreaterThan(1);
    expect(await reader.hashes(1, complete)).toEqual(
      Array.from({ length: complete }, (_, at) => computeRoot(leaves.slice(at * WIDTH, (at + 1) * WIDTH))),
    );
  });

  test('gets tiles and bundles of each width below that of the checkpoint', async () => {
    const index = Math.floor((first.size - 1) / WIDTH);
    const width = first.size - index * WIDTH;
    const whole = await reader.read(listTilePaths('0', first.size).at(-1) as string);
    for (const some of new Set([1, 2, Math.ceil(width / 2), width - 1].filter((n) => n > 0 && n < width))) {
      const path = listTilePaths('0', index * WIDTH + some).at(-1) as string;
      expect(await reader.read(path)).toEqual(whole.subarray(0, some * 32));
      const bundle = await reader.read(path.replace('tile/0/', 'tile/entries/'));
      const expected = entries.slice(index * WIDTH, index * WIDTH + some);
      expect(bundle.length).toBe(expected.reduce((sum, { length }) => sum + length + 2, 0));
    }
    expect((await reader.read('tile/0/000.p/3')).length).toBe(96);
  });

  test('gets nothing beyond the checkpoint', async () => {
    await importRows(service, 'brokers', [brokerRow('beyond-the-checkpoint')]);
    const { entries: numbered } = await readLogState(service);
    const checkpoint = (await reader.checkpoint()) as ReadCheckpoint;
    expect(numbered).toBeGreaterThan(first.size);
    const next = Math.floor(numbered / WIDTH) + 1;
    for (const path of [
      ...[listTilePaths('0', numbered + 200), listTilePaths('entries', numbered + 200)].map(
        (all) => all.at(-1) as string,
      ),
      `tile/0/${String(next).padStart(3, '0')}`,
      `tile/entries/${String(next).padStart(3, '0')}.p/1`,
      'tile/2/000',
      'tile/5/000.p/1',
      `value/${numbered + 10}`,
      'value/0',
    ]) {
      const answer = await reader.ask(path);
      expect([path, answer.status, answer.headers['cache-control']]).toEqual([path, 404, 'no-store']);
      expect(expectProblem(answer).detail).toContain('its checkpoint says how far it reaches');
    }
    expect(checkpoint.size).toBeLessThanOrEqual(numbered);
  });

  test('sees that a later checkpoint continues an earlier one', async () => {
    await importRows(service, 'brokers', [brokerRow('one-more-broker')]);
    const later = await untilAllSigned(service);
    expect(later.size).toBeGreaterThan(first.size);
    const plan = consistencyPlan(first.size, later.size);
    const tiles = new Map<string, Buffer>();
    for (const tile of listTiles(plan, later.size)) tiles.set(tilePath(tile), await reader.read(tilePath(tile)));
    const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
    const hashes = makeProof(
      plan,
      hashesInTiles(later.size, (tile) => tiles.get(tilePath(tile)) as Buffer, sha256),
      sha256,
    );
    const [older, newer] = await Promise.all(
      [first, later].map(({ text }) => verifyCheckpoint(text, createPolicy(key))),
    );
    if (!older || !newer) throw new Error('unreachable');
    await verifyConsistency(older, newer, hashes.map(toBase64));
    const forged = { ...older, root: newer.root };
    await expect(verifyConsistency(forged, newer, hashes.map(toBase64))).rejects.toMatchObject({
      code: 'not_consistent',
    });
    expect((await reader.entries(later.size)).slice(0, first.size)).toEqual(entries);
  });
});

describe('a file of the log', () => {
  const tile = 'tile/0/000';
  const kinds = {
    'a tile': [tile, 'application/octet-stream', true],
    'a bundle of entries': ['tile/entries/000', 'application/octet-stream', true],
    'a partial tile': ['tile/0/000.p/7', 'application/octet-stream', true],
    'the checkpoint': ['checkpoint', 'text/plain; charset=utf-8', false],
  } as const;

  test.each(Object.entries(kinds))(
    'a file of the log has its type and says how long to keep it: %s',
    async (_, [path, type, isFixed]) => {
      const { status, headers } = await reader.ask(path);
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'content-type': type,
        'cache-control': isFixed ? `public, max-age=${DAY_SECONDS}, immutable` : 'public, max-age=5',
        'access-control-allow-origin': '*',
        'x-content-type-options': 'nosniff',
      });
    },
  );

  test.each(Object.entries(kinds))(
    'a file of the log is answered to HEAD, and by 304 to its current tag: %s',
    async (_, [path]) => {
      const whole = await reader.ask(path);
      const head = await reader.ask(path, { method: 'HEAD' });
      expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', String(whole.bytes.length)]);
      expect(head.headers['etag']).toBe(whole.headers['etag']);
      const known = await reader.ask(path, { headers: { 'If-None-Match': whole.headers['etag'] } });
      expect([known.status, known.text]).toEqual([304, '']);
      expect((await reader.ask(path, { headers: { 'If-None-Match': '"another"' } })).status).toBe(200);
    },
  );

  test('decodes to the same bytes in each coding', async () => {
    const plain = await reader.ask('tile/entries/000');
    const gzip = await reader.ask('tile/entries/000', { headers: { 'Accept-Encoding': 'gzip' } });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(gzip.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(gunzipSync(gzip.bytes)).toEqual(plain.bytes);
    expect(gzip.bytes.length).toBeLessThan(plain.bytes.length);
  });

  test('pages of other origins can read a file of the log, and OPTIONS says how', async () => {
    const asked = {
      method: 'OPTIONS',
      headers: { Origin: 'https://a.example', 'Access-Control-Request-Method': 'GET' },
    };
    const preflight = await reader.ask(tile, asked);
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-methods']).toContain('GET');
    const options = await reader.ask(tile, { method: 'OPTIONS' });
    expect([options.status, options.headers['allow']]).toEqual([200, 'GET, HEAD']);
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('refuses to change a file of the log by %s', async (method) => {
    const answer = await reader.ask('checkpoint', { method, headers: { 'Content-Length': '0' } });
    expect(expectProblem(answer).code).toBe('method_not_allowed');
    expect(answer.headers['allow']).toBe('GET, HEAD');
  });
});

describe('what is no file of the log', () => {
  const NO_FILES = [
    'tile/0/x000/000',
    'tile/0/x000/001.p/3',
    'tile/0/000.p/256',
    'tile/0/000.p/0',
    'tile/0/000.p/01',
    'tile/0/000.p/-1',
    'tile/0/000.p/',
    'tile/0/000.p',
    'tile/0/-01',
    'tile/0/0',
    'tile/0/0000',
    'tile/-1/000',
    'tile/00/000',
    'tile/64/000',
    'tile/99999999999999999999/000',
    `tile/0/${'x999/'.repeat(4)}999`,
    `tile/0/${'x999/'.repeat(40)}999`,
    'tile/0/999',
    'tile/x/000',
    'tile/entries',
    'tile',
    'tile/',
    'tile/0/000/',
    'tile//0/000',
    'checkpoint/',
    'checkpoint.txt',
    'CHECKPOINT',
    'tile/0/../0/000',
    '../a/checkpoint/..',
    'tile/0/%2e%2e',
    '..%2f..%2f..%2fetc%2fpasswd',
    'tile/0/000%00',
    'tile/0/%30%30%30%20',
    'tile/0/00%30',
    'tile%2F0%2F000',
    '%63heckpoint',
    'value/-1',
    'value/1e3',
    'value/00',
    'value/99999999999999999999',
    'value/',
    '__proto__',
    'tile/0/%F0%9F%98%80',
  ];

  /** The path goes over the wire as it is written. */
  const raw = async (path: string) => {
    const connection = await RawConnection.open(service.origin, newAddress());
    try {
      connection.send(`GET ${path} HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n`);
      return await connection.answer();
    } finally {
      connection.destroy();
    }
  };

  test.each(NO_FILES)('answers 404 to a path that is not a file of the log: %s', async (path) => {
    const answer = await raw(`${LOG}/a/${path}`);
    expect([answer?.status, answer?.headers.get('cache-control')]).toEqual([404, 'no-store']);
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ code: 'not_found' });
  });

  test('answers 400 to a percent-encoding that cannot be decoded', async () => {
    for (const path of ['tile/0/%', 'tile/0/%zz', 'tile/0/%ff', '%c0%ae/checkpoint']) {
      const answer = await raw(`${LOG}/a/${path}`);
      expect([path, answer?.status]).toEqual([path, 400]);
    }
  });

  test.each(['b', 'A', 'a-', '%61', 'a%20', 'ratings.example', '__proto__'])(
    'answers 404 to a log of another name: %s',
    async (name) => {
      for (const path of ['checkpoint', 'tile/0/000']) {
        const answer = await raw(`${LOG}/${name}/${path}`);
        expect([answer?.status, answer?.headers.get('cache-control')]).toEqual([404, 'no-store']);
      }
    },
  );

  test.each([LOG, `${LOG}/`, `${LOG}/a`, `${LOG}/a/`, `${LOG}//checkpoint`])(
    'answers 404 to the folder %s',
    async (path) => {
      expect(JSON.parse((await raw(path))?.body ?? '')).toMatchObject({ code: 'not_found', status: 404 });
    },
  );

  test('a request for a path that is not a file of the log causes no server error', () => {
    expect(service.output()).not.toContain('request failed');
  });
});

describe('the budget of the log', () => {
  const readPolicy = ({ headers }: HttpResponse) => headers['ratelimit-policy'];
  const left = ({ headers }: HttpResponse) => Number(/;r=(\d+);/.exec(headers['ratelimit'] ?? '')?.[1]);

  test('the budget of the log is 60 requests a minute, and its headers say so', async () => {
    const from = newAddress();
    const once = await reader.ask('checkpoint', { from });
    expect(readPolicy(once)).toBe('"log";q=60;w=60');
    expect(left(once)).toBe(59);
    const missing = await reader.ask('tile/0/999', { from });
    expect([missing.status, left(missing)]).toEqual([404, 58]);
    const answers: HttpResponse[] = [];
    while (answers.length < 60)
      answers.push(...(await Promise.all(Array.from({ length: 50 }, () => reader.ask('checkpoint', { from })))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(58);
    const refused = answers.find(({ status }) => status === 429) as HttpResponse;
    expect(expectProblem(refused).code).toBe('rate_limited');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await send(`${service.origin}${BASE_PATH}/news`, { from })).status).toBe(200);
  });

  test('the budget of the log and the public one are separate', async () => {
    const from = newAddress();
    for (let n = 0; n < 5; n++) await reader.ask('checkpoint', { from });
    await reader.ask('', { from });
    await reader.ask('checkpoint', { from, method: 'POST' });
    const read = await send(`${service.origin}${BASE_PATH}/news`, { from });
    expect([readPolicy(read), left(read)]).toEqual(['"public";q=60;w=60', 59]);
    expect(left(await reader.ask('checkpoint', { from }))).toBe(52);
  });
});

describe('the key of the log', () => {
  /** Starts a server on the database of another one. Returns what it printed: it must not start. */
  const refusedStart = async (settings: Readonly<Record<string, string | undefined>>): Promise<string> => {
    const started = startService({ MONGODB_URL: service.data['MONGODB_URL'], ...settings });
    return started.then(
      async (other) => {
        await other.remove();
        throw new Error('it started');
      },
      (error: Error) => error.message,
    );
  };

  test('the key of the log is in a file that only its owner can read, and is never overwritten', async () => {
    expect((await stat(key.file)).mode & 0o777).toBe(0o600);
    const again = await service.cli('admin', 'log', 'new-key', ORIGIN, key.file);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('a key is never overwritten');
    for (const origin of ['a', 'https://ratings.example/transparency/v1/log/a', 'ratings.example/log/a'])
      expect((await service.cli('admin', 'log', 'new-key', origin, scratch.file('none'))).stderr).toContain(
        'is not an origin',
      );
  });

  test('a key that others can read stops the start, and the error says what to do', async () => {
    const file = await scratch.write('open.key', await readFile(key.file));
    const printed = await refusedStart({ LOG_KEY: file });
    expect(printed).toContain(`the log's key ${file}: others can use it`);
    expect(printed).toContain(`chmod 600 ${file}`);
  });

  test('a key of another log than the published one stops the start', async () => {
    const other = await newLogKey(scratch, 'other.key', ORIGIN.replace(/a$/, 'b'));
    const printed = await refusedStart({ LOG_KEY: other.file });
    expect(printed).toContain(`LOG_KEY is for the log ${ORIGIN.replace(/a$/, 'b')}`);
    expect(printed).toContain(ORIGIN);
  });

  test('keys of two logs stop the start before anything is signed', async () => {
    const other = await newLogKey(scratch, 'second-log.key', ORIGIN.replace(/a$/, 'c'));
    const started = startService({ LOG_KEY: `${key.file},${other.file}` });
    await expect(started.then((one) => one.remove())).rejects.toThrow('LOG_KEY is for');
  });

  test('the key of the log appears in no answer, no line of a log and no error', async () => {
    const secret = await readSecret(key);
    const file = await scratch.write('broken.key', (await readFile(key.file, 'utf8')).replace('PRIVATE', 'PRIVAT'));
    await chmod(file, 0o600);
    const printed = await refusedStart({ LOG_KEY: file });
    expect(printed).toContain('it must be one line');
    const show = await service.cli('log', 'show', '--json');
    const texts = [printed, show.stdout, show.stderr, service.output(), first.text];
    for (const path of ['/transparency/v1/brokers/alpha/proof', '/metrics', '/openapi.json'])
      texts.push((await send(`${service.origin}${path}`, { from: newAddress() })).text);
    for (const text of texts) expect(text).not.toContain(secret);
  });
});

describe('a service', () => {
  test('tells by metrics when it signed, and since when an entry waits for that', async () => {
    const metric = async (name: string): Promise<number | undefined> => {
      const { text } = await send(`${service.origin}/metrics`);
      const found = new RegExp(`^broker_rating_log_${name}_timestamp_seconds (\\S+)$`, 'm').exec(text)?.[1];
      return found === undefined ? undefined : Number(found);
    };
    const before = Date.now() / 1000;
    let imports = 0; // the first may be signed at once, but those after it wait
    const since = await until('an entry waits', 15_000, async () => {
      await importRows(service, 'brokers', [brokerRow(`seen-by-metrics-${++imports}`)]);
      await service.settle();
      return metric('unsigned_since');
    });
    expect(Math.abs(since - before)).toBeLessThan(60);
    await untilAllSigned(service);
    // metrics are read from the database once a second
    await until('none waits', 15_000, async () => (await metric('unsigned_since')) === undefined);
    await until('it is signed', 15_000, async () => ((await metric('checkpoint')) ?? 0) >= since);
  });

  test('a service without a key keeps the record, publishes no log and says so', async () => {
    const plain = await startService();
    try {
      const answer = await createReader(plain).ask('checkpoint');
      expect([answer.status, answer.headers['cache-control']]).toEqual([404, 'no-store']);
      expect(expectProblem(answer).code).toBe('not_found');
      await plain.settle();
      const { stdout } = await plain.cli('log', 'show');
      expect(stdout).toContain('No checkpoint is signed: no process with LOG_KEY runs');
      const { entries, checkpoint } = await readLogState(plain);
      expect(entries).toBeGreaterThan(0);
      expect(checkpoint).toBeUndefined();
    } finally {
      await plain.remove();
    }
  });

  test('finds by rebuild --check an entry that was changed after it was logged', async () => {
    const changed = await startService();
    try {
      await changed.settle();
      const { entries, logged, waiting } = await readLogState(changed);
      expect(entries).toBeGreaterThan(60);
      expect([logged, waiting]).toEqual([entries, 0]);
      expect(succeeded(await changed.cli('admin', 'rebuild', '--check'))).toContain(' 0 missing');
      await inDatabase(changed, (db) =>
        db.collection('recordEntries').updateOne({ number: 3 }, { $set: { cause: 'undo' } }),
      );
      const { code, stdout } = await changed.cli('admin', 'rebuild', '--check');
      expect([code, stdout]).toEqual([
        1,
        expect.stringContaining('The record is broken: the tree of the log does not follow from the entries.'),
      ]);
    } finally {
      await changed.remove();
    }
  });

  test('a service whose clock is moved signs nothing', async () => {
    const moved = await startService({ LOG_KEY: key.file, CLOCK: '+1d' });
    try {
      await importRows(moved, 'brokers', [brokerRow('alpha')]);
      succeeded(await moved.cliWith({ CLOCK: '+3d' }, 'admin', 'job', 'run', 'record-day'));
      await moved.settle();
      const { entries, logged, waiting } = await readLogState(moved);
      expect([logged, waiting]).toEqual([entries, 0]);
      await importRows(moved, 'brokers', [brokerRow('beta')]);
      await moved.settle();
      expect((await readLogState(moved)).logged).toBeGreaterThan(logged);
      expect((await createReader(moved).ask('checkpoint')).status).toBe(404);
    } finally {
      await moved.remove();
    }
  });

  test('a service with two keys signs by both, so that readers of either can verify', async () => {
    const [old, fresh] = [await newLogKey(scratch, 'old.key'), await newLogKey(scratch, 'fresh.key')];
    const rotating = await startService({ LOG_KEY: `${old.file},${fresh.file}` });
    try {
      const { text, signers } = await untilAllSigned(rotating);
      expect(signers).toEqual([ORIGIN, ORIGIN]);
      for (const one of [old, fresh]) {
        expect(isSignedBy(text, one.verifierKey)).toBe(true);
        await expect(verifyCheckpoint(text, createPolicy(one))).resolves.toMatchObject({ level: 'signed' });
      }
      await expect(verifyCheckpoint(text, createPolicy(key))).rejects.toMatchObject({ code: 'not_signed' });
    } finally {
      await rotating.remove();
    }
  });
});
