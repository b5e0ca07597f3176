import { createClient } from '@broker-transparency/client';
import { record as recordFamily } from '@broker-transparency/client/record';
import { verifyProof } from '@broker-transparency/client/verify';
import {
  BrokerAt,
  type BrokerDetail,
  BrokerHistory,
  BrokerProof,
  TRANSPARENCY_BASE_PATH,
} from '@broker-transparency/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import type { Scratch } from '../support/files.ts';
import { createToken, getJson, post, succeeded } from '../support/filled-service.ts';
import { type HttpResponse, send } from '../support/http.ts';
import { expectProblem } from '../support/problem.ts';
import { runBeside, type Settings } from '../support/process.ts';
import { brokerRow, complaintBody, licenseRow } from '../support/records.ts';
import { moderate, publishReviews, verifiedPeople } from '../support/reviewers.ts';
import { type LocalService, startService } from '../support/service.ts';
import { dropSharedDatabase, newSharedDatabase } from '../support/shared-database.ts';
import {
  createPolicy,
  newLogKey,
  ORIGIN,
  readLogState,
  readSecret,
  startLogService,
  type TestKey,
  untilAllSigned,
} from '../support/signed-log.ts';

let scratch: Scratch;
/** Of a log that only the service in "a proof" signs. */
let key: TestKey;
let service: LocalService;
let remove: (() => Promise<void>) | undefined;
beforeAll(async () => {
  ({ scratch, key, service, remove } = await startLogService({ LOG_LEVEL: 'error', LOG_KEY: undefined }));
});
afterAll(() => remove?.());

/** Imports one row and returns the run, by which it can be taken back. */
const bring = async (row: Record<string, unknown>, ...options: string[]): Promise<string> => {
  const file = await scratch.ndjson('row.ndjson', [row]);
  const report = succeeded(await service.cli('import', 'brokers', file, '--json', ...options));
  return (JSON.parse(report) as { run: string }).run;
};

const ask = (slug: string, what: string, of = service): Promise<HttpResponse> =>
  send(`${of.origin}${TRANSPARENCY_BASE_PATH}/brokers/${slug}/${what}`);

/** A good answer, which has the shape of the contract. */
const good = async (slug: string, what: string, of = service): Promise<unknown> => {
  const answer = await ask(slug, what, of);
  expect(answer.status, answer.text.slice(0, 500)).toBe(200);
  expect(answer.headers['cache-control']).toBe('no-store');
  return answer.json();
};
const at = async (slug: string, query = ''): Promise<BrokerAt> => BrokerAt.parse(await good(slug, `at${query}`));
const history = async (slug: string, query = ''): Promise<BrokerHistory> =>
  BrokerHistory.parse(await good(slug, `history${query}`));

/** Steps of a history of one kind, with the last one. */
const readSteps = async (slug: string, kind: string) =>
  (await history(slug, '?limit=100')).data.filter((step) => step.kind === kind);

/** The status of the only licence among facts. */
const findLicenseStatus = ({ facts }: BrokerAt) => {
  const [license, ...others] = facts.filter(({ kind }) => kind === 'license');
  expect(others).toEqual([]);
  return (license?.value as { holders: { status: string }[] } | undefined)?.holders[0]?.status;
};

const withStatus = (slug: string, status: string) =>
  brokerRow(slug, { licenses: [licenseRow(`${slug} Ltd`, 'fca', { status })] });

