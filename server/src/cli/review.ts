import { REVIEW_STATUSES, type ReviewStatus } from '@broker-transparency/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { listReviews, moveReview, UnknownReview } from '../reviews/actions.ts';
import { InvalidMove } from '../reviews/status.ts';
import { print, printRows } from './output.ts';
import { addDuplicatesCommand } from './same-person.ts';
import { type ActorOption, Refused, withDatabase } from './session.ts';

export const parseLimit = (text: string): number => {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Give a whole number from 1 to 999999.');
  return Number(text);
};

/** The moves a moderator makes, by the command that makes them. */
const MOVES: readonly { command: string; to: ReviewStatus; what: string; reasoned: boolean }[] = [
  { command: 'publish', to: 'published', what: 'publish a pending review', reasoned: false },
  { command: 'reject', to: 'rejected', what: 'reject a pending review', reasoned: true },
  { command: 'remove', to: 'removed', what: 'take a published review down', reasoned: true },
  { command: 'withdraw', to: 'withdrawn', what: 'withdraw a review for its author', reasoned: true },
];

export const addReviewCommands = (program: Command, env: NodeJS.ProcessEnv): void => {
  const review = program.command('review').description('moderation of reviews');
  review
    .command('list')
    .description('reviews in a state, oldest first')
    .addOption(new Option('--status <status>', 'state').choices(REVIEW_STATUSES).default('pending'))
    .option('--limit <count>', 'most rows', parseLimit, 50)
    .option('--json', 'print JSON')
    .action(async (options: { status: ReviewStatus; limit: number; json?: boolean }) => {
      const rows = await withDatabase(env, 'system', () => listReviews(options.status, options.limit));
      printRows(
        rows.map(({ _id, ...row }) => ({ id: String(_id), ...row })),
        {
          id: (row) => row.id,
          broker: (row) => row.broker,
          rating: (row) => row.rating,
          language: (row) => row.language,
          title: (row) => row.title,
          created: (row) => row.createdAt.toISOString(),
        },
        options.json === true,
      );
    });
  addDuplicatesCommand(review, env);
  for (const { command, to, what, reasoned } of MOVES) {
    const move = review.command(command).description(what).argument('<id>', 'as review list shows it');
    if (reasoned) move.requiredOption('--reason <text>', 'why, for the audit trail');
    move
      .option('--actor <name>', 'who acts, for the audit trail', 'system')
      .action(async (id: string, { actor, reason }: ActorOption & { reason?: string }) => {
        try {
          const { broker } = await withDatabase(env, actor, (context) => moveReview(context, id, to, reason));
          print(`Review ${id} of ${broker} is ${to}.`);
        } catch (error) {
          throw error instanceof InvalidMove || error instanceof UnknownReview ? new Refused(error.message) : error;
        }
      });
  }
};
