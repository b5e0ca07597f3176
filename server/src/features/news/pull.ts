import { readFile } from 'node:fs/promises';
import type { Context } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { fetchDocument } from '../../platform/outbound/fetch.ts';
import { OutboundError, type OutboundRules } from '../../platform/outbound/rules.ts';
import { version } from '../../version.ts';
import { listBrokerNames } from '../brokers/facts.ts';
import { listRegulatorNames } from '../regulators/facts.ts';
import { filterUnknown, ingestNews } from './actions.ts';
import { decode } from './feeds/charset.ts';
import { readEntries, UnreadableFeed } from './feeds/entries.ts';
import { type Feed, parseFeeds } from './feeds/feed.ts';
import { type ItemRefusal, type SortedItems, sortEntries, toRecord } from './feeds/item.ts';
import { createMentions } from './feeds/mentions.ts';
import { LIMITS } from './feeds/policy.rule.ts';
import { findFeedState, listFeedStates, saveFeedFailure, saveFeedState, type Validators } from './feeds/store.ts';

export interface PullOptions {
  /** The hosts and ports that requests may contact. */
  readonly rules: OutboundRules;
  /** Signal that ends the pull early. */
  readonly signal?: AbortSignal;
}

/** The outcome of the pull of one feed. */
export interface FeedOutcome {
  readonly url: string;
  readonly source: string;
  readonly status: 'pulled' | 'unchanged' | 'failed';
  readonly taken: number;
  /** Items that were taken before, by this feed or another, or have been removed. */
  readonly known: number;
  /** Items with a date in the future. */
  readonly waiting: number;
  /** Items among the new ones whose date could not be read. */
  readonly undated: number;
  /** Items beyond the limit of one pull. */
  readonly leftOut: number;
  readonly refused: readonly ItemRefusal[];
  readonly error: string | null;
}

const NOTHING = { taken: 0, known: 0, waiting: 0, undated: 0, leftOut: 0, refused: [], error: null };

type MentionsIn = ReturnType<typeof createMentions>;

/** Reads the names once per pull, and only if there are new items. */
const createLazyMentions = (db: Db) => {
  let loaded: Promise<MentionsIn> | undefined;
  return (): Promise<MentionsIn> => {
    loaded ??= Promise.all([listBrokerNames(db), listRegulatorNames(db)]).then(([brokers, regulators]) =>
      createMentions(brokers, regulators),
    );
    return loaded;
  };
};

const ACCEPT = 'application/rss+xml, application/atom+xml, application/rdf+xml, application/xml;q=0.9, text/xml;q=0.8';

const fetchFeed = (feed: Feed, { etag, lastModified }: Validators, { rules, signal }: PullOptions) =>
  fetchDocument(feed.url, {
    headers: {
      accept: ACCEPT,
      'user-agent': `broker-rating/${version}`,
      ...(etag === null ? {} : { 'if-none-match': etag }),
      ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
    },
    rules,
    maxBytes: LIMITS.feed,
    timeoutMs: LIMITS.timeoutMs,
    signal,
  });

type FeedResponse = Awaited<ReturnType<typeof fetchFeed>>;

/**
 * Returns the validators for the next request. There are none while an item waits, because the server would then answer
 * that nothing changed.
 */
const toValidators = ({ header }: FeedResponse, { waiting }: SortedItems): Validators => {
  const sendable = (value: string | undefined): string | null =>
    waiting === 0 && value !== undefined && /^[\x20-\x7E]{1,500}$/.test(value) ? value : null;
  return { etag: sendable(header('etag')), lastModified: sendable(header('last-modified')) };
};

const isRefusal = <T extends object>(result: T | ItemRefusal): result is ItemRefusal => 'reason' in result;

const ingestFrom = async (context: Context, feed: Feed, fetched: FeedResponse, mentions: () => Promise<MentionsIn>) => {
  const { text, lossy } = decode(fetched.body, fetched.header('content-type') ?? '');
  const place = { feed, base: fetched.url, now: context.clock() };
  const sorted = sortEntries(readEntries(text), place);
  const unknown = await filterUnknown(context.db, feed.url, sorted.candidates);
  const reading = unknown.length === 0 ? undefined : { feed, lossy, mentionsIn: await mentions() };
  const refused = [...sorted.refused];
  const items = unknown.flatMap((candidate) => {
    const record = reading && toRecord(candidate, reading);
    if (record === undefined) return [];
    if (!isRefusal(record))
      return [{ id: candidate.id, entryKey: candidate.entryKey, standing: candidate.standing, record }];
    refused.push(record);
    return [];
  });
  const taken = await ingestNews(context, { feedUrl: feed.url, items, validators: toValidators(fetched, sorted) });
  const known = sorted.candidates.length - taken - (unknown.length - items.length);
  const undated = items.filter(({ record }) => record.dating === 'seen').length;
  return { ...NOTHING, taken, known, undated, waiting: sorted.waiting, leftOut: sorted.leftOut, refused };
};

