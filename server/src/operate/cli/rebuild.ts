import type { Command } from 'commander';
import { DomainError } from '../../platform/domain-error.ts';
import { rebuild } from '../../published/brokers/rebuild.ts';
import { recountRegulators } from '../../published/regulators/counts.ts';
import { print, printJson } from './output.ts';
import { type ActorOption, withDatabase } from './session.ts';

export const addRebuildOptions = (command: Command, env: NodeJS.ProcessEnv): void => {
  command
    .option('--check', 'compare only; exit 1 where one differs')
    .option('--json', 'print JSON')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating rebuild --check')
    .action(async ({ check, json, actor }: ActorOption & { check?: boolean; json?: boolean }) => {
      let compared = 0;
      const different: string[] = [];
      const regulators = await withDatabase(env, actor, async (context) => {
        await rebuild(context, check !== true, (rows) => {
          compared += rows.length;
          different.push(...rows.filter((row) => !row.identical).map((row) => row.slug));
        });
        return recountRegulators(context, check !== true);
      });
      const repaired = (count: number) => (check ? '' : `, ${count} repaired`);
      if (json) printJson({ compared, different, repaired: check ? 0 : different.length, regulators });
      else {
        print(`${compared} brokers compared, ${different.length} different${repaired(different.length)}.`);
        const wrong = regulators.different.length;
        print(`${regulators.compared} counts of regulators compared, ${wrong} different${repaired(wrong)}.`);
      }
      different.push(...regulators.different);
      if (check && different.length > 0)
        throw new DomainError('failed', `Different: ${different.slice(0, 20).join(', ')}`);
    });
};
