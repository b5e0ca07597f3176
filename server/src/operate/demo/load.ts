import { isDeepStrictEqual } from 'node:util';
import { referenceRegulators } from '../../assets.ts';
import { importBrokers } from '../../features/brokers/actions.ts';
import type { BrokerRecord } from '../../features/brokers/record.rule.ts';
import { type ComplaintDocument, loadComplaints } from '../../features/complaints/actions.ts';
import { publishComplaints } from '../../features/complaints/entries.ts';
import { importNews } from '../../features/news/actions.ts';
import { stateVerified } from '../../features/regulators/actions.ts';
import { loadReviews, type ReviewDocument } from '../../features/reviews/actions.ts';
import type { Actor } from '../../ledger/audit/store.ts';
import { type Context, inTransaction } from '../../ledger/context.ts';
import { growTree } from '../../ledger/log/tree.ts';
import { numberEntries } from '../../ledger/record/sequencer.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/mongo.ts';
import { findMissingDays, publishDays } from '../../published/record/days.ts';
import { addDays } from './calendar.ts';
import { changeMark, type DemoMark, HISTORY_DAYS, requireSameDemo } from './mark.ts';
import { toRecordAt } from './past.ts';
import { createDemoSet } from './set.ts';
import { findTime, STORIES } from './stories.ts';
import type { StoryAction, StoryMoment } from './story.ts';

/** Number of parts of the history, of at most 29 days each. Data without a story is loaded at the end of each part. */
const PARTS = 19;

/** Maximum number of documents per transaction, unless a single broker has more. */
const BATCH = 1000;

/** Splits a list that is ordered by broker into batches, without splitting a broker. */
const splitBatches = <T extends { readonly broker: string }>(rows: readonly T[]): T[][] => {
  const result: T[][] = [[]];
  for (const group of Map.groupBy(rows, (row) => row.broker).values()) {
    const last = result.at(-1) as T[];
    if (last.length > 0 && last.length + group.length > BATCH) result.push(group);
    else last.push(...group);
  }
  return result.filter((batch) => batch.length > 0);
};

/** Returns the actor of the demo with a name. */
const createActor = (name: string): Actor => ({ type: 'system', name });

const createContext = (db: Db, at: Date, name = 'demo'): Context => ({ actor: createActor(name), clock: () => at, db });

type DemoSet = ReturnType<typeof createDemoSet>;

/** Returns the latest known time of a review or complaint. */
const findLatest = (...times: readonly (Date | undefined)[]): Date =>
  new Date(Math.max(...times.map((time) => time?.getTime() ?? 0)));

const findSettledAt = ({ createdAt, publishedAt, reply }: ReviewDocument): Date =>
  findLatest(createdAt, publishedAt, reply?.createdAt);
const findEndedAt = ({ createdAt, forwardedAt, respondedAt, closedAt }: ComplaintDocument): Date =>
  findLatest(createdAt, forwardedAt, respondedAt, closedAt);

/** States that the registers were read when the last licence was checked, so that all pages agree. */
const stateRegistersRead = (context: Context, brokers: readonly BrokerRecord[]): Promise<void> => {
  const checked = brokers
    .flatMap(({ licenses = [] }) => licenses)
    .filter(({ lastVerifiedAt }) => lastVerifiedAt !== null);
  const codes = [...new Set(checked.map(({ regulatorCode }) => regulatorCode))];
  const at = new Date(Math.max(...checked.map(({ lastVerifiedAt }) => Date.parse(lastVerifiedAt as string))));
  return inTransaction(context, (c) =>
    stateVerified(c, codes, { register: 'demo', url: 'https://demo.example', at, listsAll: true }),
  );
};

/** A part of the history, from one time (excluded) to another. */
interface HistorySpan {
  readonly from: Date;
  readonly to: Date;
}

