import { type Command, Option } from 'commander';
import { findRegulator, listRegulators } from '../../features/regulators/facts.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { addEditCommands } from './fact-edits.ts';
import { addExportCommand } from './fact-export.ts';
import { print, printJson, printRecord, printRows, printTruncation } from './output.ts';
import { parseLimit } from './review.ts';
import { withDatabase } from './session.ts';

interface RegulatorListOptions {
  readonly country?: string;
  readonly tier?: string;
  readonly unverified?: boolean;
  readonly limit: number;
  readonly json?: boolean;
}

const addList = (regulator: Command, env: NodeJS.ProcessEnv): void => {
  regulator
    .command('list')
    .description('list regulators, in the order of their codes')
    .option('--country <code>', 'of this country')
    .addOption(new Option('--tier <tier>', 'of this tier').choices(['1', '2', '3', '4']))
    .option('--unverified', 'only those whose sources nobody has checked')
    .option('--limit <count>', 'most rows', parseLimit, 200)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating regulator list --tier 1')
    .action(async ({ country, tier, unverified, limit, json }: RegulatorListOptions) => {
      const all = (await withDatabase(env, 'system', ({ db }) => listRegulators(db))).filter(
        (one) =>
          (country === undefined || one.country === country) &&
          (tier === undefined || one.tier === Number(tier)) &&
          (unverified !== true || one.lastVerifiedAt === null),
      );
      const rows = all.slice(0, limit).map(({ _id: code, ...one }) => ({ code, ...one }));
      printRows(
        rows,
        {
          code: (row) => row.code,
          name: (row) => row.name,
          country: (row) => row.country,
          tier: (row) => row.tier,
          brokers: (row) => row.brokerCount,
          verified: (row) => row.lastVerifiedAt,
        },
        json === true,
      );
      printTruncation(rows.length, all.length, json === true);
    });
};

const addShow = (regulator: Command, env: NodeJS.ProcessEnv): void => {
  regulator
    .command('show')
    .description('show everything that is published about a regulator')
    .argument('<code>', 'as regulator list shows it')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating regulator show fca')
    .action(async (code: string, { json }: { json?: boolean }) => {
      const found = await withDatabase(env, 'system', ({ db }) => findRegulator(db, code));
      if (!found) throw new DomainError('not_found', `No regulator has the code "${code}". See: regulator list`);
      const { _id, protections, sources, ...facts } = found;
      if (json) {
        printJson({ code, ...facts, protections, sources });
        return;
      }
      const protecting = Object.entries(protections).map(([name, value]) => [`protections.${name}`, value]);
      printRecord({ code, ...facts, ...Object.fromEntries(protecting) }, false);
      print('\nSources');
      printRows(sources, { fact: (row) => row.fact, source: (row) => row.url }, false);
      print(`\nWho says what, and what is not published: fact show regulator ${code}`);
    });
};

/** Commands for regulators: what is known of them. */
export const addRegulatorCommands = (regulator: Command, env: NodeJS.ProcessEnv): void => {
  addList(regulator, env);
  addShow(regulator, env);
  addEditCommands(regulator, env, {
    of: 'regulators',
    name: 'regulator',
    key: 'code',
    examples: {
      add:
        'zz-one name="One Authority" country=ZZ tier=3 tierReason="It licenses and inspects firms." \\\n' +
        '    website=https://one.example registerUrl=https://one.example/register \\\n' +
        '    complaintsUrl=https://one.example/complaints protections.compensationLimit=null \\\n' +
        '    protections.negativeBalance=null protections.segregation=true protections.retailLeverageCap=30 \\\n' +
        '    sources.0.fact=tier sources.0.url=https://one.example/law --reason "It was founded this year."',
      set:
        'fca protections.retailLeverageCap=30 --source https://one.example/rules --dry-run\n' +
        '  broker-rating regulator set fca lastVerifiedAt=today --reason "All sources opened." --actor maria',
    },
  });
  addExportCommand(regulator, env, 'regulators');
};
