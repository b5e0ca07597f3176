import type { BrokerDetail } from '@broker-transparency/contract';
import { type Db, ObjectId } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createToken, getJson, importRows, submit, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { type CliResult, runBeside } from '../support/process.ts';
import { readRecord } from '../support/record.ts';
import { brokerRow, complaintBody, reviewBody } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** Each test starts many processes, and the machine may be slow. */
const SLUGS = Array.from({ length: 100 }, (_, n) => `broker-${n}`);
const REVIEWED = SLUGS[50] as string;

let service: LocalService;

beforeAll(async () => {
  service = await startService({ LOG_LEVEL: 'error' });
  await importRows(
    service,
    'brokers',
    SLUGS.map((slug) => brokerRow(slug, { description: `${slug} trades currency pairs.` })),
  );
});
afterAll(() => service?.remove());

const detail = async (slug: string) => (await getJson(service, `/brokers/${slug}`)) as unknown as BrokerDetail;

interface Report {
  readonly compared: number;
  readonly different: readonly string[];
  readonly repaired: number;
}

const parseReport = ({ code, stdout, stderr }: CliResult): Report & { code: number } => {
  if (stdout === '') throw new Error(stderr);
  return { code, ...JSON.parse(stdout) };
};
const rebuild = async (...options: string[]) =>
  parseReport(await service.cli('admin', 'rebuild', '--json', ...options));

test('every document follows from its facts while reviews and complaints arrive', async () => {
  const [writer, complainer] = [await createToken(service, 'writer'), await createToken(service, 'complainer')];
  let going = true;
  let published = 0;
  let complaints = 0;
  const hot = SLUGS.slice(0, 3);
  const write = async (path: string, token: string, body: object): Promise<Response> => {
    const response = await submit(service, path, token, body);
    expect(response.status).toBe(201);
    return response;
  };
  const publish = async (): Promise<void> => {
    for (let index = 0; going; index++) {
      const body = reviewBody(SLUGS[index % SLUGS.length] as string, { rating: 1 + (index % 5) });
      const { id } = (await (await write('/reviews', writer, body)).json()) as { id: string };
      succeeded(await service.cli('review', 'publish', id));
      published++;
    }
  };
  const complain = async (): Promise<void> => {
    for (let index = 0; going; index++) {
      await write(
        '/complaints',
        complainer,
        complaintBody(hot[index % 3] as string, { title: `Complaint number ${index}` }),
      );
      complaints++;
    }
  };
  const writing = Promise.all([publish(), complain()]);
  try {
    for (let run = 0; run < 3; run++) {
      const { published: since } = { published };
      const beside = await runBeside(['admin', 'rebuild', '--json', '--check'], service.data);
      const { code, different, compared } = parseReport(beside);
      expect([code, different], `run ${run}`).toEqual([0, []]);
      expect(compared).toBeGreaterThan(80); // skips brokers with a dirty mark
      await until('something was published meanwhile', 10_000, async () => published > since);
    }
  } finally {
    going = false;
    await writing;
  }
  expect(published).toBeGreaterThan(3);
  expect(complaints).toBeGreaterThan(10);
  await service.settle();
  const settled = { code: 0, compared: SLUGS.length, different: [], repaired: 0 };
  expect(await rebuild('--check')).toMatchObject(settled);
});

test('a wrong document is named by --check and repaired without it', async () => {
  const slug = REVIEWED;
  const before = await detail(slug);
  const spoil = () =>
    inDatabase(service, (db) =>
      db.collection('brokers').updateOne({ _id: slug as never }, { $set: { 'ratingSummary.count': 123_456 } }),
    );
  expect((await spoil()).modifiedCount).toBe(1);

  const check = await service.cli('admin', 'rebuild', '--check');
  expect(check.code).toBe(1);
  expect(check.stdout).toMatch(
    /^100 brokers compared, 1 different\.\n\d+ counts of regulators compared, 0 different\.\nSubtotals of 100 brokers compared, 0 different\.\n\d+ entries of the record compared, 0 missing\.\n$/,
  );
  expect(check.stderr).toMatch(/^[^\n]*broker-50[^\n]*\n$/);
  const stillSpoilt = await inDatabase(service, (db) => db.collection('brokers').findOne({ _id: slug as never }));
  expect(stillSpoilt?.['ratingSummary'].count).toBe(123_456);

  const repair = await service.cli('admin', 'rebuild');
  expect(repair.code).toBe(0);
  expect(repair.stdout).toMatch(/^100 brokers compared, 1 different, 1 repaired\.\n/);
  await service.settle();
  const after = await detail(slug);
  expect(after.ratingSummary.count).toBe(before.ratingSummary.count);
  expect(after.score.value).toBe(before.score.value);
  expect(await rebuild('--check')).toMatchObject({ code: 0, compared: 100, different: [], repaired: 0 });
});