/** Loads all data of a span at its end. Brokers come last, so that each is complete from the start. */
const loadSpan = async (
  db: Db,
  { lives, reviews, complaints, news }: DemoSet,
  { from, to }: HistorySpan,
  began: Date,
) => {
  const context = createContext(db, to);
  const isIn = (at: Date): boolean => at > from && at <= to;
  const items = news.filter(({ publishedAt }) => isIn(new Date(publishedAt)));
  if (items.length > 0) await importNews(context, items, 'demo');
  for (const batch of splitBatches(reviews.filter((one) => isIn(findSettledAt(one)))))
    await loadReviews(context, batch);
  for (const batch of splitBatches(complaints.filter((one) => isIn(findEndedAt(one)))))
    await loadComplaints(context, batch);
  const changed = lives.flatMap((broker) => {
    const now = toRecordAt(broker, to, began);
    return isDeepStrictEqual(now, toRecordAt(broker, from, began)) && to > began ? [] : [now];
  });
  if (changed.length > 0) await importBrokers(context, changed, 'demo');
};

/** Number of days whose scores are computed at once: many, since there are few brokers. */
const DAYS_AT_ONCE = 100;

/**
 * Writes the counts of complaints. Also writes the missing days of the record if there are many or the history ends.
 */
const finishPart = async (context: Context, isLast: boolean): Promise<void> => {
  const { db, clock } = context;
  await publishComplaints(context);
  await numberEntries(db, clock);
  const missing = await findMissingDays(db, clock());
  if (isLast || missing.length > DAYS_AT_ONCE / 2) await publishDays(context, missing, DAYS_AT_ONCE);
};

const createSet = ({ beganAt }: DemoMark) => {
  const anchor = addDays(beganAt, HISTORY_DAYS);
  return { anchor, set: createDemoSet({ anchor, regulators: referenceRegulators() }) };
};

/** Loads the initial facts into a database that is marked as a demo. */
export const beginDemo = async (db: Db, mark: DemoMark): Promise<void> => {
  const { beganAt } = mark;
  await loadSpan(db, createSet(mark).set, { from: new Date(0), to: beganAt }, beganAt);
  const { clock } = createContext(db, beganAt);
  await publishComplaints(createContext(db, beganAt));
  await numberEntries(db, clock);
};

/**
 * Writes the history of a demo: each event at its own time, by the actions of the service. The tree of the log takes
 * its entries at once, without comparing them with facts: nobody else can have written to the database.
 */
export const fillDemo = async (db: Db, mark: DemoMark, clock: Clock): Promise<void> => {
  const { beganAt } = mark;
  const { anchor, set } = createSet(mark);
  const [known, firms]: [StoryMoment['known'], StoryMoment['firms']] = [new Map(), new Map()];
  const ends = Array.from({ length: PARTS + 1 }, (_, n) => addDays(beganAt, Math.round((HISTORY_DAYS * n) / PARTS)));
  const parts = ends.slice(1).map((to, n): { at: Date; act: StoryAction } => ({
    at: to,
    act: async ({ context }) => {
      await loadSpan(db, set, { from: ends[n] as Date, to }, beganAt);
      if (to >= anchor) {
        const records = set.lives.map((broker) => toRecordAt(broker, to, to));
        await stateRegistersRead(context, records);
        await importBrokers(context, records, 'demo');
      }
      await finishPart(context, to >= anchor);
    },
  }));
  const stories = Object.values(STORIES).flatMap((events) =>
    events.map((event) => ({ at: findTime(event, anchor), act: event[1] })),
  );
  for (const { at, act } of [...parts, ...stories].sort((a, b) => +a.at - +b.at)) {
    const context = createContext(db, at);
    await requireSameDemo(db, mark);
    await act({ context, second: createContext(db, at, 'demo, a second person'), anchor, known, firms });
    await numberEntries(db, context.clock);
  }
  await growTree(db, clock);
  await changeMark(db, mark, { isFilled: true });
};
