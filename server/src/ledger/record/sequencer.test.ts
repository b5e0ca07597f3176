import { PATIENT } from '@broker-transparency/embedded-mongo/patient';
import { openScratchDatabase, type ScratchDatabase } from '@broker-transparency/embedded-mongo/scratch-database';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeDb, connectMongo, type Db, database, inReadOrder, transaction } from '../../platform/mongo.ts';
import { appendEntries } from './append.ts';
import { findChangeEnd, findChangeStart } from './entry.rule.ts';
import { readRange } from './page.ts';
import { findEntries, findWholeEnd } from './read.ts';
import { numberEntries } from './sequencer.ts';

let scratch: ScratchDatabase;
let db: Db;
beforeAll(async () => {
  scratch = await openScratchDatabase();
  db = await connectMongo(scratch.url, PATIENT);
});
afterAll(async () => {
  await closeDb(db);
  await scratch?.remove();
});
beforeEach(async () => {
  for (const name of ['recordEntries', 'recordHeads']) await database(db).collection(name).deleteMany({});
});

const clock = () => new Date('2026-11-24T12:00:00Z');

let written = 0;
/** Writes a change that says something new of each of these keys. */
const write = (names: readonly string[], isBulk = false): Promise<void> =>
  transaction(db, (tx) =>
    appendEntries(
      names.map((name) => ({
        kind: 'regulator' as const,
        key: `regulator/${name}`,
        subject: `regulator/${name}`,
        value: { code: name, tier: written++ },
        cause: 'fact' as const,
        isBulk,
      })),
      tx,
    ),
  );

const createNames = (change: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${change}${String(at).padStart(4, '0')}`);

/** Returns how long each change is, in the order of numbers, after looking at the numbers of each. */
const readSizes = async (): Promise<number[]> => {
  const entries = await findEntries(db, {});
  expect(entries.map(({ number }) => number)).toEqual(entries.map((_, at) => at));
  const changes = [...Map.groupBy(entries, ({ change }) => String(change)).values()];
  for (const change of changes) {
    const [first] = change;
    expect(change.map(({ changeIndex }) => changeIndex)).toEqual(change.map((_, at) => at));
    expect(new Set(change.map(({ time, changeSize }) => `${time} ${changeSize}`)).size).toBe(1);
    expect(change.map(({ number }) => number)).toEqual(change.map((_, at) => (first?.number as number) + at));
  }
  for (const own of Map.groupBy(entries, ({ key }) => key).values())
    expect(own.map(({ sequence }) => sequence)).toEqual(own.map((_, at) => at));
  return changes.map((change) => change.length);
};

test('a change gets its numbers whole, also if it is longer than what gets numbers at once', async () => {
  const sizes = [700, 700, 1500, 1, 300];
  for (const [at, size] of sizes.entries()) await write(createNames(`c${at}-`, size));
  await numberEntries(db, clock);
  expect(await readSizes()).toEqual(sizes);
});

test('a change waits for the imports that wrote to its keys before it, with all of their entries', async () => {
  await write(createNames('a', 900), true);
  await write([...createNames('b', 400), 'a0005'], true);
  await write(['b0007', 'z']);
  await write(createNames('c', 950));
  await numberEntries(db, clock);
  expect((await readSizes()).toSorted((a, b) => a - b)).toEqual([2, 401, 900, 950]);
});

test('changes of several writers stay whole while several processes give numbers', async () => {
  const random = (n: number): number => (n * 7919 + 104_729) % 997;
  const writing = Array.from({ length: 60 }, (_, n) =>
    write(
      ['p', 'q', 'r', 's', 't'].filter((_, at) => at === n % 5 || random(n * 5 + at) % 3 === 0),
      n % 4 === 0,
    ),
  );
  let isWritten = false;
  const number = async (): Promise<void> => {
    while (!isWritten) await numberEntries(db, clock);
  };
  const numbering = Promise.all([number(), number(), number()]);
  await Promise.all(writing);
  isWritten = true;
  await numbering;
  await numberEntries(db, clock);
  expect(await readSizes()).toHaveLength(60);
});

test('a change that lacks an entry gets no number, and others before it do', async () => {
  await write(['whole', 'also-whole']);
  await write(['a', 'b', 'c']);
  await database(db).collection('recordEntries').deleteOne({ key: 'regulator/b' });
  await expect(numberEntries(db, clock)).rejects.toThrow(
    'the change with the entry regulator/a lacks others that it was written with',
  );
  expect(await readSizes()).toEqual([2]);
});

test('a page has whole changes, as many as its limits allow and at least one', async () => {
  const sizes = [3, 1, 7, 2, 2, 1, 12, 1];
  for (const [at, size] of sizes.entries()) await write([...createNames(`c${at}-`, size - 1), 'always']);
  await numberEntries(db, clock);
  const all = await findEntries(db, {});
  const below = all.length;
  const ends = new Set(all.map(findChangeEnd));
  for (const subjects of [undefined, ['regulator/always'], ['regulator/always', 'regulator/c6-0003']])
    for (const kind of [undefined, 'regulator'] as const)
      for (const limit of [1, 2, 3, 5, 8, 100])
        for (const bytes of [1, 400, 2000, 1_000_000]) {
          const asked = { subjects, kind, limit, bytes };
          const wanted = all.filter(({ subject }) => subjects?.includes(subject) ?? true);
          const found: number[] = [];
          for (let from = 0; from < below; ) {
            const { entries, through } = await inReadOrder(db, (tx) => readRange({ ...asked, from, below }, tx));
            expect([ends.has(through + 1), through >= from], JSON.stringify({ ...asked, from })).toEqual([true, true]);
            const changes = new Set(entries.map(({ number }) => findChangeStart(all[number] as (typeof all)[number])));
            if (changes.size > 1) {
              expect(entries.length).toBeLessThanOrEqual(limit);
              expect(entries.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(bytes);
            }
            found.push(...entries.map(({ number }) => number));
            from = through + 1;
          }
          expect(found, JSON.stringify(asked)).toEqual(wanted.map(({ number }) => number));
        }
  for (let from = 0; from < below; from++)
    for (let to = from + 1; to <= below; to++) {
      const end = await inReadOrder(db, (tx) => findWholeEnd(from, to, tx));
      const expected = [...ends].filter((one) => one > from && one <= to).at(-1) ?? [...ends].find((one) => one > from);
      expect([from, to, end]).toEqual([from, to, expected]);
    }
});