describe('what was known of a broker at one time about another', () => {
  const slug = 'alpha';
  /** Numbers of the entries about its licence: the first, the fact, its correction and the undo. */
  let numbers: number[];
  let times: string[];
  beforeAll(async () => {
    await bring(withStatus(slug, 'active'), '--valid-from', '2026-01-10');
    await bring(withStatus(slug, 'withdrawn'), '--valid-from', '2026-03-05');
    const run = await bring(withStatus(slug, 'restricted'), '--valid-from', '2026-03-15');
    succeeded(await service.cli('import', 'undo', run, '--yes', run));
    await service.settle();
    const steps = await readSteps(slug, 'license');
    numbers = steps.map(({ number }) => number);
    times = steps.map(({ time }) => time);
    expect(steps.map(({ cause }) => cause)).toEqual(['fact', 'fact', 'fact', 'undo']);
    expect(steps.map(({ validFrom }) => validFrom)).toEqual([
      '2026-01-10T00:00:00.000Z',
      '2026-03-05T00:00:00.000Z',
      '2026-03-15T00:00:00.000Z',
      undefined,
    ]);
  });

  /** As in the worked example of docs/record.md. */
  const EXAMPLE = [
    [0, '2026-03-10', 'active', 'nobody knew better'],
    [1, '2026-03-10', 'withdrawn', 'the fact holds from 5 March'],
    [1, '2026-03-05', 'withdrawn', 'the beginning belongs to it'],
    [1, '2026-03-01', 'active', 'the fact does not hold yet'],
    [2, '2026-03-10', 'withdrawn', 'the correction says nothing about these days'],
    [2, '2026-03-20', 'restricted', 'the correction has the highest number'],
    [2, '2026-03-04', 'active', 'neither fact nor correction holds'],
    [3, '2026-03-20', 'restricted', 'the undo holds from its own time'],
  ] as const;

  test.each(EXAMPLE)('the licence that was known after step %i about %s is %s: %s', async (step, day, status) => {
    const answer = await at(slug, `?knownAt=${numbers[step]}&validAt=${day}T00:00:00Z`);
    expect(findLicenseStatus(answer)).toBe(status);
    expect(answer).toMatchObject({ slug, knownAt: numbers[step], validAt: `${day}T00:00:00.000Z` });
  });

  test('an undo counts from its own time on, that time included', async () => {
    const answer = await at(slug, `?knownAt=${numbers[3]}&validAt=${times[3]}`);
    expect(findLicenseStatus(answer)).toBe('withdrawn');
    const before = new Date(Date.parse(times[3] as string) - 1).toISOString();
    expect(findLicenseStatus(await at(slug, `?knownAt=${numbers[3]}&validAt=${before}`))).toBe('restricted');
  });

  test('a knownAt that is a time stands for the last entry numbered until then', async () => {
    for (const [step, status] of [
      [1, 'withdrawn'],
      [2, 'restricted'],
    ] as const) {
      const answer = await at(slug, `?knownAt=${times[step]}&validAt=2026-03-20T00:00:00Z`);
      expect(findLicenseStatus(answer)).toBe(status);
      expect(answer.knownAt).toBeGreaterThanOrEqual(numbers[step] as number);
      expect(answer.knownAt).toBeLessThan(numbers[step + 1] as number);
    }
  });

  test('scores the broker from what was known, for the time that is asked about', async () => {
    const active = await at(slug, `?knownAt=${numbers[0]}&validAt=2026-03-10T00:00:00Z`);
    const withdrawn = await at(slug, `?knownAt=${numbers[1]}&validAt=2026-03-10T00:00:00Z`);
    expect(active.score.computedAt).toBe('2026-03-10T00:00:00.000Z');
    expect(active.score.value).toBeGreaterThan(withdrawn.score.value ?? 0);
    const { facts } = await at(slug, `?knownAt=${numbers[0]}&validAt=${times[0]}`);
    expect(facts.map(({ kind }) => kind).toSorted()).toEqual(['broker', 'license', 'regulator']);
  });

  test('answers 404 for a time before anything was true of the broker, or known of it', async () => {
    for (const query of ['?validAt=2026-01-09T23:59:59Z', '?knownAt=0', '?knownAt=2001-01-01T00:00:00Z'])
      expect([query, expectProblem(await ask(slug, `at${query}`)).code]).toEqual([query, 'broker_not_found']);
  });

  test('takes a number above the last one as the last one', async () => {
    const answer = await at(slug, '?knownAt=999999999');
    expect(answer.knownAt).toBe((await readLogState(service)).entries - 1);
  });

  test.each([
    ['at?knownAt=-1', 'knownAt'],
    ['at?knownAt=1.5', 'knownAt'],
    ['at?knownAt=1e3', 'knownAt'],
    ['at?knownAt=007', 'knownAt'],
    ['at?knownAt=yesterday', 'knownAt'],
    ['at?knownAt=9999999999', 'knownAt'],
    ['at?knownAt=2026-02-30T00:00:00Z', 'knownAt'],
    ['at?validAt=2026-03-10', 'validAt'],
    ['at?validAt=7', 'validAt'],
    ['at?validAt=2026-03-10T00:00:00%2B01:00', 'validAt'],
    ['at?valid=2026-03-10T00:00:00Z', 'valid'],
    ['history?from=-1', 'from'],
    ['history?limit=0', 'limit'],
    ['history?limit=101', 'limit'],
    ['history?before=0', 'before'],
    ['history?per=week', 'per'],
    ['proof?date=2026-3-1', 'date'],
    ['proof?date=2026-02-30', 'date'],
    ['proof?number=x', 'number'],
  ])('refuses %s and names the place', async (what, name) => {
    const problem = expectProblem(await ask(slug, what));
    expect(problem.code).toBe('invalid_request');
    expect(JSON.stringify(problem.errors)).toContain(name);
  });

  test.each(['at', 'history', 'proof'])('answers 404 for a broker that was never published: %s', async (what) => {
    expect(expectProblem(await ask('nobody', what)).code).toBe('broker_not_found');
  });

  test('answers for any time from the year 0 to the year 9999', async () => {
    for (const time of ['0000-01-01T00:00:00Z', '1970-01-01T00:00:00Z', '9999-12-31T23:59:59Z']) {
      expect([200, 404]).toContain((await ask(slug, `at?validAt=${time}`)).status);
      expect([200, 404]).toContain((await ask(slug, `at?knownAt=${time}`)).status);
    }
  });
});

