import { BASE_PATH } from '@broker-transparency/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createScratch, type Scratch } from '../support/files.ts';
import { createToken, getJson, post, succeeded } from '../support/filled-service.ts';
import { type HttpResponse, send } from '../support/http.ts';
import { expectProblem } from '../support/problem.ts';
import { brokerRow, complaintBody, newsRow, reviewBody } from '../support/records.ts';
import { moderate } from '../support/reviewers.ts';
import { type LocalService, startService } from '../support/service.ts';

/** Each command runs in its own process. */
let service: LocalService;
let scratch: Scratch;
beforeAll(async () => {
  [service, scratch] = await Promise.all([startService({ LOG_LEVEL: 'error' }), createScratch()]);
});
afterAll(() => Promise.all([service?.remove(), scratch?.remove()]));

const importFile = async (kind: string, rows: readonly unknown[], ...options: string[]) =>
  service.cli('import', kind, await scratch.ndjson(`${kind}.ndjson`, rows), '--json', ...options);
const bring = async (kind: string, rows: readonly unknown[], ...options: string[]) =>
  JSON.parse(succeeded(await importFile(kind, rows, ...options)));
const become = async (...args: string[]) => succeeded(await service.cli('broker', ...args, '--actor', 'maria'));
const refused = async (...args: string[]): Promise<string> => {
  const { code, stderr } = await service.cli('broker', ...args);
  expect(code).toBe(1);
  return stderr;
};
const get = (path: string, prefix = service.baseUrl): Promise<HttpResponse> => send(`${prefix}${path}`);
const readDetail = (slug: string) => getJson(service, `/brokers/${slug}`);
const readReviews = async (slug: string) =>
  (await getJson(service, `/reviews?broker=${slug}`))['data'] as { id: string; brokerSlug: string }[];
const readReviewIds = async (slug: string) => (await readReviews(slug)).map(({ id }) => id).sort();
const shows = async (path: string, isThere: (answer: HttpResponse) => boolean): Promise<void> => {
  await service.settle();
  expect(await get(path), path).toSatisfy(isThere);
};

