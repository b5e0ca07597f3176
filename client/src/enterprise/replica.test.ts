import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  append,
  canonicalJson,
  computeRoot,
  consistencyPlan,
  EMPTY_TREE,
  formatCheckpoint,
  formatVerifierKey,
  keyIdFrom,
  keyIdInput,
  leafInput,
  makeProof,
  signNote,
  toBase64,
} from '@broker-transparency/log';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createApiError } from '../api-error.ts';
import { ConnectionError, InvalidResponseError } from '../errors.ts';
import type { ChangesPage, EnterpriseFeedChangesQuery, FeedEntry, FeedTexts } from '../generated/enterprise.ts';
import type { CallOptions } from '../options.ts';
import { SchemaDriftError } from '../strict.ts';
import type { EnterpriseClient } from './calls.ts';
import { checkReplica } from './check.ts';
import { ProofError } from './error.ts';
import { readFeed } from './feed.ts';
import { type FileReplica, fileReplica } from './file-store.ts';
import { memoryReplica } from './memory-store.ts';
import { type ReplicaState, replica } from './replica.ts';
import type { ReplicaReader, ReplicaStore } from './replica-store.ts';
import { checkManifest } from './snapshot.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

const ORIGIN = 'brokers.example/transparency/v1/log/a';
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const raw = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32));
const logKey = { name: ORIGIN, type: 1 as const, publicKey: raw };
const keyId = keyIdFrom(sha256(keyIdInput(logKey)));
const policy = `log ${formatVerifierKey({ ...logKey, keyId })}\nquorum none\n`;

/** A record that can be restored, and its feed. */
class FakeRecord {
  entries: FeedEntry[] = [];
  signed = 0;
  texts: FeedTexts = {};
  /** Fails instead of the next answers. */
  readonly failures: unknown[] = [];

  write(key: string, value: Record<string, unknown> | null, cause = 'fact'): this {
    const number = this.entries.length;
    const time = new Date(Date.UTC(2026, 0, 1, 0, 0, number)).toISOString();
    this.entries.push({ number, time, key, kind: key.split('/')[0] as string, cause, last: true, value });
    return this;
  }
  /** Publishes a text of a key, and writes the entry that commits to it. */
  say(key: string, text: string): this {
    const salt = toBase64(sha256(new TextEncoder().encode(text)));
    this.texts[key] = { title: { salt, text } };
    const commitment = toBase64(sha256(Buffer.concat([Buffer.from(salt, 'base64'), Buffer.from(text)])));
    return this.write(key, { texts: { title: commitment }, state: 'published' });
  }
  sign(): this {
    this.signed = this.entries.length;
    return this;
  }
  restoreTo(size: number): this {
    this.entries = this.entries.slice(0, size);
    return this;
  }
  #buildTree(size: number) {
    let tree = EMPTY_TREE;
    const nodes = new Map<string, Uint8Array>();
    for (const entry of this.entries.slice(0, size)) {
      const added = append(tree, sha256(leafInput(new TextEncoder().encode(canonicalJson(entry)))), sha256);
      for (const { level, index, hash } of added.nodes) nodes.set(`${level}/${index}`, hash);
      ({ tree } = added);
    }
    return { root: computeRoot(tree, sha256), nodes };
  }
  page({ after = -1, limit = 3 }: EnterpriseFeedChangesQuery): ChangesPage {
    const end = this.entries.length - 1;
    const entries = this.entries.slice(after + 1, after + 1 + limit);
    const through = after + entries.length;
    const { root } = this.#buildTree(through + 1);
    const covering = this.#buildTree(this.signed);
    const findHash = ({ level, index }: { level: number; index: number }) =>
      covering.nodes.get(`${level}/${index}`) as Uint8Array;
    const signed = () => ({
      checkpoint: signNote(
        formatCheckpoint({ origin: ORIGIN, size: this.signed, root: covering.root, extensions: [] }),
        [{ name: ORIGIN, keyId, sign: (text: Uint8Array) => sign(null, text, privateKey) }],
      ),
      size: this.signed,
      consistency: makeProof(consistencyPlan(through + 1, this.signed), findHash, sha256).map(toBase64),
    });
    return JSON.parse(
      JSON.stringify({
        after,
        through,
        isFiltered: false,
        entries,
        values: {},
        texts: Object.fromEntries(entries.flatMap(({ key }) => (this.texts[key] ? [[key, this.texts[key]]] : []))),
        tree: { size: through + 1, root: toBase64(root) },
        signed: this.signed > through ? signed() : null,
        end,
      }),
    );
  }
  get client(): EnterpriseClient {
    const changes = async (query: EnterpriseFeedChangesQuery = {}) => {
      const failure = this.failures.shift();
      if (failure) throw failure;
      if ((query.after ?? -1) >= this.entries.length) throw problem('state_conflict', 409);
      return this.page(query);
    };
    return {
      enterprise: { feed: { changes }, snapshots: { list: async () => ({ data: [] }) } },
    } as unknown as EnterpriseClient;
  }
}

