import { BROKER_STATUSES, type BrokerSummary, Slug } from '@broker-transparency/contract';
import { brokerNotFound, listProfiles, requireBroker } from '../../features/brokers/facts.ts';
import { toPublishedSlug } from '../../ledger/statements/identity.rule.ts';
import { type BrokerDocument, findBroker, readSummaries } from '../../published/brokers/facts.ts';
import { merge, rename, split } from '../identity.ts';
import { brokerContacts } from './broker-contact.ts';
import { brokerMarks } from './broker-mark.ts';
import { defineCommand } from './define-command.ts';
import { defineEdits } from './fact-edits.ts';
import { defineExport } from './fact-export.ts';
import { LIMIT } from './options.ts';
import { print, printJson, printRecord, printSection } from './output.ts';

const dryRun = 'say what would happen, and write nothing';

/** Says what was done, or what would be. */
const formatDone = (text: string, isDryRun: boolean): string =>
  isDryRun ? `${text} Nothing was written: leave out --dry-run to do it.` : text;

const formatReviewCount = (reviews: number): string => `${reviews} review${reviews === 1 ? '' : 's'}`;

const printBroker = (broker: BrokerDocument): void => {
  const { entities, licenses, warnings, provenance, checklist, score, slug } = broker;
  const { name, legalName, tradingNames, lei, website, domains, country, foundedYear, status } = broker;
  const facts = { slug, name, legalName, tradingNames, lei, website, domains, country, foundedYear, status };
  const { description, successor, licensesCheckedAt } = broker;
  const value = `${score.value ?? 'none'} (${score.color}), see: score ${slug}`;
  printRecord({ ...facts, description, successor, licensesCheckedAt, score: value }, false);
  printSection('Entities', entities, [['legal name', 'legalName'], 'country']);
  printSection('Licences', licenses, [
    ['regulator', 'regulatorCode'],
    ['number', 'referenceNumber'],
    ['entity', (row) => row.entity.legalName],
    'type',
    'status',
    ['verified', 'lastVerifiedAt'],
  ]);
  printSection('Warnings', warnings, [
    ['authority', 'source'],
    'about',
    ['published', 'publishedAt'],
    ['withdrawn', 'withdrawnAt'],
    'url',
  ]);
  printSection('Disclosures', checklist, ['key', 'met', ['checked', 'checkedAt']]);
  printSection('Sources', provenance, [
    'fact',
    ['source', 'sourceUrl'],
    ['by', (row) => row.statedBy && `${row.statedBy.kind}:${row.statedBy.name}`],
    ['verified', 'lastVerifiedAt'],
  ]);
  print(`\nWho says what, and what is not published: fact show broker ${slug}`);
};