const submit = async (broker: string, token: string, over: Record<string, unknown> = {}): Promise<string> => {
  const created = await post(service, '/reviews', token, reviewBody(broker, over));
  return ((await created.json()) as { id: string }).id;
};
/** Writes a review and publishes it. */
const publish = async (...review: Parameters<typeof submit>): Promise<string> => {
  const id = await submit(...review);
  await moderate(service, 'publish', id);
  return id;
};
const own = async (token: string) => {
  const response = await fetch(`${new URL(service.baseUrl).origin}/account/v1/reviews`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return ((await response.json()) as { data: { id: string; status: string; brokerSlug: string }[] }).data;
};
const isConsistent = async () =>
  expect(succeeded(await service.cli('admin', 'rebuild', '--check'))).toContain('0 different');

describe('a broker that is renamed', () => {
  let token: string;
  let review: string;
  let id: unknown;
  beforeAll(async () => {
    await bring('brokers', [brokerRow('first'), brokerRow('other')]);
    await bring('news', [newsRow(1, { brokerSlugs: ['first', 'other'] })]);
    token = await createToken(service, 'ann');
    review = await publish('first', token);
    await post(service, '/complaints', token, complaintBody('first'));
    id = (await readDetail('first'))['id'];
    for (const path of ['/brokers/first', '/reviews?broker=first', '/reviews?broker=second', '/news']) await get(path);
    expect(await become('rename', 'first', 'second', '--dry-run')).toContain('Nothing was written');
    expect((await get('/brokers/first')).status).toBe(200);
    await become('rename', 'first', 'second');
    await shows('/brokers/first', ({ status }) => status === 308);
  });

  test('a renamed broker redirects its former slug to the same request with the current one', async () => {
    const cursor = '1893456000000.6b014b09f3536c20fa275367';
    const moderation = '/transparency/v1/moderation';
    const { origin } = new URL(service.baseUrl);
    for (const [path, location] of [
      [`${BASE_PATH}/brokers/first`, `${BASE_PATH}/brokers/second`],
      [`${BASE_PATH}/reviews?broker=first`, `${BASE_PATH}/reviews?broker=second`],
      [`${BASE_PATH}/reviews?limit=5&broker=first`, `${BASE_PATH}/reviews?broker=second&limit=5`],
      [`${moderation}/first`, `${moderation}/second`],
    ] as const) {
      const answer = await get(path, origin);
      expect([path, answer.status, answer.headers['location']]).toEqual([path, 308, location]);
      expect(answer.json()).toEqual({ slug: 'second' });
      expect(answer.headers).toMatchObject({
        'cache-control': 'public, max-age=30',
        'content-type': 'application/json',
      });
      expect(answer.headers['etag']).toBeUndefined();
      const head = await send(`${origin}${path}`, { method: 'HEAD' });
      expect([head.status, head.headers['location'], head.text]).toEqual([308, location, '']);
      const known = await send(`${origin}${path}`, { headers: { 'If-None-Match': '*' } });
      expect(known.status).toBe(308);
      expect((await send(`${origin}${location}`)).status).toBe(200);
    }
    const next = await get(`/reviews?broker=first&cursor=${cursor}`);
    expect(new URLSearchParams(next.headers['location']?.split('?')[1]).get('cursor')).toBe(cursor);
  });

  test('a renamed broker keeps its id, reviews, complaints and news, all under the new slug', async () => {
    const detail = await readDetail('second');
    expect(detail).toMatchObject({
      id,
      slug: 'second',
      complaintSummary: { open: 1 },
      ratingSummary: { count: 1 },
      recentReviews: [{ id: review, brokerSlug: 'second' }],
      predecessors: [{ slug: 'first', name: 'first', how: 'renamed' }],
    });
    expect(await readReviews('second')).toMatchObject([{ id: review, brokerSlug: 'second' }]);
    expect(await own(token)).toMatchObject([{ id: review, brokerSlug: 'second' }]);
    expect((await getJson(service, '/news'))['data']).toMatchObject([{ brokerSlugs: ['second', 'other'] }]);
    const former = (await getJson(service, '/search?q=first'))['data'] as { slug: string }[];
    expect(former.map(({ slug }) => slug)).toContain('second');
    const found = (await getJson(service, '/search?q=second'))['data'] as { slug: string }[];
    expect(found.map(({ slug }) => slug)).toContain('second');
    const listed = ((await getJson(service, '/brokers'))['data'] as { slug: string }[]).map(({ slug }) => slug);
    expect(listed.sort()).toEqual(['other', 'second']);
    await isConsistent();
  });

  test('a renamed broker takes reviews under either slug, one for each person', async () => {
    const bob = await createToken(service, 'bob');
    const created = await post(service, '/reviews', bob, reviewBody('first'));
    expect([created.status, await created.json()]).toEqual([201, expect.objectContaining({ brokerSlug: 'second' })]);
    for (const slug of ['first', 'second'])
      expect(await (await post(service, '/reviews', bob, reviewBody(slug))).json()).toMatchObject({
        code: 'review_exists',
      });
    const complaint = await post(service, '/complaints', bob, complaintBody('first'));
    expect([complaint.status, await complaint.json()]).toEqual([
      201,
      expect.objectContaining({ brokerSlug: 'second' }),
    ]);
  });

  test('a sheet with the former slug is about the renamed broker', async () => {
    expect(await bring('brokers', [{ slug: 'first', name: 'Renamed' }])).toMatchObject({ new: 0, changed: 1 });
    await shows('/brokers/second', (answer) => answer.json()['name'] === 'Renamed');
    const { code, stderr, stdout } = await importFile('brokers', [
      { slug: 'second', name: 'One' },
      { slug: 'first', name: 'Two' },
    ]);
    expect([code, `${stdout}${stderr}`]).toEqual([1, expect.stringContaining('is on line 1 already')]);
    await isConsistent();
  });

  test('a renamed broker never gives its slugs to another one', async () => {
    for (const slug of ['first', 'second'])
      expect(await refused('rename', 'other', slug)).toContain(`"${slug}" belongs to another broker`);
    expect(await refused('rename', 'first', 'second')).toContain('already');
    expect(await refused('rename', 'nobody', 'third')).toContain('No broker has the slug "nobody"');
    const { code, stderr } = await service.cli('broker', 'rename', 'other', 'Not A Slug');
    expect([code, stderr]).toEqual([2, expect.stringContaining('must be')]);
  });

  test('a renamed broker is found straight from every former slug, and can take one of them again', async () => {
    await become('rename', 'second', 'third');
    await shows('/brokers/first', ({ headers }) => headers['location'] === `${BASE_PATH}/brokers/third`);
    expect((await get('/brokers/second')).headers['location']).toBe(`${BASE_PATH}/brokers/third`);
    await become('rename', 'second', 'first');
    await shows('/brokers/first', ({ status }) => status === 200);
    expect((await get('/brokers/third')).headers['location']).toBe(`${BASE_PATH}/brokers/first`);
    expect(await readDetail('first')).toMatchObject({ id, predecessors: [{ slug: 'second' }, { slug: 'third' }] });
    expect(await readReviews('first')).toMatchObject([{ id: review, brokerSlug: 'first' }]);
    await isConsistent();
  });

  test('undoing its import removes a renamed broker, and importing it again brings back its id', async () => {
    const { run } = await bring('brokers', [brokerRow('passing')]);
    const { id: first } = await readDetail('passing');
    await become('rename', 'passing', 'passed');
    succeeded(await service.cli('import', 'undo', run, '--yes', run));
    await shows('/brokers/passed', ({ status }) => status === 404);
    expect((await get('/brokers/passing')).status).toBe(404);
    await isConsistent();
    await bring('brokers', [brokerRow('passing')]);
    await shows('/brokers/passed', ({ status }) => status === 200);
    expect((await readDetail('passed'))['id']).toBe(first);
    const ruling = ['--field', 'country', '--source', 'editor:editor', '--reason', 'None.'];
    await bring('brokers', [{ slug: 'passed', country: 'IE' }], '--stated-by', 'dataset:list');
    succeeded(await service.cli('fact', 'overrule', 'passed', ...ruling));
    const life = succeeded(await service.cli('audit', 'list', '--subject', 'broker:passed', '--json'));
    expect(life).toContain('broker.overruled');
  });

  test('the audit trail of a renamed broker is the same by any of its slugs', async () => {
    const life = async (slug: string) =>
      JSON.parse(succeeded(await service.cli('audit', 'list', '--subject', `broker:${slug}`, '--json')));
    const entries = await life('third');
    expect(entries).toEqual(await life('first'));
    expect(entries.filter(({ action }: { action: string }) => action === 'broker.renamed')).toMatchObject([
      { before: { slug: 'first' }, after: { slug: 'second' }, actor: { name: 'maria' } },
      { before: { slug: 'second' }, after: { slug: 'third' } },
      { before: { slug: 'third' }, after: { slug: 'first' } },
    ]);
  });
});

describe('a broker that is merged into another one', () => {
  let both: string;
  let one: string;
  let run: string;
  let successorRun: string;
  let ids: { older: string; newer: string; only: string };
  beforeAll(async () => {
    ({ run } = await bring('brokers', [brokerRow('small')]));
    ({ run: successorRun } = await bring('brokers', [brokerRow('large')]));
    await bring('brokers', [brokerRow('largest')]);
    [both, one] = await Promise.all([createToken(service, 'cyn'), createToken(service, 'dan')]);
    const older = await publish('small', both, { rating: 1 });
    const newer = await publish('large', both, { rating: 5 });
    const only = await publish('small', one, { rating: 3 });
    ids = { older, newer, only };
    await post(service, '/complaints', one, complaintBody('small'));
    await shows('/brokers/small', (answer) => (answer.json()['ratingSummary'] as { count: number }).count === 2);
    const reported = { reviewId: older, reason: 'insult', text: 'It calls the staff names.' };
    await fetch(`${new URL(service.baseUrl).origin}/account/v1/reports`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${one}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(reported),
    });
    expect(await become('merge', 'small', '--into', 'large', '--dry-run')).toContain('1 review of people');
    expect(await become('merge', 'small', '--into', 'large')).toContain('1 review of people');
    await shows('/brokers/small', ({ status }) => status === 308);
  });

  test('a merged broker leads to its successor, where its reviews and complaints count with their ids', async () => {
    expect((await get('/brokers/small')).headers['location']).toBe(`${BASE_PATH}/brokers/large`);
    expect(await readDetail('large')).toMatchObject({
      ratingSummary: { count: 2, average: 4 },
      complaintSummary: { open: 1 },
      predecessors: [{ slug: 'small', how: 'merged' }],
      recentReviews: [
        { id: ids.only, brokerSlug: 'large' },
        { id: ids.newer, brokerSlug: 'large' },
      ],
    });
    expect(await readReviewIds('large')).toEqual([ids.newer, ids.only].sort());
    const { origin } = new URL(service.baseUrl);
    const counts = (await get('/transparency/v1/moderation/large', origin)).json();
    expect(counts['reviews']).toMatchObject({ received: 3, published: 2, removed: { merged: 1 } });
    await isConsistent();
  });

  test('a merger keeps the newer of two reviews by one person, who reads why the older one went', async () => {
    expect(await own(both)).toMatchObject([
      { id: ids.newer, status: 'published' },
      {
        id: ids.older,
        status: 'removed',
        brokerSlug: 'large',
        decision: { decision: 'remove', statement: { reasonCode: 'merged', automatedMeans: true } },
      },
    ]);
    const again = await post(service, '/reviews', one, reviewBody('large'));
    expect(await again.json()).toMatchObject({ code: 'review_exists' });
  });

  test('a merger lets no appeal give a person two reviews of one broker, and leaves reports open', async () => {
    const { origin } = new URL(service.baseUrl);
    const appealed = await send(`${origin}/account/v1/reviews/${ids.older}/appeal`, {
      method: 'POST',
      token: both,
      body: { text: 'Both of them are mine, and true.' },
    });
    const { id } = appealed.json<{ id: string }>();
    const note = ['--note', 'Both may stay.', '--actor', 'ben'];
    const reversed = await service.cli('appeal', 'decide', id, 'reverse', ...note);
    expect([reversed.code, reversed.stderr]).toEqual([1, expect.stringContaining('another review of this broker')]);
    expect(succeeded(await service.cli('report', 'list', '--json'))).toContain(ids.older);
  });

  test('a merged broker takes no reviews, complaints or rows of a sheet, and names its successor', async () => {
    const token = await createToken(service, 'eva');
    for (const [path, body] of [
      ['/reviews', reviewBody('small')],
      ['/complaints', complaintBody('small')],
    ] as const) {
      const problem = expectProblem(await send(`${service.baseUrl}${path}`, { method: 'POST', token, body }));
      expect(problem).toMatchObject({ code: 'state_conflict', detail: expect.stringContaining('merged into "large"') });
    }
    const { code, stdout } = await importFile('brokers', [{ slug: 'small', name: 'Small' }]);
    expect([code, stdout]).toEqual([1, expect.stringContaining('merged into \\"large\\"')]);
    expect(await refused('rename', 'small', 'smaller')).toContain('was merged into "large"');
    expect(await refused('merge', 'largest', '--into', 'small')).toContain('was merged into "large"');
    expect(await refused('merge', 'large', '--into', 'large')).toContain('are one broker');
    expect(await refused('split', 'largest')).toContain('is not merged');
    for (const each of [run, successorRun]) {
      const undo = await service.cli('import', 'undo', each, '--yes', each);
      expect([undo.code, undo.stderr]).toEqual([1, expect.stringMatching(/"(small|large)" has reviews by now/)]);
    }
  });

  test('a merged broker leads straight to the last of several successors, which can be renamed', async () => {
    await become('merge', 'large', '--into', 'largest');
    await become('rename', 'largest', 'the-largest');
    const end = `${BASE_PATH}/brokers/the-largest`;
    for (const slug of ['small', 'large', 'largest'])
      await shows(`/brokers/${slug}`, ({ headers }) => headers['location'] === end);
    expect(await readReviewIds('the-largest')).toEqual([ids.newer, ids.only].sort());
    expect(await refused('split', 'small')).toContain('split "large" first');
    // a change of a review reaches the page where it counts
    await moderate(service, 'remove', ids.only);
    await shows('/reviews?broker=the-largest', (answer) => (answer.json()['data'] as unknown[]).length === 1);
    await shows('/brokers/the-largest', (answer) => (answer.json()['ratingSummary'] as { count: number }).count === 1);
    await isConsistent();
    await become('split', 'large');
    await shows('/brokers/large', ({ status }) => status === 200);
    expect((await get('/brokers/small')).headers['location']).toBe(`${BASE_PATH}/brokers/large`);
    expect(await readReviewIds('the-largest')).toEqual([]);
  });

  test('a split restores a merged broker, with the review that had gone', async () => {
    const before = await readDetail('large');
    expect(await become('split', 'small', '--dry-run')).toContain('1 review came back');
    await become('split', 'small');
    await shows('/brokers/small', ({ status }) => status === 200);
    expect(await readDetail('small')).toMatchObject({ ratingSummary: { count: 1 }, complaintSummary: { open: 1 } });
    expect(await readReviewIds('small')).toEqual([ids.older]);
    expect(await readReviewIds('large')).toEqual([ids.newer]);
    const after = await readDetail('large');
    expect(after).toMatchObject({ id: before['id'], complaintSummary: { open: 0 } });
    expect(after['predecessors']).toBeUndefined();
    expect((await own(both)).map(({ status }) => status)).toEqual(['published', 'published']);
    await isConsistent();
    expect(succeeded(await service.cli('admin', 'moderation', 'recount', '--check'))).toContain('0 different');
  });
});

