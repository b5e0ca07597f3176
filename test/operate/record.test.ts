import { createHash } from 'node:crypto';
import { BSON } from 'mongodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { storyDay } from '../support/calendar.ts';
import { inDatabase } from '../support/database.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { createToken, post, succeeded } from '../support/filled-service.ts';
import { runCli } from '../support/process.ts';
import { readAdded, readRecord, readTexts, type StoredEntry, untilLogged } from '../support/record.ts';
import { brokerRow, complaintBody, licenseRow, newsRow, regulatorRow, reviewBody } from '../support/records.ts';
import { moderate } from '../support/reviewers.ts';
import { type LocalService, startService } from '../support/service.ts';

/** Each command runs in its own process. */
let service: LocalService;
let scratch: Scratch;
beforeAll(async () => {
  [service, scratch] = await Promise.all([startService({ LOG_LEVEL: 'error' }), createScratch()]);
});
afterAll(() => Promise.all([service?.remove(), scratch?.remove()]));

const cli = async (...args: string[]): Promise<string> => succeeded(await service.cli(...args));
const bring = async (kind: string, rows: readonly unknown[], ...options: string[]): Promise<string> =>
  JSON.parse(await cli('import', kind, await scratch.ndjson(`${kind}.ndjson`, rows), '--json', ...options)).run;
const brief = (entries: readonly StoredEntry[]) => entries.map(({ key, cause }) => `${cause} ${key}`).sort();

