import { bayesianAverage, nano, ratingSums, recomputeScore } from '@broker-transparency/contract/score';
import { expect, test } from 'vitest';
import { type BrokerDetail, createClient } from '../index.ts';
import { type BrokerFixture, createTestServer, type TestServerOptions } from '../testing.ts';
import { verifier } from '../verify.ts';

const start = (options: TestServerOptions = {}) => {
  const server = createTestServer({ rateLimit: 10_000, ...options });
  const verify = verifier(server.policy);
  const client = createClient({ baseUrl: server.baseUrl, fetch: server.fetch, verify });
  return { server, verify, client };
};

test('every broker of the test server is witnessed, and so is each of its reviews', async () => {
  const { server, verify, client } = start();
  const levels = new Set<string>();
  for (const { slug } of server.brokers) {
    levels.add(String(verify.readProof(await client.brokers.get(slug))?.level));
    const { data } = await client.reviews.list({ broker: slug, limit: 2 });
    for (const review of data) levels.add(String(verify.readProof(review)?.level));
  }
  expect(server.brokers.length).toBeGreaterThan(10);
  expect([...levels]).toEqual(['witnessed']);
});

test('a broker with warnings and overdue complaints is witnessed', async () => {
  const { verify, client } = start({
    fixtures: { brokers: [{ slug: 'late', complaints: { overdue: 3 }, warnings: [{ title: 'Not authorised' }] }] },
  });
  expect(verify.readProof(await client.brokers.get('late'))?.level).toBe('witnessed');
});

test('the day does not confirm the score of a broker that changed after it', async () => {
  const { server, verify, client } = start({ fixtures: { brokers: [{ slug: 'alpha' }] } });
  expect(verify.readProof(await client.brokers.get('alpha'))?.level).toBe('witnessed');
  server.add({ brokers: [{ slug: 'alpha', color: 'red' }] });
  expect(verify.readProof(await client.brokers.get('alpha'))?.level).toBe('signed');
});

/** The months of a broker, which its answer and the record repeat. */
type Months = Pick<BrokerDetail, 'ratingsByMonth' | 'complaintsByMonth'>;

/** Returns the answer with other months, and everything that follows from them. */
const tell = (broker: BrokerDetail, months: Months): BrokerDetail => {
  const { updatedAt, score: asked } = broker;
  const told = { ...broker, ...months };
  const sum = (count: (month: BrokerDetail['ratingsByMonth'][number]) => number): number =>
    months.ratingsByMonth.reduce((all, month) => all + count(month), 0);
  const countStars = (star: 1 | 2 | 3 | 4 | 5) => sum((month) => month.distribution[star]);
  const distribution = { 1: countStars(1), 2: countStars(2), 3: countStars(3), 4: countStars(4), 5: countStars(5) };
  const count = sum((month) => month.count);
  const average = count === 0 ? null : Math.round(sum((month) => month.sum) / count) / 100;
  const prior = nano(bayesianAverage(ratingSums(months.ratingsByMonth, new Date(updatedAt))));
  const score = { ...recomputeScore(told as never), computedAt: asked.computedAt } as BrokerDetail['score'];
  return {
    ...told,
    score,
    color: score.color,
    ratingSummary: { average, bayesianAverage: prior, count, distribution },
  };
};

/** Asks about the broker `alpha` of a service that tells other months in its answers than its log has. */
const askLiar = async (fixture: Partial<BrokerFixture>, invent: (broker: BrokerDetail) => Partial<Months>) => {
  const { server, verify } = start({ fixtures: { brokers: [{ slug: 'alpha', ...fixture }] } });
  const honest = await createClient({ baseUrl: server.baseUrl, fetch: server.fetch }).brokers.get('alpha');
  const { ratingsByMonth, complaintsByMonth } = honest;
  const months = { ratingsByMonth, complaintsByMonth, ...invent(honest) };
  const fetch: typeof server.fetch = async (...asked) => {
    const response = await server.fetch(...asked);
    const { pathname } = new URL(String(asked[0]));
    const isAnswer = pathname.endsWith('/api/v1/brokers/alpha');
    if (!isAnswer && !pathname.endsWith('/brokers/alpha/at')) return response;
    const body = await response.json();
    return Response.json(isAnswer ? tell(body, months) : { ...body, ...months }, { headers: response.headers });
  };
  const told = await createClient({ baseUrl: server.baseUrl, fetch, verify }).brokers.get('alpha');
  const proof = verify.readProof(told);
  return { honest, told, proof };
};

