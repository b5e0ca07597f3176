import type { DoubtfulText } from '../../ledger/record/compare.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { rebuild } from '../../published/brokers/rebuild.ts';
import { proveRecord, type RecordProof } from '../../published/record/prove.ts';
import { recountRegulators } from '../../published/regulators/counts.ts';
import { defineCommand } from './define-command.ts';
import { print, printJson } from './output.ts';

/** Says in a line how a text differs from what its entry commits to. */
const describeDoubt = ({ key, field, recorded, published }: DoubtfulText): string => {
  const text = `The ${field} of ${key}`;
  if (published === undefined) return `${text} is missing, though its entry says that it is public.`;
  if (recorded === undefined)
    return `${text} is missing beside the record: nobody can check that it is the text that was logged.`;
  return published === recorded
    ? `${text} is not the text that was logged.`
    : `${text} is another text than the record has.`;
};

const printDoubtful = (text: DoubtfulText): void => {
  const { recorded, published, isCommitted } = text;
  print(describeDoubt(text));
  if (recorded !== undefined)
    print(`  record:    ${JSON.stringify(recorded)}${isCommitted ? '' : ', which is not the text that was logged'}`);
  if (published !== undefined) print(`  published: ${JSON.stringify(published)}`);
};

const printRecord = (
  { entries, unrecorded, doubtful, isHeld, subtotals: { compared, different, repaired }, broken }: RecordProof,
  saysRepaired: (count: number) => string,
): void => {
  print(`Subtotals of ${compared} brokers compared, ${different.length} different${saysRepaired(repaired)}.`);
  const held = isHeld ? new Set(doubtful.map(({ key }) => key)).size : 0;
  const added = saysRepaired(unrecorded.length - held);
  print(`${entries} entries of the record compared, ${unrecorded.length} missing${added}.`);
  doubtful.forEach(printDoubtful);
  for (const line of broken) print(`The record is broken: ${line}.`);
};

export const rebuildCommands = [
  defineCommand({
    words: 'admin rebuild',
    rights: { roles: ['admin'], unattended: true },
    options: {
      check: 'only compare; exit with 1 if one differs',
      acceptTexts: 'add differing texts to the record, as corrections',
    },
    json: true,
    noDryRun: 'Use --check: it compares, and changes nothing.',
    example: '--check',
    run: async ({ json, database }, { check, acceptTexts = false }) => {
      let compared = 0;
      const different: string[] = [];
      const { regulators, record } = await database(
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
      const formatRepaired = (count: number) => (check ? '' : `, ${count} repaired`);
      if (json) printJson({ compared, different, repaired: check ? 0 : different.length, regulators, record });
      else {
        print(`${compared} brokers compared, ${different.length} different${formatRepaired(different.length)}.`);
        const wrong = regulators.different.length;
        print(`${regulators.compared} counts of regulators compared, ${wrong} different${formatRepaired(wrong)}.`);
        printRecord(record, formatRepaired);
      }
      const { unrecorded, doubtful, isHeld, subtotals, broken } = record;
      different.push(...regulators.different, ...(check ? [...unrecorded, ...subtotals.different] : []), ...broken);
      if ((check && different.length > 0) || broken.length > 0)
        throw new DomainError('failed', `Different: ${different.slice(0, 20).join(', ')}`);
      if (isHeld)
        throw new DomainError(
          'failed',
          `${doubtful.length} texts are not the ones that the record has, so they were not added to it. Look at them, and mend them ` +
            'where they are wrong. To publish them as corrections, run admin rebuild --accept-texts.',
        );
    },
  }),
];
