import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync, unzipSync } from 'node:zlib';
import { verifyProof } from '@broker-transparency/client/verify';
import { type Document, MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createScratch, type Scratch } from '../support/files.ts';
import { createToken, importRows, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { computeRoot, hashLeaf, listTilePaths, type ReadCheckpoint } from '../support/log-reader.ts';
import { readRecord, readTexts, type StoredText } from '../support/record.ts';
import { brokerRow } from '../support/records.ts';
import { publishReviews } from '../support/reviewers.ts';
import { type LocalService, startService } from '../support/service.ts';
import { createPolicy, createReader, newLogKey, type TestKey, untilAllSigned } from '../support/signed-log.ts';

const TITLE = 'Quixotically fast';
const CONTENT = 'The withdrawal took ninety-one minutes, which nobody had promised.';
const REPLY = 'We thank our zealous customer.';
const NAME = 'Wolframina';

let scratch: Scratch;
let key: TestKey;
let service: LocalService;
let id: string;
let texts: StoredText[];
let before: ReadCheckpoint;
beforeAll(async () => {
  scratch = await createScratch();
  key = await newLogKey(scratch, 'log.key');
  service = await startService({ LOG_KEY: key.file });
  await importRows(service, 'brokers', [brokerRow('alpha')]);
  const token = ['token', 'create', '--subject', 'author', '--name', NAME, '--kyc', 'verified'];
  const author = succeeded(await service.cli(...token, '--scope', 'reviews:write', '--quiet')).trim();
  const [review] = await publishReviews(service, 'alpha', [author], { title: TITLE, content: CONTENT });
  id = review?.id as string;
  await publishReviews(service, 'alpha', [await createToken(service, 'another')]);
  succeeded(await service.cli('review', 'reply', id, '--content', REPLY));
  texts = await readTexts(service, `review/${id}`);
  before = await untilAllSigned(service);
});
afterAll(async () => {
  await service?.remove();
  await scratch?.remove();
});

/** Returns what compressed bytes contain; nothing where they are not compressed. */
const unpacked = (bytes: Buffer): Buffer[] =>
  [unzipSync, brotliDecompressSync].flatMap((unpack) => {
    try {
      return [unpack(bytes)];
    } catch {
      return [];
    }
  });

/** Returns the binary values within a document. */
const listBinaries = (value: unknown): Buffer[] => {
  if (typeof value !== 'object' || value === null) return [];
  const { _bsontype: type, buffer } = value as { readonly _bsontype?: string; readonly buffer?: Uint8Array };
  if (type === 'Binary' && buffer) return [Buffer.from(buffer)];
  return Object.values(value).flatMap(listBinaries);
};

/** Every document of the database as its bytes, with what it has in compressed form. */
const storedBytes = async (): Promise<Map<string, Buffer>> => {
  const client = await MongoClient.connect(String(service.data['MONGODB_URL']));
  try {
    const found = new Map<string, Buffer>();
    for (const { name } of await client.db().listCollections().toArray()) {
      const collection = client.db().collection(name);
      const raw = (await collection.find({}, { raw: true }).toArray()) as unknown as Buffer[];
      const documents: Document[] = await collection.find({}, { promoteBuffers: false }).toArray();
      found.set(name, Buffer.concat([...raw, ...documents.flatMap(listBinaries).flatMap(unpacked)]));
    }
    return found;
  } finally {
    await client.close();
  }
};

/** Every file of a new backup. */
const backedUpBytes = async (folder: string): Promise<Map<string, Buffer>> => {
  succeeded(await service.cli('backup', folder));
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const read = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  const bytes = await Promise.all(read.map((file) => readFile(file)));
  return new Map(
    read.map((file, at) => [file, Buffer.concat([bytes[at] as Buffer, ...unpacked(bytes[at] as Buffer)])]),
  );
};

/** Every file of the log, and every answer about the broker: now, before the erasure and at each number. */
const publishedBytes = async (size: number): Promise<Map<string, Buffer>> => {
  const reader = createReader(service);
  const broker = `${service.origin}/transparency/v1/brokers/alpha`;
  const files = [...listTilePaths('entries', size), ...listTilePaths('0', size), 'checkpoint'];
  const numbers = Array.from({ length: size }, (_, number) => number);
  const answers = [
    `${service.baseUrl}/brokers/alpha`,
    `${service.baseUrl}/reviews?broker=alpha`,
    `${broker}/history?limit=100`,
    ...numbers
      .slice(before.size - 12)
      .flatMap((number) => [`${broker}/at?knownAt=${number}`, `${broker}/proof?number=${number}`]),
  ];
  const found = new Map<string, Buffer>();
  for (const file of files) found.set(file, await reader.read(file));
  for (const url of answers) {
    const { bytes, text } = await send(url);
    const [, extra = ''] = /\\nextra ([A-Za-z0-9+/=]+)/.exec(text) ?? [];
    found.set(url, Buffer.concat([bytes, Buffer.from(extra, 'base64')]));
  }
  return found;
};

/**
 * Lists the bytes that would show a text or confirm a guess of it: itself, its random bytes and its plain hash, in
 * every spelling.
 */
const listNeedles = ({ text, salt }: StoredText): Buffer[] => {
  const bytes = [Buffer.from(salt, 'base64'), createHash('sha256').update(text).digest()];
  const spelled = bytes.flatMap((one) => [one.toString('base64'), one.toString('base64url'), one.toString('hex')]);
  return [Buffer.from(text), ...bytes, ...spelled.map((one) => Buffer.from(one))];
};

/** The places that have one of the needles. */
const findPlaces = (places: ReadonlyMap<string, Buffer>, needles: readonly Buffer[]): string[] =>
  [...places].filter(([, bytes]) => needles.some((needle) => bytes.includes(needle))).map(([name]) => name);

test('an erasure leaves neither texts nor their random bytes anywhere, and the log still verifies', async () => {
  const needles = texts.flatMap(listNeedles);
  expect(texts.map(({ field, text }) => [field, text])).toEqual([
    ['author', expect.stringContaining(NAME)],
    ['content', CONTENT],
    ['reply', REPLY],
    ['title', TITLE],
  ]);
  // the search finds each of them as long as it is there
  expect(findPlaces(await storedBytes(), needles)).toEqual(expect.arrayContaining(['recordTexts', 'reviews']));
  expect(findPlaces(await backedUpBytes(join(scratch.path, 'before')), needles).length).toBeGreaterThan(1);
  expect(findPlaces(await publishedBytes(before.size), needles)).toContain(`${service.baseUrl}/reviews?broker=alpha`);
  const { number = 0 } = (await readRecord(service)).find((entry) => entry.key === `review/${id}`) ?? {};
  const readProof = async () =>
    (await send(`${service.origin}/transparency/v1/brokers/alpha/proof?number=${number}`)).json<{ proof: string }>();
  const { proof: former } = await readProof();

  succeeded(await service.cli('account', 'erase', 'author', '--yes', 'author', '--reason', 'requested'));
  const after = await untilAllSigned(service);
  expect(after.size).toBeGreaterThan(before.size);
  expect(findPlaces(await storedBytes(), needles)).toEqual([]);
  expect(findPlaces(await backedUpBytes(join(scratch.path, 'after')), needles)).toEqual([]);
  expect(findPlaces(await publishedBytes(after.size), needles)).toEqual([]);

  const hashes = (await createReader(service).entries(after.size)).map(hashLeaf);
  expect(computeRoot(hashes).toString('base64')).toBe(after.root);
  expect(computeRoot(hashes.slice(0, before.size)).toString('base64')).toBe(before.root);
  for (const proof of [former, (await readProof()).proof])
    expect(await verifyProof(proof, createPolicy(key))).toMatchObject({ level: 'logged' });
  expect(succeeded(await service.cli('admin', 'rebuild', '--check'))).toContain(' 0 missing');
});
