import { findRegulator, listRegulators } from '../../features/regulators/facts.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { defineCommand } from './define-command.ts';
import { defineEdits } from './fact-edits.ts';
import { defineExport } from './fact-export.ts';
import { LIMIT } from './options.ts';
import { print, printJson, printRecord, printRows } from './output.ts';

export const regulatorCommands = [
  defineCommand({
    words: 'regulator list',
    description: 'list regulators, in the order of their codes',
    rights: { open: true, reads: true },
    options: {
      country: { value: '<code>', what: 'of this country' },
      tier: { value: '<tier>', what: 'of this tier', choices: ['1', '2', '3', '4'] },
      unverified: 'only those whose sources nobody has checked',
      limit: { ...LIMIT, default: '200' },
    },
    example: '--tier 1',
    run: async ({ database }, { country, tier, unverified, limit }) => {
      const all = (await database(({ db }) => listRegulators(db))).filter(
        (one) =>
          (country === undefined || one.country === country) &&
          (tier === undefined || one.tier === Number(tier)) &&
          (unverified !== true || one.lastVerifiedAt === null),
      );
      const rows = all.slice(0, limit).map(({ _id: code, ...one }) => ({ code, ...one }));
      return { rows, total: all.length };
    },
    columns: ['code', 'name', 'country', 'tier', ['brokers', 'brokerCount'], ['verified', 'lastVerifiedAt']],
  }),
  defineCommand({
    words: 'regulator show',
    description: 'show everything that is published about a regulator',
    rights: { open: true, reads: true },
    args: { code: { value: '<code>', what: 'as regulator list shows it' } },
    example: 'fca',
    run: async ({ json, database }, { code }) => {
      const found = await database(({ db }) => findRegulator(db, code));
      if (!found) throw new DomainError('not_found', `No regulator has the code "${code}". See: regulator list`);
      const { _id, protections, sources, ...facts } = found;
      if (json) {
        printJson({ code, ...facts, protections, sources });
        return;
      }
      const protecting = Object.entries(protections).map(([name, value]) => [`protections.${name}`, value]);
      printRecord({ code, ...facts, ...Object.fromEntries(protecting) }, false);
      print('\nSources');
      printRows(sources, ['fact', ['source', 'url']], false);
      return `\nWho says what, and what is not published: fact show regulator ${code}`;
    },
  }),
  ...defineEdits({
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
      set: [
        'fca protections.retailLeverageCap=30 --source https://one.example/rules --dry-run',
        'fca lastVerifiedAt=today --reason "All sources opened." --actor maria',
      ],
    },
  }),
  defineExport('regulator', 'regulators'),
];