describe('the present moment', () => {
  test('the present moment is answered as by the API, with complaints as of last night', async () => {
    const slug = 'beta';
    const [tokens] = await Promise.all([verifiedPeople(service, 2), bring(brokerRow(slug))]);
    await publishReviews(service, slug, tokens);
    expect((await post(service, '/complaints', tokens[0] as string, complaintBody(slug))).status).toBe(201);
    await service.settle();
    const live = (await getJson(service, `/brokers/${slug}`)) as unknown as BrokerDetail;
    expect(live.ratingSummary.count).toBe(2);
    const now = await at(slug);
    expect(now.ratingsByMonth[0]?.count).toBe(2);
    expect(now.score).toMatchObject({ value: live.score.value, color: live.score.color });
    expect(now.ratingsByMonth).toEqual(live.ratingsByMonth);
    expect(findLicenseStatus(now)).toBe(live.licenses[0]?.status);
    expect(now.complaintsByMonth).toEqual([]);
    const broker = now.facts.find(({ kind }) => kind === 'broker')?.value;
    expect(broker).toMatchObject({ slug, name: live.name, checked: true });
    expect(JSON.stringify(now)).not.toContain(complaintBody(slug)['title']);
  });

  test('an undo that removes the broker ends answers about now, but not about the time before', async () => {
    const slug = 'gamma';
    const run = await bring(brokerRow(slug));
    await service.settle();
    const [first] = (await history(slug)).data;
    succeeded(await service.cli('import', 'undo', run, '--yes', run));
    await service.settle();
    expect((await ask(slug, 'at')).status).toBe(404);
    const { data } = await history(slug);
    const [before, after] = [data.findLast(({ cause }) => cause !== 'undo'), data.at(-1)];
    expect(after).toMatchObject({ cause: 'undo', value: null, color: 'gray' });
    expect(before?.value).toBeGreaterThan(0);
    const known = await at(slug, `?knownAt=${before?.number}&validAt=${before?.time}`);
    expect(known.score.value).toBe(before?.value);
    expect(await history(slug)).toMatchObject({ slug, since: first?.time });
    expect(first?.entries.map(({ key }) => key.split('/')[0])).toEqual(['broker', 'license']);
    expect(expectProblem(await ask(slug, 'at')).code).toBe('broker_not_found');
  });
});

