import type { Db } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findDatabaseUrl, inDatabase, readEmbedded } from '../support/database.ts';
import { createToken, importRows, succeeded } from '../support/filled-service.ts';
import { type HttpResponse, send, steadyHeaders } from '../support/http.ts';
import { pauseProcess } from '../support/pause-process.ts';
import { EMBEDDED, type ServiceProcess, startProcess } from '../support/process.ts';
import { brokerRow, newsRow, regulatorRow } from '../support/records.ts';
import { moderate, publishReviews } from '../support/reviewers.ts';
import { createSampleRequest, goodStatus, routes } from '../support/routes.ts';
import { until } from '../support/until.ts';

/**
 * Three processes on one database. The first refreshes documents and answers; the others only answer, and `unprepared`
 * has no response cache.
 */
let service: ServiceProcess;
let other: ServiceProcess;
let unprepared: ServiceProcess;
let alice: string;

beforeAll(async () => {
  service = await startProcess(EMBEDDED);
  await importRows(service, 'brokers', [brokerRow('alpha-markets'), brokerRow('beta-trade')]);
  await importRows(service, 'news', [newsRow(1), newsRow(2)]);
  const url = await findDatabaseUrl(service);
  [other, unprepared, alice] = await Promise.all([
    startProcess({ MONGODB_URL: url }),
    startProcess({ MONGODB_URL: url, PREPARED_MB: '0' }),
    createToken(service, 'alice'),
  ]);
});
afterAll(async () => {
  await Promise.all([other?.remove(), unprepared?.remove()]);
  await service?.remove();
});

const reads = routes.filter(({ method }) => method === 'GET');

describe.each(reads)('GET $path', (route) => {
  const { path } = createSampleRequest(route);
  test.each<[string, Record<string, string>, string]>([
    ['plain', {}, 'GET'],
    ['gzip', { 'Accept-Encoding': 'gzip' }, 'GET'],
    ['br', { 'Accept-Encoding': 'br;q=1, gzip;q=0.8' }, 'GET'],
    ['HEAD', { 'Accept-Encoding': 'br' }, 'HEAD'],
    ['with a bad token', { Authorization: 'Bearer btr_wrong' }, 'GET'],
    ['by a browser', { Accept: 'text/html,*/*;q=0.8', Origin: 'https://page.example' }, 'GET'],
  ])('answers alike from the cache, freshly made, and without a cache: %s', async (_, headers, method) => {
    const ask = (of: ServiceProcess) => send(`${of.baseUrl}${path}`, { headers, method });
    const answers: HttpResponse[] = [];
    for (const of of [service, service, service, unprepared]) answers.push(await ask(of));
    const [first] = answers as [HttpResponse];
    expect(first.status).toBe(goodStatus(route));
    for (const answer of answers) {
      expect(steadyHeaders(answer)).toEqual(steadyHeaders(first));
      expect(answer.bytes.equals(first.bytes)).toBe(true);
      expect(answer.headers['x-request-id']).toMatch(/^[\w-]{36}$/);
    }
    expect(new Set(answers.map((answer) => answer.headers['x-request-id'])).size).toBe(answers.length);
  });

  test('charges the budget for every answer, cached or not, 304 included', async () => {
    const { headers: first } = await send(`${service.baseUrl}${path}`, { from: '127.0.0.77' });
    const left = (headers: HttpResponse['headers']) => Number(/r=(\d+)/.exec(String(headers['ratelimit']))?.[1]);
    const known = { 'If-None-Match': String(first['etag']) };
    const second = await send(`${service.baseUrl}${path}`, { from: '127.0.0.77', headers: known });
    expect([second.status, left(second.headers)]).toEqual([304, left(first) - 1]);
  });

  test('refuses a caller that does not accept JSON', async () => {
    await send(`${service.baseUrl}${path}`);
    expect((await send(`${service.baseUrl}${path}`, { headers: { Accept: 'text/html' } })).status).toBe(406);
  });
});

test('charges the budget for a refusal, too', async () => {
  const left = async () => {
    const answer = await send(`${service.baseUrl}/brokers/nobody`, { from: '127.0.0.78' });
    expect(answer.status).toBe(404);
    return Number(/r=(\d+)/.exec(String(answer.headers['ratelimit']))?.[1]);
  };
  const before = await left();
  expect(await left()).toBe(before - 1);
});

