import { makeSnapshot } from '../../enterprise/snapshots/actions.ts';
import type { ServiceJob } from '../../ledger/define-module.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { keepHeapSmall } from '../../platform/heap.ts';
import { readConfig } from '../config.ts';
import { runJob } from '../jobs/service.ts';
import { JOBS } from '../jobs/table.ts';
import { type CommandTools, defineCommand } from './define-command.ts';
import { webhookKeyCommand } from './enterprise-webhooks.ts';
import { interruptible } from './interrupt.ts';

/** Makes a snapshot in this process now, under the lock of the job that makes one every day. */
const makeSnapshotNow = async ({ database, env }: CommandTools, isGentle: boolean): Promise<string> => {
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
  const outcome = await interruptible((signal) => database((context) => runJob(context, job, settings, signal)));
  if (outcome.state === 'busy')
    throw new DomainError('state_conflict', 'Another process makes a snapshot now. See: admin job list');
  if (!made) throw new DomainError('failed', 'The snapshot was stopped. Nothing is left of it.');
  const megabytes = made.files.reduce((sum, { bytes }) => sum + bytes, 0) / 2 ** 20;
  const { number, entries, files } = made;
  return `Snapshot ${number} has ${entries} entries in ${files.length} files, ${megabytes.toFixed(1)} MB.`;
};

export const enterpriseAdminCommands = [
  defineCommand({
    words: 'admin enterprise snapshot',
    description: 'make a snapshot of the record as files, which customers download, now',
    rights: { roles: ['admin'], unattended: true },
    options: { gently: 'pause in between, on a machine that answers the public; takes several times as long' },
    actor: false,
    noDryRun: 'It writes files, and changes no data.',
    example: 'nice -n 19 broker-rating admin enterprise snapshot --gently',
    run: (tools, { gently = false }) => makeSnapshotNow(tools, gently),
  }),
  webhookKeyCommand,
];