describe('the history of a broker', () => {
  test('the history has a step for each change, with its cause and the score after it', async () => {
    const slug = 'delta';
    await bring(withStatus(slug, 'active'));
    const run = await bring(withStatus(slug, 'withdrawn'));
    succeeded(await service.cli('import', 'undo', run, '--yes', run));
    const token = await createToken(service, 'reader-of-delta');
    const [review] = await publishReviews(service, slug, [token], { rating: 1 });
    await moderate(service, 'remove', review?.id as string);
    await service.settle();
    const { data } = await history(slug);
    const own = data.filter(({ kind }) => kind !== 'regulator' && kind !== 'broker');
    expect(own.map(({ kind, cause }) => `${kind} ${cause}`)).toEqual([
      'license fact',
      'license fact',
      'license undo',
      'review fact',
      'review fact',
    ]);
    const [active, withdrawn, again, reviewed, removed] = own.map(({ value }) => value) as number[];
    expect(withdrawn).toBeLessThan(active as number);
    expect(again).toBe(active);
    expect(reviewed).toBeLessThan(again as number);
    expect(removed).toBe(again);
    expect(data.map(({ number }) => number)).toEqual(data.map(({ number }) => number).toSorted((a, b) => a - b));
    for (const { number, time, value, color } of data.slice(-5))
      expect((await at(slug, `?knownAt=${number}&validAt=${time}`)).score).toMatchObject({ value, color });
  });

  test('pages of the history have each step once', async () => {
    const slug = 'epsilon';
    for (const status of ['active', 'withdrawn', 'restricted', 'active', 'withdrawn'])
      await bring(withStatus(slug, status));
    await service.settle();
    const whole = await history(slug, '?limit=100');
    expect(whole.data.filter(({ kind }) => kind === 'license')).toHaveLength(5);
    expect(whole.next).toBeNull();
    for (const limit of [1, 2, whole.data.length - 1, whole.data.length]) {
      const steps: BrokerHistory['data'] = [];
      for (let from: number | null = 0; from !== null; ) {
        const page: BrokerHistory = await history(slug, `?limit=${limit}&from=${from}`);
        expect(page.data.length).toBeLessThanOrEqual(limit);
        steps.push(...page.data);
        from = page.next;
      }
      expect(steps).toEqual(whole.data);
    }
    expect((await history(slug, '?from=999999999')).data).toEqual([]);
    const third = whole.data[2]?.number as number;
    const last = { ...whole, data: whole.data.slice(-2), previous: whole.data.at(-2)?.entries[0]?.number };
    expect(await history(slug, '?limit=2&before=999999999')).toEqual(last);
    expect((await history(slug, `?limit=100&before=${third}`)).data).toEqual(whole.data.slice(0, 2));
    expect((await history(slug, `?from=${whole.data[1]?.number}&before=${third}`)).data).toEqual([whole.data[1]]);
    const isOneDay = whole.data[0]?.time.slice(0, 10) === whole.data.at(-1)?.time.slice(0, 10);
    if (isOneDay) expect((await history(slug, '?per=day')).data).toEqual(whole.data.slice(-1));
    expect((await history(slug, '?per=day&before=999999999')).data.at(-1)).toEqual(whole.data.at(-1));
  });

  test('the history continues under a new slug after a renaming, and the former slug gives the same answer', async () => {
    await bring(brokerRow('old-name'));
    succeeded(await service.cli('broker', 'rename', 'old-name', 'new-name'));
    await service.settle();
    const steps = await history('new-name');
    expect(steps.slug).toBe('new-name');
    expect(await history('old-name')).toEqual(steps);
    const renamed = steps.data.find(({ cause }) => cause === 'identity');
    expect((await at('old-name', `?knownAt=${(renamed?.number as number) - 1}`)).slug).toBe('old-name');
    expect((await at('old-name', `?knownAt=${renamed?.number}`)).slug).toBe('new-name');
    for (const { key } of steps.data) expect(key).not.toContain('new-name');
  });

  test('the history has the reviews of brokers that were merged into this one, from before the merger too', async () => {
    await bring(brokerRow('buyer'));
    await bring(brokerRow('bought'));
    const token = await createToken(service, 'reader-of-bought');
    await publishReviews(service, 'bought', [token], { rating: 5 });
    await service.settle();
    const before = await at('bought');
    expect(before.ratingsByMonth).toHaveLength(1);
    expect((await at('buyer')).ratingsByMonth).toEqual([]);
    succeeded(await service.cli('broker', 'merge', 'bought', '--into', 'buyer'));
    await service.settle();
    const after = await at('buyer');
    expect(after.ratingsByMonth).toEqual(before.ratingsByMonth);
    const live = (await getJson(service, '/brokers/buyer')) as unknown as BrokerDetail;
    expect(after.score.value).toBe(live.score.value);
    expect((await at('buyer', `?knownAt=${before.knownAt}`)).ratingsByMonth).toEqual([]);
    const { data, slug } = await history('buyer', '?limit=100');
    expect(slug).toBe('buyer');
    expect(data.filter(({ kind }) => kind === 'review')).toHaveLength(1);
    expect(data.some(({ cause }) => cause === 'identity')).toBe(true);
  });
});

