import { PLAN_NAMES, type PlanName } from '@broker-transparency/contract/enterprise';
import { InvalidArgumentError } from 'commander';
import { endAccess, grantAccess, listOrganisations, showOrganisation } from '../../enterprise/organisations/actions.ts';
import { defineCommand } from './define-command.ts';
import { keyCommands } from './enterprise-key.ts';
import { useCommands } from './enterprise-use.ts';
import { webhookCommands } from './enterprise-webhooks.ts';
import { parseExpiry, parseText } from './options.ts';
import { printJson, printRecord, printSection } from './output.ts';
import { UsageError } from './usage-error.ts';

interface GrantOptions {
  readonly name: string;
  readonly plan: PlanName;
  readonly acceptedBy: string;
  readonly agreement?: string;
  readonly until?: Date;
  readonly client?: string[];
  readonly broker?: string;
  readonly person?: boolean;
  readonly independent?: boolean;
}

const ID = /^[a-z0-9][a-z0-9-]{0,39}$/;

const parseOrganisation = (text: string): string => {
  if (ID.test(text)) return text;
  throw new InvalidArgumentError('Give 1 to 40 lower-case letters, digits and hyphens.');
};

const printOrganisation = ({ organisation, keys }: Awaited<ReturnType<typeof showOrganisation>>): void => {
  const { _id, agreement, clientIds, interest, ...rest } = organisation;
  const { version, acceptedAt, acceptedBy, endsAt } = agreement;
  const clients = clientIds.join(' ') || undefined;
  const broker = interest && `${interest.broker}${interest.isPerson ? ' (a natural person, not named)' : ''}`;
  printRecord(
    { organisation: _id, ...rest, agreement: version, acceptedAt, acceptedBy, endsAt, clients, broker },
    false,
  );
  printSection('Keys', keys, [
    ['key', 'id'],
    'name',
    'environment',
    ['scopes', ({ scopes }) => scopes.join(' ')],
    ['addresses', ({ addresses }) => addresses.join(' ') || 'any'],
    ['expires', 'expiresAt'],
    ['revoked', 'revokedAt'],
    ['replaced by', 'replacedBy'],
    ['last used', 'lastUsedAt'],
  ]);
};

const appendText = (text: string, earlier: string[] | undefined): string[] => [...(earlier ?? []), parseText(text)];

/** @throws UsageError for a person without a broker */
const readInterest = ({ broker, person = false, independent }: GrantOptions) => {
  if (broker !== undefined) return { broker, isPerson: person };
  if (person) throw new UsageError('error: --person needs --broker');
  return independent ? null : undefined;
};

export const enterpriseCommands = [
  defineCommand({
    words: 'enterprise grant',
    description: 'give an organisation access by an agreement that it accepted, or change its plan or agreement',
    rights: { roles: ['admin'] },
    args: {
      organisation: {
        value: '<organisation>',
        what: 'id of your choice, which never changes: acme-news',
        parse: parseOrganisation,
      },
    },
    options: {
      name: { value: '<name>', what: 'name of the organisation', parse: parseText, required: true },
      plan: { value: '<plan>', what: 'its plan', choices: PLAN_NAMES, required: true },
      acceptedBy: {
        value: '<who>',
        what: 'who accepted the agreement for the organisation, as in your files',
        parse: parseText,
        required: true,
      },
      agreement: {
        value: '<version>',
        what: 'version of the agreement, if it is not the current one',
        parse: parseText,
      },
      until: { value: '<when>', what: 'when access ends: 365d, or a day', parse: parseExpiry },
      client: {
        value: '<id>',
        what: 'client of your identity provider that acts for it; repeat it',
        parse: appendText,
      },
      broker: { value: '<slug>', what: 'the broker that it is or belongs to; /independence says so', parse: parseText },
      person: 'with --broker: the customer is a natural person, whom no page names',
      independent: { what: 'it is no longer a broker, and belongs to none', conflicts: 'broker' },
    },
    example: 'acme-news --name "Acme News" --plan media --accepted-by "contract 2026-17"',
    run: async ({ database }, { organisation: id, ...options }) => {
      const { name, plan, acceptedBy, agreement: version, until: endsAt, client: clientIds } = options;
      const grant = { name, plan, acceptedBy, version, endsAt, clientIds, interest: readInterest(options) };
      const made = await database((context) => grantAccess(context, id, grant));
      return `${name} has access by the plan "${plan}" and agreement ${made.agreement.version}. Issue its first key with: enterprise issue-key ${id}`;
    },
  }),
  ...keyCommands,
  ...useCommands,
  ...webhookCommands,
  defineCommand({
    words: 'enterprise end',
    description: 'end the access of an organisation, with all its keys',
    rights: { roles: ['admin'] },
    args: { organisation: { value: '<organisation>', what: 'its id', parse: parseOrganisation } },
    options: { at: { value: '<when>', what: 'when it ends: 30d, or a day; default: now', parse: parseExpiry } },
    example: 'acme-news --at 2027-12-31',
    run: async ({ database }, { organisation: id, at }) => {
      const { agreement } = await database((context) => endAccess(context, id, at));
      return `The access of ${id} ends ${agreement.endsAt?.toISOString()}.`;
    },
  }),
  defineCommand({
    words: 'enterprise list',
    description: 'list organisations with access by an agreement',
    rights: { roles: ['admin'], reads: true },
    example: '',
    run: async ({ database }) => {
      const organisations = await database(({ db }) => listOrganisations(db));
      return organisations;
    },
    columns: [
      ['organisation', '_id'],
      'name',
      'plan',
      ['agreement', ({ agreement }) => agreement.version],
      ['accepted', ({ agreement }) => agreement.acceptedAt.toISOString().slice(0, 10)],
      ['ends', ({ agreement }) => agreement.endsAt?.toISOString().slice(0, 10)],
    ],
  }),
  defineCommand({
    words: 'enterprise show',
    description: 'show an organisation with its agreement and keys, without anything secret',
    rights: { roles: ['admin'], reads: true },
    args: { organisation: { value: '<organisation>', what: 'its id', parse: parseOrganisation } },
    example: 'acme-news',
    run: async ({ json, database }, { organisation: id }) => {
      const found = await database(({ db }) => showOrganisation(db, id));
      if (json) printJson({ ...found.organisation, keys: found.keys.map(({ _id, ...key }) => key) });
      else printOrganisation(found);
    },
  }),
];
