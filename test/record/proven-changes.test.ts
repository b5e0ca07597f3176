import { createClient, InvalidResponseError } from '@broker-transparency/client';
import {
  type AnswerProof,
  type CheckpointStore,
  ContradictionError,
  verifier,
} from '@broker-transparency/client/verify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createScratch, type Scratch } from '../support/files.ts';
import { createToken, importRows, post, succeeded } from '../support/filled-service.ts';
import { brokerRow, licenseRow, reviewBody } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { createPolicy, newLogKey, type TestKey, untilAllSigned, withoutNewCheckpoints } from '../support/signed-log.ts';
import { until } from '../support/until.ts';
import { createRandom } from './proving.ts';

/** `PROVEN_ANSWERS` asks for more answers while others write; `PROVEN_SEED` for others. */
const ANSWERS = Number(process.env['PROVEN_ANSWERS'] ?? 30);
const SEED = Number(process.env['PROVEN_SEED'] ?? 20_261_128);

vi.setConfig({ testTimeout: 600_000 + 600 * ANSWERS, hookTimeout: 600_000 });

/**
 * Readers who ask at the same time, each from an address: the service reads the record for one at a time, and an answer
 * that is newer than the record waits for it.
 */
const READERS = 6;
/**
 * Answers between the beginnings of two writes: one write costs as much as several answers. Readers are ahead of the
 * writer by as many at most.
 */
const ANSWERS_OF_A_STATE = 15;

const SLUGS = ['ash-markets', 'birch-markets', 'cedar-markets'];

let scratch: Scratch;
let key: TestKey;
let service: LocalService;

const start = async (brokers: readonly string[]): Promise<LocalService> => {
  const started = await startService({ LOG_KEY: key.file, PUBLIC_RATE_LIMIT: '1000000', TRUST_PROXY: '1' });
  await importRows(
    started,
    'brokers',
    brokers.map((slug) => brokerRow(slug, { description: `About ${slug}.` })),
  );
  await untilAllSigned(started);
  return started;
};

beforeAll(async () => {
  scratch = await createScratch();
  key = await newLogKey(scratch, 'log.key');
  service = await start(SLUGS);
});
afterAll(async () => {
  await service?.remove();
  await scratch?.remove();
});

/** Times that no busy machine needs. */
const PATIENT = { timeoutMs: 600_000, tryTimeoutMs: 120_000, maxWaitMs: 600_000, retries: 10 };

const createProvenClient = ({ origin }: LocalService, store?: CheckpointStore, address = '127.0.0.1') => {
  const verify = verifier(createPolicy(key), { store });
  const client = createClient({
    ...PATIENT,
    baseUrl: origin,
    verify,
    store: false,
    headers: { 'X-Forwarded-For': address },
  });
  return { client, verify, readProof: (answer: object) => verify.readProof(answer) as AnswerProof };
};

/** Keeps a checkpoint in memory. */
const createStore = () => {
  const kept: string[] = [];
  const store: CheckpointStore = { load: async () => kept.at(-1), save: async (text) => kept.push(text) };
  return { kept, store };
};

/** Publishes a review by somebody new. Returns its id. */
const publish = async (slug: string, subject: string): Promise<string> => {
  const token = await createToken(service, subject);
  const { id } = (await (await post(service, '/reviews', token, reviewBody(slug))).json()) as { id: string };
  succeeded(await service.cli('review', 'publish', id));
  return id;
};

test('an answer that no checkpoint covers is pending, and is checked once one does', async () => {
  const { client, verify, readProof } = createProvenClient(service);
  const review = await withoutNewCheckpoints(service, async () => {
    const id = await publish('ash-markets', 'pending');
    await service.settle();
    const { data } = await client.reviews.list({ broker: 'ash-markets' });
    return data.find((one) => one.id === id) as (typeof data)[number];
  });
  const first = readProof(review);
  const { level, why } = await verify.settle(review);
  expect({ level, why }).toEqual({ level: 'logged', why: expect.stringContaining('no witnesses') });
  expect(first).toMatchObject({ level: 'pending', why: 'the newest checkpoint does not cover 1 of its entries' });
  expect(readProof(review).level).toBe('logged');
  await expect(verify.settle({})).rejects.toThrow(TypeError);
});

test('a service that has no day yet shows the entries, and says that no day confirms the score', async () => {
  const { client, readProof } = createProvenClient(service);
  const { level, why, entries } = readProof(await client.brokers.get('birch-markets'));
  expect({ level, why }).toEqual({ level: 'signed', why: expect.stringContaining('no day of the log') });
  expect(entries.map(({ key: name }) => name)).toEqual(
    expect.arrayContaining(['broker/birch-markets', 'license/birch-markets/fca/REF-fca', 'regulator/fca']),
  );
});

