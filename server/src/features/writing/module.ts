import { defineModule, LOCK_MS } from '../../ledger/define-module.ts';

export const writingModule = defineModule({
  name: 'writing',
  needs: ['brokers', 'accounts', 'sign-in', 'reviews', 'complaints', 'moderation'],
  collections: {
    drafts: { people: 'erased' },
  },
  models: () => import('./store.ts'),
  personalData: async () => (await import('./people.ts')).draftData,
  jobs: [
    {
      name: 'draft-cleanup',
      what: 'deletes drafts of reviews after 30 days, and those of complaints whose session has ended',
      schedule: '20 * * * *',
      lockMs: LOCK_MS,
      run: async (context, { signal }) => (await import('./cleanup.ts')).cleanUpDrafts(context, signal),
    },
  ],
});
