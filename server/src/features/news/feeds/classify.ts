import { NEWS_SEVERITIES, type NewsItem } from '@broker-transparency/contract';
import { KEYWORDS } from './policy.rule.ts';

type Classes = Pick<NewsItem, 'category' | 'severity'>;

/** Lower-case words between blanks, signs left out. */
const words = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}'’]+/gu, ' ')
    .trim()} `;

/** The category a title's words say, else the feed's; the severity is the higher one of the two, of an authority. */
export const classify = (title: string, feed: Classes & { readonly authority: boolean }): Classes => {
  const text = words(title);
  const keyword = KEYWORDS.find((row) => row.words.some((word) => text.includes(words(word))));
  if (!feed.authority) return { category: keyword?.category ?? feed.category, severity: 'info' };
  if (keyword === undefined) return { category: feed.category, severity: feed.severity };
  const rank = (severity: Classes['severity']) => NEWS_SEVERITIES.indexOf(severity);
  const severity = rank(keyword.severity) > rank(feed.severity) ? keyword.severity : feed.severity;
  return { category: keyword.category, severity };
};
