import type { Command } from 'commander';
import { DomainError } from '../../platform/domain-error.ts';
import { seedDemo, seedRegulators } from '../seed.ts';
import { print } from './output.ts';
import { type ActorOption, withDatabase } from './session.ts';

interface SeedOptions extends ActorOption {
  readonly demo?: boolean;
}

export const addSeedOptions = (command: Command, env: NodeJS.ProcessEnv): void => {
  command
    .option('--demo', 'load the fictional demo set into a database without brokers')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating seed --demo')
    .action(async ({ demo, actor }: SeedOptions) => {
      await withDatabase(env, actor, async (context) => {
        const { same, kept, run } = await seedRegulators(context);
        print(`${same} regulators are as in the reference data.`);
        if (kept.length > 0)
          print(
            `Kept, since editors say something else: ${kept.join(', ')}. What: fact show regulator CODE. ` +
              'To take it back: regulator set CODE FIELD=null',
          );
        if (run !== null) print(`To take back what the reference data says now: import undo ${run}`);
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
