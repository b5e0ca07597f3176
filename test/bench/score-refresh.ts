/**
 * Measures `admin score refresh`: `node test/bench/score-refresh.ts [brokers]` after `pnpm build`. One broker in ten
 * has 20 published reviews in 12 months; all have two licences. Prints the time per broker and the largest memory of
 * the process.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Db, ObjectId } from 'mongodb';
import { findDatabaseUrl, inDatabase } from '../support/database.ts';
import { createScratch } from '../support/files.ts';
import { succeeded } from '../support/filled-service.ts';
import { bin, runCli, type Service, startProcess } from '../support/process.ts';
import { brokerRow, licenseRow } from '../support/records.ts';
import { readPeakMb } from './processes.ts';

const COUNT = Number(process.argv[2] ?? 100_000);
const REVIEWED = 10;
const REVIEWS = 20;
const toSlug = (n: number) => `broker-${String(n).padStart(7, '0')}`;

const importBrokers = async (service: Service): Promise<void> => {
  const scratch = await createScratch();
  const rows = Array.from({ length: COUNT }, (_, n) => {
    const legalName = `${toSlug(n)} Ltd`;
    return brokerRow(toSlug(n), { licenses: ['fca', 'asic'].map((code) => licenseRow(legalName, code)) });
  });
  const file = await scratch.ndjson('brokers.ndjson', rows);
  succeeded(await runCli(['import', 'brokers', file], { DATA_DIR: service.dataDir }, 3_600_000));
  await scratch.remove();
};

const createReviews = (broker: string) =>
  Array.from({ length: REVIEWS }, (_, n) => {
    const createdAt = new Date(Date.UTC(2026, n % 12, 3));
    return {
      _id: new ObjectId(),
      broker,
      accountId: `a-${n}`,
      personKey: `account:a-${n}`,
      live: true,
      status: 'published',
      rating: 4,
      title: 'Quick to pay out',
      language: 'en',
      createdAt,
      content: 'I withdrew twice this year. '.repeat(10),
      author: { displayName: 'Reviewer' },
      identityVerified: true,
      publishedAt: createdAt,
    };
  });

const createMonths = (broker: string) =>
  Array.from({ length: 12 }, (_, n) => {
    const month = `2026-${String(n + 1).padStart(2, '0')}`;
    const count = createReviews(broker).filter(({ createdAt }) => createdAt.getUTCMonth() === n).length;
    return {
      _id: `${broker} ${month}`,
      broker,
      month,
      count,
      sum: 400 * count,
      sumOfSquares: 160_000 * count,
      distribution: { 4: count },
    };
  });

/** Inserts reviews directly into the database. Through the API, each would need a person. */
const insertReviews = async (db: Db): Promise<void> => {
  for (let n = 0; n < COUNT; n += REVIEWED) {
    await db.collection('reviews').insertMany(createReviews(toSlug(n)));
    await db.collection<{ _id: string }>('ratingMonths').insertMany(createMonths(toSlug(n)));
  }
};

const refresh = async (env: NodeJS.ProcessEnv): Promise<{ seconds: number; peak: number }> => {
  const started = performance.now();
  const child = spawn(process.execPath, [bin, 'admin', 'score', 'refresh'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  let peak = 0;
  const timer = setInterval(async () => {
    peak = Math.max(peak, await readPeakMb(child.pid as number));
  }, 50);
  const [code] = await once(child, 'exit');
  clearInterval(timer);
  if (code !== 0) throw new Error(`admin score refresh ended with ${code}`);
  return { seconds: (performance.now() - started) / 1000, peak };
};

const service = await startProcess({ JOBS: 'off' });
try {
  await importBrokers(service);
  await inDatabase(service, insertReviews);
  const url = await findDatabaseUrl(service);
  const { seconds, peak } = await refresh({ MONGODB_URL: url });
  console.log(
    `${COUNT} brokers: ${seconds.toFixed(1)} s, ${((1000 * seconds) / COUNT).toFixed(2)} ms each, ` +
      `${peak.toFixed(0)} MB`,
  );
} finally {
  await service.remove();
}
