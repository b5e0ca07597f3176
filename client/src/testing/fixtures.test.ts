import { BrokerDetail, METHODOLOGY_VERSION, NewsItem, Regulator, Review } from '@broker-transparency/contract';
import { describe, expect, test } from 'vitest';
import { createClient, recomputeScore } from '../strict.ts';
import { createTestServer, type Fixtures } from '../testing.ts';

const SEEDS = ['a', 'b', 'c', 'd', 'e'];
const COLORS = ['green', 'yellow', 'red', 'gray'] as const;

const everything = (seed: string, fixtures?: Fixtures) => {
  const { brokers, regulators, reviews, news } = createTestServer({ seed, ...(fixtures && { fixtures }) });
  return { brokers, regulators, reviews, news };
};

const toPublicReview = ({ token, status, ...review }: ReturnType<typeof everything>['reviews'][number]) => review;

describe('drawn data', () => {
  test.each(SEEDS)('fits the contract, and its scores can be recomputed: seed %s', (seed) => {
    const { brokers, regulators, reviews, news } = everything(seed);
    expect([brokers.length, regulators.length, news.length]).toEqual([30, 6, 25]);
    for (const broker of brokers) {
      expect(BrokerDetail.strict().parse(broker)).toEqual(broker);
      expect(recomputeScore(broker)).toEqual(broker.score);
    }
    for (const regulator of regulators) expect(Regulator.strict().parse(regulator)).toEqual(regulator);
    for (const item of news) expect(NewsItem.strict().parse(item)).toEqual(item);
    for (const review of reviews) expect(Review.strict().safeParse(toPublicReview(review)).error).toBeUndefined();
  });

  test.each(SEEDS)('drawn brokers have all colors, and those that a fixture asks for: seed %s', (seed) => {
    expect(new Set(everything(seed).brokers.map(({ color }) => color))).toEqual(new Set(COLORS));
    const asked = COLORS.flatMap((color) => Array.from({ length: 20 }, (_, n) => ({ slug: `${color}-${n}`, color })));
    for (const broker of everything(seed, { brokers: asked }).brokers)
      expect(broker.color).toBe(broker.slug.split('-')[0]);
  });

  test('depends only on the seed', () => {
    expect(everything('a')).toEqual(everything('a'));
    expect(everything('a')).not.toEqual(everything('b'));
  });

  test('the data of one broker do not depend on the others', () => {
    const alone = createTestServer({ fixtures: { brokers: [{ slug: 'alpha-markets' }] } }).brokers[0];
    expect(createTestServer().brokers.find(({ slug }) => slug === 'alpha-markets')).toEqual(alone);
  });

  test('drawn data are recognisably fictional', () => {
    const { brokers, regulators, news } = everything('a', { brokers: 200 });
    for (const { description, website, slug } of brokers) {
      expect(description).toContain('Fictional');
      expect(website).toBe(`https://${slug}.example`);
    }
    expect(new Set(brokers.map(({ name }) => name)).size).toBe(200);
    for (const { name, country } of regulators) expect(`${name} ${country}`).toMatch(/^Fictional .* X[A-F]$/);
    for (const { title } of news) expect(title).toMatch(/^\[Fictional\]/);
  });

  test('drawn data have counts that match the lists', () => {
    const { brokers, reviews } = everything('a');
    for (const { slug, ratingSummary, ratingsByMonth, recentReviews } of brokers) {
      const own = reviews.filter(({ brokerSlug }) => brokerSlug === slug);
      expect(ratingSummary.count).toBe(own.length);
      const hundredths = ratingsByMonth.reduce((sum, month) => sum + month.sum, 0);
      expect(hundredths).toBe(own.reduce((sum, { rating }) => sum + 100 * rating, 0));
      expect(recentReviews.length).toBe(Math.min(5, own.length));
    }
  });
});

