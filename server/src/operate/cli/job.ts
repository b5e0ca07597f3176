import type { ServiceJob } from '../../ledger/define-module.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { keepHeapSmall } from '../../platform/heap.ts';
import type { JobRun } from '../../platform/jobs/job.ts';
import { readConfig } from '../config.ts';
import { formatCounts } from '../jobs/counts.rule.ts';
import { listJobs, runJob } from '../jobs/service.ts';
import { isRunnable, JOBS } from '../jobs/table.ts';
import { type CommandTools, defineCommand } from './define-command.ts';
import { interruptible } from './interrupt.ts';
import { createProgress } from './progress.ts';

const requireJob = (name: string): ServiceJob => {
  const job = JOBS.find((candidate) => candidate.name === name);
  if (!job)
    throw new DomainError(
      'not_found',
      `No job is called "${name}". There are ${JOBS.map((known) => known.name).join(', ')}.`,
    );
  return job;
};

/** Wraps a job so that it reports its progress on standard error. */
const withProgress = (job: ServiceJob, progress: ReturnType<typeof createProgress>): ServiceJob => ({
  ...job,
  run: (context, run, ...rest) => {
    const advance: JobRun['advance'] = async (checkpoint, total, tx) => {
      await run.advance(checkpoint, total, tx);
      progress.show(job.name, checkpoint.done, total);
    };
    return job.run(context, { ...run, advance }, ...rest);
  },
});

/** Runs a job in this process now. @throws DomainError if the job is unknown, cannot run here, or did not finish */
export const runNamedJob = async ({ database, env }: CommandTools, name: string): Promise<string> => {
  const job = requireJob(name);
  const settings = readConfig(env);
  if (!isRunnable(job, settings))
    throw new DomainError('invalid_input', `${name} needs ${job.needs?.variable}, which is not set.`);
  keepHeapSmall();
  const progress = createProgress();
  const outcome = await interruptible((signal) =>
    database((context) => runJob(context, withProgress(job, progress), settings, signal)),
  ).finally(progress.stop);
  if (outcome.state === 'busy')
    throw new DomainError('state_conflict', `Another process is running ${name}. See: admin job list`);
  if (outcome.state === 'stopped')
    throw new DomainError(
      'failed',
      `${name} was stopped. A running server does the rest, or the next admin job run ${name}.`,
    );
  const did = formatCounts(outcome.counts);
  return `${name} is done${did === '' ? '' : `: ${did}`}.`;
};

const formatDate = (at: Date | null) => at?.toISOString();

export const jobCommands = [
  defineCommand({
    words: 'admin job list',
    description: 'list jobs, when they ran and run next, and what went wrong last',
    rights: { open: true, reads: true },
    example: '--json',
    run: async ({ database }) => {
      const rows = await database(({ clock, db }) => listJobs(db, clock()));
      return rows;
    },
    columns: [
      ['job', 'name'],
      ['schedule (UTC)', 'schedule'],
      ['state', (row) => (row.progress === null ? row.state : `${row.state}, ${row.progress} %`)],
      'process',
      ['last run', (row) => formatDate(row.lastRunAt)],
      ['next run', (row) => formatDate(row.nextRunAt)],
      ['last error', (row) => row.lastError && `${formatDate(row.lastErrorAt)} ${row.lastError}`],
    ],
  }),
  defineCommand({
    words: 'admin job run',
    description: 'run a job here and now; Ctrl-C stops it, and it goes on from there',
    rights: { roles: ['admin'], unattended: true },
    args: { name: { value: '<name>', what: JOBS.map(({ name }) => name).join(', ') } },
    noDryRun: 'It works in steps, and each needs what the step before wrote.',
    example: 'license-expiry',
    run: (tools, { name }) => runNamedJob(tools, name),
  }),
];
