import { ENTERPRISE_SCOPES, type EnterpriseScope } from '@broker-transparency/contract/enterprise';
import { type Command, InvalidArgumentError } from 'commander';
import { issueKey, revokeKey, rotateKey } from '../../enterprise/organisations/actions.ts';
import { isNetwork } from '../../platform/outbound/addresses.ts';
import { createDefaultOption, parseExpiry, parseSpan, parseText } from './options.ts';
import { print } from './output.ts';
import { type ActorOption, withDatabase } from './session.ts';

interface IssueOptions extends ActorOption {
  readonly name: string;
  readonly expires: Date;
  readonly scope?: EnterpriseScope[];
  readonly address?: string[];
  readonly sandbox?: boolean;
  readonly quiet?: boolean;
}

const parseScopes = (text: string, earlier: EnterpriseScope[] | undefined): EnterpriseScope[] => {
  const scopes = text.split(',').map((scope) => scope.trim()) as EnterpriseScope[];
  const unknown = scopes.find((scope) => !ENTERPRISE_SCOPES.includes(scope));
  if (unknown !== undefined) throw new InvalidArgumentError(`"${unknown}" is none of ${ENTERPRISE_SCOPES.join(', ')}.`);
  return [...new Set([...(earlier ?? []), ...scopes])];
};

const parseNetworks = (text: string, earlier: string[] | undefined): string[] => {
  const networks = text.split(',').map((part) => part.trim());
  const wrong = networks.find((network) => !isNetwork(network));
  if (wrong !== undefined)
    throw new InvalidArgumentError(`"${wrong}" is no address or network such as 203.0.113.0/24.`);
  return [...(earlier ?? []), ...networks];
};

/** Adds the commands for keys of organisations. */
export const addKeyCommands = (enterprise: Command, env: NodeJS.ProcessEnv): void => {
  enterprise
    .command('issue-key')
    .description('make a key of an organisation; it is shown this once')
    .argument('<organisation>', 'its id')
    .option('--name <name>', 'what the organisation calls it', parseText, 'first')
    .addOption(createDefaultOption('--expires <when>', 'until when: 365d, or a day', parseExpiry, '365d'))
    .option('--scope <scopes>', 'scopes, if not all of the plan; repeat it or join by commas', parseScopes)
    .option(
      '--address <networks>',
      'addresses from which it may be used, such as 203.0.113.0/24; repeat it or join by commas',
      parseNetworks,
    )
    .option('--sandbox', 'for a service that runs with --demo')
    .option('--quiet', 'print the key alone')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating enterprise issue-key acme-news --address 203.0.113.0/24')
    .action(async (id: string, options: IssueOptions) => {
      const { name, expires: expiresAt, scope: scopes, address: addresses, sandbox, quiet } = options;
      const draft = { name, expiresAt, scopes, addresses, environment: sandbox ? 'sandbox' : 'live' } as const;
      const made = await withDatabase(env, options.actor, (context) => issueKey(context, id, draft));
      if (quiet) print(made.secret);
      else print(`${made.secret}\n\nKeep it: it is not shown again. If it leaks: enterprise revoke-key ${made.id}`);
    });
  enterprise
    .command('rotate-key')
    .description('make a new key like an old one, which ends after the overlap; the new one is shown this once')
    .argument('<key>', 'its id as enterprise show prints it, or the key itself')
    .addOption(
      createDefaultOption('--overlap <span>', 'how long both work: 24h, 7d; 0h ends the old one now', parseSpan, '7d'),
    )
    .option('--quiet', 'print the key alone')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating enterprise rotate-key ek_3f9c2d81a07b --overlap 7d')
    .action(async (id: string, { actor, overlap, quiet }: ActorOption & { overlap: number; quiet?: boolean }) => {
      const made = await withDatabase(env, actor, (context) => rotateKey(context, id, overlap));
      if (quiet) print(made.secret);
      else
        print(
          `${made.secret}\n\nKeep it: it is not shown again. Its id is ${made.id}, it expires ` +
            `${made.expiresAt.toISOString()}.\nKey ${made.oldId} ends ${made.oldEndsAt.toISOString()}.`,
        );
    });
  enterprise
    .command('revoke-key')
    .description('end a key now, such as one that leaked')
    .argument('<key>', 'its id as enterprise show prints it, or the key itself')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating enterprise revoke-key ek_3f9c2d81a07b')
    .action(async (id: string, { actor }: ActorOption) => {
      const revoked = await withDatabase(env, actor, (context) => revokeKey(context, id));
      print(`Key ${revoked} is revoked.`);
    });
};
