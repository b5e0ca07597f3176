import { defineModule, LOCK_MS } from '../../ledger/define-module.ts';

export const followModule = defineModule({
  name: 'follow',
  needs: ['brokers', 'notices', 'erasures'],
  collections: {
    follows: { people: 'erased' },
    followProgress: { people: 'none' },
  },
  models: () => import('./store.ts'),
  personalData: async () => (await import('./people.ts')).followData,
  jobs: [
    {
      name: 'follow-warnings',
      what: 'tells those who follow a broker of a new warning, and of one that was withdrawn or corrected',
      needs: { setting: 'mail', variable: 'SMTP_URL' },
      schedule: '* * * * *',
      lockMs: LOCK_MS,
      run: async (context, { signal }) => (await import('./warn.ts')).tellWarnings(context, signal),
    },
    {
      name: 'follow-weekly',
      what: 'sends each follower one mail about the other changes of the week',
      needs: { setting: 'mail', variable: 'SMTP_URL' },
      schedule: '0 7 * * 1',
      lockMs: LOCK_MS,
      run: async (context, { signal }) => (await import('./weekly.ts')).tellWeek(context, signal),
    },
    {
      name: 'follow-cleanup',
      what: 'deletes requests to follow that nobody confirmed within a day, and addresses that follow nobody or do not exist',
      schedule: '45 * * * *',
      lockMs: LOCK_MS,
      run: async (context, { signal }) => (await import('./cleanup.ts')).cleanUp(context, signal),
    },
  ],
});