test('each author of reviews of both merged brokers keeps one, and what they withdraw stays away', async () => {
  await bring('brokers', [brokerRow('left'), brokerRow('right')]);
  const [gus, hal] = await Promise.all([createToken(service, 'gus'), createToken(service, 'hal')]);
  const kept = await publish('left', gus);
  const waiting = await submit('right', gus);
  const older = await publish('left', hal);
  const newer = await publish('right', hal);
  expect(await become('merge', 'left', '--into', 'right')).toContain('2 reviews of people');
  await shows('/brokers/left', ({ status }) => status === 308);
  expect(await readReviewIds('right')).toEqual([kept, newer].sort());
  expect(await own(gus)).toMatchObject([
    { id: waiting, status: 'rejected', decision: { statement: { reasonCode: 'merged' } } },
    { id: kept, status: 'published' },
  ]);
  await moderate(service, 'withdraw', older);
  expect(await become('split', 'left')).toContain('1 review came back');
  await shows('/brokers/left', ({ status }) => status === 200);
  expect(await own(gus)).toMatchObject([
    { id: waiting, status: 'pending', decision: null },
    { id: kept, status: 'published' },
  ]);
  expect([await readReviewIds('left'), await readReviewIds('right')]).toEqual([[kept], [newer]]);
  await isConsistent();
});

