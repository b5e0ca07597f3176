import type { ActionsOf, SubjectsOf } from '../../ledger/audit/actions.ts';
import { defineModule } from '../../ledger/define-module.ts';

export const operatorsModule = defineModule({
  name: 'operators',
  needs: ['accounts'],
  collections: {
    // names of operators as in the audit trail; their subjects at the identity provider, until they end
    operators: { people: 'kept', writes: ['insert', 'update'], shows: () => ['operators'] },
    // hashes of tokens
    operatorTokens: { people: 'kept', writes: ['insert', 'update'] },
    // requests of admins
    operatorRequests: { people: 'kept' },
  },
  models: () => import('./store.ts'),
  audit: {
    'operator.acted': 'an operator ran a command with their token',
    'operator.added': 'an operator was added',
    'operator.claimed': 'a name that was given before operators had tokens was said to be that of an operator',
    'operator.confirmed': 'a second admin confirmed what another had requested for an operator',
    'operator.declined': 'a request for an operator was declined or taken back',
    'operator.ended': 'an operator was ended, with every token',
    'operator.recovered': 'an admin who lost their tokens got another one from whoever holds the database',
    'operator.refused': 'a command was refused: the token, the role or the person was not good for it',
    'operator.requested': 'an admin requested access for an operator, which a second one has to confirm',
    'operator.role_set': 'an operator got another role',
    'operator.sign_in_removed': 'an operator cannot sign in to the desk any more',
    'operator.sign_in_set': 'an operator can sign in to the desk by the identity provider',
    'operator.token_issued': 'an operator got a token',
    'operator.token_revoked': 'a token of an operator was ended',
  },
  subjects: ['operator'],
  checks: {
    operators: {
      what: 'commands refused to operators within a day',
      shows: 'count',
      look: { atLeast: 5 },
      help: 'audit list --action operator.refused',
      read: async (db, _, now) => ({ count: await (await import('./facts.ts')).countRefusals(db, now) }),
    },
  },
});

declare module '../../ledger/audit/actions.ts' {
  interface AuditActions extends ActionsOf<typeof operatorsModule> {}
  interface AuditSubjects extends SubjectsOf<typeof operatorsModule> {}
}
