import type { ActionsOf, SubjectsOf } from '../../ledger/audit/actions.ts';
import { defineModule } from '../../ledger/define-module.ts';

export const incidentsModule = defineModule({
  name: 'incidents',
  needs: ['service-level'],
  collections: {
    // texts that operators publish about outages
    incidents: { people: 'none' },
  },
  models: () => import('./store.ts'),
  audit: {
    'incident.opened': 'an incident was published on the status page',
    'incident.resolved': 'its end was stated',
    'incident.retracted': 'it was taken from the status page',
    'incident.updated': 'a text was added to it, or its beginning corrected',
  },
  subjects: ['incident'],
});

declare module '../../ledger/audit/actions.ts' {
  interface AuditActions extends ActionsOf<typeof incidentsModule> {}
  interface AuditSubjects extends SubjectsOf<typeof incidentsModule> {}
}
