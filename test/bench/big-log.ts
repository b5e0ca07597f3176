/** A log of a large market over a year, as files. The score of every broker on every day is computed from its facts. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { METHODOLOGY_VERSION } from '@broker-transparency/contract';
import { METHODOLOGY_MODULES, type RatedFacts, scoreFromRecord } from '@broker-transparency/contract/record';
import { computeRoot, hashLeaf } from '../support/log-reader.ts';
import { signCheckpoint } from '../support/signed-log.ts';
import type { WorldDraft } from './log-drafts.ts';
import { createLogFiles } from './log-files.ts';
import { type Counts, World } from './log-world.ts';

const DAY_MS = 86_400_000;
const BEGIN = Date.UTC(2025, 10, 1);
/** Entries that get the same time: the service numbers as many at once. */
const BATCH = 500;

/** The content of the log. */
export interface BigLog {
  readonly entries: number;
  readonly bytes: number;
  readonly days: number;
  readonly brokers: number;
}

/** Returns a function that computes the root of a day, as docs/record.md says. */
const createDays = () => {
  const leaves = new Map<string, Buffer>(); // most scores are those of the day before
  return (facts: Iterable<RatedFacts>, date: string) => {
    const rows: (readonly [slug: string, leaf: string])[] = [];
    for (const one of facts) {
      const { value, color } = scoreFromRecord(one, METHODOLOGY_VERSION, `${date}T00:00:00.000Z`);
      rows.push([one.broker.slug, JSON.stringify([one.broker.slug, value, color])]);
    }
    rows.sort(([a], [b]) => (a < b ? -1 : 1));
    const hashes = rows.map(([, leaf]) => {
      const hash = leaves.get(leaf) ?? hashLeaf(Buffer.from(leaf));
      leaves.set(leaf, hash);
      return hash;
    });
    return { count: rows.length, root: computeRoot(hashes).toString('base64') };
  };
};

/** Writes a log into a folder, signed with the key in a file. */
export const writeBigLog = async (folder: string, key: string, days: number, counts: Counts): Promise<BigLog> => {
  const world = new World(20_261_123, BEGIN, counts);
  const files = createLogFiles(folder);
  const computeScores = createDays();
  let [now, brokers] = [BEGIN, 0];
  const add = (draft: WorldDraft): void => {
    if (files.size() % BATCH === 0) now += 100;
    files.add({ ...draft, time: new Date(now).toISOString() });
  };
  const addAt = (ms: number, drafts: Iterable<WorldDraft>): void => {
    now = Math.max(now, ms);
    world.moveTo(now);
    for (const draft of drafts) add(draft);
  };
  const addDay = (midnight: number): void => {
    const date = new Date(midnight).toISOString().slice(0, 10);
    world.moveTo(midnight);
    const complaints = [...world.complaints()];
    const scores = computeScores(world.published(), date);
    // written after midnight: without `validFrom` they count from the next day on, whatever `through` is
    const late = [...world.change(0.01)];
    const first = late.findIndex(({ validFrom }) => validFrom !== undefined);
    const before = first < 0 ? late.length : first;
    addAt(midnight + 30_000, late.slice(0, before));
    addAt(midnight + 120_000, complaints);
    const through = files.size();
    addAt(midnight + 121_000, late.slice(before));
    add({
      key: `day/${date}`,
      cause: 'day',
      validFrom: `${date}T00:00:00.000Z`,
      value: { count: scores.count, date, root: scores.root, through },
    });
    brokers = scores.count;
  };
  add({
    key: `methodology/${METHODOLOGY_VERSION}`,
    cause: 'methodology',
    value: { sha256: METHODOLOGY_MODULES[METHODOLOGY_VERSION], version: METHODOLOGY_VERSION },
  });
  addAt(BEGIN + 6 * 3_600_000, world.start());
  for (let day = 1; day <= days; day++) {
    const midnight = BEGIN + day * DAY_MS;
    addDay(midnight);
    for (let hour = 9; hour < 19; hour++) addAt(midnight + hour * 3_600_000, world.change(0.099));
    if (day % 30 === 0) process.stderr.write(`  day ${day} of ${days}, ${files.size()} entries\n`);
  }
  const root = files.end();
  await writeFile(join(folder, 'checkpoint'), await signCheckpoint(key, { size: files.size(), root }));
  const log = { entries: files.size(), bytes: files.bytes(), days, brokers };
  await writeFile(join(folder, 'log.json'), JSON.stringify(log));
  return log;
};

/** Returns what is in the log of a folder; undefined if there is none. */
export const readBigLog = async (folder: string): Promise<BigLog | undefined> => {
  const text = await readFile(join(folder, 'log.json'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
};