describe('the client', () => {
  test('reads the same history, page by page and under a former slug', async () => {
    const slug = 'iota';
    for (const status of ['active', 'withdrawn', 'restricted']) await bring(withStatus(slug, status));
    succeeded(await service.cli('broker', 'rename', slug, 'iota-markets'));
    await service.settle();
    const { data: steps } = await history(slug, '?limit=100');
    expect(steps.map(({ cause }) => cause)).toContain('identity');
    const client = createClient({ baseUrl: service.baseUrl, with: [recordFamily()] });
    const { record } = client;
    for (const limit of [1, 3, 100]) expect(await record.brokers.history(slug, { limit }).toArray()).toEqual(steps);
    const pages: string[] = [];
    for await (const page of record.brokers.history(slug, { limit: 2 }).pages()) pages.push(page.slug);
    expect(pages).toEqual(Array(Math.ceil(steps.length / 2)).fill('iota-markets'));
    const last = steps.at(-1) as (typeof steps)[number];
    const then = await record.brokers.at(slug, { knownAt: last.number, validAt: last.time });
    expect(then.score).toMatchObject({ value: last.value, color: last.color });
    expect(await record.brokers.at(slug, { knownAt: last.time, validAt: last.time })).toEqual(then);
    const { data, error } = await client.safe.record.brokers.at(slug, { knownAt: 0 });
    expect([data, error?.code]).toEqual([undefined, 'broker_not_found']);
    expect(record.rateLimit?.limit).toBe(333_333);
  });
});

describe('the budget of the record', () => {
  const left = ({ headers }: HttpResponse) => headers['ratelimit']?.replace(/;t=\d+$/, '');

  test('the budget of the record is separate from that of reads, and its headers and refusals say so', async () => {
    const limited = await startService({ MONGODB_URL: service.data['MONGODB_URL'], PUBLIC_RATE_LIMIT: '12' });
    try {
      await bring(brokerRow('kappa'));
      const record = (what: string, from: string) =>
        send(`${limited.origin}${TRANSPARENCY_BASE_PATH}/brokers/kappa/${what}`, { from });
      const read = (from: string) => send(`${limited.baseUrl}/news`, { from });
      await limited.settle();
      expect((await ask('kappa', 'at')).status).toBe(200);
      const reader = '127.90.0.1';
      for (const [n, what] of ['at', 'history', 'proof', 'history?limit=0'].entries()) {
        const answer = await record(what, reader);
        expect([answer.headers['ratelimit-policy'], left(answer)]).toEqual([
          '"history";q=4;w=60',
          `"history";r=${3 - n}`,
        ]);
      }
      const refused = await record('at', reader);
      expect([refused.status, expectProblem(refused).code, left(refused)]).toEqual([
        429,
        'rate_limited',
        '"history";r=0',
      ]);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(left(await read(reader))).toBe('"public";r=11');
      const other = '127.91.0.1';
      for (let n = 0; n < 12; n++) expect((await read(other)).status).toBe(200);
      expect((await read(other)).status).toBe(429);
      const answered = await record('at', other);
      expect([answered.status, left(answered)]).toEqual([200, '"history";r=3']);
    } finally {
      await limited.remove();
    }
  });
});

