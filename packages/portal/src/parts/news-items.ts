import type { NewsItem } from '@broker-transparency/client';
import { type Html, html, toBdi } from '../html.ts';
import type { PageContext } from '../page.ts';
import { wordFor } from '../words.ts';

/** Maximum number of brokers per page whose names are looked up; others are shown by slug. */
const MOST_NAMES = 40;
/** Maximum number of linked brokers and regulators per item. */
const MOST_LINKS = 8;

/** Names of brokers and regulators. */
export interface NewsNames {
  readonly brokers: ReadonlyMap<string, string>;
  readonly regulators: ReadonlyMap<string, string>;
}

/** Reads the names of the items' subjects. */
export const readNames = async ({ client }: PageContext, items: readonly NewsItem[]): Promise<NewsNames> => {
  const slugs = [...new Set(items.flatMap(({ brokerSlugs }) => brokerSlugs.slice(0, MOST_LINKS)))].slice(0, MOST_NAMES);
  const read = async (slug: string): Promise<[string, string]> => {
    const { data, error } = await client.safe.brokers.get(slug);
    if (error && error.code !== 'broker_not_found') throw error;
    return [slug, data?.name ?? slug];
  };
  const [brokers, regulators] = await Promise.all([Promise.all(slugs.map(read)), client.regulators.list()]);
  return {
    brokers: new Map(brokers),
    regulators: new Map(regulators.data.map(({ code, name }) => [code, name])),
  };
};

const links = (
  { texts: { find }, format, prefix }: PageContext,
  item: NewsItem,
  names: NewsNames,
): Html | undefined => {
  const all = [
    ...item.brokerSlugs.map((slug) => ({ to: `/brokers/${slug}`, name: names.brokers.get(slug) ?? slug })),
    ...item.regulatorCodes.map((code) => ({
      to: `/regulators/${code}`,
      name: names.regulators.get(code) ?? code.toUpperCase(),
    })),
  ];
  if (all.length === 0) return undefined;
  const shown = all.slice(0, MOST_LINKS);
  return html`<p class="about">${find.news.about}: ${shown.map(
    ({ to, name }, at) => html`${at > 0 && ', '}<a href="${prefix}${to}">${toBdi(name)}</a>`,
  )}${all.length > shown.length && ` ${find.news.andMore({ count: format.number(all.length - shown.length) })}`}</p>`;
};

/** Returns the language of an item if it differs from the page's. */
const formatLanguage = ({ texts }: PageContext, language: string): string | undefined => {
  if (language === texts.code || language.startsWith(`${texts.code}-`)) return undefined;
  return ` · ${new Intl.DisplayNames(texts.locale, { type: 'language' }).of(language) ?? language}`;
};

/** Renders a news item in short: its title, day, source and language, and its subjects. */
export const shortNewsItem = (context: PageContext, item: NewsItem, names: NewsNames): Html => html`<li>
<a href="${item.url}" rel="nofollow noopener external" lang="${item.language}">${toBdi(item.title)}</a>
<p class="soft">${item.dating !== undefined && `${context.texts.find.news.seen} `}<time datetime="${item.publishedAt}">${context.format.day(item.publishedAt)}</time> · ${toBdi(item.source)}${formatLanguage(context, item.language)}</p>
${links(context, item, names)}
</li>
`;

/** Renders a news item, with its source and subjects. */
export const newsItem = (context: PageContext, item: NewsItem, names: NewsNames, heading: 'h2' | 'h3'): Html => {
  const { texts, format } = context;
  const { news } = texts.find;
  const link = html`<a href="${item.url}" rel="nofollow noopener external" lang="${item.language}">${toBdi(item.title)}</a>`;
  const title = item.correctedAt === undefined ? link : html`<s>${link}</s>`;
  const category = wordFor(news.categories, item.category);
  const kind = item.category === 'warning' ? html`<strong class="alarm">${category}</strong>` : category;
  const severity = wordFor(news.severities, item.severity);
  return html`<li class="item" id="news-${item.id}">
${heading === 'h2' ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`}
${
  item.correctedAt !== undefined &&
  html`<p><strong>${news.corrected({ day: format.day(item.correctedAt) })}</strong></p>
`
}<p class="soft">${item.dating !== undefined && `${news.seen} `}<time datetime="${item.publishedAt}">${format.day(item.publishedAt)}</time> · ${kind}, ${severity} · ${toBdi(item.source)}${formatLanguage(context, item.language)}</p>
<p lang="${item.language}">${toBdi(item.summary)}</p>
${links(context, item, names)}
</li>
`;
};
