import { recomputeScore, type Score } from '@broker-transparency/contract';
import type { Command } from 'commander';
import { brokerNotFound, requireBroker } from '../../features/brokers/facts.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { findBroker } from '../../published/brokers/facts.ts';
import { runNamedJob } from './job.ts';
import { print, printJson, printRows } from './output.ts';
import { type ActorOption, withDatabase } from './session.ts';

const printScore = (score: Score): void => {
  const { confidence } = score;
  print(
    `Value ${score.value ?? 'none'} (${score.color}), methodology ${score.methodologyVersion}, ` +
      `computed at ${score.computedAt}`,
  );
  print(
    `Confidence ${confidence.level}: ${confidence.effectiveReviews} effective reviews, ` +
      `value from ${confidence.low ?? '–'} to ${confidence.high ?? '–'}\n`,
  );
  printRows(
    score.components,
    {
      component: (row) => row.key,
      weight: (row) => row.weight,
      score: (row) => row.score,
      contribution: (row) => row.contribution,
      explanation: (row) => row.explanation,
    },
    false,
  );
  for (const { code, limit, reason } of score.caps) print(`Cap ${code}: at most ${limit}. ${reason}`);
};

/** Adds the command that computes every score again. */
export const addRefreshCommand = (score: Command, env: NodeJS.ProcessEnv): void => {
  score
    .command('refresh')
    .description('compute every score again, as the nightly job does; Ctrl-C stops it, and it goes on from there')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating admin score refresh')
    .action(({ actor }: ActorOption) => runNamedJob(env, 'score-refresh', actor));
};

export const addScoreCommands = (score: Command, env: NodeJS.ProcessEnv): void => {
  score
    .argument('<slug>', 'the broker')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating score alpha-markets')
    .action(async (slug: string, { json }: { json?: boolean }) => {
      const broker = await withDatabase(env, 'system', async ({ db }) =>
        findBroker(db, (await requireBroker(db, slug)).slug),
      );
      if (!broker) throw brokerNotFound(slug);
      const same = JSON.stringify(recomputeScore(broker)) === JSON.stringify(broker.score);
      if (json) printJson({ ...broker.score, recomputed: same });
      else {
        printScore(broker.score);
        print(`\nRecomputed from the published answer: ${same ? 'the same' : 'DIFFERENT'}`);
      }
      if (!same)
        throw new DomainError(
          'failed',
          'The published score does not follow from the published facts. Run: admin rebuild',
        );
    });
};
