/**
 * Writes entries at a steady rate, a few at a time and each in a transaction of its own, and then waits to be killed:
 * `writer-process.ts URL COUNT PER_SECOND KEYS`. Notes each commit in the collection `commits`. While there is no
 * database it tries again.
 */
import { setInterval as every, setTimeout as sleep } from 'node:timers/promises';
import { PATIENT } from '@broker-transparency/embedded-mongo/patient';
import { inTransaction } from '../../server/src/ledger/context.ts';
import { createClock } from '../../server/src/platform/clock.ts';
import { connectMongo } from '../../server/src/platform/mongo.ts';
import type { Commit } from './sequencing.ts';

const [url = '', ...numbers] = process.argv.slice(2);
const [count = 0, perSecond = 1, keys = 1] = numbers.map(Number);
const db = await connectMongo(url, PATIENT);
const commits = db.connection.collection<Commit>('commits');
const writes = db.connection.collection<Pick<Commit, '_id'>>('writes');
const context = { actor: { type: 'system', name: 'writer' }, clock: createClock(), db } as const;

/** Writes an entry whose value says which one it is. Some get their numbers after others, as those of imports do. */
const write = (n: number): Promise<void> => {
  const key = `check/${n % keys}`;
  return inTransaction(context, async (c) => {
    await writes.insertOne({ _id: n }, { session: c.tx }); // a second try of what was committed fails here
    c.publish({ kind: 'check', key, subject: key, value: { n } as never, cause: 'fact', isBulk: n % 5 === 0 });
  });
};

const writeOnce = async (n: number): Promise<void> => {
  for (;;)
    try {
      await write(n).catch((error) => {
        if (error.code !== 11_000) throw error;
      });
      await commits.updateOne({ _id: n }, { $setOnInsert: { at: Date.now() } }, { upsert: true });
      return;
    } catch {
      await sleep(100);
    }
};

/** Entries that are written at a time. More would only wait for each other where the database is slow. */
const AT_ONCE = 40;
let unfinished = 0;
const begin = async (n: number): Promise<void> => {
  unfinished += 1;
  await writeOnce(n);
  unfinished -= 1;
};

console.log('writes entries');
const beginning = performance.now();
const running: Promise<void>[] = [];
for await (const _ of every(5)) {
  const due = Math.min(count, Math.floor(((performance.now() - beginning) / 1000) * perSecond));
  while (running.length < due && unfinished < AT_ONCE) running.push(begin(running.length));
  if (running.length === count) break;
}
await Promise.all(running);