test('answers equivalent spellings of a request alike', async () => {
  const texts = await Promise.all(
    [
      '/brokers',
      '/brokers?limit=20',
      '/brokers?offset=0&limit=20',
      '/brokers?limit=20&offset=0',
      '/brokers?limit=20&&offset=%30',
    ].map(async (path) => (await send(`${service.baseUrl}${path}`)).headers['etag']),
  );
  expect(new Set(texts).size).toBe(1);
  const searches = ['/search?q=alpha+markets', '/search?q=alpha%20markets', '/search?q=%61lpha+markets'];
  const found = await Promise.all(searches.map(async (path) => (await send(`${service.baseUrl}${path}`)).text));
  expect(new Set(found).size).toBe(1);
});

describe('on the fast path as in Express', () => {
  const slug = 'alpha-markets';
  /** Each pair is one request in two spellings. Only Express reads the second one. */
  const PAIRS = [
    [`/api/v1/brokers/${slug}`, '/api/v1/brokers/%61lpha-markets'],
    [`/transparency/v1/moderation/${slug}`, '/transparency/v1/moderation/alpha%2dmarkets'],
    ['/api/v1/search?q=%61lpha', '/api/v1/search?q=alpha#'],
  ] as const;
  const left = ({ headers }: HttpResponse) => Number(/r=(\d+)/.exec(String(headers['ratelimit']))?.[1]);
  const openTokens = (db: Db) => db.collection<{ _id: string; id: string }>('tokens');
  const findToken = (subject: string) =>
    inDatabase(service, async (db) => {
      const account = await db.collection('accounts').findOne({ subject });
      const token = await openTokens(db).findOne({ accountId: account?._id });
      if (!token) throw new Error(`${subject} has no token`);
      return token;
    });
  /**
   * Compares both spellings. Returns the remaining budget of the account or address that the request counted against.
   */
  const compare = async (authorization: string, from: string) => {
    const headers = { Authorization: authorization };
    for (const pair of PAIRS) {
      const [fast, express] = [
        await send(service.origin + pair[0], { headers, from }),
        await send(service.origin + pair[1], { headers, from }),
      ];
      expect([fast.status, left(fast)]).toEqual([200, left(express) + 1]);
      expect(steadyHeaders(fast)).toEqual(steadyHeaders(express));
      expect(fast.bytes.equals(express.bytes)).toBe(true);
    }
    return left(await send(`${service.baseUrl}/brokers/${slug}`, { headers, from }));
  };

  /** Waits until requests count against the address, which had none before, instead of the account. */
  const waitForEnd = (authorization: string, from: string) =>
    until('the token is no longer good', 5000, async () => {
      const answer = await send(`${service.baseUrl}/brokers/${slug}`, {
        headers: { Authorization: authorization },
        from,
      });
      return left(answer) === 1_000_000 - 1;
    });

  test('the fast path judges tokens as Express does, and a public read notices changes within moments', async () => {
    const [carol, dave] = await Promise.all([createToken(service, 'carol'), createToken(service, 'dave')]);
    const from = '127.0.0.79';
    expect(await compare(`Bearer ${carol}`, from)).toBe(1_000_000 - 7);
    expect(await compare(`Bearer ${dave}`, from)).toBe(1_000_000 - 7);
    const { id } = await findToken('carol');
    succeeded(await service.cli('token', 'revoke', id));
    await waitForEnd(`Bearer ${carol}`, '127.0.0.80');
    expect(await compare(`Bearer ${carol}`, from)).toBe(1_000_000 - 7); // the address's budget from here on
    const { _id } = await findToken('dave');
    await inDatabase(service, (db) => openTokens(db).updateOne({ _id }, { $set: { expiresAt: new Date() } }));
    await waitForEnd(`Bearer ${dave}`, '127.0.0.81');
    expect(await compare(`Bearer ${dave}`, from)).toBe(1_000_000 - 14);
    const malformed = ['Bearer btr_wrong', 'Bearer', `Bearer  ${dave}`, `${dave}`, `Basic ${dave}`, ''];
    for (const [n, header] of malformed.entries())
      expect(await compare(header, from)).toBe(1_000_000 - 14 - 7 * (n + 1));
  });
});

test.each([
  '/brokers/alpha-markets?x=1',
  '/brokers/alpha-markets?',
  '/brokers/alpha-markets/',
  '/brokers?limit=20&limit=20',
  '/BROKERS',
])('never answers %s with the cached answer of another address', async (path) => {
  await send(`${service.baseUrl}/brokers/alpha-markets`);
  await send(`${service.baseUrl}/brokers`);
  const [ready, unready] = [await send(`${service.baseUrl}${path}`), await send(`${unprepared.baseUrl}${path}`)];
  expect([ready.status, ready.headers['etag']]).toEqual([unready.status, unready.headers['etag']]);
});

