import type { NewsItem } from '@broker-transparency/client';
import { html } from '../html.ts';
import { addressIn } from '../languages.ts';
import type { PageContext, PageResponse } from '../page.ts';
import { SERVICE_NAME } from '../service.ts';

/** Characters that XML 1.0 does not allow. */
const FOREIGN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const cleanXml = (text: string): string => text.replaceAll(FOREIGN, '\ufffd');

/** Path of the feed of all news, without the language. */
export const FEED_PATH = '/feeds/news.atom';

/** Templates of the paths of feeds about one subject. Each begins with the path of the subject. */
export const FEED_PATHS = {
  broker: '/brokers/:slug/feed.atom',
  regulator: '/regulators/:code/feed.atom',
  warnings: '/warnings/:country/feed.atom',
} as const;

/** The parts of the page context with which feeds are made. */
type FeedContext = Pick<PageContext, 'publicUrl' | 'prefix' | 'texts' | 'now'>;

/** An entry of a feed. Its texts are plain. */
export interface FeedEntry {
  /** Never changes, and names the same entry in each feed and language. */
  readonly id: string;
  /** Language of the texts; undefined: that of the feed. */
  readonly language?: string;
  readonly title: string;
  readonly summary: string;
  /** Time of the last change that readers should see, RFC 3339. */
  readonly updated: string;
  readonly published: string;
  /** Who published it; undefined: this service. */
  readonly author?: string;
  /** Address of what it is about. */
  readonly url: string;
  readonly categories: readonly { readonly term: string; readonly scheme?: string }[];
}

export interface Feed {
  readonly id: string;
  readonly title: string;
  /** Path of the feed, without the language. */
  readonly path: string;
  /** Path of the page that shows the same to people, without the language. */
  readonly page: string;
  /** Newest first. */
  readonly entries: readonly FeedEntry[];
}

/**
 * Returns an id that stays when the address of a page changes: a tag URI (RFC 4151).
 * @example toTag({ publicUrl: 'https://ratings.example' }, 'entry/31') // 'tag:ratings.example,2026:entry/31'
 */
export const toTag = ({ publicUrl }: Pick<PageContext, 'publicUrl'>, name: string): string =>
  `tag:${new URL(publicUrl).hostname},2026:${name}`;

const findNewest = (entries: readonly FeedEntry[]): string | undefined =>
  entries.reduce<string | undefined>(
    (newest, { updated }) => (newest === undefined || updated > newest ? updated : newest),
    undefined,
  );

/** Renders an Atom feed (RFC 4287). Without entries it is as old as the day. */
export const renderFeed = (context: FeedContext, { id, title, path, page, entries }: Feed): string => {
  const { publicUrl, texts, now } = context;
  return html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${texts.code}">
<id>${id}</id>
<title>${cleanXml(title)}</title>
<updated>${findNewest(entries) ?? now.toISOString().slice(0, 10).concat('T00:00:00Z')}</updated>
<link rel="self" type="application/atom+xml" href="${publicUrl}${addressIn(context, path)}"/>
<link rel="alternate" type="text/html" href="${publicUrl}${addressIn(context, page)}"/>
<author><name>${SERVICE_NAME}</name></author>
${entries.map(
  (entry) => html`<entry xml:lang="${entry.language ?? texts.code}">
<id>${entry.id}</id>
<title>${cleanXml(entry.title)}</title>
<updated>${entry.updated}</updated>
<published>${entry.published}</published>
${entry.author !== undefined && html`<author><name>${cleanXml(entry.author)}</name></author>\n`}<link rel="alternate" href="${cleanXml(entry.url)}"/>
${entry.categories.map(
  ({ term, scheme }) => html`<category term="${term}"${scheme !== undefined && html` scheme="${scheme}"`}/>\n`,
)}<summary>${cleanXml(entry.summary)}</summary>
</entry>
`,
)}</feed>
`.text;
};

/** Returns a feed as the answer of a page. */
export const toFeedResponse = (context: FeedContext, feed: Feed): PageResponse => ({
  text: renderFeed(context, feed),
  contentType: 'application/atom+xml; charset=utf-8',
});

/** Returns a news item as an entry of a feed. Its id is the same in every feed. */
export const toNewsFeedEntry = ({ publicUrl, texts }: FeedContext, item: NewsItem): FeedEntry => ({
  id: `${publicUrl}/news#${item.id}`,
  language: item.language,
  title: item.correctedAt === undefined ? item.title : `${texts.find.news.correction}: ${item.title}`,
  summary: item.summary,
  updated: item.correctedAt ?? item.publishedAt,
  published: item.publishedAt,
  author: item.source,
  url: item.url,
  categories: [{ term: item.category }, { term: item.severity, scheme: `${publicUrl}/news#severity` }],
});
