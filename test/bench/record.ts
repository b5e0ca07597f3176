/**
 * Measures how long entries of the record wait for their numbers: `node test/bench/record.ts [entries] [per second]`.
 * Two processes give numbers as servers do. Prints the time from the commit of an entry until a reader sees its number.
 */
import { MongoClient } from 'mongodb';
import { type Commit, findFaults, startSequencer, startWriter, type WriterLoad } from '../record/sequencing.ts';
import { startLockedMongo } from '../support/locked-mongo.ts';
import { until } from '../support/until.ts';

const [count = 12_000, perSecond = 200] = process.argv.slice(2).map(Number);
const LOAD: WriterLoad = { count, perSecond, keys: 20 };
/** As in a server. */
const EVERY_MS = 200;

const mongo = await startLockedMongo([]);
const client = await MongoClient.connect(mongo.url());
const db = client.db('ratings');
const processes = await Promise.all([0, 1].map(() => startSequencer(mongo.url(), 0, EVERY_MS)));
try {
  const ends: { readonly next: number; readonly at: number }[] = [];
  const changes = db.collection('recordHeads').watch([{ $match: { operationType: 'update' } }]);
  changes.on('change', (change) => {
    const next = change.operationType === 'update' && change.updateDescription.updatedFields?.['next'];
    if (next) ends.push({ next, at: Date.now() });
  });
  processes.push(await startWriter(mongo.url(), LOAD));
  await until(
    'every entry has its number',
    (count / perSecond) * 1000 * 3 + 60_000,
    async () => ends.at(-1)?.next === count,
  );
  await changes.close();
  const commits = new Map<number, number>();
  for (const { _id, at } of await db.collection<Commit>('commits').find().toArray()) commits.set(_id, at);
  const rows = await db.collection('recordEntries').find().toArray();
  const seen = (number: number): number => ends.find(({ next }) => next > number)?.at ?? Number.NaN;
  const waits = rows
    .map(({ number, value }) => seen(number) - (commits.get(JSON.parse(value).n) ?? Number.NaN))
    .map((wait) => Math.max(0, wait)) // numbers are sometimes seen before the writer hears of its commit
    .sort((a, b) => a - b);
  const share = (part: number): number => waits[Math.min(waits.length - 1, Math.floor(waits.length * part))] as number;
  const faults = await findFaults(db, LOAD);
  console.log(
    `${count} entries, ${perSecond} a second: p50 ${share(0.5)} ms, p99 ${share(0.99)} ms, most ${share(1)} ms`,
  );
  for (const fault of faults) console.log(fault);
  if (faults.length > 0) process.exitCode = 1;
} finally {
  for (const one of processes) await one.stop();
  await client.close();
  await mongo.stop();
}
