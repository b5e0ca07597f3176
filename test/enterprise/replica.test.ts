import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createClient } from '@broker-transparency/client';
import {
  type ChangesPage,
  enterprise,
  fileReplica,
  memoryReplica,
  ProofError,
  type ReplicaReader,
  type ReplicaState,
  type ReplicaStore,
  replica,
} from '@broker-transparency/client/enterprise';
import { freePort } from '@broker-transparency/embedded-mongo/port';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ReplicaSet } from '../faults/replica-set.ts';
import { startWriter } from '../record/sequencing.ts';
import { createRandom } from '../record/story.ts';
import { grantCustomerKey } from '../support/enterprise.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { createToken, importRows, succeeded } from '../support/filled-service.ts';
import type { GuardedProcess } from '../support/guarded.ts';
import type { LogReader } from '../support/log-reader.ts';
import { type ServiceProcess, startProcess } from '../support/process.ts';
import { readTexts } from '../support/record.ts';
import { brokerRow } from '../support/records.ts';
import { publishReviews } from '../support/reviewers.ts';
import {
  createPolicy,
  createReader,
  type LogService,
  newLogKey,
  signCheckpoint,
  startLogService,
  type TestKey,
  untilAllSigned,
} from '../support/signed-log.ts';
import { until } from '../support/until.ts';
import { ReplicaProcess } from './replicating.ts';
import { startTamperingProxy, type Tamper, type TamperingProxy } from './tampering-proxy.ts';

/** 20 in the gate; more by `pnpm enterprise:replica`. */
const ROUNDS = Number(process.env['REPLICA_ROUNDS'] ?? 8);

let scratch: Scratch;

/** The last entry of each key that says something, as the bytes that the public log has, by key. */
const readExpectedLines = async (reader: LogReader, size: number): Promise<string[]> => {
  const last = new Map<string, string>();
  for (const bytes of await reader.entries(size)) {
    const { key, value } = JSON.parse(bytes.toString());
    if (value === null) last.delete(key);
    else last.set(key, bytes.toString());
  }
  return [...last].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
};

const readLines = async (store: ReplicaReader): Promise<string[]> => {
  const lines: string[] = [];
  for await (const { line } of store.entries()) lines.push(line);
  return lines;
};

/** The entries that a replica and the source have in the end, as lines. */
interface Ending {
  readonly copied: readonly string[];
  readonly source: readonly string[];
}

/** Keeps a replica through kills of either side and failovers, while entries are written. */
const endure = async (): Promise<Ending> => {
  const key = await newLogKey(scratch, 'kills.key');
  const set = await ReplicaSet.start();
  const port = String(await freePort());
  const settings = { MONGODB_URL: set.url, LOG_KEY: key.file, PORT: port, DATA_DIR: scratch.file('d') };
  let service: ServiceProcess | undefined;
  let writer: GuardedProcess | undefined;
  let copy: ReplicaProcess | undefined;
  try {
    service = await startProcess(settings);
    const customer = await grantCustomerKey(service, 'acme-bank', 'institution');
    await importRows(service, 'brokers', [brokerRow('alpha'), brokerRow('beta')]);
    await untilAllSigned(service);
    succeeded(await service.cli('admin', 'enterprise', 'snapshot'));
    const policy = createPolicy(key);
    const replicated = new ReplicaProcess({
      origin: service.origin,
      key: customer,
      folder: scratch.file('copy'),
      policy,
    });
    copy = replicated;
    replicated.start();
    writer = await startWriter(set.url, { count: 1_000_000, perSecond: 20, keys: 40 });

    const faults = {
      'kill -9 of the replica': async () => {
        await replicated.kill();
        replicated.start();
      },
      'kill -9 of the server': async () => {
        await service?.end('SIGKILL');
        // without a primary it ends at once, and is started again as by any supervisor
        service = await until('the server starts', 60_000, () => startProcess(settings).catch(() => undefined));
      },
      'another primary': async () => {
        await set.ask(await set.primary(), { replSetStepDown: 10, secondaryCatchUpPeriodSecs: 5 }).catch(() => {});
      },
      'kill -9 of the primary': async () => {
        const primary = await set.primary();
        await primary.process.kill();
        await set.restart(primary);
      },
    } as const;
    type Fault = keyof typeof faults;
    const twenty: readonly Fault[] = (
      [
        ['kill -9 of the replica', 12],
        ['kill -9 of the server', 3],
        ['another primary', 4],
        ['kill -9 of the primary', 1],
      ] as const
    ).flatMap(([fault, times]) => Array.from({ length: times }, () => fault));

    const random = createRandom(20_261_123);
    let left: Fault[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      if (left.length === 0) left = [...twenty];
      const [fault] = left.splice(random.below(left.length), 1) as [Fault];
      await faults[fault]();
      const goal = replicated.applied + 1 + random.below(30);
      await until(`after ${fault} (round ${round}) the replica goes on`, 120_000, async () => {
        replicated.requireRunning();
        return replicated.applied >= goal;
      });
    }
    await writer.kill();
    const { size } = await untilAllSigned(service);
    await until('the replica has everything', 60_000, async () => {
      replicated.requireRunning();
      return replicated.signed === size - 1;
    });
    await replicated.kill();
    const store = fileReplica(scratch.file('copy'));
    const copied = await readLines(store);
    await store.close();
    console.info(`replica: ${ROUNDS} rounds, ${size} entries`);
    return { copied, source: await readExpectedLines(createReader(service), size) };
  } finally {
    await copy?.kill();
    await writer?.kill();
    await service?.end('SIGKILL');
    await set.stop();
  }
};

