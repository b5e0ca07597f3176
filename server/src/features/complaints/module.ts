import type { ActionsOf, SubjectsOf } from '../../ledger/audit/actions.ts';
import { DAY } from '../../ledger/checks.rule.ts';
import { defineModule, LOCK_MS } from '../../ledger/define-module.ts';

export const complaintsModule = defineModule({
  name: 'complaints',
  needs: ['claims', 'erasures', 'brokers', 'notices', 'accounts', 'operators', 'representatives'],
  collections: {
    complaints: { people: 'erased' },
  },
  models: () => import('./store.ts'),
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
  importKinds: { complaints: async () => (await import('./import-kind.ts')).complaintKind },
  checks: {
    'complaints-received': {
      what: 'complaints that nobody has taken up',
      shows: 'count and age',
      look: { olderThan: 2 * DAY },
      act: { olderThan: 7 * DAY },
      help: 'complaint list --status received',
      read: async (db) => (await import('./facts.ts')).waitingComplaints.received(db),
    },
    'complaints-screening': {
      what: 'complaints that were taken up and not sent on',
      shows: 'count and age',
      look: { olderThan: 5 * DAY },
      act: { olderThan: 14 * DAY },
      help: 'complaint list --status screening',
      read: async (db) => (await import('./facts.ts')).waitingComplaints.screening(db),
    },
    'complaints-answered': {
      what: 'complaints that the broker answered and nobody has ended',
      shows: 'count and age',
      look: { olderThan: 5 * DAY },
      act: { olderThan: 14 * DAY },
      help: 'complaint list --status responded',
      read: async (db) => (await import('./facts.ts')).waitingComplaints.responded(db),
    },
    'complaints-overdue': {
      what: 'complaints whose broker is overdue with the answer',
      shows: 'count and age',
      look: { atLeast: 1 },
      help: 'complaint list --status forwarded',
      read: async (db) => (await import('./facts.ts')).waitingComplaints.overdue(db),
    },
    reminders: {
      what: 'reminders to brokers that nobody has sent',
      shows: 'count and age',
      look: { atLeast: 1 },
      act: { olderThan: 3 * DAY },
      help: 'complaint reminders',
      read: async (db) => (await import('./facts.ts')).waitingReminders(db),
    },
  },
});

declare module '../../ledger/audit/actions.ts' {
  interface AuditActions extends ActionsOf<typeof complaintsModule> {}
  interface AuditSubjects extends SubjectsOf<typeof complaintsModule> {}
}
