import { REVIEW_STATUSES, type ReasonCode } from '@broker-transparency/contract';
import { withCurrentSlugs } from '../../features/brokers/facts.ts';
import {
  decideReview,
  flagReview,
  RESTORATIONS,
  restoreReview,
  unflagReview,
  withdrawForAuthor,
  withholdReview,
} from '../../features/moderation/actions.ts';
import { addAppeal, listSideAppeals, requireAppealed } from '../../features/moderation/appeal-actions.ts';
import { claimUndecided, holdDecision, releaseUndecided } from '../../features/moderation/held.ts';
import { findMarks } from '../../features/moderation/hints.rule.ts';
import { moderationModule } from '../../features/moderation/module.ts';
import {
  listPersonReviews,
  listSimilarReviews,
  type ShownReview,
  showReview,
} from '../../features/moderation/queue.ts';
import { isAppealable, type WithdrawalReason } from '../../features/moderation/statement.rule.ts';
import { replyForFirm } from '../../features/replies/actions.ts';
import { listReviews } from '../../features/reviews/facts.ts';
import type { Context } from '../../ledger/context.ts';
import type { Db } from '../../platform/mongo.ts';
import type { GivenFields } from './fields.rule.ts';
import {
  type CaseFacts,
  computeDue,
  type DeskFormRules,
  type DeskKind,
  type DeskText,
  type Sight,
  toParts,
} from './kind.ts';

const MOST_RELATED = 10;

/** Returns the texts of a review, with the marks of its hints. */
export const toReviewTexts = ({ title, content, language, hints, reply }: ShownReview): DeskText[] => {
  const codes = hints.map(({ code }) => code);
  return [
    { label: 'Title', language, parts: toParts(title, findMarks(title, codes)) },
    { label: 'Review', language, parts: toParts(content, findMarks(content, codes)) },
    ...(reply ? [{ label: 'Answer of the broker', parts: toParts(reply.content) }] : []),
  ];
};

/** Returns what is known of the person who wrote a review. */
export const toAuthorFacts = ({
  rating,
  author,
  identityVerified,
  language,
  ofAuthor,
}: ShownReview): CaseFacts['facts'] => [
  ['Rating', `${rating} of 5`],
  ['Author', `${author.displayName}${author.country === undefined ? '' : ` (${author.country})`}`],
  ['Identity', identityVerified ? 'verified' : 'not verified'],
  ['Language', language],
  [
    'Reviews of this person',
    Object.entries(ofAuthor)
      .map(([status, count]) => `${count} ${status}`)
      .join(', '),
  ],
];

/** Returns what was decided about a review, and by whom. */
export const toReviewTimeline = ({ createdAt, decisions, flags }: ShownReview): CaseFacts['timeline'] => [
  { at: createdAt, text: 'Written' },
  ...flags.map(({ createdAt: at, by, reasonCode, note }) => ({
    at,
    text: `Flag of ${by}: ${reasonCode}${note === undefined ? '' : `, ${note}`}`,
  })),
  ...decisions.map(({ decidedAt: at, decidedBy, kind, statement }) => ({
    at,
    text: `${decidedBy}: ${kind}${statement.reasonCode === null ? '' : `, ${statement.reasonCode}`}. ${statement.facts}`,
  })),
];

/** Appeals as the desk refers to them. */
type Appeals = Awaited<ReturnType<typeof listSideAppeals>>;

/** Returns the actions about a review for which there is nothing to do. */
const listIdle = ({ flags, reply, decisions: [last], status }: ShownReview, [newest]: Appeals): string[] => {
  const mayAppeal = last !== undefined && isAppealable(last.kind, { side: 'author', status });
  const isAppealed = last !== undefined && newest !== undefined && newest.createdAt >= last.decidedAt;
  return [
    ...(flags.length === 0 ? ['unflag'] : []),
    ...(reply ? [] : ['unreply']),
    ...(mayAppeal && !isAppealed ? [] : ['appeal']),
  ];
};