test('the checkpoint goes to the store and grows there', async () => {
  const { kept, store } = createStore();
  const first = createProvenClient(service, store);
  const proof = first.readProof(await first.client.brokers.get('cedar-markets'));
  expect(proof.growth).toBe('store');
  expect(kept).toHaveLength(1);
  await publish('cedar-markets', 'grows');
  await untilAllSigned(service);
  const later = createProvenClient(service, store); // as another process
  const { checkpoint } = later.readProof(await later.client.brokers.get('cedar-markets'));
  expect(checkpoint?.size).toBeGreaterThan(proof.checkpoint?.size as number);
  expect(kept).toHaveLength(2);
});

test.each([
  ['that has fewer entries than the kept checkpoint', ['dew-markets'], /had \d+ entries, and has \d+ now/],
  [
    'that has other entries than the kept checkpoint',
    Array.from({ length: 30 }, (_, at) => `fork-${at}`),
    /the proof does not show that the tree of \d+ entries continues/,
  ],
])('a log %s is an error that says so', async (_, brokers, says) => {
  const { store } = createStore();
  const honest = createProvenClient(service, store);
  await honest.client.brokers.get('ash-markets');
  const other = await start(brokers);
  try {
    const { client } = createProvenClient(other, store);
    const error = await client.brokers.get(brokers[0] as string).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ContradictionError);
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error).toMatchObject({ message: expect.stringMatching(says), cause: { code: 'not_consistent' } });
    expect((await client.safe.brokers.get(brokers[0] as string)).error).toMatchObject({ code: 'invalid_response' });
  } finally {
    await other.remove();
  }
});

test(`${ANSWERS} honest answers while others write are all right`, async () => {
  const random = createRandom(SEED);
  let asked = 0;
  let writes = 0;
  const write = async (): Promise<void> => {
    const slug = random.pick(SLUGS);
    const status = random.pick(['active', 'suspended', 'withdrawn']);
    if (random.below(3) === 0)
      return importRows(service, 'brokers', [
        brokerRow(slug, {
          description: `About ${slug}, ${writes}.`,
          foundedYear: 1990 + random.below(30),
          licenses: [licenseRow(`${slug} Ltd`, 'fca', { status })],
        }),
      ]);
    const id = await publish(slug, `writer-${writes}`);
    if (random.below(3) === 0) succeeded(await service.cli('review', 'remove', id, '--reason', 'insult'));
  };
  const keepWriting = async (): Promise<void> => {
    for (; writes * ANSWERS_OF_A_STATE < ANSWERS; writes++) {
      await until('readers get answers', 60_000, async () => asked >= writes * ANSWERS_OF_A_STATE);
      await write();
    }
  };
  const levels: Record<string, number> = {};
  const readers = Array.from({ length: READERS }, (_, at) => ({
    ...createProvenClient(service, undefined, `10.0.0.${at}`),
    pending: [] as object[],
  }));
  const read = async ({ client, readProof, pending }: (typeof readers)[number]): Promise<void> => {
    while (asked < ANSWERS) {
      const n = asked++;
      await until('the writer keeps up', 60_000, async () => n < (writes + 2) * ANSWERS_OF_A_STATE);
      const slug = random.pick(SLUGS);
      const answer =
        random.below(3) === 0 ? (await client.reviews.list({ broker: slug })).data[0] : await client.brokers.get(slug);
      const { level, why = '' } = answer ? readProof(answer) : { level: 'none' };
      expect(why, `seed ${SEED}, answer ${n}`).not.toContain('could not be asked');
      levels[level] = (levels[level] ?? 0) + 1;
      if (answer && level === 'pending') pending.push(answer);
    }
  };
  try {
    await Promise.all([keepWriting(), ...readers.map(read)]);
  } finally {
    asked = ANSWERS;
  }
  await untilAllSigned(service);
  const settle = async ({ verify, pending }: (typeof readers)[number]): Promise<void> => {
    for (const answer of pending)
      expect((await verify.settle(answer)).level, 'a checkpoint covers the answer').toMatch(/^(signed|logged)$/);
  };
  await Promise.all(readers.map(settle));
  console.info(`${writes} writes, ${JSON.stringify(levels)}`);
  expect(levels['unsigned']).toBe(undefined);
});
