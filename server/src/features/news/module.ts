import type { ActionsOf, SubjectsOf } from '../../ledger/audit/actions.ts';
import { FAILING } from '../../ledger/checks.rule.ts';
import { defineModule, LOCK_MS } from '../../ledger/define-module.ts';

export const newsModule = defineModule({
  name: 'news',
  needs: ['brokers', 'regulators'],
  collections: {
    news: { people: 'none', shows: () => ['news'], takesTextDown: ({ document }) => document === undefined },
    newsFeeds: { people: 'none' },
    newsTaken: { people: 'none' },
  },
  models: () => Promise.all([import('./feeds/store.ts'), import('./store.ts')]),
  audit: {
    'news.corrected': 'a news item was marked as wrong, since what it announced was taken back',
    'news.imported': 'a news item was written by an import',
    'news.removed': 'a news item went: by an operator, or since its import was undone',
    'news.restored': 'a news item is as it was before an import that was undone',
    'news.taken': 'a feed brought a news item, or its words in the place of those of another feed',
  },
  subjects: ['news'],
  jobs: [
    {
      name: 'news-pull',
      what: 'reads the feeds that NEWS_FEEDS lists',
      needs: { setting: 'newsFeeds', variable: 'NEWS_FEEDS' },
      schedule: '*/15 * * * *',
      lockMs: LOCK_MS,
      run: async (...args) => (await import('./job.ts')).pullConfiguredFeeds(...args),
    },
  ],
  routes: async () => (await import('./routes.ts')).newsRoutes,
  recordSource: async () => (await import('./facts.ts')).newsSource,
  importKinds: { news: async () => (await import('./import-kind.ts')).newsKind },
  checks: {
    feeds: {
      what: `feeds of news that failed ${FAILING} times or more in a row`,
      shows: 'count',
      look: { atLeast: 1 },
      help: 'news feeds',
      read: async (db, { newsFeeds }) => {
        if (newsFeeds === undefined) return undefined;
        const { readFeedStates, readFeeds } = await import('./pull.ts');
        const states = await readFeedStates(db, await readFeeds(newsFeeds));
        const failing = states.filter(({ failures }) => failures >= FAILING);
        return { named: failing.map(({ source, lastError }) => `${source}: ${lastError}`) };
      },
    },
  },
});

declare module '../../ledger/audit/actions.ts' {
  interface AuditActions extends ActionsOf<typeof newsModule> {}
  interface AuditSubjects extends SubjectsOf<typeof newsModule> {}
}
