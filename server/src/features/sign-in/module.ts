import { defineModule } from '../../ledger/define-module.ts';

export const signInModule = defineModule({
  name: 'sign-in',
  needs: ['notices', 'accounts'],
  collections: {
    sessions: { people: 'erased' },
  },
  personalData: async () => (await import('./people.ts')).signInData,
});
