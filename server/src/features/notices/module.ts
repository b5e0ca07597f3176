import type { ActionsOf, SubjectsOf } from '../../ledger/audit/actions.ts';
import { DAY, HOUR } from '../../ledger/checks.rule.ts';
import { defineModule } from '../../ledger/define-module.ts';

export const noticesModule = defineModule({
  name: 'notices',
  needs: ['brokers'],
  collections: {
    noticeAddresses: { people: 'erased' },
    notices: { people: 'erased' },
    noticeWebhooks: { people: 'none' },
  },
  models: () => import('./store.ts'),
  audit: {
    'broker.contact_added': 'a code was sent to an address that is to become a contact of a broker',
    'broker.contact_confirmed': 'the contact of a broker is confirmed by its code',
    'broker.contact_removed': 'a contact of a broker was removed',
    'notice.bounced': 'a mail came back after it was taken',
    'notice.retried': 'a mail that had failed is tried again',
    'notice.webhook_added': "a system of the operator's is told by signed webhooks",
    'notice.webhook_removed': "a system of the operator's is told no more",
  },
  subjects: ['notice'],
  personalData: async () => (await import('./people.ts')).noticeData,
  routes: async () => (await import('./routes.ts')).mailRoutes,
  checks: {
    'mail-waiting': {
      what: 'mails that wait to be sent',
      shows: 'count and age',
      look: { olderThan: HOUR },
      act: { olderThan: DAY },
      help: 'mail list --status waiting',
      read: async (db, { mail }) => {
        if (!mail) return undefined;
        const { waiting: count, since } = await (await import('./actions.ts')).readMailBacklog(db);
        return { count, since };
      },
    },
    'mail-failed': {
      what: 'mails that were refused, came back, or were tried in vain',
      shows: 'count',
      look: { atLeast: 10 },
      help: 'mail list --status failed',
      read: async (db, { mail }) =>
        mail && { count: (await (await import('./actions.ts')).readMailBacklog(db)).failed },
    },
  },
});

declare module '../../ledger/audit/actions.ts' {
  interface AuditActions extends ActionsOf<typeof noticesModule> {}
  interface AuditSubjects extends SubjectsOf<typeof noticesModule> {}
}
