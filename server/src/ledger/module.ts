import type { ActionsOf, SubjectsOf } from './audit/actions.ts';
import { defineModule } from './define-module.ts';

export const ledgerModule = defineModule({
  name: 'ledger',
  collections: {
    subjects: { people: 'none' },
    // who stated a fact is named as in the audit trail
    statements: { people: 'kept' },
    factVersions: { people: 'none' },
    recordEntries: { people: 'none', writes: ['insert', 'update'] },
    // commitments to texts, and texts that are public; an erasure of a review takes its texts with it
    recordTexts: { people: 'kept' },
    recordHeads: { people: 'none', writes: ['insert', 'update'] },
    recordSubtotals: {
      people: 'none',
      shows: () => ['record'],
      shownChanges: { 'documentKey._id': 'end' },
    },
    recordDays: { people: 'none', writes: ['insert', 'update'] },
    logHeads: { people: 'none', writes: ['insert', 'update'] },
    logRefusals: { people: 'none' },
    logTiles: { people: 'none', writes: ['insert', 'update'] },
    logWitnesses: { people: 'none' },
    logKeys: { people: 'none', writes: ['insert', 'update'] },
    // permanent; names people only by the ids of their accounts
    audit: { people: 'kept', writes: ['insert'] },
    due: { people: 'none' },
    servers: { people: 'none' },
    jobs: { people: 'none' },
  },
  audit: {
    'log.entry_set_aside': 'an entry that did not say what its facts say was replaced before it was signed',
    'log.loss_accepted': 'an operator let the log go on although signed entries may be lost',
  },
  subjects: ['entry'],
  metrics: async () => (await import('./metrics.ts')).watchLedger,
});

declare module './audit/actions.ts' {
  interface AuditActions extends ActionsOf<typeof ledgerModule> {}
  interface AuditSubjects extends SubjectsOf<typeof ledgerModule> {}
}
