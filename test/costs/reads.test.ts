import { TRANSPARENCY_BASE_PATH } from '@broker-transparency/contract';
import type { Db, Document } from 'mongodb';
import { ObjectId } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { type AsCustomer, grantCustomer } from '../support/enterprise.ts';
import { createToken, importRows } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { getCollection, profileWork } from '../support/queries.ts';
import { createOwnChange } from '../support/record.ts';
import { brokerRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { listRequests } from './requests.ts';

/** Numbers of reviews of two brokers: over 150 days, the first one has a review a day. */
const REVIEWS = { few: 150, many: 3000 } as const;
type Slug = keyof typeof REVIEWS;

let service: LocalService;
let customer: AsCustomer;
let token: string;
/** The number of a review in the middle, and the times of reviews there, of each broker. */
const middle = {} as Record<Slug, { number: number; time: string }>;
/** Keys of the first fifty reviews of each broker, joined by commas. */
const keys = {} as Record<Slug, string>;

/** Adds reviews with numbers to the record, as the service would over 150 days. */
const addReviews = async (db: Db, slug: Slug): Promise<void> => {
  const heads = db.collection('recordHeads');
  const head = (await heads.findOne()) as Document;
  const count = REVIEWS[slug];
  const rows = Array.from({ length: count }, (_, n) => {
    const time = new Date(Date.parse(head['time']) + (n * 150 * 86_400_000) / count).toISOString();
    const month = new Date(Date.UTC(2020, n % 80, 1)).toISOString().slice(0, 7);
    const texts = { content: 'x'.repeat(44), author: 'x'.repeat(44), title: 'x'.repeat(44) };
    const value = JSON.stringify({ broker: slug, month, rating: 1 + (n % 17) / 4, state: 'published', texts });
    const key = `review/${new ObjectId()}`;
    return {
      ...createOwnChange(),
      key,
      sequence: 0,
      subject: `broker/${slug}`,
      kind: 'review',
      cause: 'fact',
      value,
      number: head['next'] + n,
      time,
    };
  });
  await db.collection('recordEntries').insertMany(rows);
  const { number, time } = rows[count / 2] as (typeof rows)[number];
  middle[slug] = { number, time };
  keys[slug] = rows
    .slice(0, 50)
    .map(({ key }) => key)
    .join();
  await heads.updateOne({}, { $set: { next: head['next'] + count, time: rows.at(-1)?.time } });
};

beforeAll(async () => {
  service = await startService({ LOG_LEVEL: 'error' });
  await importRows(
    service,
    'brokers',
    Object.keys(REVIEWS).map((slug) => brokerRow(slug)),
  );
  customer = await grantCustomer(service, 'bank', 'regulator');
  token = await createToken(service, 'alice');
  await service.settle();
  await inDatabase(service, async (db) => {
    await addReviews(db, 'few');
    await addReviews(db, 'many');
  });
  await service.settle();
});
afterAll(() => service?.remove());

const RECORD = ['recordEntries', 'recordSubtotals', 'recordDays', 'recordTexts'];

type Ask = () => Promise<{ readonly status: number; readonly text: string }>;

/** Documents that the database reads for a request, index keys that it looks at, and bytes that it sends. */
const measureCost = (ask: Ask, isCounted = (collection: string) => RECORD.includes(collection)) =>
  inDatabase(service, async (db) => {
    let answer = { status: 0, text: '' };
    const commands = await profileWork(db, async () => {
      answer = await ask();
    });
    const read = commands.filter((command) => isCounted(getCollection(command)));
    const sum = (field: string) => read.reduce((all, command) => all + (command[field] ?? 0), 0);
    return { ...answer, documents: sum('docsExamined'), keys: sum('keysExamined'), bytes: sum('responseLength') };
  });

const open = (path: string) => send(`${service.origin}${TRANSPARENCY_BASE_PATH}/brokers/${path}`);
const page = (path: string) => send(`${service.origin}/brokers/${path}`);

/** Every read of a broker's record. */
const READS: Readonly<Record<string, (slug: Slug) => ReturnType<AsCustomer>>> = {
  'the first steps': (slug) => open(`${slug}/history?limit=100`),
  'steps in the middle': (slug) => open(`${slug}/history?limit=50&from=${middle[slug].number}`),
  'the last steps': (slug) => open(`${slug}/history?limit=50&before=999999999`),
  'the first days': (slug) => open(`${slug}/history?per=day&limit=100`),
  'the last days': (slug) => open(`${slug}/history?per=day&limit=100&before=999999999`),
  'the last months': (slug) => open(`${slug}/history?per=month&limit=100&before=999999999`),
  now: (slug) => open(`${slug}/at`),
  'what was known in the middle': (slug) => open(`${slug}/at?knownAt=${middle[slug].number}`),
  'another time': (slug) => open(`${slug}/at?validAt=${middle[slug].time}`),
  'the entries of fifty reviews': (slug) =>
    send(`${service.origin}${TRANSPARENCY_BASE_PATH}/entries?keys=${keys[slug]}&knownAt=${middle[slug].number}`),
  'a proof of a review': (slug) => open(`${slug}/proof?number=${middle[slug].number}`),
  'a proof of the last day': (slug) => open(`${slug}/proof`),
  'the page of the history': (slug) => page(`${slug}/history`),
  'the page of a part': (slug) => page(`${slug}/history?before=${middle[slug].number}`),
  'the page of a broker': (slug) => page(slug),
  'a broker, for customers': (slug) => customer(`/brokers/${slug}`),
  'changes, for customers': (slug) => customer(`/brokers/${slug}/timeline?from=${middle[slug].number}&limit=15`),
  'a publication, for customers': (slug) => customer(`/brokers/${slug}/publication`),
  'a list, for customers': (slug) => customer(`/brokers?limit=1${slug === 'few' ? '' : '&cursor=few'}`),
};

test.each(Object.keys(READS))('%s reads as much of the record for twenty times as many reviews', async (name) => {
  const read = READS[name] as (typeof READS)[string];
  const [few, many] = [await measureCost(() => read('few')), await measureCost(() => read('many'))];
  expect([few.status, many.status], many.text.slice(0, 300)).toEqual([few.status, few.status]);
  expect([200, 404]).toContain(many.status);
  // reviews that were written since the last subtotal
  expect(many.documents).toBeLessThanOrEqual(few.documents + 128);
  expect(many.keys).toBeLessThanOrEqual(few.keys + 128);
  expect(many.bytes).toBeLessThanOrEqual(2 * few.bytes + 128 * 600);
  expect(many.documents).toBeLessThan(700);
  expect(many.bytes).toBeLessThan(1_000_000);
});

/**
 * Most documents that the database reads for any request, and most bytes that it sends: a page of the feed has 1000
 * entries.
 */
const [MOST_DOCUMENTS, MOST_BYTES] = [1100, 1_500_000];

describe.each(['few', 'many'] as const)('with %s reviews', (slug) => {
  test.each(listRequests({ slug, prober: 'none', date: '2026-01-01' }).map((asked) => [asked.name, asked] as const))(
    '%s reads a bounded part of the database',
    async (_, { caller, method, target, body, headers = {} }) => {
      const ask: Ask = () => {
        if (caller === 'organisation') return customer(target.replace('/enterprise/v1', ''), { method, body, headers });
        return send(`${service.origin}${target}`, {
          method,
          body,
          headers,
          token: caller === 'account' ? token : undefined,
        });
      };
      const { status, text, documents, bytes } = await measureCost(ask, () => true);
      expect([401, 403, 429, 503], text.slice(0, 300)).not.toContain(status);
      expect(status, text.slice(0, 300)).not.toBe(500);
      expect(documents).toBeLessThanOrEqual(MOST_DOCUMENTS);
      expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
    },
  );
});