export const brokerCommands = [
  defineCommand({
    words: 'broker list',
    description: 'list brokers, in the order of their slugs',
    rights: { open: true, reads: true },
    options: {
      like: { value: '<text>', what: 'part of a name, a domain, an LEI or a slug' },
      country: { value: '<code>', what: 'of this country' },
      status: { value: '<status>', what: 'in this state', choices: BROKER_STATUSES },
      regulator: { value: '<code>', what: 'only with a licence there, now or before' },
      limit: LIMIT,
    },
    example: '--like alpha',
    run: async ({ database }, { limit, ...filter }) => {
      const { rows, total } = await database(async ({ db }) => {
        const { profiles, total } = await listProfiles(db, filter, limit);
        const slugs = profiles.map(({ _id: name, identity }) => toPublishedSlug({ name, identity }));
        const summaries = (await readSummaries(db, slugs)).map((bytes) => JSON.parse(Buffer.from(bytes).toString()));
        const bySlug = new Map((summaries as BrokerSummary[]).map((summary) => [summary.slug, summary]));
        return { rows: profiles.map((profile, at) => ({ profile, summary: bySlug.get(slugs[at] ?? '') })), total };
      });
      return {
        rows: rows.map(({ profile, summary }) => ({
          slug: toPublishedSlug({ name: profile._id, identity: profile.identity }),
          name: profile.name,
          legalName: profile.legalName,
          country: profile.country,
          status: profile.status,
          score: summary?.score.value ?? null,
        })),
        total,
      };
    },
    columns: ['slug', 'name', ['legal name', 'legalName'], 'country', 'status', 'score'],
  }),
  defineCommand({
    words: 'broker show',
    description: 'show everything that is published about a broker',
    rights: { open: true, reads: true },
    args: { slug: { value: '<slug>', what: 'its slug, or a former one' } },
    json: 'print JSON, as the API answers it',
    example: 'alpha-markets',
    run: async ({ json, database }, { slug: given }) => {
      const { slug, isMerged, found } = await database(async ({ db }) => {
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
    },
  }),
  ...defineEdits({
    of: 'brokers',
    name: 'broker',
    key: 'slug',
    examples: {
      add:
        'beta-fx name="Beta FX" legalName="Beta FX Ltd" website=https://beta-fx.example country=GB \\\n' +
        '    --source https://beta-fx.example/imprint --actor maria',
      set: [
        'beta-fx country=IE --source https://beta-fx.example/imprint --dry-run',
        'beta-fx domains --add betafx.example --reason "They wrote to us." --actor maria',
        'beta-fx licenses --change regulatorCode=fca referenceNumber=77 \\\n' +
          '    --to status=withdrawn --source https://register.example/77 --actor maria',
      ],
    },
  }),
  defineExport('broker', 'brokers'),
  defineCommand({
    words: 'broker rename',
    description: 'publish a broker under another slug; the former one leads to it for ever',
    rights: { roles: ['editor'] },
    args: {
      slug: { value: '<slug>', what: 'its current slug' },
      newSlug: {
        value: '<new-slug>',
        what: 'a slug that no broker has or had, or a former one of its own',
        parse: Slug,
      },
    },
    options: { dryRun },
    json: true,
    example: 'alpha-markets alpha --actor maria',
    run: ({ database }, { slug, newSlug: to, dryRun: isDry = false }) =>
      database(async (context) => ({ ...(await rename(context, slug, { to, dryRun: isDry })), dryRun: isDry })),
    format: (done) =>
      formatDone(`"${done.from}" is "${done.to}" now; requests with "${done.from}" are redirected.`, done.dryRun),
  }),
  defineCommand({
    words: 'broker merge',
    description: 'merge a broker into another one, which then counts its reviews and complaints',
    rights: { roles: ['editor'] },
    args: { slug: { value: '<slug>', what: 'the broker that becomes part of another' } },
    options: { into: { value: '<slug>', what: 'its successor', required: true }, dryRun },
    json: true,
    example: 'beta-fx --into alpha-markets --dry-run',
    run: ({ database }, { slug, into, dryRun: isDry = false }) =>
      database(async (context) => ({ ...(await merge(context, slug, { into, dryRun: isDry })), dryRun: isDry })),
    format: (done) =>
      formatDone(
        `"${done.slug}" is part of "${done.into}" now. ${formatReviewCount(done.reviews)} of people who wrote about both are taken ` +
          'down, the older of each two. To undo it: broker split.',
        done.dryRun,
      ),
  }),
  defineCommand({
    words: 'broker split',
    description: 'undo a merger: separate a broker from the one that it was merged into',
    rights: { roles: ['editor'] },
    args: { slug: { value: '<slug>', what: 'the broker that was merged' } },
    options: { dryRun },
    json: true,
    example: 'beta-fx --actor maria',
    run: ({ database }, { slug, dryRun: isDry = false }) =>
      database(async (context) => ({ ...(await split(context, slug, { dryRun: isDry })), dryRun: isDry })),
    format: (done) =>
      formatDone(
        `"${done.slug}" is separate again from "${done.into}". ${formatReviewCount(done.reviews)} came back.`,
        done.dryRun,
      ),
  }),
  brokerContacts,
  brokerMarks,
];
