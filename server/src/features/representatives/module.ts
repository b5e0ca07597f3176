import type { ActionsOf, SubjectsOf } from '../../ledger/audit/actions.ts';
import { defineModule, LOCK_MS } from '../../ledger/define-module.ts';

export const representativesModule = defineModule({
  name: 'representatives',
  needs: ['erasures', 'brokers', 'notices', 'accounts', 'operators', 'regulators'],
  collections: {
    representatives: { people: 'erased' },
  },
  models: () => import('./store.ts'),
  audit: {
    'representative.claimed': 'a person showed with their account the code that went to the address of the register',
    'representative.confirmed': 'a second operator confirmed the address, and a code went there',
    'representative.ended': 'the person answers for the broker no more',
    'representative.requested': 'an operator named an address that a register gives for a broker',
  },
  subjects: ['representative'],
  jobs: [
    {
      name: 'representative-codes',
      what: 'ends those who are to answer for a firm and did not use their code in time',
      schedule: '35 4 * * *',
      lockMs: LOCK_MS,
      run: async (context, { signal }) => {
        const { endUnused } = await import('./actions.ts');
        return { ended: await endUnused(context, signal) };
      },
    },
  ],
  personalData: async () => (await import('./people.ts')).representativeData,
});

declare module '../../ledger/audit/actions.ts' {
  interface AuditActions extends ActionsOf<typeof representativesModule> {}
  interface AuditSubjects extends SubjectsOf<typeof representativesModule> {}
}
