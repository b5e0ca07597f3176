/** Entries of the record, made as fast as a test wants: the service gives them their numbers. */
import { ObjectId } from 'mongodb';
import { inDatabase } from '../support/database.ts';
import type { Service } from '../support/process.ts';
import { createOwnChange } from '../support/record.ts';
import { until } from '../support/until.ts';

/** An entry by its subject. */
export interface PublishedEntry {
  readonly number: number;
  readonly key: string;
  readonly subject: string;
}

let made = 0;

/**
 * Publishes one entry about each of these subjects, in this order, and waits until they have numbers. Each says that
 * nothing is published, which is true of what nobody knows: the log takes it.
 */
export const publish = (
  service: Service,
  subjects: readonly string[],
  kind = 'news',
): Promise<readonly PublishedEntry[]> =>
  inDatabase(service, async (db) => {
    const entries = db.collection('recordEntries');
    const keys = subjects.map((subject) => `${kind}/${subject.replace('/', '-')}-${made++}`);
    await entries.insertMany(
      subjects.map((subject, at) => ({
        _id: new ObjectId(),
        ...createOwnChange(),
        key: keys[at],
        sequence: 0,
        subject,
        kind,
        cause: 'fact',
        value: 'null',
        pending: 0,
      })),
    );
    return until('they have numbers', 20_000, async () => {
      const head = await db.collection('recordHeads').findOne();
      const rows = await entries.find({ key: { $in: keys }, number: { $lt: head?.['next'] ?? 0 } }).toArray();
      return (
        rows.length === keys.length &&
        rows.map(({ number, key, subject }) => ({ number, key, subject })).sort((a, b) => a.number - b.number)
      );
    });
  });

/** Returns the subjects whose events did not come in order; a repeated one counts by its first time. */
export const findOutOfOrder = (numbers: readonly number[], published: readonly PublishedEntry[]): string[] => {
  const subjects = new Map(published.map(({ number, subject }) => [number, subject]));
  const last = new Map<string, number>();
  const wrong: string[] = [];
  for (const number of new Set(numbers)) {
    const subject = subjects.get(number);
    if (subject === undefined) continue;
    if (number < (last.get(subject) ?? -1)) wrong.push(`${number} of ${subject} after ${last.get(subject)}`);
    last.set(subject, number);
  }
  return wrong;
};