describe('a broker that has ceased', () => {
  test('a broker that has ceased keeps its page, names its successor and takes nothing new', async () => {
    await bring('brokers', [brokerRow('heir')]);
    await bring('brokers', [brokerRow('gone', { status: 'ceased', successor: 'heir' })]);
    await shows('/brokers/gone', (answer) => answer.json()['successor'] === 'heir');
    const token = await createToken(service, 'fay');
    for (const [path, body] of [
      ['/reviews', reviewBody('gone')],
      ['/complaints', complaintBody('gone')],
    ] as const) {
      const answer = await send(`${service.baseUrl}${path}`, { method: 'POST', token, body });
      expect(expectProblem(answer).detail).toBe(
        'gone has ceased and takes no reviews or complaints. Its successor is "heir".',
      );
    }
    expect(await refused('merge', 'heir', '--into', 'gone')).toContain('gone has ceased');
    await become('rename', 'heir', 'heiress');
    await shows('/brokers/gone', (answer) => answer.json()['successor'] === 'heiress');
    await become('merge', 'gone', '--into', 'heiress');
    await shows('/brokers/gone', ({ headers }) => headers['location'] === `${BASE_PATH}/brokers/heiress`);
    await become('split', 'gone');
    await bring('brokers', [{ slug: 'heiress', status: 'ceased', successor: 'heir' }]);
    await shows('/brokers/heiress', (answer) => answer.json()['status'] === 'ceased');
    expect((await readDetail('heiress'))['successor']).toBeUndefined();
    const wrong = await importFile('brokers', [
      { slug: 'gone', successor: 'nobody' },
      { slug: 'heir', successor: 'heir' },
    ]);
    expect([wrong.code, JSON.parse(wrong.stdout).faults]).toMatchObject([
      1,
      [
        { line: 1, column: 'successor', detail: 'There is no broker "nobody".' },
        { line: 2, column: 'successor' },
      ],
    ]);
  });
});