describe('facts in fixtures', () => {
  test('facts in fixtures appear in answers, and the score follows them', async () => {
    const server = createTestServer({
      fixtures: {
        regulators: [{ code: 'mine', tier: 2, name: 'My authority' }],
        brokers: [
          { slug: 'good', name: 'Good & Co', reviews: 30, licenses: [{ regulatorCode: 'mine' }] },
          { slug: 'warned', warnings: [{ title: 'Do not' }] },
          {
            slug: 'late',
            complaints: { resolved: 1, unresolved: 2, overdue: 3, timely: 1 },
            checklist: { fees: false },
          },
          { slug: 'rated', reviews: [{ rating: 1.25, title: 'Never paid out' }] },
        ],
        news: [{ title: 'First' }, { title: 'Second' }],
      },
    });
    const client = createClient({ baseUrl: server.baseUrl, fetch: server.fetch });
    const good = await client.brokers.get('good');
    expect(good).toMatchObject({ name: 'Good & Co', bestTier: 2, ratingSummary: { count: 30 } });
    expect(good.licenses[0]).toMatchObject({ tier: 2, entity: { legalName: 'Good & Co Ltd' } });
    const warned = await client.brokers.get('warned');
    expect(warned).toMatchObject({ color: 'red', warnings: [{ title: 'Do not', about: 'this_firm' }] });
    expect(warned.score.caps.map(({ code }) => code)).toContain('officialWarning');
    const late = await client.brokers.get('late');
    expect(late.complaintSummary).toMatchObject({ closed: 3, overdue: 3, resolvedRate: 0.3333, timelyRate: 0.3333 });
    expect(late.score.components.find(({ key }) => key === 'complaints')?.inputs).toEqual({
      closed: 6,
      resolved: 1,
      timely: 1,
    });
    expect(late.complaintsByMonth).toEqual([{ month: '2026-01', closed: 6, resolved: 1, timely: 1 }]);
    expect(warned.score.methodologyVersion).toBe(METHODOLOGY_VERSION);
    expect(late.checklist.find(({ key }) => key === 'fees')?.met).toBe(false);
    expect((await client.reviews.list({ broker: 'rated' })).data).toMatchObject([
      { rating: 1.25, title: 'Never paid out' },
    ]);
    expect((await client.news.list()).data.map(({ title }) => title)).toEqual(['First', 'Second']);
    expect((await client.regulators.get('mine')).brokers.map(({ slug }) => slug)).toContain('good');
  });

  test('fixtures can be empty', async () => {
    const server = createTestServer({ fixtures: { brokers: [], regulators: [], news: 0 } });
    const client = createClient({ baseUrl: server.baseUrl, fetch: server.fetch });
    expect((await client.brokers.list()).pagination.total).toBe(0);
    expect((await client.news.list()).data).toEqual([]);
    expect((await client.regulators.list()).data).toEqual([]);
  });

  test.each<[string, Fixtures, RegExp]>([
    ['another color', { brokers: [{ slug: 'a', color: 'green', licenses: [] }] }, /"a" is to be green, .* make it red/],
    ['an invalid slug', { brokers: [{ slug: 'Not A Slug' }] }, /broker "Not A Slug": slug: must be lower-case/],
    [
      'an impossible rating',
      { brokers: [{ slug: 'a', reviews: [{ rating: 7 }] }] },
      /review 1 of "a": rating: must be/,
    ],
    [
      'an invalid date',
      { brokers: [{ slug: 'a', licenses: [{ regulatorCode: 'test-xa', activeSince: 'x' }] }] },
      /broker "a": .*activeSince/,
    ],
    ['an unknown regulator', { brokers: [{ slug: 'a', licenses: [{ regulatorCode: 'fca' }] }] }, /regulator "fca"/],
    ['an invalid regulator', { regulators: [{ code: 'a', tier: 9 as 1 }] }, /regulator "a": tier/],
    ['a former slug of nobody', { formerSlugs: { a: 'b' } }, /former slug "a": there is no other broker "b"/],
    ['a former slug of itself', { brokers: [{ slug: 'a' }], formerSlugs: { a: 'a' } }, /there is no other broker "a"/],
    [
      'an invalid former slug',
      { brokers: [{ slug: 'a' }], formerSlugs: { 'A b': 'a' } },
      /former slug "A b": .*must be/,
    ],
    ['an invalid item of news', { news: [{ url: 'nowhere' }] }, /news "news-1": url/],
  ])('refuses fixtures with %s', (_, fixtures, message) => {
    expect(() => createTestServer({ fixtures })).toThrow(message);
  });
});