test('a month whose counter differs from its reviews is found and repaired', async () => {
  const slug = REVIEWED;
  const publish = async (author: string) =>
    succeeded(await service.cli('review', 'publish', await newReview(slug, author)));
  const { count } = (await detail(slug)).ratingSummary;
  await publish('one');
  await service.settle();
  const before = (await detail(slug)).ratingSummary;
  expect(before.count).toBe(count + 1);
  await inDatabase(service, async (db) => {
    const months = db.collection('ratingMonths');
    const month = await months.findOne({ broker: slug, count: { $gt: 0 } });
    await months.updateOne({ _id: month?._id as never }, { $inc: { count: 7, sum: 3500 } });
  });
  await publish('another'); // makes the wrong month show
  await service.settle();
  expect((await detail(slug)).ratingSummary.count).toBe(before.count + 8);
  expect((await rebuild('--check')).different).toEqual([slug]);
  expect((await rebuild()).different).toEqual([slug]);
  await service.settle();
  expect((await detail(slug)).ratingSummary.count).toBe(before.count + 1);
  expect((await rebuild('--check')).different).toEqual([]);
});

const newReview = async (slug: string, author: string): Promise<string> => {
  const token = await createToken(service, author);
  return ((await (await submit(service, '/reviews', token, reviewBody(slug))).json()) as { id: string }).id;
};

test('a wrong count of a regulator is found and repaired', async () => {
  const count = async () => ((await getJson(service, '/regulators/fca')) as { brokerCount: number }).brokerCount;
  const before = await count();
  await inDatabase(service, (db) =>
    db.collection('regulators').updateOne({ _id: 'fca' as never }, { $inc: { brokerCount: 5 } }),
  );
  const check = await service.cli('admin', 'rebuild', '--check');
  expect(check.code).toBe(1);
  expect(check.stderr).toContain('fca');
  succeeded(await service.cli('admin', 'rebuild'));
  await service.settle();
  expect(await count()).toBe(before);
});

test('wrong sums of reviews beside the record are named and repaired', async () => {
  const history = () => send(`${service.origin}/transparency/v1/brokers/${REVIEWED}/history?per=day`);
  const before = (await history()).text;
  const spoilt = await inDatabase(service, (db) =>
    db
      .collection('recordSubtotals')
      .updateOne({ _id: `broker/${REVIEWED}` as never }, { $set: { sums: '[["2026-01",90,9000,900000,90,0,0,0,0]]' } }),
  );
  expect(spoilt.modifiedCount).toBe(1);
  expect((await history()).text).not.toBe(before);
  const check = await service.cli('admin', 'rebuild', '--check');
  expect([check.code, check.stdout, check.stderr]).toEqual([
    1,
    expect.stringContaining('Subtotals of 100 brokers compared, 1 different.\n'),
    expect.stringContaining(`broker/${REVIEWED}`),
  ]);
  expect(succeeded(await service.cli('admin', 'rebuild'))).toContain(
    'Subtotals of 100 brokers compared, 1 different, 1 repaired.',
  );
  expect((await history()).text).toBe(before);
  expect((await rebuild('--check')).code).toBe(0);
});

