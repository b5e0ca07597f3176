import { existsSync, readFileSync } from 'node:fs';
import {
  GIVEN_REASON_CODES,
  REVIEW_STATUSES,
  type ReasonCode,
  type ReviewStatus,
  Text,
} from '@broker-transparency/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { resolveCurrentSlug } from '../../features/brokers/facts.ts';
import {
  decideReview,
  flagReview,
  type MovingVerdict,
  RESTORATIONS,
  restoreReview,
  unflagReview,
  withdrawForAuthor,
  withholdReview,
} from '../../features/moderation/actions.ts';
import { claimUndecided, releaseUndecided } from '../../features/moderation/held.ts';
import { HINT_CODES } from '../../features/moderation/hints.rule.ts';
import {
  listQueue,
  type QueuedReview,
  type QueueFilter,
  showReview,
  toQueuedReviews,
} from '../../features/moderation/queue.ts';
import {
  MOST_DAYS_WITHHELD,
  WITHDRAWAL_REASONS,
  type WithdrawalReason,
} from '../../features/moderation/statement.rule.ts';
import { replyForFirm } from '../../features/replies/actions.ts';
import { claimNext } from '../../features/reviews/claims.ts';
import type { Context } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { terminal } from '../../platform/terminal.ts';
import { formatCodes, print, printError, printJson, printRows, printTruncation } from './output.ts';
import { toReviewLines } from './review-text.ts';
import { addDuplicatesCommand } from './same-person.ts';
import { type ActorOption, withDatabase } from './session.ts';

export const parseLimit = (text: string): number => {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Give a whole number from 1 to 999999.');
  return Number(text);
};

/** Parses for how many days a review is withheld. */
const parseDays = (text: string): number => {
  const days = /^[1-9]\d?$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > MOST_DAYS_WITHHELD)
    throw new InvalidArgumentError(`Give a whole number of days from 1 to ${MOST_DAYS_WITHHELD}.`);
  return days;
};

/** Returns a parser of text with `min` to `max` characters. */
export const parseText =
  (min: number, max: number) =>
  (text: string): string => {
    const result = Text(min, max).safeParse(text);
    if (!result.success) throw new InvalidArgumentError(`It ${result.error.issues[0]?.message}.`);
    return result.data;
  };

export const createReasonOption = () =>
  new Option('--reason <code>', 'why; see moderation reasons').choices(GIVEN_REASON_CODES);
export const noteFlag = '--note <text>';
export const parseNote = parseText(3, 2000);
const actorFlag = '--actor <name>';

interface DecisionOptions extends ActorOption {
  readonly reason?: ReasonCode;
  readonly note?: string;
}

/** The decisions that moderators make, by command. */
const DECISIONS: readonly { kind: MovingVerdict['kind']; what: string; became: ReviewStatus }[] = [
  { kind: 'publish', what: 'publish a pending review', became: 'published' },
  { kind: 'reject', what: 'reject a pending review', became: 'rejected' },
  { kind: 'remove', what: 'take a published review down', became: 'removed' },
];

/** Longest line of a text, in characters. */
const WIDTH = 100;

const createColumns = (now: Date) => ({
  id: (row: QueuedReview) => row.id,
  broker: (row: QueuedReview) => row.broker,
  author: (row: QueuedReview) => row.author.displayName,
  rating: (row: QueuedReview) => row.rating,
  language: (row: QueuedReview) => row.language,
  title: (row: QueuedReview) => row.title,
  created: (row: QueuedReview) => row.createdAt.toISOString(),
  'claimed by': (row: QueuedReview) => (row.claim && row.claim.until > now ? row.claim.by : undefined),
  hints: (row: QueuedReview) => row.hints.map(({ code }) => code).join(' ') || undefined,
  flags: (row: QueuedReview) => row.flags.map(({ reasonCode }) => reasonCode).join(' ') || undefined,
  reports: (row: QueuedReview) => row.openReports || undefined,
});