const sent = { method: 'GET', url: 'https://brokers.example', idempotencyKey: undefined };
const problem = (code: string, status: number) => createApiError({ code }, sent, new Response(null, { status }));

const unreadable = () => new InvalidResponseError('a page of a proxy', sent, new Response());

const follow = async (record: FakeRecord, store: ReplicaStore): Promise<ReplicaState[]> => {
  const states: ReplicaState[] = [];
  for await (const state of replica({ client: record.client, store, policy, wait: 0, limit: 3 })) states.push(state);
  return states;
};

const readLines = async (store: ReplicaReader): Promise<string[]> => {
  const lines: string[] = [];
  for await (const { line } of store.entries()) lines.push(line);
  return lines;
};

/** The lines that a complete copy has. */
const listExpectedLines = ({ entries }: FakeRecord): string[] => {
  const last = new Map(entries.map((entry) => [entry.key, entry]));
  const said = [...last.values()].filter(({ value }) => value !== null);
  return said.sort((a, b) => (a.key < b.key ? -1 : 1)).map(canonicalJson);
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'replica-'));
});
const opened: FileReplica[] = [];
afterAll(async () => {
  for (const store of opened) await store.close();
  await rm(folder, { recursive: true, force: true });
});

const newFiles = (): FileReplica => {
  const store = fileReplica(join(folder, String(opened.length)));
  opened.push(store);
  return store;
};
const STORES: readonly (readonly [string, () => ReplicaStore & ReplicaReader])[] = [
  ['memory', memoryReplica],
  ['files', newFiles],
];

const filled = () => {
  const record = new FakeRecord();
  for (let at = 0; at < 8; at++) record.write(`broker/${at % 5}`, { name: `name ${at}` });
  return record.sign();
};

/** Lets timers end a hundred times as soon. */
const hurry = (): void => {
  const wait = globalThis.setTimeout;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms = 0) => wait(work, ms / 100)) as never);
};

