import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { meta } from './metadata.ts';
import {
  Cursor,
  CursorPagination,
  Extensible,
  Language,
  QueryInteger,
  RegulatorCode,
  Slug,
  Text,
  Timestamp,
  WebUrl,
} from './primitives.ts';
import { problems } from './problem.ts';

export const NEWS_CATEGORIES = ['warning', 'enforcement', 'license_change', 'market', 'product', 'service'] as const;
export const NEWS_SEVERITIES = ['info', 'notice', 'serious', 'critical'] as const;

/** An item of industry news: a short excerpt and the address of the whole text. */
export const NewsItem = z
  .object({
    id: z.string(),
    title: Text(3, 300),
    summary: Text(1, 1000),
    url: WebUrl,
    source: Text(1, 120),
    category: Extensible(z.enum(NEWS_CATEGORIES)),
    severity: Extensible(z.enum(NEWS_SEVERITIES)),
    brokerSlugs: z.array(Slug),
    regulatorCodes: z.array(RegulatorCode),
    language: Language,
    publishedAt: Timestamp,
  })
  .meta({ id: 'NewsItem' });
export type NewsItem = z.infer<typeof NewsItem>;

export const NewsList = z.object({ data: z.array(NewsItem), pagination: CursorPagination }).meta({ id: 'NewsList' });

export const news = initContract().router({
  list: {
    method: 'GET',
    path: '/news',
    summary: 'Industry news, newest first',
    query: z.strictObject({ limit: QueryInteger(1, 100).default(20), cursor: Cursor.optional() }),
    responses: { 200: NewsList, ...problems() },
    metadata: meta({ access: 'public', limit: 'public', cache: 'catalog', shows: ['news'] }),
  },
});
