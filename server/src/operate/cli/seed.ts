import type { Command } from 'commander';
import { referenceRegulators } from '../../assets.ts';
import { importRegulators } from '../../features/regulators/actions.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { seedDemo } from '../seed.ts';
import { print } from './output.ts';
import { type ActorOption, withDatabase } from './session.ts';

export const addSeedOptions = (command: Command, env: NodeJS.ProcessEnv): void => {
  command
    .option('--demo', 'load the fictional demo set into a database without brokers')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating seed --demo')
    .action(async ({ demo, actor }: ActorOption & { demo?: boolean }) => {
      await withDatabase(env, actor, async (context) => {
        const regulators = referenceRegulators();
        await importRegulators(context, regulators, 'seed');
        print(`${regulators.length} regulators loaded.`);
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