interface ReviewListOptions extends QueueFilter {
  readonly limit: number;
  readonly json?: boolean;
}

/** Adds what a list of reviews can be narrowed to. */
const addFilterOptions = (command: Command): Command =>
  command
    .addOption(new Option('--hint <hint>', 'with this hint').choices(HINT_CODES))
    .option('--broker <slug>', 'about one broker')
    .option('--author <name>', 'only of this person: subject or id of an account, or the name that reviews show');

const addList = (review: Command, env: NodeJS.ProcessEnv): void => {
  addFilterOptions(review.command('list'))
    .description('list reviews in a state, oldest first, with hints')
    .addOption(new Option('--status <status>', 'state').choices(REVIEW_STATUSES).default('pending'))
    .option('--flagged', 'only those with a flag, in any state')
    .option('--limit <count>', 'most rows', parseLimit, 50)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating review list --hint link --broker alpha-markets')
    .action(async ({ limit, json, ...filter }: ReviewListOptions) => {
      const { rows, total, now } = await withDatabase(env, 'system', async ({ clock, db }) => ({
        ...(await listQueue(db, filter, limit)),
        now: clock(),
      }));
      printRows(rows, createColumns(now), json === true);
      printTruncation(rows.length, total, json === true);
    });
};

const addShow = (review: Command, env: NodeJS.ProcessEnv): void => {
  review
    .command('show')
    .description('show one review in any state: its text, hints, flags, open reports, and what was decided')
    .argument('<id>', 'as review list shows it')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating review show 6b014b09f3536c20fa275367')
    .action(async (id: string, { json }: { json?: boolean }) => {
      const found = await withDatabase(env, 'system', ({ db }) => showReview(db, id));
      if (json) {
        printJson(found);
        return;
      }
      const reason = found.reasonCode === undefined ? '' : `, ${found.reasonCode}`;
      for (const line of toReviewLines(found, Math.min(terminal().columns ?? WIDTH, WIDTH))) print(line);
      print(`State: ${found.status}${reason}`);
    });
};

const addWork = (review: Command, env: NodeJS.ProcessEnv): void => {
  addFilterOptions(review.command('work'))
    .description('show the reviews that wait one after the other, and decide each with a key')
    .requiredOption(actorFlag, 'who works on them')
    .addHelpText(
      'after',
      '\nKeys come from the terminal, or from a pipe. A decision is written when the next one is made, after a ' +
        'minute,\nor at the end; until then u takes it back.' +
        '\n\nExample:\n  broker-rating review work --actor alice --hint link',
    )
    .action(async ({ actor, ...filter }: ActorOption & QueueFilter) => {
      const { workThrough } = await import('./review-work.ts'); // no other command reads keys
      const desk = { input: process.stdin, output: process.stdout };
      const { published, rejected, skipped, waiting } = await withDatabase(env, actor, (context) =>
        workThrough(context, filter, desk),
      );
      print(`${published} published, ${rejected} rejected, ${skipped} skipped. ${waiting} wait.`);
    });
};

const printClaimed = (row: QueuedReview, json: boolean): void => {
  if (json) {
    printJson(row);
    return;
  }
  for (const line of toReviewLines(row, Math.min(terminal().columns ?? WIDTH, WIDTH))) print(line);
  print(`Yours until ${row.claim?.until.toISOString()}.`);
};

