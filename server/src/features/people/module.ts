import type { ActionsOf } from '../../ledger/audit/actions.ts';
import { defineModule } from '../../ledger/define-module.ts';

export const peopleModule = defineModule({
  name: 'people',
  needs: ['erasures', 'notices', 'accounts', 'follow', 'reviews', 'complaints', 'moderation'],
  collections: {
    idempotentAnswers: { people: 'erased' },
  },
  models: () => import('../../http/request/idempotency.ts'),
  audit: {
    'account.erased': 'a person was erased; one entry for each 500 rows of a kind',
    'account.erased_again': 'a person who was erased before was found again, as after a restore',
    'account.exported': 'everything that is held about a person was handed out',
  },
  personalData: async () => (await import('./answers.ts')).answerData,
});

declare module '../../ledger/audit/actions.ts' {
  interface AuditActions extends ActionsOf<typeof peopleModule> {}
}
