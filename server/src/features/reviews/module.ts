import type { ActionsOf, SubjectsOf } from '../../ledger/audit/actions.ts';
import { defineModule } from '../../ledger/define-module.ts';

export const reviewsModule = defineModule({
  name: 'reviews',
  needs: ['claims', 'brokers', 'notices', 'accounts', 'representatives', 'transparency'],
  collections: {
    // a new review waits for a moderator and is not shown yet
    reviews: {
      people: 'erased',
      shows: ({ document }) => (document ? [`reviews:${document['broker']}`] : []),
      shownChanges: { operationType: { $ne: 'insert' } },
      // a deleted review no longer names its broker: the rating month that counted it does, and changes with it
      takesTextDown: ({ document, removed = [], set }) =>
        document === undefined ||
        removed.includes('reply') ||
        (document['status'] !== 'published' && (set?.includes('status') ?? true)),
    },
    ratingMonths: { people: 'none', shows: ({ id }) => [`reviews:${id.split(' ', 1)[0]}`] },
  },
  models: () => import('./store.ts'),
  audit: {
    'review.claimed': 'a moderator works on it',
    'review.erased': 'a review was deleted with the person who wrote it',
    'review.flagged': 'it was marked for other moderators',
    'review.imported': 'it came in by a file of an earlier system, with its own times and state',
    'review.loaded': 'the demo set was loaded; one entry for many reviews',
    'review.published': 'it was published, or brought back',
    'review.rejected': 'it was not published',
    'review.released': 'it was given back to the queue',
    'review.removed': 'it was taken down',
    'review.reopened': 'it waits for a moderator again, since its broker was split off the one it was merged into',
    'review.replied': 'the answer of the broker was published under it',
    'review.reply_removed': 'the answer of the broker was taken away',
    'review.submitted': 'somebody sent a review',
    'review.taken_back': 'the import that brought it was undone',
    'review.unflagged': 'its marks were taken away',
    'review.withdrawn': 'it was taken back',
    'review.withheld': 'it is not public while a claim against it is examined',
  },
  subjects: ['review'],
  personalData: async () => (await import('./people.ts')).reviewData,
  routes: async () => (await import('./routes.ts')).reviewRoutes,
  recordSource: async () => (await import('./facts.ts')).reviewSource,
});

declare module '../../ledger/audit/actions.ts' {
  interface AuditActions extends ActionsOf<typeof reviewsModule> {}
  interface AuditSubjects extends SubjectsOf<typeof reviewsModule> {}
}