describe('within a second of an acknowledged write, every process shows', () => {
  const both = async (path: string): Promise<string[]> =>
    Promise.all([service, other].map(async (of) => (await send(`${of.baseUrl}${path}`)).text));
  /** Fills the caches, writes, and waits until both processes show the change. Expects no old answer after that. */
  const follows = async (path: string, write: () => Promise<unknown>, shows: (text: string) => boolean) => {
    for (let n = 0; n < 3; n++) for (const text of await both(path)) expect(shows(text)).toBe(false);
    await write();
    await until(`both show it: ${path}`, 1000, async () => (await both(path)).every(shows));
    for (let n = 0; n < 20; n++) for (const text of await both(path)) expect(shows(text)).toBe(true);
  };

  test('every process shows a new broker in the list, in a search and with its regulator', async () => {
    const write = () => importRows(service, 'brokers', [brokerRow('gamma-fx')]);
    const names = (text: string) => text.includes('"gamma-fx"');
    await both('/search?q=gamma');
    await both('/regulators/fca');
    await follows('/brokers', write, names);
    for (const text of await both('/search?q=gamma')) expect(names(text)).toBe(true);
  });

  test('every process shows a changed name', async () => {
    const write = () => importRows(service, 'brokers', [brokerRow('beta-trade', { name: 'Beta Renamed' })]);
    await follows('/brokers/beta-trade', write, (text) => text.includes('Beta Renamed'));
  });

  test('every process shows a review as published, answered and removed, in its list and with its broker', async () => {
    let id = '';
    await both('/brokers/alpha-markets');
    await follows(
      '/reviews?broker=alpha-markets',
      async () => {
        id = String((await publishReviews(service, 'alpha-markets', [alice]))[0]?.id);
      },
      (text) => text.includes('Quick to pay out'),
    );
    await until('with the broker', 1000, async () =>
      (await both('/brokers/alpha-markets')).every((text) => text.includes(id)),
    );
    await follows(
      '/reviews?broker=alpha-markets',
      async () => succeeded(await service.cli('review', 'reply', id, '--content', 'We thank you for this.')),
      (text) => text.includes('We thank you'),
    );
    await follows(
      '/reviews?broker=alpha-markets',
      () => moderate(service, 'remove', id),
      (text) => !text.includes(id),
    );
  });

  test('every process shows an added news item and an added regulator', async () => {
    const write = () => importRows(service, 'news', [newsRow(3, { title: 'A third item' })]);
    await follows('/news', write, (text) => text.includes('A third item'));
    const regulator = regulatorRow('zz-new', { name: 'Regulator of Nowhere' });
    await follows(
      '/regulators',
      () => importRows(service, 'regulators', [regulator]),
      (text) => text.includes('Regulator of Nowhere'),
    );
  });

  test('every process shows the new name of a regulator in the detail of a broker', async () => {
    const regulator = regulatorRow('zz-named', { name: 'Regulator of Nowhere' });
    await importRows(service, 'regulators', [regulator]);
    await follows(
      '/brokers/alpha-markets',
      () => importRows(service, 'regulators', [{ ...regulator, name: 'Regulator of Somewhere' }]),
      (text) => text.includes('Regulator of Somewhere'),
    );
  });

  test('every process shows the moderation counts of reviews', async () => {
    const path = '/transparency/v1/moderation/beta-trade';
    const received = async (of: ServiceProcess) =>
      JSON.parse((await send(`${of.origin}${path}`)).text).reviews.received;
    const before = await received(other);
    await publishReviews(service, 'beta-trade', [alice]);
    await until('it is counted', 1000, async () => (await received(other)) === before + 1);
  });
});

