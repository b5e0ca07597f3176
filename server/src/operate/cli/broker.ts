import { BROKER_STATUSES, type BrokerSummary, Slug } from '@broker-transparency/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { brokerNotFound, listProfiles, type ProfileFilter, requireBroker } from '../../features/brokers/facts.ts';
import { toPublishedSlug } from '../../ledger/statements/identity.rule.ts';
import { type BrokerDocument, findBroker, readSummaries } from '../../published/brokers/facts.ts';
import { merge, rename, split } from '../identity.ts';
import { addBrokerContactCommands } from './broker-contact.ts';
import { addBrokerMarkCommands } from './broker-mark.ts';
import { addEditCommands } from './fact-edits.ts';
import { addExportCommand } from './fact-export.ts';
import { print, printJson, printRecord, printRows, printSection, printTruncation } from './output.ts';
import { parseLimit } from './review.ts';
import { type ActorOption, withDatabase } from './session.ts';

interface BrokerOptions extends ActorOption {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const parseSlug = (text: string): string => {
  const result = Slug.safeParse(text);
  if (!result.success) throw new InvalidArgumentError(`It ${result.error.issues[0]?.message}.`);
  return result.data;
};

const addCommonOptions = (command: Command): Command =>
  command
    .option('--dry-run', 'say what would happen, and write nothing')
    .option('--json', 'print JSON')
    .option('--actor <name>', 'who acts, for the audit trail', 'system');

const report = <T extends object>(result: T, { dryRun, json }: BrokerOptions, text: string): void => {
  if (json) printJson({ ...result, dryRun: dryRun === true });
  else print(dryRun ? `${text} Nothing was written: leave out --dry-run to do it.` : text);
};

const formatReviewCount = (reviews: number): string => `${reviews} review${reviews === 1 ? '' : 's'}`;

interface BrokerListOptions extends ProfileFilter {
  readonly limit: number;
  readonly json?: boolean;
}

const addList = (broker: Command, env: NodeJS.ProcessEnv): void => {
  broker
    .command('list')
    .description('list brokers, in the order of their slugs')
    .option('--like <text>', 'part of a name, a domain, an LEI or a slug')
    .option('--country <code>', 'of this country')
    .addOption(new Option('--status <status>', 'in this state').choices(BROKER_STATUSES))
    .option('--regulator <code>', 'only with a licence there, now or before')
    .option('--limit <count>', 'most rows', parseLimit, 50)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating broker list --like alpha')
    .action(async ({ limit, json, ...filter }: BrokerListOptions) => {
      const { rows, total } = await withDatabase(env, 'system', async ({ db }) => {
        const { profiles, total } = await listProfiles(db, filter, limit);
        const slugs = profiles.map(({ _id: name, identity }) => toPublishedSlug({ name, identity }));
        const summaries = (await readSummaries(db, slugs)).map((bytes) => JSON.parse(Buffer.from(bytes).toString()));
        const bySlug = new Map((summaries as BrokerSummary[]).map((summary) => [summary.slug, summary]));
        return { rows: profiles.map((profile, at) => ({ profile, summary: bySlug.get(slugs[at] ?? '') })), total };
      });
      printRows(
        rows.map(({ profile, summary }) => ({
          slug: toPublishedSlug({ name: profile._id, identity: profile.identity }),
          name: profile.name,
          legalName: profile.legalName,
          country: profile.country,
          status: profile.status,
          score: summary?.score.value ?? null,
        })),
        {
          slug: (row) => row.slug,
          name: (row) => row.name,
          'legal name': (row) => row.legalName,
          country: (row) => row.country,
          status: (row) => row.status,
          score: (row) => row.score,
        },
        json === true,
      );
      printTruncation(rows.length, total, json === true);
    });
};

const printBroker = (broker: BrokerDocument): void => {
  const { entities, licenses, warnings, provenance, checklist, score, slug } = broker;
  const { name, legalName, tradingNames, lei, website, domains, country, foundedYear, status } = broker;
  const facts = { slug, name, legalName, tradingNames, lei, website, domains, country, foundedYear, status };
  const { description, successor, licensesCheckedAt } = broker;
  const value = `${score.value ?? 'none'} (${score.color}), see: score ${slug}`;
  printRecord({ ...facts, description, successor, licensesCheckedAt, score: value }, false);
  printSection('Entities', entities, { 'legal name': (row) => row.legalName, country: (row) => row.country });
  printSection('Licences', licenses, {
    regulator: (row) => row.regulatorCode,
    number: (row) => row.referenceNumber,
    entity: (row) => row.entity.legalName,
    type: (row) => row.type,
    status: (row) => row.status,
    verified: (row) => row.lastVerifiedAt,
  });
  printSection('Warnings', warnings, {
    authority: (row) => row.source,
    about: (row) => row.about,
    published: (row) => row.publishedAt,
    withdrawn: (row) => row.withdrawnAt,
    url: (row) => row.url,
  });
  printSection('Disclosures', checklist, {
    key: (row) => row.key,
    met: (row) => row.met,
    checked: (row) => row.checkedAt,
  });
  printSection('Sources', provenance, {
    fact: (row) => row.fact,
    source: (row) => row.sourceUrl,
    by: (row) => row.statedBy && `${row.statedBy.kind}:${row.statedBy.name}`,
    verified: (row) => row.lastVerifiedAt,
  });
  print(`\nWho says what, and what is not published: fact show broker ${slug}`);
};

const addShow = (broker: Command, env: NodeJS.ProcessEnv): void => {
  broker
    .command('show')
    .description('show everything that is published about a broker')
    .argument('<slug>', 'its slug, or a former one')
    .option('--json', 'print JSON, as the API answers it')
    .addHelpText('after', '\nExample:\n  broker-rating broker show alpha-markets')
    .action(async (given: string, { json }: { json?: boolean }) => {
      const { slug, isMerged, found } = await withDatabase(env, 'system', async ({ db }) => {
        const reference = await requireBroker(db, given);
        return { ...reference, found: await findBroker(db, reference.slug) };
      });
      if (!found) throw brokerNotFound(given);
      if (json) {
        const { _id, regulatedBy, serves, ...detail } = found;
        printJson(detail);
        return;
      }
      if (slug !== given) print(`"${given}" ${isMerged ? 'was merged into' : 'is now'} "${slug}".\n`);
      printBroker(found);
    });
};

/** Commands for brokers: what is known of them, and what becomes of them. */
export const addBrokerCommands = (broker: Command, env: NodeJS.ProcessEnv): void => {
  addList(broker, env);
  addShow(broker, env);
  addEditCommands(broker, env, {
    of: 'brokers',
    name: 'broker',
    key: 'slug',
    examples: {
      add:
        'beta-fx name="Beta FX" legalName="Beta FX Ltd" website=https://beta-fx.example country=GB \\\n' +
        '    --source https://beta-fx.example/imprint --actor maria',
      set:
        'beta-fx country=IE --source https://beta-fx.example/imprint --dry-run\n' +
        '  broker-rating broker set beta-fx domains --add betafx.example --reason "They wrote to us." --actor maria\n' +
        '  broker-rating broker set beta-fx licenses --change regulatorCode=fca referenceNumber=77 \\\n' +
        '    --to status=withdrawn --source https://register.example/77 --actor maria',
    },
  });
  addExportCommand(broker, env, 'brokers');
  addCommonOptions(broker.command('rename'))
    .description('publish a broker under another slug; the former one leads to it for ever')
    .argument('<slug>', 'its current slug')
    .argument('<new-slug>', 'a slug that no broker has or had, or a former one of its own', parseSlug)
    .addHelpText('after', '\nExample:\n  broker-rating broker rename alpha-markets alpha --actor maria')
    .action(async (slug: string, to: string, options: BrokerOptions) => {
      const done = await withDatabase(env, options.actor, (context) =>
        rename(context, slug, { to, dryRun: options.dryRun === true }),
      );
      report(done, options, `"${done.from}" is "${done.to}" now; requests with "${done.from}" are redirected.`);
    });
  addCommonOptions(broker.command('merge'))
    .description('merge a broker into another one, which then counts its reviews and complaints')
    .argument('<slug>', 'the broker that becomes part of another')
    .requiredOption('--into <slug>', 'its successor')
    .addHelpText('after', '\nExample:\n  broker-rating broker merge beta-fx --into alpha-markets --dry-run')
    .action(async (slug: string, options: BrokerOptions & { into: string }) => {
      const done = await withDatabase(env, options.actor, (context) =>
        merge(context, slug, { into: options.into, dryRun: options.dryRun === true }),
      );
      report(
        done,
        options,
        `"${done.slug}" is part of "${done.into}" now. ${formatReviewCount(done.reviews)} of people who wrote about both are taken ` +
          'down, the older of each two. To undo it: broker split.',
      );
    });
  addCommonOptions(broker.command('split'))
    .description('undo a merger: separate a broker from the one that it was merged into')
    .argument('<slug>', 'the broker that was merged')
    .addHelpText('after', '\nExample:\n  broker-rating broker split beta-fx --actor maria')
    .action(async (slug: string, options: BrokerOptions) => {
      const done = await withDatabase(env, options.actor, (context) =>
        split(context, slug, { dryRun: options.dryRun === true }),
      );
      report(
        done,
        options,
        `"${done.slug}" is separate again from "${done.into}". ${formatReviewCount(done.reviews)} came back.`,
      );
    });
  addBrokerContactCommands(broker, env);
  addBrokerMarkCommands(broker, env);
};
