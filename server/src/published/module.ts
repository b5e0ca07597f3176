import { defineModule, LOCK_MS } from '../ledger/define-module.ts';

export const publishedModule = defineModule({
  name: 'published',
  collections: {
    brokers: { people: 'none', shows: ({ id }) => ['brokers', `broker:${id}`, `reviews:${id}`] },
    brokerDetails: { people: 'none' },
    brokerSummaries: { people: 'none' },
  },
  routes: async () => (await import('./routes.ts')).publishedRoutes,
  jobs: [
    {
      name: 'score-refresh',
      what: 'computes every score again, and which looks at registers are old: both age by the UTC day',
      schedule: '15 0 * * *',
      lockMs: LOCK_MS,
      run: async (context, run) => (await import('./refresh.ts')).refreshAll(context, run),
    },
    {
      name: 'record-day',
      what: 'adds the scores at the beginning of the day to the record, and what is missing there',
      schedule: '2 0 * * *',
      lockMs: LOCK_MS,
      isBehind: async ({ db, clock }) => {
        const { findMissingDays } = await import('./record/days.ts');
        return (await findMissingDays(db, clock())).length > 0;
      },
      run: async (context, { signal }, _settings, countCorrection) => {
        const { recordDays } = await import('./record/nightly.ts');
        return recordDays(context, signal, countCorrection);
      },
    },
  ],
});
