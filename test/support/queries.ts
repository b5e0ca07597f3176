/** The queries of the service, as recorded by the database's own profiler. */
import type { Db, Document } from 'mongodb';
import { post, succeeded } from './filled-service.ts';
import type { Service } from './process.ts';
import { complaintBody, reviewBody } from './records.ts';

/** Profiler entries made during `work`, without change streams and the job library. */
export const profileWork = async (db: Db, work: () => Promise<unknown>): Promise<Document[]> => {
  await db.setProfilingLevel('all');
  try {
    await work();
  } finally {
    await db.setProfilingLevel('off');
  }
  const found = await db.collection('system.profile').find().toArray();
  await db.collection('system.profile').drop();
  return found.filter(({ ns, command, op, planSummary }) => {
    const { pipeline = command?.originatingCommand?.pipeline } = command ?? {};
    const follows = pipeline?.[0]?.['$changeStream'] !== undefined;
    return planSummary !== undefined && op !== 'insert' && !follows && !/\.(system\.profile|jobs)$/.test(ns);
  });
};

export const getCollection = ({ ns }: Document): string => String(ns).split('.')[1] as string;

/** Number of documents that a command read but did not return, change or delete. */
export const countWastedReads = ({ docsExamined = 0, nreturned = 0, nMatched = 0, ndeleted = 0 }: Document): number =>
  docsExamined - nreturned - nMatched - ndeleted;

const findComplaint = (command: Document): string | undefined => {
  if (String(command['planSummary']).includes('COLLSCAN')) return 'reads a whole collection';
  if (command['hasSortStage']) return 'sorts in memory';
  return countWastedReads(command) >= 100 ? `reads ${countWastedReads(command)} documents too many` : undefined;
};

/**
 * Complaints about commands that scan a collection, sort in memory or read many more documents than they return.
 * Regulators are exempt: there are only a few dozen, and every broker document needs the tiers of all of them.
 */
export const listComplaints = (commands: readonly Document[]): string[] =>
  commands
    .filter((command) => getCollection(command) !== 'regulators')
    .flatMap((command) => {
      const complaint = findComplaint(command);
      const { op, ns, planSummary } = command;
      const what = JSON.stringify(command['command']).slice(0, 600);
      return complaint === undefined ? [] : [`${op} ${ns} ${complaint} (${planSummary}): ${what}`];
    });

/** Slug of the broker with the most reviews. */
export const findMostReviewed = async (db: Db): Promise<string> => {
  const [row] = await db
    .collection('reviews')
    .aggregate([{ $sortByCount: '$broker' }, { $limit: 1 }])
    .toArray();
  return String(row?.['_id']);
};

/** Number of pages of a list to read. */
const PAGES = 100;

type Get = (path: string) => Promise<{ readonly pagination?: { readonly nextCursor: string | null } }>;

const walk = async (get: Get, path: string): Promise<void> => {
  let next: string | null | undefined = '';
  for (let page = 0; page < PAGES && next !== null && next !== undefined; page++)
    next = (await get(`${path}${next === '' ? '' : `&cursor=${next}`}`)).pagination?.nextCursor;
};

/** Returns a function that gets a page of the service by its path. */
export const createGetter =
  ({ origin }: Service, token: string): Get =>
  async (path) => {
    const response = await fetch(`${origin}${path}`, { headers: { Authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(`${path} is answered with ${response.status}: ${await response.text()}`);
    return (await response.json()) as Awaited<ReturnType<Get>>;
  };

/** Calls every public read, with first and deep pages. Returns the collections that must have been read. */
export const readPublic = async (get: Get, slug: string): Promise<string[]> => {
  for (const path of [
    '/brokers',
    '/brokers?limit=100&offset=250',
    '/brokers?color=green&limit=5&offset=60',
    '/brokers?country=GB&limit=5&offset=5',
    '/brokers?regulator=fca&status=operating&color=yellow',
    '/brokers?regulator=asic&country=ZZ',
    '/brokers?residence=DE&license=confirmed&warnings=unknown',
    `/brokers?slugs=${slug},nobody,no-one`,
    '/brokers?updatedSince=0&limit=100&country=GB',
    `/brokers?updatedSince=5&slugs=${slug},nobody`,
    `/brokers/${slug}`,
    '/search?q=alpha+mark',
    '/regulators',
    '/regulators/fca',
  ])
    await get(`/api/v1${path}`);
  await walk(get, `/api/v1/reviews?broker=${slug}&limit=50`);
  await walk(get, '/api/v1/news?limit=50');
  await get(`/transparency/v1/moderation/${slug}`);
  return [
    'brokerDetails',
    'brokerSummaries',
    'brokers',
    'reviews',
    'news',
    'recordSubtotals',
    'regulators',
    'moderationCounts',
  ];
};

/**
 * Posts as one person, publishes a review, and reads the lists of that person. Returns the collections that must have
 * been used.
 */
export const write = async (service: Service, get: Get, token: string, slug: string): Promise<string[]> => {
  const headers = { 'Idempotency-Key': 'once' };
  const send = async (path: string, body: object): Promise<{ id: string }> => {
    const response = await post(service, path, token, body, headers);
    if (response.status !== 201) throw new Error(`${path} is answered with ${response.status}`);
    return (await response.json()) as { id: string };
  };
  const { id } = await send('/reviews', reviewBody(slug));
  succeeded(await service.cli('review', 'publish', id));
  await send('/reviews', reviewBody(slug)); // replays the stored answer
  await send('/complaints', complaintBody(slug));
  for (const path of ['reviews', 'complaints', 'reports']) await get(`/account/v1/${path}?limit=50`);
  return ['reviews', 'complaints', 'tokens', 'accounts', 'idempotentAnswers', 'due', 'ratingMonths'];
};
