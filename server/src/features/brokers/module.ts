import type { ActionsOf, SubjectsOf } from '../../ledger/audit/actions.ts';
import { defineModule, LOCK_MS } from '../../ledger/define-module.ts';

export const brokersModule = defineModule({
  name: 'brokers',
  needs: [],
  collections: {
    brokerProfiles: { people: 'none' },
    licenses: { people: 'none' },
  },
  models: () => import('./store.ts'),
  audit: {
    'broker.contradicted': 'an import says what a stronger source denies; it is kept, and not published',
    'broker.imported': 'the facts of a broker were written by an import',
    'broker.merged': 'a broker was merged into another one; each of the two has an entry',
    'broker.overruled': 'editors decided not to publish what a source says of it, or took that back',
    'broker.removed': 'a broker went, since the import that brought it was undone',
    'broker.renamed': 'a broker is published under another slug, to which the former one leads',
    'broker.repaired': 'the published document of a broker did not follow from its facts and was made to',
    'broker.restored': 'a broker is as it was before an import that was undone',
    'broker.split': 'a broker that was merged into another one is by itself again; each of the two has an entry',
    'license.checked': 'a licence was compared with the register of its regulator',
    'license.expired': 'the time of a licence is over',
  },
  subjects: ['broker', 'license'],
  jobs: [
    {
      name: 'license-expiry',
      what: 'sets licences whose time is over to expired',
      schedule: '5 * * * *',
      lockMs: LOCK_MS,
      run: async (context, { signal }) => {
        const { expireLicenses } = await import('./expiry.ts');
        return { expired: await expireLicenses(context, signal) };
      },
    },
  ],
  recordSource: async () => (await import('./facts.ts')).brokerSource,
});

declare module '../../ledger/audit/actions.ts' {
  interface AuditActions extends ActionsOf<typeof brokersModule> {}
  interface AuditSubjects extends SubjectsOf<typeof brokersModule> {}
}
