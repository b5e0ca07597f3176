/** Generates the documents that the service itself would have stored, from numbers only. */
import { ObjectId } from 'mongodb';
import { createRandom, pick, toSlug } from './names.ts';

const REGULATORS = ['fca', 'asic', 'cysec', 'bafin', 'finma', 'fsa-jp', 'dfsa', 'fsc-mu', 'fsa-sc', 'cma-ke'];
const COUNTRIES = ['GB', 'AU', 'CY', 'DE', 'CH', 'JP', 'AE', 'MU', 'SC', 'KE'];
const CHECKLIST = ['legalEntity', 'registerLink', 'fees', 'executionPolicy', 'clientMoney', 'riskWarning'];
const SENTENCES = [
  'I withdrew three times this year, and the money was always there after two days.',
  'The spread was wider than promised whenever there was news.',
  'Support answered within an hour and knew what it was talking about.',
  'My account was verified on the same day.',
  'An order was filled far away from the price I had seen.',
];
const CHECKED = '2026-01-05T00:00:00Z';
const FIRST_REVIEW = Date.UTC(2023, 0, 1);
const REVIEW_SPAN_MS = 1000 * 86_400 * 1000;

const createLicense = (slug: string, legalName: string, regulator: number, n: number) => {
  const regulatorCode = REGULATORS[regulator] as string;
  const referenceNumber = `${100_000 + n}/${regulator}`;
  return {
    _id: JSON.stringify([slug, regulatorCode, referenceNumber, legalName]),
    broker: slug,
    entity: { legalName },
    regulatorCode,
    referenceNumber,
    type: 'authorisation',
    status: 'active',
    activeSince: '2012-03-01',
    sourceUrl: `https://register.example/${regulatorCode}/${n}`,
    permissions: [],
    statusEffectiveAt: null,
    issuedAt: null,
    lastVerifiedAt: CHECKED,
  };
};

/** A broker and its one to four licences. */
export const brokerDocuments = (name: string, n: number) => {
  const random = createRandom(n);
  const slug = toSlug(name);
  const home = Math.floor(random() * COUNTRIES.length);
  const legalNames = [`${name} Ltd`, ...(random() < 0.3 ? [`${name} (International) Limited`] : [])];
  const website = `https://${slug}.example/`;
  const licenses = legalNames.flatMap((legalName, entity) =>
    Array.from({ length: 1 + Math.floor(random() * 2) }, (_, at) =>
      createLicense(slug, legalName, (home + 3 * entity + at) % REGULATORS.length, n),
    ),
  );
  const profile = {
    _id: slug,
    id: `bench-${n}`,
    name,
    legalName: `${name} Ltd`,
    tradingNames: [`${name} Online`],
    website,
    domains: [`${slug}.example`],
    country: COUNTRIES[home],
    foundedYear: 1990 + (n % 30),
    description: `${name} offers trading in currencies and metals.`,
    status: 'operating',
    licensesCheckedAt: CHECKED,
    entities: legalNames.map((legalName, at) => ({
      legalName,
      country: COUNTRIES[(home + 3 * at) % COUNTRIES.length],
      retailClients: true,
    })),
    checklist: CHECKLIST.map((key) => ({
      key,
      met: random() < 0.7,
      sourceUrl: `${website}${key}`,
      checkedAt: CHECKED,
    })),
    warnings: [],
    provenance: [{ fact: 'website', sourceUrl: `${website}legal`, lastVerifiedAt: CHECKED }],
  };
  return { profile, licenses };
};

const createReview = (broker: string, n: number, random: () => number) => {
  const createdAt = new Date(FIRST_REVIEW + Math.floor(random() * REVIEW_SPAN_MS));
  return {
    _id: new ObjectId(),
    broker,
    accountId: `reader-${n}`,
    personKey: `account:reader-${n}`,
    live: true,
    status: 'published',
    rating: 1 + Math.floor(random() * 17) / 4,
    title: 'After a year',
    language: 'en',
    content: `${pick(SENTENCES, random)} ${pick(SENTENCES, random)}`,
    author: { displayName: `Reader ${n}` },
    identityVerified: true,
    createdAt,
    publishedAt: createdAt,
  };
};
type ReviewDocument = ReturnType<typeof createReview>;

const createMonth = (broker: string, month: string, reviews: readonly ReviewDocument[]) => {
  const ratings = reviews.map(({ rating }) => Math.round(rating * 100));
  const distribution: Record<string, number> = {};
  for (const rating of ratings)
    distribution[Math.round(rating / 100)] = (distribution[Math.round(rating / 100)] ?? 0) + 1;
  return {
    _id: `${broker} ${month}`,
    broker,
    month,
    count: ratings.length,
    sum: ratings.reduce((a, b) => a + b, 0),
    sumOfSquares: ratings.reduce((a, b) => a + b * b, 0),
    distribution,
  };
};

/** `count` reviews of a broker, and their sums by month. */
export const reviewDocuments = (broker: string, count: number, seed: number) => {
  const random = createRandom(seed);
  const reviews = Array.from({ length: count }, (_, n) => createReview(broker, n, random));
  const byMonth = Map.groupBy(reviews, ({ createdAt }) => createdAt.toISOString().slice(0, 7));
  return { reviews, months: [...byMonth].map(([month, rows]) => createMonth(broker, month, rows)) };
};

/** Number of reviews of each broker. A few have very many, as in reality. The sum is approximately `total`. */
export const reviewCounts = (brokers: number, total: number): number[] => {
  const weights = Array.from({ length: brokers }, (_, rank) => 1 / (rank + 10));
  const sum = weights.reduce((a, b) => a + b, 0);
  const random = createRandom(2);
  const counts = weights.map((weight) => Math.round((weight * total) / sum));
  for (let at = counts.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [counts[at], counts[other]] = [counts[other] as number, counts[at] as number];
  }
  return counts;
};
