import type { BrokerDetail, NewsItem } from '@broker-transparency/client';
import { RegulatorCode, Slug } from '@broker-transparency/contract';
import { parseEntryKey } from '@broker-transparency/contract/record';
import * as z from 'zod';
import { type HistoryChange, readSteps } from '../history.ts';
import { isolateText } from '../html.ts';
import { addressIn } from '../languages.ts';
import { definePage, type PageContext } from '../page.ts';
import { COUNTRIES } from '../parts/countries.ts';
import { FEED_PATH, FEED_PATHS, type FeedEntry, toFeedResponse, toNewsFeedEntry, toTag } from '../spread/atom.ts';
import { listFactEvents } from '../story/events.rule.ts';
import { nameWarningChange } from '../story/list.ts';
import { readFactsAround } from '../story/read.ts';
import type { StoryStep } from '../story/story.rule.ts';
import { wordFor } from '../words.ts';
import { isClone } from './broker/state.rule.ts';
import { describeEffect, describeSubjects } from './broker-history/changes.ts';

/** Most entries of a feed. */
const MOST = 50;
/** News items of one answer, and answers that are searched for items about one subject. */
const PER_ANSWER = 100;
const MOST_ANSWERS = 5;
/** Most subjects that the title of an entry names. */
const MOST_SUBJECTS = 4;

const NO_QUERY = z.object({});

const news = definePage(FEED_PATH, { params: z.object({}), query: NO_QUERY }, async (context) => {
  const { data } = await context.client.news.list({ limit: MOST });
  return toFeedResponse(context, {
    id: `${context.publicUrl}${addressIn(context, '/news')}`,
    title: context.texts.spread.feed,
    path: FEED_PATH,
    page: '/news',
    entries: data.map((item) => toNewsFeedEntry(context, item)),
  });
});

/** Reads the newest items of news that are about a subject, among the 500 newest ones. */
const readNewsAbout = async ({ client }: PageContext, isAbout: (item: NewsItem) => boolean): Promise<NewsItem[]> => {
  const found: NewsItem[] = [];
  let cursor: string | null | undefined;
  for (let answer = 0; answer < MOST_ANSWERS && cursor !== null && found.length < MOST; answer++) {
    const { data, pagination } = await client.news.list({ limit: PER_ANSWER, ...(cursor ? { cursor } : {}) });
    found.push(...data.filter(isAbout));
    cursor = pagination.nextCursor;
  }
  return found.slice(0, MOST);
};

/** The news of a regulator: items that name it or come from it. */
const regulator = definePage(
  FEED_PATHS.regulator,
  { params: z.object({ code: RegulatorCode }), query: NO_QUERY },
  async (context, { params: { code } }) => {
    const found = await context.client.regulators.get(code);
    const items = await readNewsAbout(context, ({ regulatorCodes }) => regulatorCodes.includes(code));
    return toFeedResponse(context, {
      id: toTag(context, `regulator/${code}`),
      title: context.texts.spread.follow.regulatorTitle({ name: isolateText(found.name) }),
      path: `/regulators/${code}/feed.atom`,
      page: `/regulators/${code}`,
      entries: items.map((item) => toNewsFeedEntry(context, item)),
    });
  },
);

/** Codes of countries as addresses have them. */
const COUNTRY_PATHS = COUNTRIES.map((country) => country.toLowerCase());

/** Warnings of the authorities of a country about brokers, and their corrections. */
const warnings = definePage(
  FEED_PATHS.warnings,
  { params: z.object({ country: z.enum(COUNTRY_PATHS) }), query: NO_QUERY },
  async (context, { params }) => {
    const country = params.country.toUpperCase();
    const { data } = await context.client.regulators.list();
    const codes = new Set(data.filter((one) => one.country === country).map(({ code }) => code));
    if (codes.size === 0) return { isMissing: true };
    const items = await readNewsAbout(
      context,
      ({ category, regulatorCodes }) => category === 'warning' && regulatorCodes.some((code) => codes.has(code)),
    );
    return toFeedResponse(context, {
      id: toTag(context, `warnings/${params.country}`),
      title: context.texts.spread.follow.warningsTitle({ country: context.format.country(country) }),
      path: `/warnings/${params.country}/feed.atom`,
      page: '/news',
      entries: items.map((item) => toNewsFeedEntry(context, item)),
    });
  },
);

/** A warning, and whom it is about by what is known now. */
interface NamedWarning {
  readonly source: string;
  readonly title: string;
  readonly about: string;
}

const WarningFact = z.object({ source: z.string(), title: z.string(), about: z.string() });

