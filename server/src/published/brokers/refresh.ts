import {
  type BrokerReference,
  countProfiles,
  findBrokersBehind,
  findLicenses,
  findProfiles,
  resolveSlugs,
  toLicenseRecord,
} from '../../features/brokers/facts.ts';
import { complaintFacts } from '../../features/complaints/facts.ts';
import { findPublicDisputes } from '../../features/disputes/facts.ts';
import { mapRegulators } from '../../features/regulators/facts.ts';
import {
  addMonths,
  findRecentReviews,
  type MonthSource,
  readRatingMonths,
  toNewestReviews,
} from '../../features/reviews/facts.ts';
import { inBatches } from '../../ledger/batches.ts';
import type { Context } from '../../ledger/context.ts';
import { clearDirty, type DirtyMark, dirtyKeys, dirtyMarks, lastDirty, markDirty } from '../../ledger/dirty-marks.ts';
import type { Clock } from '../../platform/clock.ts';
import type { JobRun } from '../../platform/jobs/job.ts';
import { type Db, type Tx, transaction } from '../../platform/mongo.ts';
import { findAnswers, replaceAnswers } from './answers-store.ts';
import { type BrokerDocument, type BrokerFacts, buildBroker, describe, listBrokerKeys } from './build.rule.ts';
import * as store from './store.ts';
import { tryBrokerAnswers } from './view.ts';

/** Number of brokers that are built in one transaction. */
const BATCH = 50;
/** Batch size of a round over all brokers. Nobody waits for it, and larger batches cost less. */
const ROUND_BATCH = 100;

const groupByBroker = <T extends { broker: string }>(rows: readonly T[]): Map<string, T[]> =>
  Map.groupBy(rows, (row) => row.broker);

/**
 * Loads the facts of the brokers with these keys from every feature, on one snapshot. Keys without a broker are left
 * out.
 */
export const loadFacts = async (
  keys: readonly string[],
  at: (slug: string) => Date,
  source: MonthSource,
  tx: Tx,
): Promise<BrokerFacts[]> => {
  // in sequence: a session runs one command at a time
  const profiles = await findProfiles(keys, tx);
  const licenses = groupByBroker(await findLicenses(keys, tx));
  const regulators = await mapRegulators(tx);
  const subjects = profiles.flatMap(listBrokerKeys);
  const months = await readRatingMonths(subjects, source, tx);
  const reviews = await findRecentReviews([...months.keys()], tx); // only brokers with months have reviews
  const complaints = await complaintFacts(subjects, tx);
  const disputes = await findPublicDisputes(subjects, tx);
  const findBrokerKey = await resolveSlugs(
    tx.db,
    profiles.flatMap(({ successor }) => successor ?? []),
    { session: tx },
  );
  return profiles.map((stored) => {
    const { key, id, profile } = describe(stored, findBrokerKey);
    const { slug } = profile;
    const written = listBrokerKeys(stored);
    return {
      key,
      keys: written,
      id,
      profile,
      licenses: (licenses.get(key) ?? []).map(toLicenseRecord),
      regulators,
      ratingsByMonth: addMonths(written.flatMap((one) => months.get(one) ?? [])),
      recentReviews: toNewestReviews(
        written.flatMap((one) => reviews.get(one) ?? []),
        profile,
      ),
      complaints: complaints(written, at(slug)),
      disputes: disputes(written),
    };
  });
};

type RegulatedBroker = Pick<BrokerDocument, '_id' | 'regulatedBy'>;

/** Returns the regulators that brokers have joined or left, whose counts have to be updated. */
const findMovedRegulators = (before: readonly RegulatedBroker[], after: readonly RegulatedBroker[]): string[] => {
  const pairs = (documents: readonly RegulatedBroker[]) =>
    new Set(documents.flatMap(({ _id, regulatedBy }) => regulatedBy.map((code) => `${code} ${_id}`)));
  const moved = pairs(before).symmetricDifference(pairs(after));
  return [...new Set([...moved].map((pair) => pair.split(' ', 1)[0] as string))];
};

/**
 * Builds the brokers behind these keys and slugs, and writes their documents and answers. Deletes documents and answers
 * under former slugs.
 * @param marks all dirty marks of these keys and slugs, which are cleared
 */
const rewrite = async (slugs: readonly string[], marks: readonly DirtyMark[], now: Date, tx: Tx): Promise<void> => {
  const brokers = await findBrokersBehind(slugs, tx);
  const current = [...brokers.values()].map(({ slug }) => slug);
  const before = await store.findRegulators([...new Set([...slugs, ...current])], tx);
  const facts = await loadFacts([...brokers.keys()], () => now, 'stored', tx);
  const documents = facts.map((fact) => buildBroker(fact, now.toISOString()));
  const written = new Set(documents.map(({ _id }) => _id));
  const gone = slugs.filter((slug) => !written.has(slug));
  await store.replaceDocuments(documents, gone, tx);
  const answers = documents.map((document) => [document._id, tryBrokerAnswers(document)] as const);
  await replaceAnswers(new Map([...answers, ...gone.map((slug) => [slug, undefined] as const)]), tx);
  await markDirty('regulator', findMovedRegulators(before, documents), tx);
  await clearDirty(marks, tx);
};

