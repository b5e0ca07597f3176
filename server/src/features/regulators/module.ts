import type { ActionsOf, SubjectsOf } from '../../ledger/audit/actions.ts';
import { defineModule } from '../../ledger/define-module.ts';

export const regulatorsModule = defineModule({
  name: 'regulators',
  needs: ['brokers'],
  collections: {
    regulators: { people: 'none', shows: () => ['regulators'] },
  },
  models: () => import('./store.ts'),
  audit: {
    'regulator.contradicted': 'an import says what a stronger source denies; it is kept, and not published',
    'regulator.imported': 'the facts of a regulator were written by an import or the reference data',
    'regulator.removed': 'a regulator went, since the import that brought it was undone',
    'regulator.repaired': 'the number of its brokers differed from the brokers and was mended',
    'regulator.restored': 'a regulator is as it was before an import that was undone',
    'regulator.verified': 'its register was looked at by a file, or that was taken back',
  },
  subjects: ['regulator'],
  recordSource: async () => (await import('./facts.ts')).regulatorSource,
  importKinds: { regulators: async () => (await import('./import-kind.ts')).regulatorKind },
  checks: {
    regulators: {
      what: 'regulators with brokers here whose register nobody looked at for too long',
      shows: 'count',
      look: { atLeast: 1 },
      help: 'docs/operating/regulators.md',
      read: async (db, _, now) => {
        const stale = await (await import('./facts.ts')).listStaleRegulators(db, now);
        return { named: stale.map(({ _id, lastVerifiedAt }) => `${_id}: ${lastVerifiedAt?.slice(0, 10) ?? 'never'}`) };
      },
    },
  },
});

declare module '../../ledger/audit/actions.ts' {
  interface AuditActions extends ActionsOf<typeof regulatorsModule> {}
  interface AuditSubjects extends SubjectsOf<typeof regulatorsModule> {}
}
