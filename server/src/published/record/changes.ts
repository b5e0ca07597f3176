import type { Score } from '@broker-transparency/contract';
import type { Db } from '../../platform/mongo.ts';
import { readCommon } from './days.ts';
import { type AskedTimes, entryView, numberOf, readTimeline, requireSubject } from './history.ts';
import { parsedValue, type RecordedEntry } from './scores.rule.ts';
import { createTimeline } from './timeline.rule.ts';

/** Entries that are looked at for each step of a page: most change the score. */
const LOOKED_AT = 4;

type Value = Record<string, unknown> | null;

/** A score, in short; null where nothing is published. */
interface ShortScore {
  readonly value: number | null;
  readonly color: Score['color'];
}

const shortOf = (score: Pick<Score, 'value' | 'color'> | undefined): ShortScore | null =>
  score ? { value: score.value, color: score.color } : null;

const isSame = (a: ShortScore | null, b: ShortScore | null): boolean => a?.value === b?.value && a?.color === b?.color;

/** An entry that changed licences or the score of a broker. */
type Change = ReturnType<typeof entryView> & {
  readonly score: { readonly before: ShortScore | null; readonly after: ShortScore | null };
  readonly license?: { readonly before: Value; readonly after: Value };
};

/** Which part of the changes is asked for. */
export interface AskedChanges extends AskedTimes {
  readonly from: number;
  readonly limit: number;
}

/** Follows a broker through its entries, and says what each one changed. */
const createComparison = (subject: string, momentAt: Awaited<ReturnType<typeof readCommon>>) => {
  const timeline = createTimeline(subject);
  const licenses = new Map<string, Value>();
  const scoreAt = (knownAt: number, { time: validAt }: RecordedEntry): ShortScore | null =>
    shortOf(timeline.score(momentAt({ knownAt, validAt }), { knownAt, validAt }));
  const add = (entry: RecordedEntry): void => {
    timeline.add(entry);
    if (entry.kind === 'license') licenses.set(entry.key, parsedValue(entry) as Value);
  };
  /** Both scores are those for the time of the entry: what differs is not the passing of time. */
  const compare = (entry: RecordedEntry): Change | undefined => {
    const before = scoreAt(entry.number - 1, entry);
    const held = licenses.get(entry.key) ?? null;
    add(entry);
    const after = scoreAt(entry.number, entry);
    // a licence of a broker that was merged into this one does not count here
    const isOwn = entry.kind === 'license' && entry.subject === subject;
    const license = isOwn ? { before: held, after: parsedValue(entry) as Value } : undefined;
    if (!license && isSame(before, after)) return undefined;
    return { ...entryView(entry), score: { before, after }, ...(license ? { license } : {}) };
  };
  return { add, compare };
};

/**
 * Returns what changed licences and score of a broker, each with the entry that did. A page looks at four times as many
 * entries as it may have steps, and computes two scores for each.
 * @throws DomainError broker_not_found
 */
export const readChanges = async (db: Db, asked: string, { from, limit, knownAt, validAt }: AskedChanges) => {
  const { slug, own } = await requireSubject(db, asked);
  const { time: since, subject } = own[0] as RecordedEntry;
  const last = await numberOf(db, knownAt);
  const until = validAt === undefined ? undefined : new Date(validAt).toISOString();
  const all = await readTimeline(db, own);
  const entries = all.filter(
    ({ number, time, kind }) => kind !== 'check' && number <= last && (until === undefined || time <= until),
  );
  const { add, compare } = createComparison(subject, await readCommon(db));
  let at = entries.findIndex(({ number }) => number >= from);
  if (at < 0) at = entries.length;
  for (const entry of entries.slice(0, at)) add(entry);
  const end = at + limit * LOOKED_AT;
  const data: Change[] = [];
  for (; at < entries.length && at < end && data.length < limit; at++)
    data.push(...[compare(entries[at] as RecordedEntry)].flatMap((change) => change ?? []));
  return { slug, since, knownAt: Math.max(last, 0), data, next: entries[at]?.number ?? null };
};
