import { hash } from 'node:crypto';
import { NewsItem } from '@broker-transparency/contract';
import * as z from 'zod';

/** A news item in an import, one per row, identified by its address. */
export const NewsRecord = z.strictObject({
  ...NewsItem.omit({ id: true }).shape,
  severity: NewsItem.shape.severity.default('info'),
  brokerSlugs: NewsItem.shape.brokerSlugs.max(100).default([]),
  regulatorCodes: NewsItem.shape.regulatorCodes.max(100).default([]),
});
export type NewsRecord = z.infer<typeof NewsRecord>;

/** Derives the id of an item from its address, so that the same item never appears twice. */
export const newsId = (url: string): string => hash('sha256', url).slice(0, 24);

/** Reason codes of a removal. Free text could name a person, and the audit trail outlives people. */
export const NEWS_REMOVALS = {
  incorrect: 'what it says is wrong',
  outdated: 'what it says does not hold any more',
  duplicate: 'the same news is there twice',
  off_topic: 'it is not about brokers or their regulators',
  source_withdrew: 'its source took it back',
  rights: 'its source, or somebody it is about, has a right to that',
} as const;
export type NewsRemoval = keyof typeof NEWS_REMOVALS;