const addQueue = (review: Command, env: NodeJS.ProcessEnv): void => {
  review
    .command('next')
    .description('claim the oldest pending review that nobody works on, for 15 minutes, and show it')
    .requiredOption(actorFlag, 'who works on it')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating review next --actor alice')
    .action(async ({ actor, json }: ActorOption & { json?: boolean }) => {
      const [row] = await withDatabase(env, actor, async (context) => {
        const claimed = await claimNext(context);
        return claimed ? toQueuedReviews(context.db, [claimed]) : [];
      });
      if (row) printClaimed(row, json === true);
      else print(json ? 'null' : 'No review waits.');
    });
  review
    .command('claim')
    .description('claim a pending review for 15 minutes')
    .argument('<id>', 'as review list shows it')
    .requiredOption(actorFlag, 'who works on it')
    .addHelpText('after', '\nExample:\n  broker-rating review claim 6b014b09f3536c20fa275367 --actor alice')
    .action(async (id: string, { actor }: ActorOption) => {
      const { claim } = await withDatabase(env, actor, (context) => claimUndecided(context, id));
      print(`Review ${id} is claimed by ${claim?.by} until ${claim?.until.toISOString()}.`);
    });
  review
    .command('release')
    .description('give a claimed review back to the queue')
    .argument('<id>', 'as review list shows it')
    .requiredOption(actorFlag, 'who gives it back')
    .addHelpText('after', '\nExample:\n  broker-rating review release 6b014b09f3536c20fa275367 --actor alice')
    .action(async (id: string, { actor }: ActorOption) => {
      await withDatabase(env, actor, (context) => releaseUndecided(context, id));
      print(`Review ${id} is back in the queue.`);
    });
};

/** The changes of a decision of a moderator. */
type DecisionCommand = (typeof DECISIONS)[number];

