/** Processes that write entries, and processes that give them numbers, on a database of their own. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Db } from 'mongodb';
import { type GuardedProcess, startGuarded } from '../support/guarded.ts';

/** A transaction of the writer that ended. */
export interface Commit {
  /** The number in the value of its entry. */
  readonly _id: number;
  /** Unix milliseconds. */
  readonly at: number;
}

const SOURCES = ['--conditions=@broker-transparency/source'];

const start = (file: string, args: readonly (string | number)[], ready: string): Promise<GuardedProcess> => {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return startGuarded([process.execPath, ...SOURCES, path, ...args.map(String)], ready);
};

/** Starts a process that gives numbers to entries, with its clock moved. */
export const startSequencer = (url: string, shiftMs: number, everyMs: number): Promise<GuardedProcess> =>
  start('sequencer-process.ts', [url, shiftMs, everyMs], 'numbers entries');

/** The work of a writer. */
export interface WriterLoad {
  readonly count: number;
  readonly perSecond: number;
  /** Number of keys that it writes to, in turn. */
  readonly keys: number;
}

export const startWriter = (url: string, { count, perSecond, keys }: WriterLoad): Promise<GuardedProcess> =>
  start('writer-process.ts', [url, count, perSecond, keys], 'writes entries');

/** Returns how many entries readers of the record see, by three ways of reading. */
export const countSeen = async (url: string): Promise<number[]> => {
  const path = fileURLToPath(new URL('reader-process.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [...SOURCES, path, url]);
  return JSON.parse(stdout);
};

/** Returns how many entries were written. */
export const countWritten = (db: Db): Promise<number> => db.collection('commits').countDocuments();

/** Returns whether every entry has its number and counts: the head follows only once its batch is complete. */
export const isAllNumbered = async (db: Db): Promise<boolean> => {
  const head = await db.collection('recordHeads').findOne();
  return head?.['next'] === (await db.collection('recordEntries').countDocuments());
};

/** Returns what is wrong with the numbers of the record; empty if nothing is. */
export const findFaults = async (db: Db, load: WriterLoad): Promise<string[]> => {
  const rows = await db.collection('recordEntries').find().sort({ number: 1, _id: 1 }).toArray();
  const faults: string[] = [];
  if (rows.length !== load.count) faults.push(`${rows.length} entries instead of ${load.count}`);
  const last = new Map<string, number>();
  let time = '';
  for (const [at, row] of rows.entries()) {
    if (row['number'] !== at) faults.push(`${row['number']} stands at ${at}`);
    if (row['time'] < time) faults.push(`the time of ${at} is before that of ${at - 1}`);
    if (row['sequence'] !== (last.get(row['key']) ?? -1) + 1) faults.push(`${at} is out of order within ${row['key']}`);
    if (row['pending'] !== undefined) faults.push(`${at} waits for its number`);
    const first = rows[at - row['changeIndex']];
    if (String(first?.['change']) !== String(row['change']) || first?.['time'] !== row['time'])
      faults.push(`${at} is apart from the rest of its change`);
    last.set(row['key'], row['sequence']);
    time = row['time'];
  }
  const head = await db.collection('recordHeads').findOne();
  if (head?.['next'] !== rows.length || head?.['time'] !== time) faults.push(`the end is ${JSON.stringify(head)}`);
  return faults;
};
