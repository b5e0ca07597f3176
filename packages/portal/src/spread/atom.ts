import type { NewsItem } from '@broker-transparency/client';
import { html } from '../html.ts';
import { addressIn } from '../languages.ts';
import type { PageContext } from '../page.ts';

/** Characters that XML 1.0 does not allow. */
const FOREIGN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const cleanXml = (text: string): string => text.replaceAll(FOREIGN, '\ufffd');

/** Path of the feed, without the language. */
export const FEED_PATH = '/feeds/news.atom';

/** Renders the news as an Atom feed (RFC 4287), newest first. */
export const renderAtom = (
  context: Pick<PageContext, 'publicUrl' | 'prefix' | 'texts' | 'now'>,
  items: readonly NewsItem[],
): string => {
  const { publicUrl, texts, now } = context;
  const home = `${publicUrl}${addressIn(context, '/news')}`;
  return html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${texts.code}">
<id>${home}</id>
<title>${texts.spread.feed}</title>
<updated>${items[0]?.publishedAt ?? now.toISOString().slice(0, 10).concat('T00:00:00Z')}</updated>
<link rel="self" type="application/atom+xml" href="${publicUrl}${addressIn(context, FEED_PATH)}"/>
<link rel="alternate" type="text/html" href="${home}"/>
<author><name>${texts.site.name}</name></author>
${items.map(
  (item) => html`<entry xml:lang="${item.language}">
<id>${publicUrl}/news#${item.id}</id>
<title>${item.correctedAt !== undefined && `${texts.find.news.correction}: `}${cleanXml(item.title)}</title>
<updated>${item.correctedAt ?? item.publishedAt}</updated>
<published>${item.publishedAt}</published>
<author><name>${cleanXml(item.source)}</name></author>
<link rel="alternate" href="${cleanXml(item.url)}"/>
<category term="${item.category}"/>
<category term="${item.severity}" scheme="${publicUrl}/news#severity"/>
<summary>${cleanXml(item.summary)}</summary>
</entry>
`,
)}</feed>
`.text;
};
