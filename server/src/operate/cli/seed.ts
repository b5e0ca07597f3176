import type { Command } from 'commander';
import { seedRegulators } from '../seed.ts';
import { print } from './output.ts';
import { type ActorOption, withDatabase } from './session.ts';

export const addSeedOptions = (command: Command, env: NodeJS.ProcessEnv): void => {
  command
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating admin seed')
    .action(async ({ actor }: ActorOption) => {
      await withDatabase(env, actor, async (context) => {
        const { same, kept, run } = await seedRegulators(context);
        print(`${same} regulators are as in the reference data.`);
        if (kept.length > 0)
          print(
            `Kept, since editors say something else: ${kept.join(', ')}. What: fact show regulator CODE. ` +
              'To take it back: regulator set CODE FIELD=null',
          );
        if (run !== null) print(`To take back what the reference data says now: import undo ${run}`);
      });
    });
};
