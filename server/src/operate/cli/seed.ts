import { seedRegulators } from '../seed.ts';
import { defineCommand } from './define-command.ts';
import { print } from './output.ts';

export const seedCommands = [
  defineCommand({
    words: 'admin seed',
    rights: { roles: ['admin'] },
    example: '',
    run: async ({ database }) => {
      await database(async (context) => {
        const { same, kept, run } = await seedRegulators(context);
        print(`${same} regulators are as in the reference data.`);
        if (kept.length > 0)
          print(
            `Kept, since editors say something else: ${kept.join(', ')}. What: fact show regulator CODE. ` +
              'To take it back: regulator set CODE FIELD=null',
          );
        if (run !== null) print(`To take back what the reference data says now: import undo ${run}`);
      });
    },
  }),
];
