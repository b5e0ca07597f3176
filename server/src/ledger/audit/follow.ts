import { setTimeout as sleep } from 'node:timers/promises';
import type mongoose from 'mongoose';
import { isHistoryLost } from '../../platform/changes.ts';
import { type Db, database } from '../../platform/mongo.ts';
import { appendLines, readPosition, savePosition, type TrailPosition } from './file.ts';
import { AUDIT_COLLECTION, type StoredAuditEntry } from './store.ts';

type TrailEvent = mongoose.mongo.ChangeStreamDocument<StoredAuditEntry>;
type TrailStart = { startAfter: unknown } | { startAtOperationTime: mongoose.mongo.Timestamp };

/** Maximum number of lines per write. */
const BATCH = 500;
const BEAT_MS = 1000;
const RETRY_MS = 1000;
/** The position is also saved while nothing happens, so that it stays within the database's change history. */
const SAVE_MS = 10_000;
/** Safety margin, longer than any transaction stays open and than clocks differ. */
const MARGIN_MS = 3_600_000;

/** Returns one line for an event on an entry. Any operation but `insert` means that the trail was tampered with. */
const formatLine = (operation: string, id: string | undefined, entry: StoredAuditEntry | null | undefined): string => {
  const { _id, ...facts } = entry ?? {};
  return JSON.stringify({ operation, id, ...facts });
};

const formatEventLine = (event: TrailEvent): string =>
  formatLine(
    event.operationType,
    'documentKey' in event ? String(event.documentKey._id) : undefined,
    'fullDocument' in event ? event.fullDocument : undefined,
  );

const collection = (db: Db) => database(db).collection<StoredAuditEntry>(AUDIT_COLLECTION);

const operationTime = async ({ connection }: Db): Promise<mongoose.mongo.Timestamp> =>
  (await connection.getClient().db('admin').command({ ping: 1 }))['operationTime'];

/**
 * Writes the stored entries from `since` on. Returns the start of the change stream, and the ids of entries that it may
 * deliver again.
 */
const writeStored = async (db: Db, path: string, since: Date): Promise<{ start: TrailStart; told: Set<string> }> => {
  const start = { startAtOperationTime: await operationTime(db) };
  const recent = Date.now() - MARGIN_MS;
  const told = new Set<string>();
  let lines: string[] = [];
  for await (const entry of collection(db).find({ at: { $gte: since } }, { sort: { at: 1, _id: 1 } })) {
    const id = String(entry._id);
    if (entry.at.getTime() >= recent) told.add(id);
    if (lines.push(formatLine('insert', id, entry)) === BATCH) {
      await appendLines(path, lines);
      lines = [];
    }
  }
  await appendLines(path, lines);
  return { start, told };
};

/** Returns the events since the last call, up to one batch. */
const readEvents = async (stream: mongoose.mongo.ChangeStream<StoredAuditEntry, TrailEvent>): Promise<TrailEvent[]> => {
  const events: TrailEvent[] = [];
  while (events.length < BATCH) {
    const event = await stream.tryNext();
    if (event) events.push(event);
    if (!event || event.operationType === 'invalidate') break;
  }
  return events;
};

/** Writes lines as events arrive, until the stream ends: the collection is dropped, or a fault occurs. */
const followFrom = async (
  db: Db,
  path: string,
  start: TrailStart,
  told: Set<string>,
  signal: AbortSignal,
): Promise<void> => {
  const stream = collection(db).watch<StoredAuditEntry, TrailEvent>([], {
    fullDocument: 'updateLookup',
    maxAwaitTimeMS: BEAT_MS,
    batchSize: BATCH,
    ...start,
  });
  let savedAt = 0;
  try {
    while (!signal.aborted && !stream.closed) {
      const askedAt = Date.now();
      const events = await readEvents(stream);
      const fresh = events.filter(
        (event) => event.operationType !== 'insert' || !told.delete(String(event.documentKey._id)),
      );
      if (fresh.length > 0) await appendLines(path, fresh.map(formatEventLine));
      if (events.length > 0 || askedAt - savedAt >= SAVE_MS) {
        await savePosition(path, { token: stream.resumeToken, at: new Date(askedAt).toISOString() });
        savedAt = askedAt;
      }
      if (events.at(-1)?.operationType === 'invalidate') return;
    }
  } finally {
    await stream.close().catch(() => undefined);
  }
};

/**
 * Returns the time from which stored entries have to be written first: the beginning if there is no position, a margin
 * before the saved position if the history is lost, and undefined otherwise.
 */
const findMissingSince = (position: TrailPosition | undefined, isLost: boolean): Date | undefined => {
  if (!position) return new Date(0);
  return isLost ? new Date(Date.parse(position.at) - MARGIN_MS) : undefined;
};

/**
 * Writes the audit trail to a file, one line per entry in commit order, and resumes at the saved position. Lines are on
 * disk before the position after them is saved, so a kill may repeat some lines and loses none.
 * @throws Error if the file cannot be written at the start; later faults go to `onFault`, and writing is retried
 */
export const followTrail = async (
  db: Db,
  path: string,
  signal: AbortSignal,
  onFault: (error: unknown) => void,
): Promise<void> => {
  await appendLines(path, []);
  let isLost = false;
  while (!signal.aborted) {
    const position = await readPosition(path);
    const since = findMissingSince(position, isLost);
    try {
      const { start, told } = since
        ? await writeStored(db, path, since)
        : { start: { startAfter: position?.token }, told: new Set<string>() };
      await followFrom(db, path, start, told, signal);
      isLost = false;
    } catch (error) {
      if (signal.aborted) return;
      isLost = isHistoryLost(error);
      onFault(error);
      await sleep(RETRY_MS);
    }
  }
};