const isAboutWarning = ({ key }: { readonly key: string }): boolean => parseEntryKey(key)[0] === 'warning';

/** Reads the warnings of a broker by their keys in the record, if one of the changes is about a warning. */
const readWarnings = async (
  { client }: PageContext,
  slug: string,
  changes: readonly HistoryChange[],
): Promise<ReadonlyMap<string, NamedWarning>> => {
  if (!changes.some(({ entries }) => entries.some(isAboutWarning))) return new Map();
  const { facts } = await client.record.brokers.at(slug);
  return new Map(
    facts.filter(isAboutWarning).flatMap(({ key, value }) => {
      const { data } = WarningFact.safeParse(value);
      return data ? [[key, data] as const] : [];
    }),
  );
};

/** The parts of the context that an entry about a change is made of. */
type EntryContext = Pick<PageContext, 'publicUrl' | 'prefix' | 'texts' | 'format'>;

/** A change, with the facts just before and just after it if they were read. */
type FeedChange = HistoryChange & Pick<StoryStep, 'facts'>;

/** Returns what is said of the warnings in a change: what changed, who warns, of what, and whom it is about. */
const describeWarnings = (
  context: EntryContext,
  { entries, facts }: FeedChange,
  warningsByKey: ReadonlyMap<string, NamedWarning>,
): string[] =>
  entries.flatMap(({ key }) => {
    const warning = warningsByKey.get(key);
    if (!warning) return [];
    const about = wordFor(context.texts.broker.warnings.about, warning.about);
    const changes = listFactEvents(key, facts).flatMap((event) =>
      event.effect === undefined || event.effect === 'new' ? [] : [`${nameWarningChange(context, event)}. `],
    );
    return [`${changes.join('')}${isolateText(warning.source)}: ${isolateText(warning.title)}. ${about}`];
  });

/** Returns a change of the record as an entry of the feed of its broker. */
export const toChangeFeedEntry = (
  context: EntryContext,
  broker: Pick<BrokerDetail, 'slug' | 'name' | 'status'>,
  change: FeedChange,
  warningsByKey: ReadonlyMap<string, NamedWarning>,
): FeedEntry => {
  const { texts, format, publicUrl } = context;
  const subjects = describeSubjects(context, change);
  const named = subjects.slice(0, MOST_SUBJECTS);
  const more = subjects.length - named.length;
  const value = change.value === null ? '' : `${format.fixed(change.value, 1)} `;
  const score = `${value}${wordFor(texts.colors, change.color)}, ${describeEffect(context, change)}`;
  const page = addressIn(context, `/brokers/${broker.slug}`);
  const place = change.entries.some(isAboutWarning) ? '#warnings' : `/history?on=${change.time.slice(0, 10)}`;
  return {
    id: toTag(context, `entry/${change.number}`),
    title: `${isolateText(broker.name)}: ${named.join(', ')}${more > 0 ? ` ${texts.find.news.andMore({ count: format.number(more) })}` : ''}`,
    summary: [
      ...describeWarnings(context, change, warningsByKey),
      wordFor(texts.history.causes, change.cause),
      ...(isClone(broker) ? [] : [texts.spread.follow.scoreAfter({ score })]),
    ].join(' '),
    updated: change.time,
    published: change.time,
    url: `${publicUrl}${page}${place}`,
    categories: [{ term: change.kind }, { term: change.cause, scheme: `${publicUrl}/brokers#cause` }],
  };
};

/** The newest changes of the record about a broker. */
const broker = definePage(
  FEED_PATHS.broker,
  { params: z.object({ slug: Slug }), query: NO_QUERY, costs: 'history' },
  async (context, { params: { slug } }) => {
    const found = await context.client.brokers.get(slug);
    if (found.slug !== slug) return { movedTo: `/brokers/${found.slug}/feed.atom` };
    const { steps, story } = await readSteps(context, slug);
    const warned = steps.filter(({ entries }) => entries.some(isAboutWarning)).toReversed();
    const changes = (await readFactsAround(context, { slug, steps: story }, warned)).slice(-steps.length).toReversed();
    const named = await readWarnings(context, slug, changes);
    return toFeedResponse(context, {
      id: toTag(context, `broker/${found.id}`),
      title: context.texts.spread.follow.brokerTitle({ name: isolateText(found.name) }),
      path: `/brokers/${slug}/feed.atom`,
      page: `/brokers/${slug}`,
      entries: changes.map((change) => toChangeFeedEntry(context, found, change, named)),
    });
  },
);

/** Every feed. */
export const FEEDS = [news, broker, regulator, warnings] as const;
