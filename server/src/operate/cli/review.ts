import { existsSync, readFileSync } from 'node:fs';
import { REVIEW_STATUSES, type ReasonCode, Text } from '@broker-transparency/contract';
import { InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { resolveCurrentSlug } from '../../features/brokers/facts.ts';
import {
  decideReview,
  flagReview,
  RESTORATIONS,
  restoreReview,
  unflagReview,
  withdrawForAuthor,
  withholdReview,
} from '../../features/moderation/actions.ts';
import { claimUndecided, releaseUndecided } from '../../features/moderation/held.ts';
import { HINT_CODES } from '../../features/moderation/hints.rule.ts';
import { listQueue, type QueuedReview, showReview, toQueuedReviews } from '../../features/moderation/queue.ts';
import { MOST_DAYS_WITHHELD, WITHDRAWAL_REASONS } from '../../features/moderation/statement.rule.ts';
import { replyForFirm } from '../../features/replies/actions.ts';
import { claimNext } from '../../features/reviews/claims.ts';
import type { Context } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { terminal } from '../../platform/terminal.ts';
import { defineCommand } from './define-command.ts';
import { defineReason, LIMIT, NOTE, REASON } from './options.ts';
import { formatCodes, type OutputColumn, print, printError, printRows, printTruncation } from './output.ts';
import { toReviewLines } from './review-text.ts';
import { duplicatesCommand } from './same-person.ts';

/** Parses for how many days a review is withheld. */
const parseDays = (text: string): number => {
  const days = /^[1-9]\d?$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > MOST_DAYS_WITHHELD)
    throw new InvalidArgumentError(`Give a whole number of days from 1 to ${MOST_DAYS_WITHHELD}.`);
  return days;
};

interface DecisionOptions {
  readonly reason?: ReasonCode;
  readonly note?: string;
}

/** States of reviews after the decisions that moderators make. */
const BECAME = { publish: 'published', reject: 'rejected', remove: 'removed' } as const;

/** Longest line of a text, in characters. */
const WIDTH = 100;

const createColumns = (now: Date): readonly OutputColumn<QueuedReview>[] => [
  'id',
  'broker',
  ['author', (row) => row.author.displayName],
  'rating',
  'language',
  'title',
  ['created', 'createdAt'],
  ['claimed by', (row) => (row.claim && row.claim.until > now ? row.claim.by : undefined)],
  ['hints', (row) => row.hints.map(({ code }) => code).join(' ') || undefined],
  ['flags', (row) => row.flags.map(({ reasonCode }) => reasonCode).join(' ') || undefined],
  ['reports', (row) => row.openReports || undefined],
];

/** The options to which a list of reviews can be narrowed. */
const FILTER = {
  hint: { value: '<hint>', what: 'with this hint', choices: HINT_CODES },
  broker: { value: '<slug>', what: 'about one broker' },
  author: {
    value: '<name>',
    what: 'only of this person: subject or id of an account, or the name that reviews show',
  },
} as const;

/** Lays a review out for the width of the terminal. */
const formatReview = (row: QueuedReview): string =>
  [...toReviewLines(row, Math.min(terminal().columns ?? WIDTH, WIDTH))].join('\n');

const ID = { id: { value: '<id>', what: 'as review list shows it' } } as const;
const rights = { roles: ['moderator'] } as const;

/** Decides about one review after the other: one that cannot be decided keeps no other from it. */
const decideAll = async (
  context: Context,
  ids: readonly string[],
  kind: keyof typeof BECAME,
  { reason: reasonCode, note }: DecisionOptions,
): Promise<void> => {
  const [became, refused]: [string, string[]] = [BECAME[kind], []];
  for (const id of new Set(ids))
    try {
      const { broker } = await decideReview(context, id, { kind, reasonCode, note });
      print(`Review ${id} of ${await resolveCurrentSlug(context.db, broker)} is ${became}.`);
    } catch (error) {
      if (!(error instanceof DomainError) || ids.length === 1) throw error;
      printError(error.message);
      refused.push(id);
    }
  if (refused.length > 0)
    throw new DomainError('failed', `${refused.length} of ${new Set(ids).size} reviews are not ${became}.`);
};

/** Restorations that an operator can state. */
const RESTORED = { our_error: RESTORATIONS.our_error, claim_dismissed: RESTORATIONS.claim_dismissed };

