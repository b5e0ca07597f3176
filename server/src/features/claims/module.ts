import type { ActionsOf, SubjectsOf } from '../../ledger/audit/actions.ts';
import { defineModule } from '../../ledger/define-module.ts';

export const claimsModule = defineModule({
  name: 'claims',
  collections: {
    // names of operators, with ids of cases
    claims: { people: 'kept' },
  },
  models: () => import('./store.ts'),
  audit: {
    'case.claimed': 'an operator works on a case',
    'case.released': 'an operator gave a case back',
  },
  subjects: ['case'],
});

declare module '../../ledger/audit/actions.ts' {
  interface AuditActions extends ActionsOf<typeof claimsModule> {}
  interface AuditSubjects extends SubjectsOf<typeof claimsModule> {}
}
