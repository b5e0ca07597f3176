import { recomputeScore, type Score } from '@broker-transparency/contract';
import { brokerNotFound, requireBroker } from '../../features/brokers/facts.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { findBroker } from '../../published/brokers/facts.ts';
import { defineCommand } from './define-command.ts';
import { runNamedJob } from './job.ts';
import { print, printJson, printRows } from './output.ts';

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
  printRows(score.components, [['component', 'key'], 'weight', 'score', 'contribution', 'explanation'], false);
  for (const { code, limit, reason } of score.caps) print(`Cap ${code}: at most ${limit}. ${reason}`);
};

export const refreshCommands = [
  defineCommand({
    words: 'admin score refresh',
    description: 'compute every score again, as the nightly job does; Ctrl-C stops it, and it goes on from there',
    rights: { roles: ['admin'], unattended: true },
    noDryRun: 'It works in steps, and each needs what the step before wrote.',
    example: '',
    run: (tools) => runNamedJob(tools, 'score-refresh'),
  }),
];

export const scoreCommands = [
  defineCommand({
    words: 'score',
    rights: { open: true, reads: true },
    args: { slug: { value: '<slug>', what: 'the broker' } },
    example: 'alpha-markets',
    run: async ({ json, database }, { slug }) => {
      const broker = await database(async ({ db }) => findBroker(db, (await requireBroker(db, slug)).slug));
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
    },
  }),
];