/** The answer of a broker: a text, or the name of a file that has it. */
const ReplyContent = z.preprocess(
  (value) => (existsSync(String(value)) ? readFileSync(String(value), 'utf8') : value),
  Text(2, 5000),
);

const NOTE_TO_AUTHOR = { ...NOTE, what: 'what was found; the author reads it' } as const;

export const reviewCommands = [
  defineCommand({
    words: 'review list',
    description: 'list reviews in a state, oldest first, with hints',
    rights: { roles: ['moderator'], reads: true },
    options: {
      ...FILTER,
      status: { value: '<status>', what: 'state', choices: REVIEW_STATUSES, default: 'pending' },
      flagged: 'only those with a flag, in any state',
      limit: LIMIT,
    },
    example: '--hint link --broker alpha-markets',
    run: async ({ database, json }, { limit, ...filter }) => {
      const { rows, total, now } = await database(async ({ clock, db }) => ({
        ...(await listQueue(db, filter, limit)),
        now: clock(),
      }));
      printRows(rows, createColumns(now), json);
      printTruncation(rows.length, total, json);
    },
  }),
  defineCommand({
    words: 'review show',
    description: 'show one review in any state: its text, hints, flags, open reports, and what was decided',
    rights: { roles: ['moderator', 'outside'], reads: true },
    args: ID,
    example: '6b014b09f3536c20fa275367',
    run: ({ database }, { id }) => database(({ db }) => showReview(db, id)),
    format: (review) =>
      `${formatReview(review)}\nState: ${review.status}${review.reasonCode === undefined ? '' : `, ${review.reasonCode}`}`,
  }),
  defineCommand({
    words: 'review work',
    description: 'show the reviews that wait one after the other, and decide each with a key',
    rights,
    options: FILTER,
    actor: 'required',
    noDryRun: 'A person decides while it runs.',
    help:
      '\nKeys come from the terminal, or from a pipe. A decision is written when the next one is made, after a ' +
      'minute,\nor at the end; until then u takes it back.',
    example: '--actor alice --hint link',
    run: async ({ database }, filter) => {
      const { workThrough } = await import('./review-work.ts'); // no other command reads keys
      const desk = { input: process.stdin, output: process.stdout };
      const { published, rejected, skipped, waiting } = await database((context) => workThrough(context, filter, desk));
      return `${published} published, ${rejected} rejected, ${skipped} skipped. ${waiting} wait.`;
    },
  }),
  defineCommand({
    words: 'review next',
    description: 'claim the oldest pending review that nobody works on, for 15 minutes, and show it',
    rights,
    json: true,
    actor: 'required',
    example: '--actor alice',
    run: ({ database }) =>
      database(async (context) => {
        const claimed = await claimNext(context);
        const [row] = claimed ? await toQueuedReviews(context.db, [claimed]) : [];
        return row ?? null;
      }),
    format: (row) =>
      row === null ? 'No review waits.' : `${formatReview(row)}\nYours until ${row.claim?.until.toISOString()}.`,
  }),
  defineCommand({
    words: 'review claim',
    description: 'claim a pending review for 15 minutes',
    rights,
    args: ID,
    actor: 'required',
    example: '6b014b09f3536c20fa275367 --actor alice',
    run: async ({ database }, { id }) => {
      const { claim } = await database((context) => claimUndecided(context, id));
      return `Review ${id} is claimed by ${claim?.by} until ${claim?.until.toISOString()}.`;
    },
  }),
  defineCommand({
    words: 'review release',
    description: 'give a claimed review back to the queue',
    rights,
    args: ID,
    actor: 'required',
    example: '6b014b09f3536c20fa275367 --actor alice',
    run: async ({ database }, { id }) => {
      await database((context) => releaseUndecided(context, id));
      return `Review ${id} is back in the queue.`;
    },
  }),
  duplicatesCommand,
  defineCommand({
    words: 'review publish',
    description: 'publish a pending review',
    rights,
    args: ID,
    options: { note: NOTE_TO_AUTHOR },
    example: '6b014b09f3536c20fa275367 --actor alice',
    run: ({ database }, { id, ...decision }) => database((context) => decideAll(context, [id], 'publish', decision)),
  }),
  defineCommand({
    words: 'review reject',
    description: 'reject a pending review',
    rights,
    args: { ids: { value: '<ids...>', what: 'as review list shows them, all for one reason' } },
    options: { reason: { ...REASON, required: true }, note: NOTE_TO_AUTHOR },
    example: '6b014b09f3536c20fa275367 --reason advertising --actor alice',
    run: ({ database }, { ids, ...decision }) => database((context) => decideAll(context, ids, 'reject', decision)),
  }),
  defineCommand({
    words: 'review remove',
    description: 'take a published review down',
    rights,
    args: ID, // somebody who takes a review down has read that one
    options: { reason: { ...REASON, required: true }, note: NOTE_TO_AUTHOR },
    example: '6b014b09f3536c20fa275367 --reason advertising --actor alice',
    run: ({ database }, { id, ...decision }) => database((context) => decideAll(context, [id], 'remove', decision)),
  }),
  defineCommand({
    words: 'review withdraw',
    description: 'withdraw a review for its author',
    rights,
    args: ID,
    options: { reason: { value: '<code>', what: 'why', choices: WITHDRAWAL_REASONS, required: true } },
    example: '6b014b09f3536c20fa275367 --reason author_request',
    run: async ({ database }, { id, reason }) => {
      const broker = await database(async (context) =>
        resolveCurrentSlug(context.db, (await withdrawForAuthor(context, id, reason)).broker),
      );
      return `Review ${id} of ${broker} is withdrawn.`;
    },
  }),
  defineCommand({
    words: 'review withhold',
    description: 'take a published review down for some days, while a claim against it is examined',
    rights,
    args: ID,
    options: {
      reason: { ...REASON, required: true },
      days: {
        value: '<count>',
        what: `publish it again after this many days, at most ${MOST_DAYS_WITHHELD}`,
        parse: parseDays,
        required: true,
      },
      note: { ...NOTE, what: 'what is claimed; the author reads it' },
    },
    example: '6b014b09f3536c20fa275367 --reason unlawful --days 14 --note "A court order of 2 November is examined."',
    run: async ({ database }, { id, reason: reasonCode, days, note }) => {
      const { until } = await database((context) => withholdReview(context, id, { reasonCode, days, note }));
      return `Review ${id} is withheld until ${until.toISOString()}.`;
    },
  }),
  defineCommand({
    words: 'review restore',
    description: 'publish a review again that was rejected or taken down by our error, or that is withheld',
    rights,
    args: ID,
    options: { reason: defineReason(RESTORED) },
    help: formatCodes('Codes', RESTORED),
    example: '6b014b09f3536c20fa275367 --reason our_error --actor alice',
    run: async ({ database }, { id, reason }) => {
      await database((context) => restoreReview(context, id, reason));
      return `Review ${id} is published again.`;
    },
  }),
  defineCommand({
    words: 'review flag',
    description: 'mark a review for other moderators; its state stays',
    rights,
    args: ID,
    options: {
      reason: REASON,
      note: { ...NOTE, what: 'for the other moderators' },
      remove: 'take all flags of the review away',
    },
    example: '6b014b09f3536c20fa275367 --reason conflict_of_interest',
    run: async ({ refuse, database }, { id, reason: reasonCode, note, remove }) => {
      if ((reasonCode === undefined) !== (remove === true)) refuse('error: give either --reason or --remove');
      await database((context) =>
        reasonCode === undefined ? unflagReview(context, id) : flagReview(context, id, { reasonCode, note }),
      );
      return `Review ${id} has ${reasonCode === undefined ? 'no flag' : `the flag ${reasonCode}`}.`;
    },
  }),
  defineCommand({
    words: 'review reply',
    description: "publish the broker's answer to a published review, or take it away",
    rights,
    args: ID,
    options: {
      content: { value: '<file or text>', what: 'the answer, or a file that has it', parse: ReplyContent },
      remove: 'take the answer away',
    },
    example: '6b014b09f3536c20fa275367 --content reply.txt',
    run: async ({ refuse, database }, { id, content, remove }) => {
      if ((content === undefined) !== (remove === true)) refuse('error: give either --content or --remove');
      await database((context) => replyForFirm(context, id, content));
      return `Review ${id} has ${content === undefined ? 'no reply' : 'a reply'}.`;
    },
  }),
];