const badReviews = (count: number) => Array.from({ length: count }, () => ({ rating: 1 }));

/** Returns 300 reviews of as many hundredths of a star, in the month of the last review. */
const inventReviews = ({ ratingsByMonth }: Months, hundredths: number): Pick<Months, 'ratingsByMonth'> => {
  const { month = '' } = ratingsByMonth.at(-1) ?? {};
  const distribution = { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0, [Math.round(hundredths / 100)]: 300 };
  const [sum, sumOfSquares] = [300 * hundredths, 300 * hundredths ** 2];
  return { ratingsByMonth: [{ month, count: 300, sum, sumOfSquares, distribution }] };
};

const NOT_FROM_VALUE = [
  'ratingsByMonth',
  'ratingSummary',
  'score.components',
  'score.confidence',
  'score.rawValue',
  'score.caps',
];

test.each([
  ['has no score', { status: 'ceased' }, null],
  ['has the score of a warning', { warnings: [{ title: 'Not authorised' }] }, 19],
] as const)('invented reviews of a broker that %s are not proven', async (_, fixture, value) => {
  const { honest, told, proof } = await askLiar({ ...fixture, reviews: badReviews(8) }, (months) =>
    inventReviews(months, 500),
  );
  expect([honest.ratingSummary.average, told.ratingSummary.average]).toEqual([1, 5]);
  expect([honest.score.value, told.score.value]).toEqual([value, value]);
  expect(proof?.unproven).toEqual(expect.arrayContaining(NOT_FROM_VALUE));
});

test('invented reviews that give the same score are not proven, though the score is', async () => {
  const { honest, told, proof } = await askLiar({ reviews: badReviews(30) }, (broker) => {
    const same = Array.from({ length: 401 }, (_, more) => inventReviews(broker, 100 + more)).find(
      (months) => tell(broker, { ...broker, ...months }).score.value === broker.score.value,
    );
    return same ?? {};
  });
  expect([honest.ratingSummary.count, told.ratingSummary.count]).toEqual([30, 300]);
  expect(told.score.value).toBe(honest.score.value);
  expect(proof).toMatchObject({ level: 'witnessed' });
  expect(proof?.unproven).toEqual(expect.arrayContaining(NOT_FROM_VALUE));
  for (const path of ['score', 'score.value', 'color']) expect(proof?.unproven).not.toContain(path);
});

test('an answer that leaves reviews out does not prove that it has them all', async () => {
  const { server, verify } = start({ fixtures: { brokers: [{ slug: 'alpha', reviews: badReviews(5) }] } });
  const fetch: typeof server.fetch = async (...asked) => {
    const response = await server.fetch(...asked);
    if (!new URL(String(asked[0])).pathname.endsWith('/api/v1/brokers/alpha')) return response;
    const { recentReviews, ...body } = (await response.json()) as BrokerDetail;
    return Response.json({ ...body, recentReviews: recentReviews.slice(0, 1) }, { headers: response.headers });
  };
  const told = await createClient({ baseUrl: server.baseUrl, fetch, verify }).brokers.get('alpha');
  expect(told.recentReviews).toHaveLength(1);
  expect(verify.readProof(told)?.unproven).toContain('recentReviews.length');
});

test('invented solutions of complaints are not those of the log', async () => {
  const fixture = { warnings: [{ title: 'Not authorised' }], complaints: { resolved: 0, unresolved: 20 } };
  const { told, proof } = await askLiar(fixture, ({ complaintsByMonth }) => ({
    complaintsByMonth: complaintsByMonth.map((month) => ({ ...month, resolved: month.closed })),
  }));
  expect(told.complaintsByMonth).toMatchObject([{ closed: 20, resolved: 20 }]);
  expect(proof).toMatchObject({ level: 'signed', why: expect.stringContaining('complaints') });
  expect(proof?.unproven).toEqual(expect.arrayContaining(['complaintsByMonth[0].resolved', 'score', 'color']));
});
