import { setImmediate as turn } from 'node:timers/promises';
import { PATIENT } from '@broker-transparency/embedded-mongo/patient';
import { openScratchDatabase, type ScratchDatabase } from '@broker-transparency/embedded-mongo/scratch-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChangeListener, type DocumentChange, watchDatabase } from './changes.ts';
import { closeDb, connectAsReader, type Db, database } from './mongo.ts';

let scratch: ScratchDatabase;
let db: Db;
beforeAll(async () => {
  scratch = await openScratchDatabase();
  db = await connectAsReader(scratch.url, PATIENT);
});
afterAll(async () => {
  await closeDb(db);
  await scratch.remove();
});

const watch = () => {
  const seen: string[] = [];
  const faults: unknown[] = [];
  const listener: ChangeListener = { reset: () => {}, changed: ({ id }) => void seen.push(id) };
  const changes = watchDatabase(db, [{ 'ns.coll': 'watched' }], [listener], (error) => void faults.push(error));
  return { seen, faults, changes };
};

const write = (id: string) =>
  database(db)
    .collection<{ _id: string }>('watched')
    .insertOne({ _id: id }, { writeConcern: { w: 'majority' } });

test('a caller who waits has every change that was written before, however they ask', async () => {
  const { seen, faults, changes } = watch();
  await changes.loaded;
  try {
    const written: string[] = [];
    for (let round = 0; round < 150; round++) {
      const id = `r${round}`;
      await write(id);
      written.push(id);
      if (round % 3 === 1) for (let n = 0; n < round % 7; n++) await turn(); // the stream is at another place each time
      const asked = round % 2 === 0 ? [changes.caughtUp()] : [changes.caughtUp(), changes.caughtUp()];
      if (round % 5 === 0) void write(`beside-${round}`);
      await Promise.all(asked);
      expect(seen.filter((one) => one.startsWith('r'))).toEqual(written);
    }
    expect(faults).toEqual([]);
  } finally {
    await changes.stop();
  }
});

test('the stream continues between such waits, and reports its position', async () => {
  const { seen, changes } = watch();
  await changes.loaded;
  try {
    await changes.caughtUp();
    const from = changes.seenAt();
    await write('later');
    await expect.poll(() => seen, { timeout: 10_000 }).toContain('later');
    await expect.poll(() => changes.seenAt(), { timeout: 10_000 }).toBeGreaterThan(from);
  } finally {
    await changes.stop();
  }
});

test('a change has the paths that an update set and took out, and none for a document that is written whole', async () => {
  const seen: Pick<DocumentChange, 'set' | 'removed'>[] = [];
  const listener: ChangeListener = {
    reset: () => {},
    changed: ({ id, set, removed = [] }) => void (id === 'updated' && seen.push({ ...(set && { set }), removed })),
  };
  const changes = watchDatabase(db, [{ 'ns.coll': 'watched' }], [listener], () => {});
  await changes.loaded;
  try {
    const rows = database(db).collection<{ _id: string }>('watched');
    await rows.insertOne({ _id: 'updated', a: { b: 1 }, c: 1 } as never, { writeConcern: { w: 'majority' } });
    await rows.updateOne({ _id: 'updated' }, { $set: { 'a.b': 2 }, $unset: { c: '' } } as never);
    await rows.replaceOne({ _id: 'updated' }, { d: 1 } as never);
    await changes.caughtUp();
    expect(seen).toEqual([{ removed: [] }, { set: ['a.b'], removed: ['c'] }, { removed: [] }]);
  } finally {
    await changes.stop();
  }
});

test('a stream that was left has no cursor in the database, wherever it was', async () => {
  const { changes } = watch();
  await changes.loaded;
  for (let round = 0; round < 30; round++) {
    for (let n = 0; n < round % 9; n++) await turn();
    await changes.caughtUp();
  }
  await changes.stop();
  const { client } = database(db);
  const countCursors = async (): Promise<number> =>
    (
      await client
        .db('admin')
        .aggregate([
          { $currentOp: { idleCursors: true } },
          { $match: { 'cursor.tailable': true, ns: { $regex: `^${database(db).databaseName}\\.` } } },
        ])
        .toArray()
    ).length;
  await expect.poll(countCursors, { timeout: 10_000 }).toBe(0);
});