describe.each(STORES)('a replica in %s', (_, newStore) => {
  beforeEach(hurry);
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test('a replica holds what each key says last, and says how far it is signed', async () => {
    const [record, store] = [filled().write('broker/0', null).write('broker/9', { name: 'new' }), newStore()];
    expect((await follow(record, store)).at(-1)).toEqual({
      applied: 9,
      signed: 5,
      witnessed: -1,
      end: 9,
      takenBackTo: undefined,
      missingTexts: [],
    });
    expect(await readLines(store)).toEqual(listExpectedLines(record));
    expect(await store.get('broker/0')).toBe(undefined);
    expect((await follow(record.sign(), store)).at(-1)).toMatchObject({ applied: 9, signed: 9 });
    expect(await readLines(store)).toEqual(listExpectedLines(record));
  });

  test('takes back what a restored service has lost and nobody had signed', async () => {
    const [record, store] = [filled().say('review/1', 'first').sign(), newStore()];
    await follow(record, store);
    const text = record.texts['review/1'];
    record.write('broker/0', { name: 'lost' }).write('broker/4', null).say('review/1', 'lost').write('broker/8', {});
    expect((await follow(record, store)).at(-1)).toMatchObject({ applied: 12, signed: 8 });
    expect((await store.readTexts('review/1'))['title']?.text).toBe('lost');
    record.restoreTo(9).write('broker/0', { name: 'other' }, 'restore');
    record.texts['review/1'] = text as never;
    const states = await follow(record, store);
    expect(states[0]).toMatchObject({ takenBackTo: 8 });
    expect(states.at(-1)).toMatchObject({ applied: 9 });
    expect(await readLines(store)).toEqual(listExpectedLines(record));
    expect((await store.readTexts('review/1'))['title']?.text).toBe('first');
  });

  test('deletes the text of an entry that a restored log no longer has', async () => {
    const [record, store] = [filled().sign(), newStore()];
    await follow(record.say('review/1', 'lost').sign(), store);
    await follow(record.say('review/2', 'lost too'), store);
    expect((await store.readTexts('review/2'))['title']?.text).toBe('lost too');
    record.restoreTo(9).write('broker/0', { name: 'other' }, 'restore');
    await follow(record, store);
    expect(await store.readTexts('review/2')).toEqual({});
    if ('textKeys' in store) expect(await (store as FileReplica).textKeys()).toEqual(['review/1']);
  });

  test('takes back the same where as many entries follow', async () => {
    const [record, store] = [filled(), newStore()];
    await follow(record.write('broker/0', { name: 'lost' }), store);
    record.restoreTo(8);
    for (let at = 0; at < 6; at++) record.write(`broker/${at}`, { name: `other ${at}` }, 'restore');
    const states = await follow(record, store);
    // the last page that a checkpoint covers as a whole ended there
    expect(states[0]).toMatchObject({ takenBackTo: 5 });
    expect(await readLines(store)).toEqual(listExpectedLines(record));
  });

  test.each([6, 7])('refuses to take back entry %i, which a checkpoint covers within a page', async (size) => {
    const [record, store] = [filled(), newStore()];
    await follow(record.write('broker/0', { name: 'lost' }), store);
    record.restoreTo(size);
    for (let at = 0; at < 6; at++) record.write(`broker/${at}`, { name: `other ${at}` }, 'restore');
    const error = await follow(record.sign(), store).catch((thrown: unknown) => thrown);
    expect((error as ProofError).code).toBe('root_not_continued');
    expect((error as ProofError).message).toContain('the first 8 entries');
  });

  test('refuses another history than the one that was signed', async () => {
    const [record, store] = [filled(), newStore()];
    await follow(record, store);
    const before = await readLines(store);
    record.restoreTo(6);
    for (let at = 0; at < 6; at++) record.write(`broker/${at}`, { name: `other ${at}` });
    const error = await follow(record.sign(), store).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ProofError);
    expect((error as ProofError).code).toBe('root_not_continued');
    expect(await readLines(store)).toEqual(before);
  });

  test('refuses a record that ends before what was signed', async () => {
    const [record, store] = [filled(), newStore()];
    await follow(record, store);
    const error = await follow(record.restoreTo(5), store).catch((thrown: unknown) => thrown);
    expect((error as ProofError).code).toBe('went_backwards');
  });

  test('survives what passes: a lost connection, a server that is busy or ends', async () => {
    const [record, store] = [filled(), newStore()];
    const { client } = record;
    record.failures.push(
      new ConnectionError('lost', sent),
      problem('unavailable', 503),
      problem('internal_error', 500),
    );
    expect((await follow(record, store)).at(-1)).toMatchObject({ applied: 7 });
    record.failures.push(problem('invalid_token', 401));
    await expect(readFeed(client).next()).rejects.toMatchObject({ code: 'invalid_token' });
  });

  test('gives up after five answers in a row that cannot be read, and not before', async () => {
    const [record, store] = [filled(), newStore()];
    record.failures.push(...Array.from({ length: 4 }, unreadable));
    const states = await follow(record, store);
    expect(states.filter(({ stalled }) => stalled?.includes('a page of a proxy'))).toHaveLength(4);
    expect(states.at(-1)).toMatchObject({ applied: 7, stalled: undefined });
    record.failures.push(...Array.from({ length: 5 }, unreadable));
    await expect(follow(record, store)).rejects.toBeInstanceOf(InvalidResponseError);
    expect(record.failures).toEqual([]);
  });

  test('ends at once with the error of a strict client', async () => {
    const record = filled();
    const drift = new SchemaDriftError('enterprise.feed.changes', [], sent, new Response());
    record.failures.push(drift);
    await expect(follow(record, newStore())).rejects.toBe(drift);
  });

  test.each(['erased', 'removed', 'withheld', 'withdrawn'])('deletes texts that are %s', async (state) => {
    const [record, store] = [filled().say('review/1', 'a text').say('review/2', 'another'), newStore()];
    await follow(record, store);
    expect((await store.readTexts('review/1'))['title']?.text).toBe('a text');
    record.write('review/1', { state }, state === 'erased' ? 'erasure' : 'fact');
    delete record.texts['review/1'];
    await follow(record, store);
    expect(await store.readTexts('review/1')).toEqual({});
    expect((await store.readTexts('review/2'))['title']?.text).toBe('another');
  });
});

