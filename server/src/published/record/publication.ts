import type { DayValue, MethodologyValue } from '@broker-transparency/contract/record';
import type { PublicationFacts } from '@broker-transparency/kernel';
import { formatEntryExtra, formatProof } from '@broker-transparency/log';
import { type EntryProof, proveEntries, signedSize } from '../../ledger/log/files.ts';
import type { Db } from '../../platform/mongo.ts';
import { findDay, proveScore, readMethodologyAt } from './days.ts';
import { readProfiles, requireSubject } from './lineage.ts';
import { findWinners, type RecordedEntry } from './scores.rule.ts';

/** Returns the known facts of a broker at the time when a day is scored. */
const findBrokerOn = (own: readonly RecordedEntry[], { date, through }: DayValue) =>
  findWinners(own, { knownAt: through - 1, validAt: `${date}T00:00:00.000Z` }).find(({ kind }) => kind === 'broker');

/** Returns the name in a proven entry; undefined if the entry is too long for the log, which then has only its hash. */
const parseProvenName = ({ entry }: EntryProof): string | undefined =>
  (JSON.parse(Buffer.from(entry).toString()) as { value?: { name?: string } }).value?.name;

const formatEntryProof = (
  number: number,
  { entry, hashes, checkpoint }: EntryProof,
  day?: Parameters<typeof formatEntryExtra>[0]['day'],
) => formatProof({ extra: formatEntryExtra({ entry, day }), index: number, hashes, checkpoint });

/**
 * Returns the rating of a broker on a day (by default the last one) with all its proofs, against one checkpoint;
 * undefined if no published checkpoint covers the day, or the day has no such broker.
 * @throws DomainError broker_not_found if the record has no entry about it
 */
export const readPublication = async (
  db: Db,
  asked: string,
  date: string | undefined,
): Promise<PublicationFacts | undefined> => {
  const { subject } = await requireSubject(db, asked);
  const day = await findDay(db, date, await signedSize(db));
  if (!day) return undefined;
  const value = JSON.parse(day.value) as DayValue;
  const broker = findBrokerOn(await readProfiles(db, subject), value);
  const rules = await readMethodologyAt(db, value.through - 1);
  if (!broker) return undefined;
  const { slug } = broker.value as { slug: string };
  const part = await proveScore(db, value.date, slug);
  const numbers = [day.number, broker.entry.number, rules.number] as const;
  const found = part && (await proveEntries(db, numbers));
  if (!found) return undefined;
  const [ofDay, ofBroker, ofRules] = found.proven as [EntryProof, EntryProof, EntryProof];
  const [, score, color] = JSON.parse(Buffer.from(part.leaf).toString()) as [string, number | null, string];
  const { version, sha256 } = JSON.parse(rules.value) as MethodologyValue;
  return {
    broker: { slug, name: parseProvenName(ofBroker) ?? slug, entry: broker.entry.number },
    rating: { date: value.date, value: score, color, entry: day.number },
    methodology: { version, sha256, entry: rules.number },
    log: { origin: found.origin, size: ofDay.size, keys: found.keys },
    proofs: {
      rating: formatEntryProof(day.number, ofDay, part),
      broker: formatEntryProof(broker.entry.number, ofBroker),
      methodology: formatEntryProof(rules.number, ofRules),
    },
  };
};
