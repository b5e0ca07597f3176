import type { Score } from '@broker-transparency/contract';
import type { Db } from '../../platform/mongo.ts';
import { findKnown, type TimesQuery, toEntryView } from './history.ts';
import { type Lineage, readCourse, readLineage } from './lineage.ts';
import { parseValue, type RecordedEntry } from './scores.rule.ts';
import { type BrokerChange, readChangesFrom } from './steps.ts';
import { type Course, followCourse } from './timeline.rule.ts';

/** Number of changes that are examined per result: most change the score. */
const LOOKED_AT = 4;

type PublishedValue = Record<string, unknown> | null;

/** A short form of a score; null if nothing is published. */
interface ShortScore {
  readonly value: number | null;
  readonly color: Score['color'];
}

const toShortScore = (score: Pick<Score, 'value' | 'color'> | undefined): ShortScore | null =>
  score ? { value: score.value, color: score.color } : null;

const isSame = (a: ShortScore | null, b: ShortScore | null): boolean => a?.value === b?.value && a?.color === b?.color;

/** An entry of a change that affected a broker's licences or score. */
type ChangeView = ReturnType<typeof toEntryView> & {
  readonly score: { readonly before: ShortScore | null; readonly after: ShortScore | null };
  readonly license?: { readonly before: PublishedValue; readonly after: PublishedValue };
};

/** Part of the changes to return. */
export interface ChangesQuery extends TimesQuery {
  readonly from: number;
  readonly limit: number;
}

/** Returns a function that computes the effect of a change. Changes must come by number. */
const createComparison = ({ subject, facts, momentAt }: Lineage, course: Course) => {
  const timelineAt = followCourse(subject, course);
  const scoreAt = (knownAt: number, validAt: string): ShortScore | null =>
    toShortScore(timelineAt(knownAt).score(momentAt({ knownAt, validAt }), { knownAt, validAt }));
  const findFormerValue = (entry: RecordedEntry): PublishedValue => {
    const former = facts.findLast(({ key, number }) => key === entry.key && number < entry.number);
    return former ? (parseValue(former) as PublishedValue) : null;
  };
  /** Both scores are for the time of the change, so their difference does not include the passing of time. */
  return (change: BrokerChange): ChangeView[] => {
    const [first, last] = [change[0] as RecordedEntry, change.at(-1) as RecordedEntry];
    const score = { before: scoreAt(first.number - 1, last.time), after: scoreAt(last.number, last.time) };
    return change.flatMap((entry) => {
      // licences of merged brokers do not count here
      const isOwn = entry.kind === 'license' && entry.subject === subject;
      const license = isOwn
        ? { before: findFormerValue(entry), after: parseValue(entry) as PublishedValue }
        : undefined;
      if (!license && isSame(score.before, score.after)) return [];
      return [{ ...toEntryView(entry), score, ...(license ? { license } : {}) }];
    });
  };
};

/**
 * Returns the changes of a broker's licences and score, with all their entries. A page has complete changes: at least
 * one, and more while it has fewer than `limit` entries and has examined fewer than four times as many changes.
 * @throws DomainError broker_not_found
 */
export const readChanges = async (db: Db, asked: string, { from, limit, knownAt, validAt }: ChangesQuery) => {
  const last = await findKnown(db, knownAt);
  const lineage = await readLineage(db, asked);
  const { slug, first } = lineage;
  const until = validAt === undefined ? undefined : new Date(validAt).toISOString();
  const { page, after } = await readChangesFrom(db, lineage, { from, below: last + 1, count: limit * LOOKED_AT });
  const isWanted = (change: BrokerChange | undefined): boolean =>
    change !== undefined && (until === undefined || (change[0] as RecordedEntry).time <= until);
  const changes = [...page, ...(after ? [after] : [])].filter(isWanted);
  const [begin, end] = [changes[0]?.[0], changes.at(-1)?.at(-1)];
  const data: ChangeView[] = [];
  let at = 0;
  if (begin && end) {
    const compare = createComparison(lineage, await readCourse(db, lineage, { first: begin.number, last: end.number }));
    for (; at < Math.min(changes.length, page.length) && data.length < limit; at++)
      data.push(...compare(changes[at] as BrokerChange));
  }
  return { slug, since: first.time, knownAt: Math.max(last, 0), data, next: changes[at]?.[0]?.number ?? null };
};