test('a feed that has yet to grow to the end of the record is not asked again at once', async () => {
  const record = filled();
  let asked = 0;
  const changes = async (query: EnterpriseFeedChangesQuery) => {
    asked++;
    return { ...record.page(query), ...(asked < 4 ? { end: 9 } : {}) };
  };
  const began = performance.now();
  for await (const _ of readFeed({ enterprise: { feed: { changes } } } as never, { after: 7, wait: 0 }));
  expect(asked).toBe(4);
  expect(performance.now() - began).toBeGreaterThan(600);
});

test.each([
  ['its wait', {}, { timeoutMs: 26_000, tryTimeoutMs: 25_500 }],
  ['no wait', { wait: 0 }, { timeoutMs: 1_000, tryTimeoutMs: 500 }],
])('the time limits of a request for the feed count from the end of %s', async (_, query, limits) => {
  const changes = vi.fn(async (asked: EnterpriseFeedChangesQuery, _options: CallOptions) => filled().page(asked));
  const client = { enterprise: { feed: { changes } } } as never;
  await readFeed(client, { ...query, timeoutMs: 1_000, tryTimeoutMs: 500 }).next();
  expect(changes.mock.calls[0]?.[1]).toMatchObject(limits);
});

test('a replica that is refused says that it is stalled, and goes on once it is answered', async () => {
  const record = filled();
  record.failures.push(problem('unavailable', 503));
  const states = await follow(record, newFiles());
  expect(states[0]).toMatchObject({ applied: -1, stalled: expect.stringContaining('503') });
  expect(states.at(-1)).toMatchObject({ applied: record.entries.length - 1, stalled: undefined });
});

test('a text that an entry says is public and that nobody gives is a finding, once no later entry can explain it', async () => {
  const record = filled().say('review/7', 'deleted').say('review/8', 'reworded').say('review/9', 'removed');
  record.write('review/9', { texts: {}, state: 'removed' }).sign();
  const [[salt], store] = [Object.values(record.texts['review/8'] ?? {}).map((one) => one.salt), newFiles()];
  record.texts['review/8'] = { title: { salt: salt as string, text: 'another' } };
  delete record.texts['review/7'];
  delete record.texts['review/9'];
  const states = await follow(record, store);
  expect(states.at(-1)?.missingTexts).toEqual(['title of review/7', 'title of review/8']);
  expect(states[0]?.missingTexts).toEqual([]);
  expect((await checkReplica(store, policy)).findings).toEqual([
    'the title of review/7 is missing, though its entry says that it is public',
    'the title of review/8 is missing, though its entry says that it is public',
  ]);
  record.write('review/7', { texts: {}, state: 'withdrawn' }).say('review/8', 'corrected').sign();
  expect((await follow(record, store)).at(-1)?.missingTexts).toEqual([]);
  expect((await checkReplica(store, policy)).findings).toEqual([]);
});

test('a replica whose key may not read texts finds none missing', async () => {
  const record = filled().say('review/7', 'public').sign();
  const { feed, ...others } = record.client.enterprise;
  const changes = async (query: EnterpriseFeedChangesQuery = {}) => {
    const { texts, ...page } = await feed.changes(query);
    return page as ChangesPage;
  };
  const client = { enterprise: { ...others, feed: { changes } } } as unknown as EnterpriseClient;
  const store = newFiles();
  for await (const { missingTexts } of replica({ client, policy, store, from: 'start', wait: 0 }))
    expect(missingTexts).toEqual([]);
  expect((await checkReplica(store, policy)).findings).toEqual([]);
});

test('a copy that nobody has signed is not sound', async () => {
  const [record, store] = [new FakeRecord().write('broker/1', { name: 'a' }), newFiles()];
  await follow(record, store);
  expect((await checkReplica(store, policy)).findings).toEqual(['no signed checkpoint covers it']);
  await follow(record.sign(), store);
  expect((await checkReplica(store, policy)).findings).toEqual([]);
});

test('a snapshot that nobody has signed is refused by a policy', async () => {
  const { tree } = new FakeRecord().page({});
  const manifest = { number: -1, tree, hashes: [], signed: null } as never;
  await expect(checkManifest(manifest, undefined)).resolves.toBe(undefined);
  await expect(checkManifest(manifest, policy)).rejects.toMatchObject({ code: 'not_in_log' });
});
