import type { ActionsOf } from '../../ledger/audit/actions.ts';
import { defineModule } from '../../ledger/define-module.ts';

export const marksModule = defineModule({
  name: 'marks',
  needs: ['brokers'],
  collections: {
    // pictures of firms, which operators upload
    brokerMarks: {
      people: 'none',
      writes: [],
      shows: () => ['pages'],
      takesTextDown: ({ document }) => document === undefined,
    },
  },
  models: () => import('./store.ts'),
  audit: {
    'mark.removed': 'pages do not show the mark of a broker any more',
    'mark.set': 'an operator uploaded the mark of a broker',
  },
});

declare module '../../ledger/audit/actions.ts' {
  interface AuditActions extends ActionsOf<typeof marksModule> {}
}
