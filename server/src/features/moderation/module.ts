import type { ActionsOf, SubjectsOf } from '../../ledger/audit/actions.ts';
import { DAY } from '../../ledger/checks.rule.ts';
import { defineModule, LOCK_MS } from '../../ledger/define-module.ts';

export const moderationModule = defineModule({
  name: 'moderation',
  needs: [
    'claims',
    'erasures',
    'brokers',
    'notices',
    'accounts',
    'operators',
    'representatives',
    'transparency',
    'reviews',
  ],
  collections: {
    reports: { people: 'erased' },
    appeals: { people: 'erased' },
    moderationDecisions: { people: 'erased' },
    reviewFlags: { people: 'erased' },
    // for two minutes: then it is written; for a day without its reasons if its review is gone
    heldDecisions: { people: 'kept' },
    caseLinks: { people: 'erased' },
    // for an hour: a hash of a network address, with nothing that names a report or a person
    reportAskers: { people: 'kept' },
    moderationDelays: { people: 'none', shows: () => ['moderation-delays'] },
  },
  models: () => Promise.all([import('./delays.ts'), import('./held-store.ts'), import('./store.ts')]),
  audit: {
    'appeal.decided': 'an appeal was decided, or ended with its review',
    'appeal.erased': 'an appeal was deleted with the person it is about',
    'appeal.received': 'an author or a reporter appealed',
    'case.links_withdrawn': 'links by which somebody read a case without an account show nothing any more',
    'moderation.recounted': 'the published moderation counts of a broker differed from the records and were mended',
    'report.decided': 'a report was decided, or ended with its review',
    'report.erased': 'a report was deleted with the person it is about',
    'report.received': 'somebody reported a review',
    'review.decision_refused': 'a decision of the desk was not written, since the review had changed meanwhile',
    'report.sender_forgotten':
      'name, address and links of somebody who reported a review without an account were deleted',
  },
  subjects: ['report', 'appeal'],
  personalData: async () => (await import('./people.ts')).moderationData,
  jobs: [
    {
      name: 'held-decisions',
      what: 'writes decisions of the desk that can no longer be taken back',
      schedule: '* * * * *',
      lockMs: LOCK_MS,
      run: async (context) => {
        const { writeOldDecisions } = await import('./held.ts');
        return writeOldDecisions(context);
      },
    },
    {
      name: 'moderation-delays',
      what: 'measures how long cases waited that people decided within the last year',
      schedule: '5 0 * * *',
      lockMs: LOCK_MS,
      run: async ({ db, clock }) => {
        const { refreshDelays } = await import('./delays.ts');
        const { reviews, reports, appeals } = await refreshDelays(db, clock());
        return { reviews: reviews.decided, reports: reports.decided, appeals: appeals.decided };
      },
    },
    {
      name: 'withheld-reviews',
      what: 'publishes reviews again whose time of being withheld is over',
      schedule: '20 * * * *',
      lockMs: LOCK_MS,
      run: async (context, { signal }) => {
        const { endWithholding } = await import('./actions.ts');
        return { published: await endWithholding(context, signal) };
      },
    },
    {
      name: 'case-links',
      what: 'deletes links to cases after six months, and who reported a review without an account six months after the decision',
      schedule: '50 * * * *',
      lockMs: LOCK_MS,
      run: async (context, { signal }) => (await import('./links.ts')).cleanUpLinks(context, signal),
    },
  ],
  routes: async () => (await import('./routes.ts')).moderationRoutes,
  recordSource: async () => (await import('./statement-entry.ts')).statementSource,
  importKinds: { reviews: async () => (await import('./imported.ts')).reviewKind },
  checks: {
    reviews: {
      what: 'reviews that wait for a moderator',
      shows: 'count and age',
      look: { olderThan: 2 * DAY, atLeast: 200 },
      act: { olderThan: 7 * DAY },
      help: 'review next',
      read: async (db) => (await import('./waiting.ts')).countWaitingReviews(db),
    },
    reports: {
      what: 'reports about published reviews that are open',
      shows: 'count and age',
      look: { olderThan: 2 * DAY },
      act: { olderThan: 7 * DAY },
      help: 'report list',
      read: async (db) => (await import('./waiting.ts')).countWaitingReports(db),
    },
    appeals: {
      what: 'appeals that are open',
      shows: 'count and age',
      look: { olderThan: 7 * DAY },
      act: { olderThan: 21 * DAY },
      help: 'appeal list',
      read: async (db) => (await import('./waiting.ts')).countWaitingAppeals(db),
    },
    'review-bursts': {
      what: 'brokers with a burst of reviews within a day',
      shows: 'count',
      look: { atLeast: 1 },
      help: 'review list',
      read: async (db, _, now) => {
        const bursts = await (await import('./waiting.ts')).findBursts(db, now);
        return {
          named: bursts.map(({ broker, lastDay, before }) => `${broker}: ${lastDay}, and ${before} in 90 days`),
        };
      },
    },
  },
});

declare module '../../ledger/audit/actions.ts' {
  interface AuditActions extends ActionsOf<typeof moderationModule> {}
  interface AuditSubjects extends SubjectsOf<typeof moderationModule> {}
}
