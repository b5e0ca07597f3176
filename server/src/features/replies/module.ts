import type { ActionsOf, SubjectsOf } from '../../ledger/audit/actions.ts';
import { DAY } from '../../ledger/checks.rule.ts';
import { defineModule } from '../../ledger/define-module.ts';

export const repliesModule = defineModule({
  name: 'replies',
  needs: ['claims', 'brokers', 'notices', 'accounts', 'representatives', 'reviews'],
  collections: {
    reviewReplies: { people: 'erased' },
  },
  models: () => import('./store.ts'),
  audit: {
    'reply.declined': 'an operator did not publish the reply of a firm to a review',
    'reply.erased': 'a reply was deleted with the person who wrote it, or who wrote the review',
    'reply.published': 'the reply of a firm was published under the review',
    'reply.submitted': 'a person who answers for a firm wrote a reply to a review',
    'reply.withdrawn': 'the firm took its reply back, or an operator replaced or removed it',
  },
  subjects: ['reply'],
  personalData: async () => (await import('./people.ts')).replyData,
  checks: {
    replies: {
      what: 'replies of firms to reviews that wait for a moderator',
      shows: 'count and age',
      look: { olderThan: 2 * DAY },
      act: { olderThan: 7 * DAY },
      help: 'reply list',
      read: async (db) => (await import('./facts.ts')).countWaitingReplies(db),
    },
  },
});

declare module '../../ledger/audit/actions.ts' {
  interface AuditActions extends ActionsOf<typeof repliesModule> {}
  interface AuditSubjects extends SubjectsOf<typeof repliesModule> {}
}
