import { NEWS_SEVERITIES, type NewsItem } from '@broker-transparency/contract';
import { KEYWORDS } from './policy.rule.ts';

type Classes = Pick<NewsItem, 'category' | 'severity'>;

/** Returns lower-case words between blanks, without punctuation. */
const words = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}'’]+/gu, ' ')
    .trim()} `;

/**
 * Returns the category of the first matching keyword, or else of the feed. The severity is the higher of both for an
 * authority, and `info` for any other feed.
 */
export const classify = (title: string, feed: Classes & { readonly authority: boolean }): Classes => {
  const text = words(title);
  const keyword = KEYWORDS.find((row) => row.words.some((word) => text.includes(words(word))));
  if (!feed.authority) return { category: keyword?.category ?? feed.category, severity: 'info' };
  if (keyword === undefined) return { category: feed.category, severity: feed.severity };
  const rank = (severity: Classes['severity']) => NEWS_SEVERITIES.indexOf(severity);
  const severity = rank(keyword.severity) > rank(feed.severity) ? keyword.severity : feed.severity;
  return { category: keyword.category, severity };
};