const pullFeed = async (
  context: Context,
  feed: Feed,
  options: PullOptions,
  mentions: () => Promise<MentionsIn>,
): Promise<FeedOutcome> => {
  const { url, source } = feed;
  const validators = (await findFeedState(context.db, url)) ?? { etag: null, lastModified: null };
  try {
    const fetched = await fetchFeed(feed, validators, options);
    if (fetched.status === 304 && (validators.etag ?? validators.lastModified) !== null) {
      await saveFeedState(context.db, url, {
        at: context.clock(),
        taken: 0,
        validators: { etag: validators.etag, lastModified: validators.lastModified },
      });
      return { url, source, status: 'unchanged', ...NOTHING };
    }
    if (fetched.status !== 200) throw new UnreadableFeed(`answers ${fetched.status}`);
    return { url, source, status: 'pulled', ...(await ingestFrom(context, feed, fetched, mentions)) };
  } catch (error) {
    if (!(error instanceof OutboundError || error instanceof UnreadableFeed)) throw error;
    await saveFeedFailure(context.db, url, context.clock(), error.message);
    return { url, source, status: 'failed', ...NOTHING, error: error.message };
  }
};

/** @throws DomainError invalid_input naming the feeds with an unknown regulator */
export const requireRegulators = async (db: Db, feeds: readonly Feed[]): Promise<void> => {
  if (feeds.every(({ regulator }) => regulator === undefined)) return;
  const codes = new Set((await listRegulatorNames(db)).map(({ code }) => code));
  const faults = feeds.flatMap(({ regulator }, index) =>
    regulator === undefined || codes.has(regulator)
      ? []
      : [`feed ${index + 1}, regulator: no regulator has the code "${regulator}"`],
  );
  if (faults.length > 0) throw new DomainError('invalid_input', faults.join('; '));
};

/**
 * Pulls feeds, a few at a time, and takes the new items. A feed that fails does not stop others; its outcome has the
 * error. Any other failure, such as of the database, is thrown when no pull is running any more.
 * @throws DomainError invalid_input if a feed names an unknown regulator, before anything is read
 */
export const pullNews = async (
  context: Context,
  feeds: readonly Feed[],
  options: PullOptions,
): Promise<FeedOutcome[]> => {
  await requireRegulators(context.db, feeds);
  const mentions = createLazyMentions(context.db);
  const outcomes: FeedOutcome[] = [];
  const queue = feeds.entries();
  const work = async (): Promise<void> => {
    for (const [index, feed] of queue) outcomes[index] = await pullFeed(context, feed, options, mentions);
  };
  const settled = await Promise.allSettled(Array.from({ length: LIMITS.feedsAtOnce }, work));
  const fault = settled.find((result) => result.status === 'rejected');
  if (fault) throw fault.reason;
  return outcomes;
};

/** Reads the feeds in a file. @throws DomainError invalid_input naming the file and every fault */
export const readFeeds = async (path: string): Promise<Feed[]> => {
  try {
    return parseFeeds(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof DomainError) throw new DomainError('invalid_input', `${path}: ${error.message}`);
    throw new DomainError('invalid_input', `${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
};

/**
 * Returns feeds with the state of their pulls. @throws DomainError invalid_input if a feed names an unknown regulator
 */
export const readFeedStates = async (db: Db, feeds: readonly Feed[]) => {
  await requireRegulators(db, feeds);
  const states = new Map((await listFeedStates(db)).map((state) => [state._id, state]));
  return feeds.map((feed) => {
    const { lastPulledAt, lastError, failures, taken } = states.get(feed.url) ?? {};
    return {
      ...feed,
      lastPulledAt: lastPulledAt?.toISOString() ?? null,
      lastError: lastError ?? null,
      failures: failures ?? 0,
      taken: taken ?? 0,
    };
  });
};
