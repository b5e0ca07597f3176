import { expect, test } from 'vitest';
import { toNewsEntry, toRemovedEntry } from './entries.rule.ts';
import { NewsRecord, newsId } from './record.rule.ts';

const URL = 'https://news.example/1';
const item = (over: object = {}) =>
  NewsRecord.parse({
    title: 'A title that somebody wrote',
    summary: 'What happened, in a sentence.',
    url: URL,
    source: 'Example Gazette',
    category: 'market',
    language: 'en',
    publishedAt: '2026-01-01T00:00:00Z',
    brokerSlugs: ['alpha'],
    regulatorCodes: ['fca'],
    ...over,
  });

test('an item has its address, source, date and what it is about, and its texts beside it', () => {
  expect(toNewsEntry(item())).toEqual({
    kind: 'news',
    key: `news/${newsId(URL)}`,
    subject: `news/${newsId(URL)}`,
    value: {
      url: URL,
      source: 'Example Gazette',
      category: 'market',
      severity: 'info',
      language: 'en',
      publishedAt: '2026-01-01T00:00:00.000Z',
      brokers: ['alpha'],
      regulators: ['fca'],
    },
    texts: { title: 'A title that somebody wrote', summary: 'What happened, in a sentence.' },
  });
});

test('an item that is removed says nothing any more, and has no texts', () => {
  const { key, kind, subject } = toNewsEntry(item());
  expect(toRemovedEntry(newsId(URL))).toEqual({ key, kind, subject, value: null, texts: {} });
});
