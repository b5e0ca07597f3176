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
import type { RouteGroup } from './route.ts';

/** Every category of news. */
export const NEWS_CATEGORIES = ['warning', 'enforcement', 'license_change', 'market', 'product', 'service'] as const;
/** Severities of an item of news for clients, in rising order. */
export const NEWS_SEVERITIES = ['info', 'notice', 'serious', 'critical'] as const;

/** An item of industry news: a short excerpt and the address of the full text. */
export const NewsItem = z
  .object({
    id: z.string().describe('Opaque id, which never changes.'),
    title: Text(3, 300).describe('Title, in plain text.'),
    summary: Text(1, 1000).describe('Short excerpt, in plain text.'),
    url: WebUrl.describe('Where the whole text is.'),
    source: Text(1, 120).meta({ description: 'Who published it.', examples: ['Financial Conduct Authority'] }),
    category: Extensible(z.enum(NEWS_CATEGORIES)).describe('What it is about.'),
    severity: Extensible(z.enum(NEWS_SEVERITIES)).describe(
      'How serious it is for clients, rising from `info` to `critical`.',
    ),
    brokerSlugs: z.array(Slug).describe('Brokers that it names.'),
    regulatorCodes: z.array(RegulatorCode).describe('Regulators that it names or comes from.'),
    language: Language.describe('Language of title and summary.'),
    publishedAt: Timestamp.describe('When it was published.'),
    dating: Extensible(z.enum(['seen']))
      .optional()
      .describe(
        '`seen`: its source gives no day that can be read, and `publishedAt` is when this service first saw it. ' +
          'Absent where `publishedAt` is the time of the source.',
      ),
    correctedAt: Timestamp.optional().describe(
      'When this service took it back, since it was wrong. Another item says what is right. Absent where it did not.',
    ),
  })
  .meta({ id: 'NewsItem', description: 'An item of industry news.' });
export type NewsItem = z.infer<typeof NewsItem>;

/** A page of news. */
export const NewsList = z
  .object({
    data: z.array(NewsItem).describe('Items of this page, newest first.'),
    pagination: CursorPagination.describe('Place of this page in the list.'),
  })
  .meta({ id: 'NewsList', description: 'A page of news.' });

/** The route that lists news. */
export const news = {
  list: {
    method: 'GET',
    path: '/news',
    summary: 'Industry news, newest first',
    description:
      'Each item names its source, and the brokers and regulators that it is about. `Link` has the next page.',
    query: z.strictObject({ limit: QueryInteger(1, 100).default(20), cursor: Cursor.optional() }),
    responses: { 200: NewsList, ...problems() },
    metadata: meta({ access: 'public', limit: 'public', cache: 'catalog', shows: ['news'] }),
  },
} as const satisfies RouteGroup;
