import type { Command } from 'commander';
import { DomainError } from '../../platform/domain-error.ts';
import { seedDemo, seedRegulators } from '../seed.ts';
import { print } from './output.ts';
import { type ActorOption, withDatabase } from './session.ts';

interface SeedOptions extends ActorOption {
  readonly demo?: boolean;
  readonly overwrite?: boolean;
}

export const addSeedOptions = (command: Command, env: NodeJS.ProcessEnv): void => {
  command
    .option('--overwrite', 'also replace regulators that differ from the reference data')
    .option('--demo', 'load the fictional demo set into a database without brokers')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating seed --demo')
    .action(async ({ demo, actor, overwrite = false }: SeedOptions) => {
      await withDatabase(env, actor, async (context) => {
        const { same, kept } = await seedRegulators(context, overwrite);
        print(`${same} regulators are as in the reference data.`);
        if (kept.length > 0)
          print(`Kept, though they differ from it: ${kept.join(', ')}. To replace them: seed --overwrite`);
        if (!demo) return;
        if (!(await seedDemo(context, print)))
          throw new DomainError(
            'state_conflict',
            'The database has brokers already: the demo set goes into an empty one only.',
          );
        print('The fictional demo set is loaded.');
      });
    });
};