describe('a broker', () => {
  const SLUG = 'beta-trade';
  const texts = async (): Promise<string[]> =>
    Promise.all(
      [`/brokers/${SLUG}`, '/brokers', '/search?q=beta'].map(
        async (path) => (await send(`${unprepared.baseUrl}${path}`)).text,
      ),
    );
  const brokers = (db: Db, name = 'brokers') => db.collection<{ _id: string }>(name);
  const forgetAnswers = () =>
    inDatabase(service, async (db) => {
      for (const name of ['brokerDetails', 'brokerSummaries'])
        expect((await brokers(db, name).deleteOne({ _id: SLUG })).deletedCount).toBe(1);
    });

  test('a broker that an earlier release stored, without its answers, reads the same', async () => {
    const before = await texts();
    await forgetAnswers();
    expect(await texts()).toEqual(before);
    succeeded(await service.cli('admin', 'rebuild'));
  });

  test('a broker that does not fit the contract is refused, and no other broker with it', async () => {
    await forgetAnswers();
    await inDatabase(service, (db) => brokers(db).updateOne({ _id: SLUG }, { $set: { country: 7 } }));
    const asked = [SLUG, 'alpha-markets'].map((slug) => send(`${unprepared.baseUrl}/brokers/${slug}`));
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([500, 200]);
    const slugs = async (path: string) => {
      const { status, text } = await send(`${unprepared.baseUrl}${path}`);
      expect(status).toBe(200);
      return JSON.parse(text).data.map(({ slug }: { slug: string }) => slug);
    };
    for (const path of ['/brokers', '/search?q=markets+trade']) {
      expect(await slugs(path)).toContain('alpha-markets');
      expect(await slugs(path)).not.toContain(SLUG);
    }
    succeeded(await service.cli('admin', 'rebuild'));
    expect((await send(`${unprepared.baseUrl}/brokers/${SLUG}`)).status).toBe(200);
  });
});

test('never shows a reader an earlier time than before, while brokers change and others read', async () => {
  const times = new Map<ServiceProcess, string>();
  let going = true;
  const reader = async (of: ServiceProcess) => {
    while (going) {
      const seen = times.get(of) ?? ''; // taken before the request: two simultaneous answers may arrive in either order
      const { updatedAt } = JSON.parse((await send(`${of.baseUrl}/brokers/beta-trade`)).text);
      expect(updatedAt >= seen).toBe(true);
      if (updatedAt > (times.get(of) ?? '')) times.set(of, updatedAt);
    }
  };
  const readers = Promise.all([service, service, other, other].map(reader));
  for (let n = 0; n < 5; n++) await importRows(service, 'brokers', [brokerRow('beta-trade', { name: `Beta ${n}` })]);
  await until(
    'the last is there',
    1000,
    async () =>
      [...times.keys()].length === 2 &&
      (
        await Promise.all([service, other].map(async (of) => (await send(`${of.baseUrl}/brokers/beta-trade`)).text))
      ).every((text) => text.includes('Beta 4')),
  );
  going = false;
  await readers;
});

test('serves cached answers with their age while the database is away, and answers 503 to the rest', async () => {
  const { mongodPid } = await readEmbedded(service);
  const path = `${service.baseUrl}/brokers/alpha-markets`;
  const page = `${service.origin}/brokers/alpha-markets`;
  await send(path);
  const before = await send(path);
  const pageBefore = await until('the page is there', 10_000, async () => {
    const answer = await send(page);
    return answer.status === 200 && answer;
  });
  expect(before.headers).not.toHaveProperty('age');
  await pauseProcess(mongodPid);
  try {
    const aged = await until('it tells its age', 8000, async () => {
      const answer = await send(path);
      expect([answer.status, answer.text]).toEqual([200, before.text]);
      return answer.headers['age'] !== undefined && answer;
    });
    expect(Number(aged.headers['age'])).toBeGreaterThanOrEqual(1);
    expect((await send(path, { token: alice })).status).toBe(200); // without the database nobody can look up the token
    expect((await send(`${service.baseUrl}/brokers?limit=77`)).status).toBe(503);
    const agedPage = await send(page);
    expect([agedPage.status, agedPage.text, Number(agedPage.headers['age']) > 0]).toEqual([200, pageBefore.text, true]);
    expect(agedPage.text).toMatch(/Data as of \d/);
    const unread = await send(`${service.origin}/brokers/nobody`, { headers: { Accept: 'text/html' } });
    expect([unread.status, unread.text]).toEqual([503, expect.stringContaining('cannot read its data now')]);
  } finally {
    process.kill(mongodPid, 'SIGCONT');
  }
  await until('it is current again', 20_000, async () => (await send(path)).headers['age'] === undefined);
  await importRows(service, 'brokers', [brokerRow('alpha-markets', { name: 'Alpha After' })]);
  await until('changes show again', 1000, async () => (await send(path)).text.includes('Alpha After'));
});