/** Returns links to appeals. */
export const toAppealLinks = (appeals: Appeals): CaseFacts['related'] & object =>
  appeals.map(({ _id, side, status }) => ({
    kind: 'appeal',
    id: String(_id),
    label: `Appeal of the ${side} (${status})`,
  }));

/** Opens a review. Whoever may not list reviews sees one about which an appeal is open, and no other people's texts. */
const open = async (db: Db, id: string, { may }: Sight): Promise<CaseFacts> => {
  if (!may('review list')) await requireAppealed(db, id);
  const review = await showReview(db, id);
  const reports = may('report list') ? review.reports : [];
  const [similar, others, appeals] = await Promise.all([
    may('review duplicates') ? listSimilarReviews(db, id) : [],
    may('review list') ? listPersonReviews(db, review, MOST_RELATED) : [],
    listSideAppeals(db, id, 'author'),
  ]);
  return {
    broker: review.broker,
    title: `Review of ${review.broker}`,
    state: review.status,
    facts: toAuthorFacts(review),
    texts: [
      ...toReviewTexts(review),
      ...reports.map(({ reasonCode, text }) => ({ label: `Report: ${reasonCode}`, parts: toParts(text) })),
    ],
    hints: review.hints,
    similar: similar.map(({ id: other, broker, status, share, content }) => ({
      kind: 'review',
      id: other,
      label: `${Math.floor(share * 100)} % the same: review of ${broker}, ${status}`,
      parts: toParts(content),
    })),
    related: [
      ...toAppealLinks(appeals),
      ...others.map(({ _id, broker, status, title }) => ({
        kind: 'review',
        id: String(_id),
        label: `${title} (${broker}, ${status})`,
      })),
    ],
    timeline: toReviewTimeline(review),
    claim: review.claim,
    isReported: review.reports.length > 0,
    idle: listIdle(review, appeals),
  };
};

const toRestriction = ({ reason, note }: GivenFields) => ({ reasonCode: reason as ReasonCode, note });

/** Returns the form by which an operator writes down an appeal that came by mail. */
export const toAppealForm = (
  states: readonly string[],
  label: string,
  add: (context: Context, id: string, text: string) => Promise<unknown>,
): DeskFormRules => ({
  fields: ['appeal'],
  actions: [
    {
      action: 'appeal',
      command: 'appeal add',
      label,
      states,
      takes: ['appeal'],
      needs: ['appeal'],
      stays: true,
      run: (context, id, { appeal = '' }) => add(context, id, appeal),
    },
  ],
});

/** The decided states in which the author can appeal. */
const RESTRICTED = ['rejected', 'removed', 'withheld'];

/** The forms by which operators note something about a review that stays as it is. */
const ASIDE_FORMS: readonly DeskFormRules[] = [
  {
    fields: ['reason', 'remark'],
    actions: [
      {
        action: 'flag',
        command: 'review flag',
        label: 'Flag it for the others',
        states: ['pending', 'published', 'withheld'],
        takes: ['reason', 'remark'],
        needs: ['reason'],
        stays: true,
        run: (context, id, { reason, remark }) =>
          flagReview(context, id, { reasonCode: reason as ReasonCode, note: remark }),
      },
    ],
  },
  {
    fields: [],
    actions: [
      {
        action: 'unflag',
        command: 'review flag',
        label: 'Take all flags away',
        states: REVIEW_STATUSES,
        takes: [],
        stays: true,
        run: (context, id) => unflagReview(context, id),
      },
      {
        action: 'unreply',
        command: 'review reply',
        label: 'Take the answer of the firm away',
        states: REVIEW_STATUSES,
        takes: [],
        stays: true,
        run: (context, id) => replyForFirm(context, id, undefined),
      },
    ],
  },
  {
    fields: ['reply'],
    actions: [
      {
        action: 'reply',
        command: 'review reply',
        label: 'Publish an answer that the firm sent by mail',
        states: ['published'],
        takes: ['reply'],
        needs: ['reply'],
        stays: true,
        run: (context, id, { reply }) => replyForFirm(context, id, reply),
      },
    ],
  },
  toAppealForm(RESTRICTED, 'The author appeals by mail', (context, id, text) =>
    addAppeal(context, { review: id }, text),
  ),
];

