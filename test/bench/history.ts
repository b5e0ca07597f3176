/**
 * Measures how long reads of a broker’s record take: `pnpm record:pages [reviews …]`. The broker is that of
 * the demonstration with the most reviews, and gets more until it has as many as asked for. Each figure is the median
 * of
 * 21 requests, and the CPU time of the service in each: for 50 steps of the history, for the last 100 days, which the
 * page of a broker shows, and for the broker as it is known now.
 */
import type { BrokerList } from '@broker-transparency/client';
import type { BrokerHistory } from '@broker-transparency/client/record';
import { TRANSPARENCY_BASE_PATH } from '@broker-transparency/contract';
import { MongoClient, ObjectId } from 'mongodb';
import { startLockedMongo } from '../support/locked-mongo.ts';
import { bin, startProcess } from '../support/process.ts';
import { createOwnChange } from '../support/record.ts';
import { until } from '../support/until.ts';
import { readCpuTicks, TICKS_PER_SECOND } from './processes.ts';

const wanted = process.argv.slice(2).map(Number);
const ROUNDS = 21;
/** Another build to measure. */
const main = process.env['HISTORY_MAIN'] ?? bin;

const mongo = await startLockedMongo([]);
const client = await MongoClient.connect(mongo.url());
const service = await startProcess({ MONGODB_URL: mongo.url(), LOG_LEVEL: 'error' }, ['--demo'], main);
try {
  const entries = client.db('ratings').collection('recordEntries');
  const numbered = () =>
    until('all entries have numbers', 120_000, async () => !(await entries.findOne({ pending: 0 })));
  const read = async <T>(path: string): Promise<T> => {
    const answer = await fetch(service.origin + path);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const { data } = await read<BrokerList>('/api/v1/brokers?limit=100');
  const [most] = data.toSorted((a, b) => b.ratingSummary.count - a.ratingSummary.count);
  if (!most) throw new Error('the demonstration has no brokers');
  const { slug } = most;
  await numbered();

  const addReviews = async (count: number): Promise<void> => {
    const subject = `broker/${slug}`;
    for (let at = 0; at < count; at += 1000)
      await entries.insertMany(
        Array.from({ length: Math.min(1000, count - at) }, (_, n) => {
          const month = new Date(Date.UTC(2020, (at + n) % 80, 1)).toISOString().slice(0, 7);
          const texts = { content: 'x'.repeat(44), displayName: 'x'.repeat(44), title: 'x'.repeat(44) };
          const value = { broker: slug, month, rating: 1 + ((at + n) % 17) / 4, state: 'published', texts };
          const key = `review/${new ObjectId()}`;
          const entry = { key, sequence: 0, subject, kind: 'review', cause: 'fact', value: JSON.stringify(value) };
          return { ...createOwnChange(), ...entry, pending: 0 };
        }),
      );
    await numbered();
  };

  const measured = async (what: string): Promise<string> => {
    const times: number[] = [];
    const begun = await readCpuTicks([service.pid]);
    for (let round = 0; round < ROUNDS; round++) {
      const asked = performance.now();
      await read(`${TRANSPARENCY_BASE_PATH}/brokers/${slug}/${what}`);
      times.push(performance.now() - asked);
    }
    const cpu = ((await readCpuTicks([service.pid])) - begun) / TICKS_PER_SECOND / ROUNDS;
    const median = times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] as number;
    return `${median.toFixed(1)} ms (CPU ${(cpu * 1000).toFixed(1)} ms)`;
  };

  for (const reviews of [most.ratingSummary.count, ...wanted]) {
    const known = await entries.countDocuments({ subject: `broker/${slug}`, kind: 'review' });
    await addReviews(Math.max(0, reviews - known));
    const starts = [0];
    for (let next: number | null = 0; next !== null; starts.push(next)) {
      ({ next } = await read<BrokerHistory>(
        `${TRANSPARENCY_BASE_PATH}/brokers/${slug}/history?limit=100&from=${next}`,
      ));
      if (next === null) break;
    }
    const places = { first: 0, middle: starts[Math.floor(starts.length / 2)] as number, last: starts.at(-1) as number };
    const figures: string[] = [];
    for (const [name, from] of Object.entries(places))
      figures.push(`${name} page ${await measured(`history?limit=50&from=${from}`)}`);
    figures.push(`last 100 days ${await measured('history?per=day&before=999999999&limit=100')}`);
    figures.push(`now ${await measured('at')}`);
    console.log(`${Math.max(reviews, known)} reviews: ${figures.join(', ')}`);
  }
} finally {
  await service.remove();
  await client.close();
  await mongo.stop();
}