/** Decides about one review after the other: one that cannot be decided keeps no other from it. */
const decideAll = async (
  context: Context,
  ids: readonly string[],
  { kind, became }: DecisionCommand,
  { reason: reasonCode, note }: DecisionOptions,
): Promise<void> => {
  const refused: string[] = [];
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

const addDecisions = (review: Command, env: NodeJS.ProcessEnv): void => {
  for (const decision of DECISIONS) {
    const { kind, what } = decision;
    const several = kind === 'reject'; // one is published or taken down by somebody who has read that one
    const command = review
      .command(kind)
      .description(what)
      .argument(several ? '<ids...>' : '<id>', `as review list shows ${several ? 'them, all for one reason' : 'it'}`);
    if (kind !== 'publish') command.addOption(createReasonOption().makeOptionMandatory());
    command
      .option(noteFlag, 'what was found; the author reads it', parseNote)
      .option(actorFlag, 'who acts, for the audit trail', 'system')
      .addHelpText(
        'after',
        `\nExample:\n  broker-rating review ${kind} ` +
          `6b014b09f3536c20fa275367${kind === 'publish' ? '' : ' --reason advertising'} --actor alice`,
      )
      .action((given: string | string[], options: DecisionOptions) =>
        withDatabase(env, options.actor, (context) => decideAll(context, [given].flat(), decision, options)),
      );
  }
  review
    .command('withdraw')
    .description('withdraw a review for its author')
    .argument('<id>', 'as review list shows it')
    .addOption(new Option('--reason <code>', 'why').choices(WITHDRAWAL_REASONS).makeOptionMandatory())
    .option(actorFlag, 'who acts, for the audit trail', 'system')
    .addHelpText(
      'after',
      '\nExample:\n  broker-rating review withdraw 6b014b09f3536c20fa275367 --reason author_request',
    )
    .action(async (id: string, { actor, reason }: ActorOption & { reason: WithdrawalReason }) => {
      const broker = await withDatabase(env, actor, async (context) =>
        resolveCurrentSlug(context.db, (await withdrawForAuthor(context, id, reason)).broker),
      );
      print(`Review ${id} of ${broker} is withdrawn.`);
    });
};

/** Restorations that an operator can state. */
const RESTORED = { our_error: RESTORATIONS.our_error, claim_dismissed: RESTORATIONS.claim_dismissed };

const addWithholding = (review: Command, env: NodeJS.ProcessEnv): void => {
  review
    .command('withhold')
    .description('take a published review down for some days, while a claim against it is examined')
    .argument('<id>', 'as review list shows it')
    .addOption(createReasonOption().makeOptionMandatory())
    .requiredOption(
      '--days <count>',
      `after so many days it is published again, at most ${MOST_DAYS_WITHHELD}`,
      parseDays,
    )
    .option(noteFlag, 'what is claimed; the author reads it', parseNote)
    .option(actorFlag, 'who acts, for the audit trail', 'system')
    .addHelpText(
      'after',
      '\nExample:\n  broker-rating review withhold 6b014b09f3536c20fa275367 --reason unlawful --days 14 ' +
        '--note "A court order of 2 November is examined."',
    )
    .action(async (id: string, options: ActorOption & { reason: ReasonCode; days: number; note?: string }) => {
      const { actor, reason: reasonCode, days, note } = options;
      const { until } = await withDatabase(env, actor, (context) =>
        withholdReview(context, id, { reasonCode, days, note }),
      );
      print(`Review ${id} is withheld until ${until.toISOString()}.`);
    });
  review
    .command('restore')
    .description('publish a review again that was rejected or taken down by our error, or that is withheld')
    .argument('<id>', 'as review list shows it')
    .addOption(new Option('--reason <code>', 'why').choices(Object.keys(RESTORED)).makeOptionMandatory())
    .option(actorFlag, 'who acts, for the audit trail', 'system')
    .addHelpText('after', formatCodes('Codes', RESTORED))
    .addHelpText(
      'after',
      '\nExample:\n  broker-rating review restore 6b014b09f3536c20fa275367 --reason our_error --actor alice',
    )
    .action(async (id: string, { actor, reason }: ActorOption & { reason: keyof typeof RESTORED }) => {
      await withDatabase(env, actor, (context) => restoreReview(context, id, reason));
      print(`Review ${id} is published again.`);
    });
};

const addFlag = (review: Command, env: NodeJS.ProcessEnv): void => {
  review
    .command('flag')
    .description('mark a review for other moderators; its state stays')
    .argument('<id>', 'as review list shows it')
    .addOption(createReasonOption())
    .option(noteFlag, 'for the other moderators', parseNote)
    .option('--remove', 'take all flags of the review away')
    .option(actorFlag, 'who acts, for the audit trail', 'system')
    .addHelpText(
      'after',
      '\nExample:\n  broker-rating review flag 6b014b09f3536c20fa275367 --reason conflict_of_interest',
    )
    .action(async (id: string, options: DecisionOptions & { remove?: boolean }, command: Command) => {
      const { actor, reason: reasonCode, note, remove } = options;
      if ((reasonCode === undefined) !== (remove === true)) command.error('error: give either --reason or --remove');
      await withDatabase(env, actor, (context) =>
        reasonCode === undefined ? unflagReview(context, id) : flagReview(context, id, { reasonCode, note }),
      );
      print(`Review ${id} has ${reasonCode === undefined ? 'no flag' : `the flag ${reasonCode}`}.`);
    });
};

/** Parses the answer of a broker: a text, or the name of a file that has it. */
const parseContent = (value: string): string =>
  parseText(2, 5000)(existsSync(value) ? readFileSync(value, 'utf8') : value);

const addReply = (review: Command, env: NodeJS.ProcessEnv): void => {
  review
    .command('reply')
    .description("publish the broker's answer to a published review, or take it away")
    .argument('<id>', 'as review list shows it')
    .option('--content <file or text>', 'the answer, or a file that has it', parseContent)
    .option('--remove', 'take the answer away')
    .option(actorFlag, 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating review reply 6b014b09f3536c20fa275367 --content reply.txt')
    .action(async (id: string, options: ActorOption & { content?: string; remove?: boolean }, command: Command) => {
      const { actor, content, remove } = options;
      if ((content === undefined) !== (remove === true)) command.error('error: give either --content or --remove');
      await withDatabase(env, actor, (context) => replyForFirm(context, id, content));
      print(`Review ${id} has ${content === undefined ? 'no reply' : 'a reply'}.`);
    });
};

export const addReviewCommands = (review: Command, env: NodeJS.ProcessEnv): void => {
  for (const add of [
    addList,
    addShow,
    addWork,
    addQueue,
    addDuplicatesCommand,
    addDecisions,
    addWithholding,
    addFlag,
    addReply,
  ])
    add(review, env);
};