test('a review that somebody reworded in the database is shown, and is published as a correction only if that is asked for', async () => {
  const id = await newReview(SLUGS[2] as string, 'reworded');
  succeeded(await service.cli('review', 'publish', id));
  await service.settle();
  const reword = (content: string) =>
    inDatabase(service, (db) =>
      db.collection('reviews').updateOne({ _id: new ObjectId(id) as never }, { $set: { content } }),
    );
  const last = async () => (await readRecord(service)).filter(({ key }) => key === `review/${id}`).at(-1)?.cause;
  await reword('Nobody ever wrote this text.');
  const check = await service.cli('admin', 'rebuild', '--check');
  expect([check.code, check.stdout]).toEqual([1, expect.stringContaining(`The content of review/${id} is another`)]);
  expect(check.stdout).toContain('published: "Nobody ever wrote this text."');
  const held = await service.cli('admin', 'rebuild');
  expect([held.code, held.stderr]).toEqual([1, expect.stringContaining('run admin rebuild --accept-texts')]);
  expect(await last()).toBe('fact');
  succeeded(await service.cli('admin', 'rebuild', '--accept-texts'));
  expect(await last()).toBe('correction');
  expect((await rebuild('--check')).code).toBe(0);
});

test('a text whose random bytes are missing is named, and is added anew only if that is asked for', async () => {
  const id = await newReview(SLUGS[2] as string, 'bytes');
  succeeded(await service.cli('review', 'publish', id));
  await service.settle();
  const last = async () => (await readRecord(service)).filter(({ key }) => key === `review/${id}`).at(-1)?.cause;
  await inDatabase(service, (db) => db.collection('recordTexts').deleteOne({ _id: `review/${id}` as never }));
  const check = await service.cli('admin', 'rebuild', '--check');
  expect([check.code, check.stdout]).toEqual([
    1,
    expect.stringContaining(`The content of review/${id} is missing beside the record`),
  ]);
  expect((await service.cli('admin', 'rebuild')).code).toBe(1);
  expect(await last()).toBe('fact');
  succeeded(await service.cli('admin', 'rebuild', '--accept-texts'));
  expect(await last()).toBe('correction');
  expect((await rebuild('--check')).code).toBe(0);
});

test('a description that somebody deleted in the database is named as missing', async () => {
  const slug = SLUGS[2] as string;
  await inDatabase(service, (db) =>
    db.collection('brokerProfiles').updateOne({ _id: slug as never }, { $set: { description: '' } }),
  );
  const check = await service.cli('admin', 'rebuild', '--check');
  expect([check.code, check.stdout]).toEqual([
    1,
    expect.stringContaining(`The description of broker/${slug} is missing, though its entry says that it is public.`),
  ]);
  succeeded(await service.cli('admin', 'rebuild'));
  expect((await rebuild('--check')).code).toBe(0);
});

test('a malformed tree of the log is named by its document', async () => {
  const tree = (db: Db) => db.collection('logHeads');
  const before = await inDatabase(service, (db) => tree(db).findOne({ _id: 'tree' as never }));
  await inDatabase(service, (db) => tree(db).updateOne({ _id: 'tree' as never }, { $set: { hashes: ['?'] } }));
  try {
    const check = await service.cli('admin', 'rebuild', '--check');
    expect([check.code, check.stderr]).toEqual([
      1,
      expect.stringContaining('the document "tree" of logHeads cannot be read'),
    ]);
  } finally {
    await inDatabase(service, (db) => tree(db).replaceOne({ _id: 'tree' as never }, before as never));
  }
});

test('a wrong answer is named and repaired', async () => {
  const spoilt = { brokerDetails: SLUGS[0] as string, brokerSummaries: SLUGS[1] as string };
  for (const [name, slug] of Object.entries(spoilt))
    await inDatabase(service, (db) =>
      db.collection(name).updateOne({ _id: slug as never }, { $set: { json: Buffer.from('{}') } }),
    );
  expect((await rebuild()).different.toSorted()).toEqual(Object.values(spoilt).toSorted());
  await service.settle();
  expect((await rebuild('--check')).code).toBe(0);
});

test('a missing document is found and created', async () => {
  const slug = SLUGS.at(-1) as string;
  await inDatabase(service, (db) => db.collection('brokers').deleteOne({ _id: slug as never }));
  const check = await service.cli('admin', 'rebuild', '--check');
  expect(check.code).toBe(1);
  expect(check.stderr).toContain(slug);
  expect((await rebuild()).different).toEqual([slug]);
  await service.settle();
  expect((await fetch(`${service.baseUrl}/brokers/${slug}`)).status).toBe(200);
});
