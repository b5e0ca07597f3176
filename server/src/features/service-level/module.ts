import type { ActionsOf, SubjectsOf } from '../../ledger/audit/actions.ts';
import { defineModule, LOCK_MS } from '../../ledger/define-module.ts';

export const serviceLevelModule = defineModule({
  name: 'service-level',
  needs: [],
  collections: {
    probers: { people: 'none', writes: ['insert', 'update'] },
    proberDays: { people: 'none', writes: ['insert', 'update'] },
    proberLines: { people: 'none' },
  },
  models: () => import('./store.ts'),
  audit: {
    'prober.ended': 'the vote of a prober was ended',
    'prober.registered': 'a prober was registered by its public key',
  },
  subjects: ['prober'],
  jobs: [
    {
      name: 'service-level-seal',
      what: 'adds days whose results of probers can have arrived to the record, and months that are complete',
      schedule: '30 0 * * *',
      lockMs: LOCK_MS,
      run: async (context, { signal }) => {
        const { sealServiceLevel } = await import('./seal.ts');
        return sealServiceLevel(context, signal);
      },
    },
  ],
  routes: async () => (await import('./routes.ts')).serviceLevelRoutes,
});

declare module '../../ledger/audit/actions.ts' {
  interface AuditActions extends ActionsOf<typeof serviceLevelModule> {}
  interface AuditSubjects extends SubjectsOf<typeof serviceLevelModule> {}
}
