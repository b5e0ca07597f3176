import { defineModule, LOCK_MS } from '../../ledger/define-module.ts';

export const signInModule = defineModule({
  name: 'sign-in',
  needs: ['notices', 'accounts'],
  collections: {
    sessions: { people: 'erased' },
    signInRequests: { people: 'erased' },
  },
  models: () => import('./store.ts'),
  personalData: async () => (await import('./people.ts')).signInData,
  jobs: [
    {
      name: 'sign-in-cleanup',
      what: 'deletes requests to sign in by mail that are over, and a day later their addresses',
      schedule: '25 * * * *',
      lockMs: LOCK_MS,
      run: async (context, { signal }) => (await import('./cleanup.ts')).cleanUp(context, signal),
    },
  ],
});