describe('a broker from before the record', () => {
  test('a broker from before the record is answered for every time, by what was known at the start', async () => {
    const slug = 'zeta';
    const warning = {
      source: 'A regulator',
      url: 'https://regulator.example/warning',
      publishedAt: '2026-02-01T00:00:00Z',
    };
    await bring(brokerRow(slug, { warnings: [{ ...warning, title: 'Beware', about: 'this_firm' }] }));
    const token = await createToken(service, 'reader-of-zeta');
    await publishReviews(service, slug, [token]);
    await service.settle();
    expect((await at(slug)).ratingsByMonth).toHaveLength(1);
    // as `migrate` writes it
    await inDatabase(service, async (db) => {
      await db.collection('recordEntries').updateMany({ subject: `broker/${slug}` }, { $set: { cause: 'start' } });
      await db.collection('recordSubtotals').deleteMany({});
    });
    await service.settle();
    for (const time of ['0000-01-01', '1970-01-01', '2015-06-01', '2024-02-29', '2126-01-01', '9999-12-31']) {
      const answer = await at(slug, `?validAt=${time}T00:00:00Z`);
      expect([time, answer.score.value]).toEqual([time, expect.any(Number)]);
      expect(answer.ratingsByMonth).toHaveLength(1);
    }
  });
});

