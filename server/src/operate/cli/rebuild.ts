import type { Command } from 'commander';
import { DomainError } from '../../platform/domain-error.ts';
import { rebuild } from '../../published/brokers/rebuild.ts';
import { type Proven, proveRecord } from '../../published/record/prove.ts';
import { recountRegulators } from '../../published/regulators/counts.ts';
import { print, printJson } from './output.ts';
import { type ActorOption, withDatabase } from './session.ts';

const printRecord = (
  { entries, unrecorded, reworded, isHeld, subtotals: { compared, different, repaired }, broken }: Proven,
  saysRepaired: (count: number) => string,
): void => {
  print(`Subtotals of ${compared} brokers compared, ${different.length} different${saysRepaired(repaired)}.`);
  const added = isHeld ? 0 : unrecorded.length;
  print(`${entries} entries of the record compared, ${unrecorded.length} missing${saysRepaired(added)}.`);
  for (const { key, field, recorded, published, isCommitted } of reworded) {
    print(`The ${field} of ${key} is another text than the record has.`);
    print(`  record:    ${JSON.stringify(recorded)}${isCommitted ? '' : ', which is not the text that was logged'}`);
    print(`  published: ${JSON.stringify(published)}`);
  }
  for (const line of broken) print(`The record is broken: ${line}.`);
};

interface RebuildOptions extends ActorOption {
  readonly check?: boolean;
  readonly json?: boolean;
  readonly acceptTexts?: boolean;
}

export const addRebuildOptions = (command: Command, env: NodeJS.ProcessEnv): void => {
  command
    .option('--check', 'compare only; exit 1 where one differs')
    .option('--accept-texts', 'add texts to the record that are published in other words than it has')
    .option('--json', 'print JSON')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating rebuild --check')
    .action(async ({ check, json, actor, acceptTexts = false }: RebuildOptions) => {
      let compared = 0;
      const different: string[] = [];
      const { regulators, record } = await withDatabase(
        env,
        actor,
        async (context) => {
          await rebuild(context, check !== true, (rows) => {
            compared += rows.length;
            different.push(...rows.filter((row) => !row.identical).map((row) => row.slug));
          });
          return {
            regulators: await recountRegulators(context, check !== true),
            record: await proveRecord(context, { repair: check !== true, acceptTexts }),
          };
        },
        check ? 'read' : 'shared',
      );
      const repaired = (count: number) => (check ? '' : `, ${count} repaired`);
      if (json) printJson({ compared, different, repaired: check ? 0 : different.length, regulators, record });
      else {
        print(`${compared} brokers compared, ${different.length} different${repaired(different.length)}.`);
        const wrong = regulators.different.length;
        print(`${regulators.compared} counts of regulators compared, ${wrong} different${repaired(wrong)}.`);
        printRecord(record, repaired);
      }
      const { unrecorded, reworded, isHeld, subtotals, broken } = record;
      different.push(...regulators.different, ...(check ? [...unrecorded, ...subtotals.different] : []), ...broken);
      if ((check && different.length > 0) || broken.length > 0)
        throw new DomainError('failed', `Different: ${different.slice(0, 20).join(', ')}`);
      if (isHeld)
        throw new DomainError(
          'failed',
          `${reworded.length} texts are published in other words than the record has, so nothing was added to it. Look at them, and mend ` +
            'them where they are wrong. To publish them as corrections, run rebuild --accept-texts.',
        );
    });
};