describe('an import', () => {
  test('writes one entry for each key that it changes, and none when it is repeated', async () => {
    const rows = [brokerRow('once'), brokerRow('twice', { licenses: [], description: 'Two sisters founded it.' })];
    const import_ = () => bring('brokers', rows, '--valid-from', '2026-01-02');
    const added = await readAdded(service, import_);
    expect(brief(added)).toEqual(['fact broker/once', 'fact broker/twice', 'fact license/once/fca/REF-fca']);
    for (const { validFrom, sequence } of added) expect([validFrom, sequence]).toEqual(['2026-01-02T00:00:00.000Z', 0]);
    expect(await readAdded(service, import_)).toEqual([]);
  });

  test('writes what it changes, and nothing of what somebody only looked at again', async () => {
    const license = (over: Record<string, unknown>) => ({ licenses: [licenseRow('looked Ltd', 'fca', over)] });
    await bring('brokers', [brokerRow('looked', license({}))]);
    const again = brokerRow('looked', {
      ...license({ lastVerifiedAt: '2026-11-02T00:00:00Z' }),
      licensesCheckedAt: '2026-11-02T00:00:00Z',
    });
    expect(await readAdded(service, () => bring('brokers', [again]))).toEqual([]);
    expect(brief(await readAdded(service, () => bring('brokers', [{ slug: 'looked', name: 'Seen' }])))).toEqual([
      'fact broker/looked',
    ]);
    const gone = { slug: 'looked', licenses: [] };
    const [removed, ...others] = await readAdded(service, () => bring('brokers', [gone]));
    expect([removed, others]).toMatchObject([{ key: 'license/looked/fca/REF-fca', value: null, sequence: 1 }, []]);
  });

  test('says since when a licence has its status, and of any other change only what the import says', async () => {
    const license = (over: Record<string, unknown>) =>
      brokerRow('since', {
        licenses: [licenseRow('since Ltd', 'fca', { statusEffectiveAt: '2020-05-06T00:00:00Z', ...over })],
      });
    const since = async (row: object, ...options: string[]) =>
      (await readAdded(service, () => bring('brokers', [row], ...options)))
        .filter(({ kind }) => kind === 'license')
        .map(({ validFrom }) => validFrom);
    expect(await since(license({}))).toEqual(['2020-05-06T00:00:00.000Z']);
    expect(await since(license({ permissions: ['FX'] }))).toEqual([undefined]);
    expect(await since(license({ permissions: [] }), '--valid-from', '2026-02-03')).toEqual([
      '2026-02-03T00:00:00.000Z',
    ]);
    const withdrawn = { status: 'withdrawn', statusEffectiveAt: '2026-03-05T00:00:00Z' };
    expect(await since(license(withdrawn))).toEqual(['2026-03-05T00:00:00.000Z']);
  });

  test('undoing an import adds one entry for each key, with what was published before', async () => {
    await bring('regulators', [regulatorRow('zz-undo', { tier: 2 })]);
    await bring('news', [newsRow(1)]);
    await bring('brokers', [brokerRow('undone')]);
    const said = new Map((await readRecord(service)).map(({ key, value }) => [key, value]));
    const runs = [
      await bring('regulators', [regulatorRow('zz-undo', { tier: 1 })]),
      await bring('news', [newsRow(1, { category: 'warning' }), newsRow(2)]),
      await bring('brokers', [brokerRow('undone', { name: 'Another' }), brokerRow('fresh')]),
    ];
    const added = await readAdded(service, async () => {
      for (const run of runs.reverse()) await cli('import', 'undo', run, '--yes', run);
    });
    expect(brief(added)).toEqual([
      'undo broker/fresh',
      'undo broker/undone',
      'undo license/fresh/fca/REF-fca',
      expect.stringMatching(/^undo news\//),
      expect.stringMatching(/^undo news\//),
      'undo regulator/zz-undo',
    ]);
    // a text that is public again has new random bytes
    const withoutTexts = (value: StoredEntry['value'] | undefined) => value && { ...value, texts: null };
    for (const { key, value, validFrom } of added) {
      expect(validFrom, key).toBeUndefined();
      expect(withoutTexts(value)).toEqual(withoutTexts(said.get(key)) ?? null);
    }
    expect(await cli('admin', 'rebuild', '--check')).toContain('0 missing');
  });
});

/** Everything that the database has, as text: bytes that somebody could find in its files. */
const everything = (): Promise<Map<string, string>> =>
  inDatabase(service, async (db) => {
    const found = new Map<string, string>();
    for (const { name } of await db.listCollections().toArray()) {
      const documents = await db.collection(name).find().toArray();
      found.set(name, documents.map((one) => Buffer.from(BSON.serialize(one)).toString('latin1')).join('\n'));
    }
    return found;
  });
const findCollections = async (needle: string): Promise<string[]> =>
  [...(await everything())].filter(([, text]) => text.includes(needle)).map(([name]) => name);

test('a review that is published, answered, removed and erased leaves its id, rating and month, and no text of it', async () => {
  const MARK = 'Xylographer';
  await bring('brokers', [brokerRow('reviewed')]);
  const submit = async (subject: string, text: string) => {
    const token = await createToken(service, subject);
    const body = reviewBody('reviewed', {
      title: `${text} writes`,
      content: `${text} withdrew twice, within two days.`,
    });
    const created = (await (await post(service, '/reviews', token, body)).json()) as { id: string };
    return created.id;
  };
  const [id, other] = [await submit('erased-author', MARK), await submit('kept-author', 'Bystander')];
  const key = `review/${id}`;
  expect((await readRecord(service)).map((entry) => entry.key)).not.toContain(key);

  const added = await readAdded(service, async () => {
    for (const one of [id, other]) await moderate(service, 'publish', one);
    await cli('review', 'reply', id, '--content', `Dear ${MARK}, we paid.`);
  });
  const [published, answered] = added.filter((entry) => entry.key === key);
  const value = { broker: 'reviewed', rating: 4.25, month: new Date().toISOString().slice(0, 7), state: 'published' };
  expect(published?.value).toEqual({ ...value, texts: expect.anything() });
  const texts = await readTexts(service, key);
  expect(texts.map(({ field }) => field)).toEqual(['author', 'content', 'reply', 'title']);
  const commitments = texts.map(({ field, salt, text }) => {
    expect(Buffer.from(salt, 'base64')).toHaveLength(32);
    const bytes = Buffer.concat([Buffer.from(salt, 'base64'), Buffer.from(text)]);
    return [field, createHash('sha256').update(bytes).digest('base64')];
  });
  expect(answered?.value).toEqual({ ...value, texts: Object.fromEntries(commitments) });
  // texts that did not change keep their commitments
  const { reply, ...first } = Object.fromEntries(commitments);
  expect([typeof reply, published?.value?.['texts']]).toEqual(['string', first]);

  const [removed] = await readAdded(service, () => moderate(service, 'remove', id));
  expect(removed).toMatchObject({ key, cause: 'fact', value: { ...value, state: 'removed' } });
  expect(await readTexts(service, key)).toEqual([]);
  expect(await findCollections(MARK)).toEqual(['reviews']);

  const ended = await readAdded(service, () =>
    cli('account', 'erase', 'erased-author', '--yes', 'erased-author', '--reason', 'requested'),
  );
  const [statement, erased] = ['statement/', key].map((start) => ended.find((entry) => entry.key.startsWith(start)));
  expect([ended.length, statement?.cause, statement?.value]).toEqual([2, 'erasure', null]);
  expect(erased).toMatchObject({ key, cause: 'erasure' });
  expect(erased?.value).toEqual({ ...value, state: 'erased' });
  expect(await findCollections(MARK)).toEqual([]);
  for (const { salt } of texts) expect(await findCollections(salt)).toEqual([]);
  const kept = await readTexts(service, `review/${other}`);
  expect(kept.map(({ field }) => field)).toEqual(['author', 'content', 'title']);
  for (const { salt } of kept) expect(await findCollections(salt)).toEqual(['recordTexts']);
  expect(await cli('admin', 'rebuild', '--check')).toContain('0 missing');
});

describe('with days that pass', () => {
  /** A service whose record begins on 2 November 2026 at noon. */
  let past: LocalService;
  const DATES = ['2026-11-03', '2026-11-04', '2026-11-05', '2026-11-06'];
  const createClock = (date: string) => ({ CLOCK: storyDay(date).clock });
  const on = async (date: string, ...args: string[]) => past.cliWith(createClock(date), ...args);
  const runDay = async (date: string): Promise<StoredEntry[]> =>
    readAdded(past, async () => succeeded(await on(date, 'admin', 'job', 'run', 'record-day')));
  const LAST = DATES.at(-1) as string;

  beforeEach(async () => {
    past = await startService({ LOG_LEVEL: 'error', ...createClock('2026-11-02') });
    const rows = ['early', 'later'].map((slug) => brokerRow(slug));
    succeeded(await past.cli('import', 'brokers', await scratch.ndjson('past.ndjson', rows)));
    succeeded(await past.cli('import', 'news', await scratch.ndjson('past-news.ndjson', [newsRow(1), newsRow(2)])));
    await readRecord(past);
  });
  afterEach(() => past?.remove());

  test('the first day is the one after the first entries, missed ones follow in order, and none is written twice', async () => {
    expect(await runDay('2026-11-02')).toEqual([]);
    const [first, ...none] = await runDay(DATES[0] as string);
    expect(none).toEqual([]);
    expect(first).toMatchObject({
      key: 'day/2026-11-03',
      cause: 'day',
      validFrom: '2026-11-03T00:00:00.000Z',
      value: { date: '2026-11-03', through: first?.number, count: 2 },
    });
    const missed = await runDay(LAST);
    expect(missed.map(({ key }) => key)).toEqual(DATES.slice(1).map((date) => `day/${date}`));
    for (const { value } of missed) expect(value).toMatchObject({ through: missed[0]?.number, count: 2 });
    expect(await runDay(LAST)).toEqual([]);

    const next = '2026-11-07';
    const both = await readAdded(past, () =>
      Promise.all(
        [1, 2].map(() => runCli(['admin', 'job', 'run', 'record-day'], { ...past.data, ...createClock(next) })),
      ),
    );
    expect(both.map(({ key }) => key)).toEqual([`day/${next}`]);
    expect(succeeded(await on(next, 'admin', 'rebuild', '--check'))).toMatch(/ 0 missing\.\n$/);
  });

  test('complaints about a merged broker are in the counts of its successor, until both are apart again', async () => {
    const token = await createToken(past, 'complainer');
    expect((await post(past, '/complaints', token, complaintBody('early'))).status).toBe(201);
    const review = await (await post(past, '/reviews', token, reviewBody('early', { rating: 1 }))).json();
    await moderate(past, 'publish', (review as { id: string }).id);
    const listCounts = async (date: string): Promise<unknown[]> =>
      (await runDay(date))
        .filter(({ kind }) => kind === 'complaints')
        .map(({ key, validFrom, value }) => [
          key,
          validFrom,
          (value?.['summary'] as { open: number } | undefined)?.open,
        ])
        .sort();
    const since = (date: string) => `${date}T00:00:00.000Z`;
    expect(await listCounts('2026-11-03')).toEqual([['complaints/early', since('2026-11-03'), 1]]);
    succeeded(await past.cli('broker', 'merge', 'early', '--into', 'later'));
    expect(await listCounts('2026-11-04')).toEqual([
      ['complaints/early', since('2026-11-04'), undefined],
      ['complaints/later', since('2026-11-04'), 1],
    ]);
    succeeded(await past.cli('broker', 'split', 'early'));
    expect(await listCounts('2026-11-05')).toEqual([
      ['complaints/early', since('2026-11-05'), 1],
      ['complaints/later', since('2026-11-05'), 0],
    ]);
    expect(await listCounts('2026-11-06')).toEqual([]);
    // the review counts for the successor on one of these days only
    expect((await on('2026-11-06', 'admin', 'rebuild', '--check')).stdout).not.toContain('broken');
  });

  test('a check names facts that somebody wrote to the database; they become corrections in the record, texts once an operator accepts them', async () => {
    const [removed, changed] = await inDatabase(past, async (db) => {
      await untilLogged(db); // it would stop before entries whose facts are edited
      const [one, other] = await db.collection('news').find().sort({ _id: 1 }).toArray();
      await db.collection('news').deleteOne({ _id: one?._id as never });
      await db.collection('news').updateOne({ _id: other?._id as never }, { $set: { title: 'As somebody wrote it' } });
      return [one, other].map((item) => `news/${item?._id}`);
    });
    const keys = [removed, changed].sort();
    const check = await on(LAST, 'admin', 'rebuild', '--check');
    expect(check.code).toBe(1);
    expect(check.stdout).toContain(' 2 missing.');
    for (const key of keys) expect(check.stderr).toContain(key);
    const corrections = (await runDay(LAST)).filter(({ cause }) => cause === 'correction');
    expect(corrections.map(({ key, value }) => [key, value])).toEqual([[removed, null]]);
    expect(await readTexts(past, removed as string)).toEqual([]);
    expect((await readTexts(past, changed as string)).map(({ text }) => text)).not.toContain('As somebody wrote it');
    succeeded(await on(LAST, 'admin', 'rebuild', '--accept-texts'));
    expect((await readTexts(past, changed as string)).map(({ text }) => text)).toContain('As somebody wrote it');
    expect(succeeded(await on(LAST, 'admin', 'rebuild', '--check'))).toContain(' 0 missing.');
  });

  test('a check names a missing entry and a day with changed scores, which nothing can repair', async () => {
    await runDay(LAST);
    const spoilt = async (spoil: (number: number) => Promise<unknown>, entry: StoredEntry, says: string) => {
      const { stored } = await inDatabase(past, async (db) => ({
        stored: await db.collection('recordEntries').findOne({ number: entry.number }),
      }));
      await spoil(entry.number);
      for (const options of [['--check'], []]) {
        const { code, stdout, stderr } = await on(LAST, 'admin', 'rebuild', ...options);
        expect([code, stdout, stderr]).toEqual([1, expect.stringContaining(says), expect.stringContaining(says)]);
      }
      await inDatabase(past, (db) =>
        db.collection('recordEntries').replaceOne({ _id: stored?._id as never }, stored as object, { upsert: true }),
      );
    };
    await inDatabase(past, untilLogged); // what is spoilt must not get into the tree of the log
    const all = await readRecord(past);
    const [someDay, license] = ['day', 'license'].map(
      (kind) => all.find((entry) => entry.kind === kind) as StoredEntry,
    );
    const entries = <T>(work: (collection: import('mongodb').Collection) => Promise<T>) =>
      inDatabase(past, (db) => work(db.collection('recordEntries')));

    const root = createHash('sha256').update('another').digest('base64');
    await spoilt(
      (number) =>
        entries((rows) => rows.updateOne({ number }, { $set: { value: JSON.stringify({ ...someDay?.value, root }) } })),
      someDay as StoredEntry,
      `the root of ${someDay?.value?.['date']} does not follow from the entries before it`,
    );
    await spoilt(
      (number) => entries((rows) => rows.deleteOne({ number })),
      someDay as StoredEntry,
      `number ${someDay?.number} is missing`,
    );
    await spoilt(
      (number) => entries((rows) => rows.updateOne({ number }, { $set: { time: '2026-10-01T00:00:00.000Z' } })),
      license as StoredEntry,
      `number ${license?.number} is missing, or cannot follow the one before`,
    );
    expect((await on(LAST, 'admin', 'rebuild', '--check')).code).toBe(0);
  });
});
