import type { Score } from '@broker-transparency/contract';
import type { Db } from '../../platform/mongo.ts';
import { findEntries } from '../../platform/record/read.ts';
import { type AskedTimes, entryView, numberOf } from './history.ts';
import { type Lineage, readCourse, readLineage } from './lineage.ts';
import { parsedValue, type RecordedEntry } from './scores.rule.ts';
import { byNumber } from './steps.ts';
import { type Course, followCourse } from './timeline.rule.ts';

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

/** Returns a function that says what an entry changed. Entries must come by number. */
const createComparison = ({ subject, facts, momentAt }: Lineage, course: Course) => {
  const timelineAt = followCourse(subject, course);
  const scoreAt = (knownAt: number, { time: validAt }: RecordedEntry): ShortScore | null =>
    shortOf(timelineAt(knownAt).score(momentAt({ knownAt, validAt }), { knownAt, validAt }));
  const formerOf = (entry: RecordedEntry): Value => {
    const former = facts.findLast(({ key, number }) => key === entry.key && number < entry.number);
    return former ? (parsedValue(former) as Value) : null;
  };
  /** Both scores are those for the time of the entry: what differs is not the passing of time. */
  return (entry: RecordedEntry): Change | undefined => {
    const before = scoreAt(entry.number - 1, entry);
    const after = scoreAt(entry.number, entry);
    // a licence of a broker that was merged into this one does not count here
    const isOwn = entry.kind === 'license' && entry.subject === subject;
    const license = isOwn ? { before: formerOf(entry), after: parsedValue(entry) as Value } : undefined;
    if (!license && isSame(before, after)) return undefined;
    return { ...entryView(entry), score: { before, after }, ...(license ? { license } : {}) };
  };
};

/**
 * Returns what changed licences and score of a broker, each with the entry that did. A page looks at four times as many
 * entries as it may have steps, and computes two scores for each.
 * @throws DomainError broker_not_found
 */
export const readChanges = async (db: Db, asked: string, { from, limit, knownAt, validAt }: AskedChanges) => {
  const lineage = await readLineage(db, asked);
  const { slug, counted, first } = lineage;
  const last = await numberOf(db, knownAt);
  const until = validAt === undefined ? undefined : new Date(validAt).toISOString();
  const most = limit * LOOKED_AT;
  const own = await findEntries(db, { subjects: counted, from, below: last + 1 }, most + 1);
  const regulators = lineage.regulators.filter(({ number }) => number >= from && number <= last);
  const entries = [...own, ...regulators]
    .filter(({ time }) => until === undefined || time <= until)
    .sort(byNumber)
    .slice(0, most + 1);
  const [begin, end] = [entries[0], entries.at(-1)];
  const data: Change[] = [];
  let at = 0;
  if (begin && end) {
    const compare = createComparison(lineage, await readCourse(db, lineage, { first: begin.number, last: end.number }));
    for (; at < entries.length && at < most && data.length < limit; at++)
      data.push(...[compare(entries[at] as RecordedEntry)].flatMap((change) => change ?? []));
  }
  return { slug, since: first.time, knownAt: Math.max(last, 0), data, next: entries[at]?.number ?? null };
};