const REJECT = { takes: ['reason', 'note'], needs: ['reason'] } as const;

export const reviewKind: DeskKind = {
  kind: 'review',
  plural: 'Reviews',
  lists: 'review list',
  shows: 'review show',
  claims: 'review claim',
  list: async (db, _now, limit) =>
    (await withCurrentSlugs(db, await listReviews(db, { status: 'pending' }, limit))).map(
      ({ _id, broker, title, rating, createdAt, claim }) => ({
        kind: 'review',
        id: String(_id),
        broker,
        title: `${rating} of 5: ${title}`,
        since: createdAt,
        dueAt: computeDue(moderationModule.checks.reviews, createdAt),
        claim,
      }),
    ),
  open,
  claim: claimUndecided,
  release: releaseUndecided,
  forms: [
    {
      fields: ['reason', 'note'],
      actions: [
        {
          action: 'publish',
          command: 'review publish',
          label: 'Publish',
          key: 'p',
          states: ['pending'],
          takes: ['note'],
          isHeld: true,
          run: (context, id, { note }) => holdDecision(context, id, { kind: 'publish', note }),
        },
        {
          action: 'reject',
          command: 'review reject',
          label: 'Reject',
          key: 'r',
          states: ['pending'],
          ...REJECT,
          isHeld: true,
          run: (context, id, given) => holdDecision(context, id, { kind: 'reject', ...toRestriction(given) }),
          verdict: (given) => ({ kind: 'reject', ...toRestriction(given) }),
        },
        {
          action: 'remove',
          command: 'review remove',
          label: 'Remove',
          key: 'r',
          states: ['published', 'withheld'],
          ...REJECT,
          run: (context, id, given) => decideReview(context, id, { kind: 'remove', ...toRestriction(given) }),
          verdict: (given) => ({ kind: 'remove', ...toRestriction(given) }),
        },
      ],
    },
    {
      fields: ['reason', 'note', 'days'],
      actions: [
        {
          action: 'withhold',
          command: 'review withhold',
          label: 'Withhold',
          states: ['published'],
          takes: ['reason', 'note', 'days'],
          needs: ['reason', 'days'],
          run: (context, id, { days = 0, ...given }) => withholdReview(context, id, { days, ...toRestriction(given) }),
          verdict: (given) => ({ kind: 'withhold', ...toRestriction(given) }),
        },
      ],
    },
    {
      fields: [],
      actions: [
        {
          action: 'dismiss',
          command: 'review restore',
          label: `Publish again: ${RESTORATIONS.claim_dismissed}`,
          states: ['withheld'],
          takes: [],
          run: (context, id) => restoreReview(context, id, 'claim_dismissed'),
        },
        {
          action: 'restore',
          command: 'review restore',
          label: `Publish again: ${RESTORATIONS.our_error}`,
          states: ['rejected', 'removed', 'withheld'],
          takes: [],
          run: (context, id) => restoreReview(context, id, 'our_error'),
        },
      ],
    },
    {
      fields: ['withdrawal'],
      actions: [
        {
          action: 'withdraw',
          command: 'review withdraw',
          label: 'Withdraw for its author',
          states: ['pending', 'published', 'withheld'],
          takes: ['withdrawal'],
          needs: ['withdrawal'],
          run: (context, id, { withdrawal }) => withdrawForAuthor(context, id, withdrawal as WithdrawalReason),
        },
      ],
    },
    ...ASIDE_FORMS,
  ],
};