/**
 * Rewrites the documents of these brokers if any of them has a dirty mark. A broker is built once, however many marks
 * it has.
 */
const refreshBatch = (db: Db, slugs: readonly string[], clock: Clock): Promise<void> =>
  transaction(db, async (tx) => {
    const marks = await dirtyMarks('broker', slugs, tx);
    if (marks.length > 0) await rewrite(slugs, marks, clock(), tx);
  });

/**
 * Refreshes every broker that has a dirty mark at the start. Marks that writers add meanwhile are left for later, so
 * the pass always ends. Returns the number of refreshed brokers.
 */
export const refreshDirtyBrokers = async (
  db: Db,
  clock: Clock,
  onProgress: (done: number) => void = () => {},
): Promise<number> => {
  const last = await lastDirty(db, 'broker');
  if (!last) return 0;
  let done = 0;
  for (;;) {
    const slugs = await dirtyKeys(db, 'broker', BATCH, last);
    if (slugs.length === 0) return done;
    await refreshBatch(db, slugs, clock);
    done += slugs.length;
    onProgress(done);
  }
};

/**
 * Refreshes every broker once in a round, marked or not, since scores age. The round does not use dirty marks, because
 * today's writes would have to wait behind them. Returns the number built in this round, earlier runs included.
 */
export const refreshAllBrokers = async (context: Context, run: JobRun): Promise<number> =>
  inBatches(context, run, {
    total: await countProfiles(context.db),
    next: (after = '') => store.nextSlugs(context.db, after, ROUND_BATCH),
    work: async ({ now, tx }, slugs) => rewrite(slugs, await dirtyMarks('broker', slugs, tx), now, tx),
  });

/** The result of `rebuild` for one broker. */
export interface RebuildResult {
  readonly slug: string;
  /** Storage keys of the broker and of the brokers that were merged into it, its own first. */
  readonly keys: readonly string[];
  readonly identical: boolean;
}

/** Returns the stored documents and answers of these brokers, by slug. */
const loadStored = async (slugs: readonly string[], tx: Tx) => {
  const documents = await store.findDocuments(slugs, tx);
  const details = await findAnswers(tx.db, slugs, 'detail', { session: tx });
  const summaries = await findAnswers(tx.db, slugs, 'summary', { session: tx });
  return new Map(
    documents.map((document) => {
      const [detail, summary] = [details.get(document._id), summaries.get(document._id)];
      return [document._id, { document, answers: detail && summary && { detail, summary } }];
    }),
  );
};

/**
 * Builds the brokers with these keys again from the facts, including the reviews themselves, each at the `computedAt`
 * of its stored document, and compares documents and answers. Brokers with a dirty mark are left out, since their
 * documents are out of date. Must run on one snapshot.
 * @param slugs keys of brokers and ids of documents
 */
export const compareBatch = async (
  slugs: readonly string[],
  sameBytes: (a: object, b: object) => boolean,
  tx: Tx,
): Promise<RebuildResult[]> => {
  const brokers = [...(await findBrokersBehind(slugs, tx)).values()];
  const listNames = ({ slug, keys }: BrokerReference) => [slug, ...keys];
  const marks = await dirtyMarks('broker', [...slugs, ...brokers.flatMap(listNames)], tx);
  const due = new Set(marks.map((mark) => mark.key));
  const settled = brokers.filter(
    (broker) => slugs.includes(broker.key) && !listNames(broker).some((one) => due.has(one)),
  );
  const current = new Set(brokers.map(({ slug }) => slug));
  const kept = await loadStored([...new Set([...slugs, ...settled.map(({ slug }) => slug)])], tx);
  const at = (slug: string) => new Date(kept.get(slug)?.document.score.computedAt ?? 0);
  const facts = await loadFacts(
    settled.map(({ key }) => key),
    at,
    'reviews',
    tx,
  );
  const byKey = new Map(facts.map((fact) => [fact.key, fact]));
  const isSame = (fact: BrokerFacts, stored: { readonly document: BrokerDocument }): boolean => {
    const document = buildBroker(fact, stored.document.score.computedAt);
    return sameBytes({ document, answers: tryBrokerAnswers(document) }, stored);
  };
  const compared = settled.map(({ key, slug, keys }) => {
    const [fact, stored] = [byKey.get(key), kept.get(slug)];
    return { slug, keys, identical: fact !== undefined && stored !== undefined && isSame(fact, stored) };
  });
  // no broker is published under this slug
  const stray = slugs.filter((slug) => kept.has(slug) && !current.has(slug) && !due.has(slug));
  return [...compared, ...stray.map((slug) => ({ slug, keys: [slug], identical: false }))];
};
