import { PLAN_NAMES, type PlanName } from '@broker-transparency/contract/enterprise';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { endAccess, grantAccess, listOrganisations, showOrganisation } from '../../enterprise/organisations/actions.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { addKeyCommands } from './enterprise-key.ts';
import { addUseCommands } from './enterprise-use.ts';
import { addWebhookCommands } from './enterprise-webhooks.ts';
import { parseExpiry, parseText } from './options.ts';
import { print, printJson, printRecord, printRows, printSection } from './output.ts';
import { type ActorOption, withDatabase } from './session.ts';

interface GrantOptions extends ActorOption {
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
  printSection('Keys', keys, {
    key: ({ id }) => id,
    name: ({ name }) => name,
    environment: ({ environment }) => environment,
    scopes: ({ scopes }) => scopes.join(' '),
    addresses: ({ addresses }) => addresses.join(' ') || 'any',
    expires: ({ expiresAt }) => expiresAt.toISOString(),
    revoked: ({ revokedAt }) => revokedAt?.toISOString(),
    'replaced by': ({ replacedBy }) => replacedBy,
    'last used': ({ lastUsedAt }) => lastUsedAt?.toISOString(),
  });
};

const appendText = (text: string, earlier: string[] | undefined): string[] => [...(earlier ?? []), parseText(text)];

/** @throws DomainError invalid_input for a person without a broker */
const readInterest = ({ broker, person = false, independent }: GrantOptions) => {
  if (broker !== undefined) return { broker, isPerson: person };
  if (person) throw new DomainError('invalid_input', '--person needs --broker.');
  return independent ? null : undefined;
};

const addGrant = (enterprise: Command, env: NodeJS.ProcessEnv): void => {
  enterprise
    .command('grant')
    .description('give an organisation access by an agreement that it accepted, or change its plan or agreement')
    .argument('<organisation>', 'id of your choice, which never changes: acme-news', parseOrganisation)
    .requiredOption('--name <name>', 'name of the organisation', parseText)
    .addOption(new Option('--plan <plan>', 'its plan').choices(PLAN_NAMES).makeOptionMandatory())
    .requiredOption('--accepted-by <who>', 'who accepted the agreement for it, as in your files', parseText)
    .option('--agreement <version>', 'version of the agreement, if it is not the current one', parseText)
    .option('--until <when>', 'when access ends: 365d, or a day', parseExpiry)
    .option('--client <id>', 'client of your identity provider that acts for it; repeat it', appendText)
    .option('--broker <slug>', 'it is this broker or belongs to it; /independence says so', parseText)
    .option('--person', 'with --broker: it is a natural person, whom no page names')
    .addOption(new Option('--independent', 'it is no longer a broker, and belongs to none').conflicts('broker'))
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText(
      'after',
      '\nExample:\n  broker-rating enterprise grant acme-news --name "Acme News" --plan media --accepted-by "contract 2026-17"',
    )
    .action(async (id: string, options: GrantOptions) => {
      const { name, plan, acceptedBy, agreement: version, until: endsAt, client: clientIds } = options;
      const grant = { name, plan, acceptedBy, version, endsAt, clientIds, interest: readInterest(options) };
      const made = await withDatabase(env, options.actor, (context) => grantAccess(context, id, grant));
      print(
        `${name} has access by the plan "${plan}" and agreement ${made.agreement.version}. Issue its first key with: enterprise issue-key ${id}`,
      );
    });
};

export const addEnterpriseCommands = (enterprise: Command, env: NodeJS.ProcessEnv): void => {
  addGrant(enterprise, env);
  addKeyCommands(enterprise, env);
  addUseCommands(enterprise, env);
  addWebhookCommands(enterprise, env);
  enterprise
    .command('end')
    .description('end the access of an organisation, with all its keys')
    .argument('<organisation>', 'its id', parseOrganisation)
    .option('--at <when>', 'when, if not now: 30d, or a day', parseExpiry)
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating enterprise end acme-news --at 2027-12-31')
    .action(async (id: string, { actor, at }: ActorOption & { at?: Date }) => {
      const { agreement } = await withDatabase(env, actor, (context) => endAccess(context, id, at));
      print(`The access of ${id} ends ${agreement.endsAt?.toISOString()}.`);
    });
  enterprise
    .command('list')
    .description('list organisations with access by an agreement')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating enterprise list')
    .action(async ({ json }: { json?: boolean }) => {
      const organisations = await withDatabase(env, 'system', ({ db }) => listOrganisations(db));
      printRows(
        organisations,
        {
          organisation: ({ _id }) => _id,
          name: ({ name }) => name,
          plan: ({ plan }) => plan,
          agreement: ({ agreement }) => agreement.version,
          accepted: ({ agreement }) => agreement.acceptedAt.toISOString().slice(0, 10),
          ends: ({ agreement }) => agreement.endsAt?.toISOString().slice(0, 10),
        },
        json === true,
      );
    });
  enterprise
    .command('show')
    .description('show an organisation with its agreement and keys, without anything secret')
    .argument('<organisation>', 'its id', parseOrganisation)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating enterprise show acme-news')
    .action(async (id: string, { json }: { json?: boolean }) => {
      const found = await withDatabase(env, 'system', ({ db }) => showOrganisation(db, id));
      if (json) printJson({ ...found.organisation, keys: found.keys.map(({ _id, ...key }) => key) });
      else printOrganisation(found);
    });
};
