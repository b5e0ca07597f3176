import type { ActionsOf, SubjectsOf } from '../../ledger/audit/actions.ts';
import { DAY } from '../../ledger/checks.rule.ts';
import { defineModule } from '../../ledger/define-module.ts';

export const disputesModule = defineModule({
  name: 'disputes',
  needs: ['claims', 'brokers', 'notices', 'accounts', 'operators', 'representatives'],
  collections: {
    disputes: { people: 'erased' },
  },
  models: () => import('./store.ts'),
  audit: {
    'dispute.decided': 'an operator decided whether the fact stays',
    'dispute.erased': 'the text of a dispute was deleted with the person who wrote it',
    'dispute.opened': 'a firm disputed a fact about itself',
    'dispute.text_decided': 'an operator decided whether the text of the firm is public',
    'dispute.withdrawn': 'the firm took it back',
  },
  subjects: ['dispute'],
  personalData: async () => (await import('./people.ts')).disputeData,
  recordSource: async () => (await import('./facts.ts')).disputeSource,
  checks: {
    disputes: {
      what: 'facts that a firm disputes and nobody has decided',
      shows: 'count and age',
      look: { olderThan: 7 * DAY },
      act: { olderThan: 14 * DAY },
      help: 'dispute list',
      read: async (db) => (await import('./facts.ts')).countWaitingDisputes(db),
    },
  },
});

declare module '../../ledger/audit/actions.ts' {
  interface AuditActions extends ActionsOf<typeof disputesModule> {}
  interface AuditSubjects extends SubjectsOf<typeof disputesModule> {}
}