test('a review that is withheld stays so through a merge and a split, and comes back at the broker that it is about', async () => {
  await bring('brokers', [brokerRow('apart'), brokerRow('whole')]);
  const ida = await createToken(service, 'ida');
  const review = await publish('apart', ida);
  const withhold = async () =>
    succeeded(
      await service.cli('review', 'withhold', review, '--reason', 'unlawful', '--days', '14', '--note', 'A claim.'),
    );
  const restore = async () => succeeded(await service.cli('review', 'restore', review, '--reason', 'claim_dismissed'));

  await withhold();
  await become('merge', 'apart', '--into', 'whole');
  await shows('/brokers/apart', ({ status }) => status === 308);
  expect(await own(ida)).toMatchObject([{ id: review, status: 'withheld', brokerSlug: 'whole' }]);
  expect(await readReviewIds('whole')).toEqual([]);
  await isConsistent();

  await restore();
  await shows('/reviews?broker=whole', ({ text }) => text.includes(review));
  await withhold();
  await become('split', 'apart');
  await shows('/brokers/apart', ({ status }) => status === 200);
  expect(await own(ida)).toMatchObject([{ id: review, status: 'withheld', brokerSlug: 'apart' }]);
  expect([await readReviewIds('apart'), await readReviewIds('whole')]).toEqual([[], []]);
  await restore();
  await shows('/reviews?broker=apart', ({ text }) => text.includes(review));
  expect(await readReviewIds('whole')).toEqual([]);
  await isConsistent();
  expect(succeeded(await service.cli('admin', 'moderation', 'recount', '--check'))).toContain('0 different');
});
