import type { Command } from 'commander';
import { makeSnapshot } from '../../enterprise/snapshots/actions.ts';
import type { ServiceJob } from '../../ledger/define-module.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { keepHeapSmall } from '../../platform/heap.ts';
import { readConfig } from '../config.ts';
import { runJob } from '../jobs/service.ts';
import { JOBS } from '../jobs/table.ts';
import { addWebhookKeyCommand } from './enterprise-webhooks.ts';
import { interruptible } from './interrupt.ts';
import { print } from './output.ts';
import { withDatabase } from './session.ts';

/** Makes a snapshot in this process now, under the lock of the job that makes one every day. */
const makeSnapshotNow = async (env: NodeJS.ProcessEnv, isGentle: boolean): Promise<void> => {
  const settings = readConfig(env);
  let made: Awaited<ReturnType<typeof makeSnapshot>> | undefined;
  const daily = JOBS.find(({ name }) => name === 'snapshot') as ServiceJob;
  const job: ServiceJob = {
    ...daily,
    run: async ({ clock, db }, { signal }) => {
      made = await makeSnapshot(db, settings, { clock, signal, isGentle });
    },
  };
  keepHeapSmall();
  const outcome = await interruptible((signal) =>
    withDatabase(env, 'system', (context) => runJob(context, job, settings, signal)),
  );
  if (outcome.state === 'busy')
    throw new DomainError('state_conflict', 'Another process makes a snapshot now. See: admin job list');
  if (!made) throw new DomainError('failed', 'The snapshot was stopped. Nothing is left of it.');
  const megabytes = made.files.reduce((sum, { bytes }) => sum + bytes, 0) / 2 ** 20;
  print(
    `Snapshot ${made.number} has ${made.entries} entries in ${made.files.length} files, ${megabytes.toFixed(1)} MB.`,
  );
};

/** Adds the commands that make snapshots and the key of webhooks. */
export const addEnterpriseAdminCommands = (enterprise: Command, env: NodeJS.ProcessEnv): void => {
  enterprise
    .command('snapshot')
    .description('make a snapshot of the record as files, which customers download, now')
    .option('--gently', 'pause in between, on a machine that answers the public; takes several times as long')
    .addHelpText('after', '\nExample:\n  nice -n 19 broker-rating admin enterprise snapshot --gently')
    .action(({ gently = false }: { gently?: boolean }) => makeSnapshotNow(env, gently));
  addWebhookKeyCommand(enterprise);
};