describe('a proof', () => {
  let other: TestKey;
  let signed: LocalService;
  let database: string | undefined;
  beforeAll(async () => {
    other = await newLogKey(scratch, 'other.key');
    database = newSharedDatabase();
    const data: Settings = { MONGODB_URL: database, DATA_DIR: scratch.file('data') };
    const rows = ['alpha', 'beta', 'gamma', 'old-name', 'unrated'].map((slug) =>
      brokerRow(slug, slug === 'unrated' ? { licensesCheckedAt: null } : {}),
    );
    // the record begins the day before yesterday, so that there are days to prove
    const file = await scratch.ndjson('brokers.ndjson', rows);
    succeeded(await runBeside(['import', 'brokers', file], { ...data, CLOCK: '-2d' }));
    signed = await startService({ ...data, LOG_KEY: key.file });
    expect(expectProblem(await ask('alpha', 'proof', signed)).code).toBe('not_found');
    succeeded(await signed.cli('admin', 'job', 'run', 'record-day'));
    await untilAllSigned(signed);
  });
  afterAll(async () => {
    await signed?.remove();
    await dropSharedDatabase(database);
  });

  const readProof = async (slug: string, query = ''): Promise<BrokerProof> =>
    BrokerProof.parse(await good(slug, `proof${query}`, signed));
  const today = () => new Date().toISOString().slice(0, 10);
  const yesterday = () => new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

  test.each(['alpha', 'unrated'])(
    'a proof of the score of the last day is verified by the key alone: %s',
    async (slug) => {
      const { proof, date, number } = await readProof(slug);
      expect(Buffer.byteLength(proof)).toBeLessThanOrEqual(4096);
      const verified = await verifyProof(proof, createPolicy(key));
      expect(verified).toMatchObject({ level: 'logged', origin: ORIGIN, index: number, score: { date, slug } });
      expect(verified.score?.value).toEqual(slug === 'unrated' ? null : expect.any(Number));
      expect(verified.entry).toMatchObject({ kind: 'day', number, value: { date, count: 5 } });
      const { through } = (verified.entry as { value: { through: number } }).value;
      const then = await ask(slug, `at?knownAt=${through - 1}&validAt=${date}T00:00:00Z`, signed);
      expect(then.json<BrokerAt>().score).toMatchObject({
        value: verified.score?.value,
        color: verified.score?.color,
      });
    },
  );

  test('a proof for an earlier day is about the score of that day', async () => {
    const day = yesterday();
    const { proof, date } = await readProof('beta', `?date=${day}`);
    expect(date).toBe(day);
    expect((await verifyProof(proof, createPolicy(key))).score).toMatchObject({ date: day, slug: 'beta' });
    expect([today(), yesterday()]).toContain((await readProof('beta')).date);
  });

  test('a proof of another entry about the broker proves that entry, and no score', async () => {
    const steps = (await good('gamma', 'history', signed)) as BrokerHistory;
    for (const { number, key: about, kind } of steps.data.filter((step) => step.key.includes('gamma'))) {
      const answer = await readProof('gamma', `?number=${number}`);
      expect(answer).toMatchObject({ slug: 'gamma', number });
      expect(answer.date).toBeUndefined();
      expect(Buffer.byteLength(answer.proof)).toBeLessThanOrEqual(4096);
      const { entry, score } = await verifyProof(answer.proof, createPolicy(key));
      expect(entry).toMatchObject({ number, key: about, kind });
      expect(score).toBeUndefined();
    }
  });

  test('a proof is refused by a reader who trusts another key', async () => {
    const { proof } = await readProof('alpha');
    await expect(verifyProof(proof, createPolicy(other))).rejects.toMatchObject({ code: 'not_signed' });
  });

  test('a proof is refused if one byte of any line is changed', async () => {
    const { proof } = await readProof('alpha');
    const bytes = Buffer.from(proof);
    for (let at = 0; at < bytes.length; at += 7) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] as number) ^ 1;
      await expect(verifyProof(changed.toString(), createPolicy(key)), `byte ${at}`).rejects.toMatchObject({
        name: 'VerifyError',
      });
    }
  });

  test('a proof is refused if it names another score', async () => {
    const { proof } = await readProof('alpha');
    const [line = ''] = /(?<=^extra ).*$/m.exec(proof) ?? [];
    const extra = Buffer.from(line, 'base64').toString();
    const raised = extra.replace(/^\["alpha",[\d.]+/m, '["alpha",99.9');
    expect(raised).not.toBe(extra);
    const forged = proof.replace(line, Buffer.from(raised).toString('base64'));
    await expect(verifyProof(forged, createPolicy(key))).rejects.toMatchObject({ code: 'not_in_day' });
  });

  test('answers 404 for a proof of what the log does not have', async () => {
    const steps = (await good('beta', 'history', signed)) as BrokerHistory;
    const foreign = steps.data.find(({ key: about }) => about.includes('beta'))?.number;
    for (const query of ['?date=2001-01-01', '?date=2126-01-01', '?number=999999999', `?number=${foreign}`]) {
      const answer = await ask('alpha', `proof${query}`, signed);
      expect([query, expectProblem(answer).code]).toEqual([query, 'not_found']);
    }
  });

  test('a proof of a day before a renaming has the slug of that day, whichever slug is asked for', async () => {
    succeeded(await signed.cli('broker', 'rename', 'old-name', 'new-name'));
    for (const slug of ['old-name', 'new-name']) {
      const answer = await readProof(slug);
      expect(answer.slug).toBe('new-name');
      expect((await verifyProof(answer.proof, createPolicy(key))).score?.slug).toBe('old-name');
    }
  });

  test('answers 404 for a proof if the service has no key, and says so', async () => {
    await bring(brokerRow('without-proof'));
    const answer = await ask('without-proof', 'proof');
    expect(expectProblem(answer)).toMatchObject({
      code: 'not_found',
      detail: expect.stringContaining('signed checkpoint'),
    });
  });

  test('a proof never contains the private key', async () => {
    const secret = await readSecret(key);
    for (const { text } of [await ask('alpha', 'proof', signed), await ask('alpha', 'proof?number=1', signed)])
      expect(text).not.toContain(secret);
    expect(signed.output()).not.toContain(secret);
  });
});