/** Begins before the other tests, because it takes long and mostly waits. */
let ending: Promise<Ending>;
beforeAll(async () => {
  scratch = await createScratch();
  ending = endure();
  ending.catch(() => {}); // the test that awaits it says so
});
const ENDURES_MS = 120_000 + ROUNDS * 15_000;
afterAll(async () => {
  await ending?.catch(() => {});
  await scratch?.remove();
}, ENDURES_MS);

describe('a replica through a proxy', () => {
  let log: LogService;
  let customer: string;
  let proxy: TamperingProxy;
  let otherKey: TestKey;
  let reviews: readonly { readonly id: string }[];
  beforeAll(async () => {
    log = await startLogService();
    const { service } = log;
    await importRows(
      service,
      'brokers',
      Array.from({ length: 12 }, (_, at) => brokerRow(`broker-${at}`)),
    );
    const writers = [await createToken(service, 'alice'), await createToken(service, 'bob')];
    reviews = await publishReviews(service, 'broker-1', writers, { title: 'Quixotic words' });
    customer = await grantCustomerKey(service, 'acme-bank', 'institution');
    await untilAllSigned(service);
    proxy = await startTamperingProxy(service.origin);
    otherKey = await newLogKey(scratch, 'other.key', 'other.example/transparency/v1/log/a');
  });
  afterAll(async () => {
    await proxy?.close();
    await log?.remove();
  });

  afterEach(() => {
    proxy.tamper = undefined;
  });

  /** Brings a store to the end of the record. */
  const follow = async (store: ReplicaStore, origin: string) => {
    const client = createClient({ baseUrl: `${origin}/api/v1`, with: [enterprise({ key: customer })] });
    const options = { client, store, policy: createPolicy(log.key), from: 'start', wait: 0, limit: 5 } as const;
    let last: unknown;
    for await (const state of replica(options)) last = state;
    return last;
  };

  test('a replica through a proxy that changes nothing equals the source', async () => {
    const store = memoryReplica();
    const { size } = await untilAllSigned(log.service);
    const all = { applied: size - 1, signed: size - 1, witnessed: -1, end: size - 1, missingTexts: [] };
    expect(await follow(store, proxy.origin)).toEqual(all);
    expect(await readLines(store)).toEqual(await readExpectedLines(log.reader, size));
  });

  /** Behind which numbers two pages that follow each other begin, the second one with three entries or more. */
  const behind = { one: '', other: '' };
  beforeAll(async () => {
    const client = createClient({ baseUrl: log.service.baseUrl, with: [enterprise({ key: customer })] });
    for (let [after, entries] = [-1, 0]; entries < 3; ) {
      const page = await client.enterprise.feed.changes({ after, limit: 5 });
      entries = (await client.enterprise.feed.changes({ after: page.through, limit: 5 })).entries.length;
      [behind.one, behind.other] = [String(after), String(page.through)];
      after = page.through;
    }
  });

  const isPage = ({ pathname }: URL) => pathname.endsWith('/changes');
  /** Changes the second of the two pages. */
  const changing =
    (change: (page: ChangesPage) => unknown): Tamper =>
    (url, body) => {
      if (!isPage(url) || url.searchParams.get('after') !== behind.other) return undefined;
      const page = JSON.parse(String(body));
      change(page);
      return JSON.stringify(page);
    };
  /** Answers one page in place of another one. */
  const answering =
    (page: keyof typeof behind, instead: keyof typeof behind): Tamper =>
    (url, _, ask) =>
      isPage(url) && url.searchParams.get('after') === behind[page] && url.searchParams.get('limit') === '5'
        ? ask(`${url.pathname}?after=${behind[instead]}&limit=5`)
        : undefined;
  const swapped: Tamper = (url, body, ask) =>
    answering('one', 'other')(url, body, ask) ?? answering('other', 'one')(url, body, ask);

  test.each<[string, Tamper]>([
    [
      'page_altered',
      changing(({ entries }) => {
        (entries[2] as { time: string }).time = '2026-01-01T00:00:00.000Z';
      }),
    ],
    ['page_altered', changing(({ tree, entries }) => Object.assign(tree, { root: btoa(entries[0]?.key ?? '') }))],
    ['entry_dropped', changing(({ entries }) => entries.splice(1, 1))],
    ['entry_dropped', changing(({ entries }) => entries.pop())],
    ['entry_dropped', changing((page) => Object.assign(page, { entries: [], through: Number(behind.other) }))],
    ['page_altered', changing(({ entries }) => entries.push(entries.shift() as never))],
    ['page_swapped', swapped],
    ['page_replayed', answering('other', 'one')],
    ['page_filtered', changing((page) => Object.assign(page, { isFiltered: true }))],
    [
      'checkpoint_altered',
      changing(({ signed }) => Object.assign(signed ?? {}, { consistency: signed?.consistency.slice(1) })),
    ],
    [
      'other_log',
      async (url, body) => {
        if (!isPage(url)) return undefined;
        const page = JSON.parse(String(body)) as ChangesPage;
        const root = Buffer.from(page.tree.root, 'base64');
        const checkpoint = await signCheckpoint(otherKey.file, { size: page.tree.size, root });
        return JSON.stringify({ ...page, signed: { checkpoint, size: page.tree.size, consistency: [] } });
      },
    ],
  ])('names a tampered page as %s: %#', async (code, tamper) => {
    const store = memoryReplica();
    proxy.tamper = tamper;
    const error = await follow(store, proxy.origin).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ProofError);
    expect((error as ProofError).code).toBe(code);
    // nothing of the page was applied, and the replica goes on once the page is right
    proxy.tamper = undefined;
    const { size } = await untilAllSigned(log.service);
    expect(await follow(store, proxy.origin)).toMatchObject({ applied: size - 1 });
    expect(await readLines(store)).toEqual(await readExpectedLines(log.reader, size));
  });

  describe('from a snapshot', () => {
    let number: number;
    beforeAll(async () => {
      succeeded(await log.service.cli('admin', 'enterprise', 'snapshot'));
      number = (await untilAllSigned(log.service)).size - 1;
      await importRows(log.service, 'brokers', [brokerRow('broker-3', { name: 'Another name' }), brokerRow('late')]);
      await untilAllSigned(log.service);
    });
    const begin = async (store: ReplicaStore, prove?: 'tiles') => {
      const client = createClient({ baseUrl: `${proxy.origin}/api/v1`, with: [enterprise({ key: customer })] });
      const states: ReplicaState[] = [];
      const options = { client, store, policy: createPolicy(log.key), wait: 0, limit: 5, prove };
      for await (const state of replica(options)) states.push(state);
      return states;
    };

    test('a replica from a snapshot and the feed equals the source, with the texts that are public', async () => {
      const [all, copy] = [memoryReplica(), memoryReplica()];
      const states = await begin(copy, 'tiles');
      expect(states[0]?.applied).toBeGreaterThan(number);
      expect(states[0]?.applied).toBeLessThanOrEqual(number + 5);
      await follow(all, proxy.origin);
      const { size } = await untilAllSigned(log.service);
      expect(await readLines(copy)).toEqual(await readExpectedLines(log.reader, size));
      const key = `review/${reviews[1]?.id}`;
      expect((await copy.readTexts(key))['title']?.text).toBe('Quixotic words');
      expect(await copy.readTexts(key)).toEqual(await all.readTexts(key));
    });

    const catchCode = (work: Promise<unknown>) =>
      work.then(
        () => 'none',
        (error: ProofError) => error.code,
      );
    const isFile = ({ pathname }: URL) => /entries-broker-.*gz$/.test(pathname);
    const isManifest = ({ pathname }: URL) => pathname.endsWith(`/snapshots/${number}`);
    /** Answers the manifest with something else, and the file of brokers with other lines that it names. */
    const withOtherLines =
      (change: (line: string) => string): Tamper =>
      async (url, body, ask) => {
        if (!isFile(url) && !isManifest(url)) return undefined;
        const manifest = JSON.parse(String(isManifest(url) ? body : await ask(url.pathname.replace(/\/files.*/, ''))));
        const file = manifest.files.find(({ name }: { name: string }) => isFile(new URL(`http://x/${name}`)));
        const lines = gunzipSync(isFile(url) ? body : await ask(`${url.pathname}/files/${file.name}`)).toString();
        const packed = gzipSync(lines.split('\n').map(change).join('\n'));
        if (isFile(url)) return packed;
        Object.assign(file, { bytes: packed.length, sha256: createHash('sha256').update(packed).digest('hex') });
        return JSON.stringify(manifest);
      };
    const dated = withOtherLines((line) => line.replace('"time":"2', '"time":"1'));

    test.each<[string, Tamper, 'tiles' | undefined]>([
      ['file_altered', (url, body) => (isFile(url) ? body.fill(0, 40, 44) : undefined), undefined],
      ['file_altered', (url, body) => (isFile(url) ? body.subarray(1) : undefined), undefined],
      [
        'file_altered',
        (url, body) => (isManifest(url) ? Buffer.from(String(body).replace(/"hashes":\["./, '$&x')) : undefined),
        undefined,
      ],
      ['not_in_log', dated, 'tiles'],
    ])('names a tampered snapshot as %s: %#', async (code, tamper, prove) => {
      proxy.tamper = tamper;
      expect(await catchCode(begin(memoryReplica(), prove))).toBe(code);
    });

    test('a download goes on where it broke off', async () => {
      const client = createClient({ baseUrl: `${proxy.origin}/api/v1`, with: [enterprise({ key: customer })] });
      const manifest = await client.enterprise.snapshots.get(number);
      const file = manifest.files.find(({ name }) => isFile(new URL(`http://x/${name}`)));
      const pieces: Uint8Array[] = [];
      proxy.cutOnce = 100;
      for await (const piece of client.enterprise.files.readSnapshotFile(number, file?.name ?? '')) pieces.push(piece);
      expect(proxy.ranges).toEqual(['bytes=100-']);
      expect(createHash('sha256').update(Buffer.concat(pieces)).digest('hex')).toBe(file?.sha256);
    });
  });

  test('a replica deletes the texts, on disk too, once it has applied the erasure', async () => {
    const folder = scratch.file('texts');
    const store = fileReplica(folder);
    await follow(store, proxy.origin);
    const [erased, kept] = reviews.map(({ id }) => `review/${id}`) as [string, string];
    expect((await store.readTexts(erased))['title']?.text).toBe('Quixotic words');
    const { salt } = (await readTexts(log.service, erased)).find(({ field }) => field === 'title') ?? { salt: 'none' };
    const bytes = async () => (await readFile(join(folder, 'texts.ndjson'))).toString();
    expect(await bytes()).toContain(salt);
    succeeded(await log.service.cli('account', 'erase', 'alice', '--yes', 'alice', '--reason', 'requested'));
    await untilAllSigned(log.service);
    await follow(store, proxy.origin);
    expect(await store.readTexts(erased)).toEqual({});
    expect(await bytes()).not.toContain(salt);
    expect(JSON.parse((await store.get(erased))?.line ?? '{}')).toMatchObject({ cause: 'erasure' });
    expect((await store.readTexts(kept))['title']?.text).toBe('Quixotic words');
    await store.close();
  });
});

test(`a replica equals the source byte for byte after ${ROUNDS} kills of either side and failovers, while entries are written`, {
  timeout: ENDURES_MS,
}, async () => {
  const { copied, source } = await ending;
  expect(copied.length).toBeGreaterThan(30);
  expect(copied).toEqual(source);
});
