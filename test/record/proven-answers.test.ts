import { type BrokerDetail, createClient, type Review } from '@broker-transparency/client';
import { type AnswerProof, ContradictionError, verifier } from '@broker-transparency/client/verify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startServiceWithDemoData } from '../support/demo-service.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import type { LocalService } from '../support/service.ts';
import { createPolicy, newLogKey, untilAllSigned } from '../support/signed-log.ts';
import { changeField, createMeter, createRandom, createTamperingFetch, formatPlace, listPlaces } from './proving.ts';

/** `PROVEN_SEED` changes them otherwise. */
const SEED = Number(process.env['PROVEN_SEED'] ?? 20_261_128);
/** `PROVEN_TAMPERINGS` changes more answers. */
const TAMPERINGS = Number(process.env['PROVEN_TAMPERINGS'] ?? 80);

/** The demo set is loaded once, with its history of months. */
vi.setConfig({ testTimeout: 600_000 + 1_000 * TAMPERINGS, hookTimeout: 600_000 });

let scratch: Scratch;
let service: LocalService;
let policy: string;

beforeAll(async () => {
  scratch = await createScratch();
  const key = await newLogKey(scratch, 'log.key');
  service = await startServiceWithDemoData({ LOG_KEY: key.file, PUBLIC_RATE_LIMIT: '1000000' });
  policy = createPolicy(key);
  await untilAllSigned(service);
});
afterAll(async () => {
  await service?.remove();
  await scratch?.remove();
});

const wait = async (): Promise<void> => {};

const createProvenClient = (fetch: Parameters<typeof createClient>[0]['fetch']) => {
  const verify = verifier(policy, { wait });
  const client = createClient({ baseUrl: service.origin, verify, fetch, store: false });
  const readProof = (answer: object) => verify.readProof(answer) as AnswerProof;
  return { client, readProof };
};

test('the log shows honest answers, at the cost in requests and bytes that the page of the client states', async () => {
  const { counted, fetch } = createMeter();
  const { client, readProof } = createProvenClient(fetch);
  const list = await client.brokers.list({ limit: 25 });
  expect(counted.requests, 'answers that the record does not prove cost nothing').toBe(0);
  for (const one of [list, ...list.data, ...(await client.news.list()).data])
    expect(readProof(one)).toMatchObject({ level: 'unsigned', entries: [], growth: 'process' });
  for (const { slug } of list.data) {
    const before = { ...counted };
    const broker = await client.brokers.get(slug);
    const { level, entries, checkpoint, unproven } = readProof(broker);
    expect([slug, level]).toEqual([slug, 'logged']);
    expect(entries.map(({ key }) => key)).toEqual(
      expect.arrayContaining([...broker.recentReviews.map(({ id }) => `review/${id}`), 'methodology/2026-1']),
    );
    expect(checkpoint?.size).toBeGreaterThan(Math.max(...entries.map(({ number }) => number)));
    expect(unproven).toContain('licensesCheckedAt');
    expect(counted.requests - before.requests, slug).toBe(3);
    expect(counted.bytes - before.bytes, slug).toBeLessThan(70_000);
  }
  const before = { ...counted };
  const reviews = await client.reviews.list({ broker: 'alpha-markets', limit: 20 });
  for (const review of reviews.data)
    expect(readProof(review)).toMatchObject({ level: 'logged', entries: [{ key: `review/${review.id}` }] });
  expect(readProof(reviews).level, 'nothing shows that the list is whole').toBe('unsigned');
  expect(counted.requests - before.requests).toBe(2);
  expect(counted.bytes - before.bytes).toBeLessThan(40_000);
});

/** Returns the paths that an error or a proof names, without the positions in lists. */
const dropPositions = (paths: readonly string[]): string[] => paths.map((path) => path.replaceAll(/\[\d+\]/g, '[]'));

/** A tampered time of a computation is found by the time that repeats it. */
const REPEATED: Readonly<Record<string, string>> = { 'score.computedAt': 'updatedAt' };

test(`${TAMPERINGS} tampered fields of brokers and reviews are each named: as a contradiction, or as not proven`, async () => {
  const random = createRandom(SEED);
  let change: (answer: unknown) => unknown = (answer) => answer;
  const { client, readProof } = createProvenClient(createTamperingFetch(() => change));
  const { data: brokers } = await client.brokers.list({ limit: 100 });
  const choose = (from: typeof brokers) =>
    Array.from({ length: 12 }, () => random.pick(from).slug).concat('alpha-markets');
  const asked = choose(brokers);
  const reviewed = choose(brokers.filter(({ ratingSummary }) => ratingSummary.count > 0));
  const found = { contradicted: 0, unproven: 0 };
  const fields = new Set<string>();
  for (let n = 0; n < TAMPERINGS; n++) {
    const isList = random.below(4) === 0;
    const slug = random.pick(isList ? reviewed : asked);
    let place = '';
    change = (answer) => {
      const places = listPlaces(answer).filter(([first]) => !isList || first === 'data');
      const fieldNames = [...new Set(places.map(formatPlace))];
      const name = random.pick(fieldNames);
      const path = random.pick(places.filter((one) => formatPlace(one) === name));
      place = formatPlace(path);
      return changeField(answer, path, random);
    };
    const says = () => `seed ${SEED}, tampering ${n} of ${isList ? 'reviews of ' : ''}${slug}: ${place}`;
    const call: Promise<BrokerDetail | { readonly data: readonly Review[] }> = isList
      ? Promise.resolve(client.reviews.list({ broker: slug, limit: 5 }))
      : Promise.resolve(client.brokers.get(slug));
    const result = await call.catch((error: unknown) => error);
    fields.add(place);
    if (result instanceof ContradictionError) {
      const named = dropPositions(result.differences.map(({ path }) => path));
      // a list of texts is named as a whole
      const holds = (path: string) => [path, `${path}[]`].includes(place) || place.startsWith(`${path}.`);
      const isNamed = named.some((path) => holds(path) || path === REPEATED[place]);
      expect([says(), isNamed || named]).toEqual([says(), true]);
      found.contradicted++;
      continue;
    }
    if (result instanceof Error) throw new Error(says(), { cause: result });
    const about = isList ? (result as { readonly data: readonly Review[] }).data : [result as BrokerDetail];
    const named = about.flatMap((one) => dropPositions(readProof(one).unproven));
    const own = place.replace(/^data\[\]\./, '');
    // a proof names the fields of an object, also where an answer has none
    const isOwn = (path: string) => own.startsWith(path) || path.startsWith(`${own}.`);
    expect([says(), named.some(isOwn) || named]).toEqual([says(), true]);
    found.unproven++;
  }
  console.info(`${found.contradicted} contradicted, ${found.unproven} not proven, of ${fields.size} fields`);
  expect(found.contradicted).toBeGreaterThan(TAMPERINGS / 2);
  expect(fields.size).toBeGreaterThan(Math.min(70, TAMPERINGS / 10));
});

test('the answer about another broker is refused, also by the calls that return errors', async () => {
  const other = await createClient({ baseUrl: service.origin })
    .brokers.get('beta-brokers')
    .catch(() => undefined);
  const { client } = createProvenClient(createTamperingFetch(() => () => other ?? { slug: 'beta-brokers' }));
  const { error } = await client.safe.brokers.get('alpha-markets');
  expect(error).toBeInstanceOf(ContradictionError);
  expect((error as ContradictionError).differences).toMatchObject([{ path: 'slug', log: 'alpha-markets' }]);
});
