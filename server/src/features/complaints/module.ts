import type { ActionsOf, SubjectsOf } from '../../ledger/audit/actions.ts';
import { defineModule, LOCK_MS } from '../../ledger/define-module.ts';

export const complaintsModule = defineModule({
  name: 'complaints',
  needs: ['claims', 'brokers', 'notices', 'accounts', 'operators', 'representatives'],
  collections: {
    complaints: { people: 'erased' },
  },
  audit: {
    'complaint.corrected': 'a second person corrected how it was recorded',
    'complaint.erased': 'the texts of a complaint were deleted with the person who sent it',
    'complaint.evidence': 'a piece of evidence was added',
    'complaint.forwarded': 'it was sent to the broker',
    'complaint.imported': 'it came in by a file of an earlier system, or an operator entered it',
    'complaint.loaded': 'the demo set was loaded; one entry for many complaints',
    'complaint.overdue': 'the broker did not answer in time',
    'complaint.rejected': 'it is not taken up',
    'complaint.reminded': 'a reminder to the broker fell due',
    'complaint.reminders_sent': 'reminders were noted as sent',
    'complaint.resolved': 'it ended well',
    'complaint.responded': 'the broker answered',
    'complaint.screening': 'it was taken up',
    'complaint.submitted': 'somebody sent a complaint',
    'complaint.taken_back': 'the import that brought it was undone',
    'complaint.unresolved': 'it ended without a solution',
    'complaint.withdrawn': 'it was taken back',
  },
  subjects: ['complaint'],
  personalData: async () => (await import('./people.ts')).complaintData,
  jobs: [
    {
      name: 'complaint-clocks',
      what: 'notes answers that are overdue and reminders, ends complaints whose final date passed',
      schedule: '0 * * * *',
      lockMs: LOCK_MS,
      run: async (context, { signal }) => {
        const { advanceComplaintClocks } = await import('./clocks.ts');
        return advanceComplaintClocks(context, signal);
      },
    },
  ],
  routes: async () => (await import('./routes.ts')).complaintRoutes,
});

declare module '../../ledger/audit/actions.ts' {
  interface AuditActions extends ActionsOf<typeof complaintsModule> {}
  interface AuditSubjects extends SubjectsOf<typeof complaintsModule> {}
}
