import { defineModule, LOCK_MS } from '../ledger/define-module.ts';

/** Minimum change of a score since the day began that is a jump, in points. */
const JUMP_POINTS = 10;

export const publishedModule = defineModule({
  name: 'published',
  collections: {
    brokers: { people: 'none', shows: ({ id }) => ['brokers', `broker:${id}`, `reviews:${id}`] },
    brokerDetails: { people: 'none' },
    brokerSummaries: { people: 'none' },
    recordSubtotals: {
      people: 'none',
      shows: () => ['record'],
      shownChanges: { 'documentKey._id': 'end' },
    },
  },
  models: () =>
    Promise.all([
      import('./brokers/answers-store.ts'),
      import('./brokers/store.ts'),
      import('./record/subtotal-store.ts'),
    ]),
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
  checks: {
    'score-jumps': {
      what: `brokers whose score changed by ${JUMP_POINTS} points or more since the day began`,
      shows: 'count',
      look: { atLeast: 1 },
      help: 'score SLUG',
      read: async (db) => ({ named: await (await import('./record/jumps.ts')).describeJumps(db, JUMP_POINTS) }),
    },
  },
});
