import { SCOPES, type Scope, Text } from '@broker-transparency/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { createToken, listTokens, revokeToken } from '../../features/accounts/actions.ts';
import type { KycStatus } from '../../features/accounts/kyc.rule.ts';
import { listUnusedTokens } from '../../features/accounts/rotation.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { createKycOption, parseSubject } from './account.ts';
import { createDefaultOption, parseExpiry, parseSpan } from './options.ts';
import { print, printJson, printRows } from './output.ts';
import { addRotateCommand } from './rotate.ts';
import { type ActorOption, withDatabase } from './session.ts';

interface CreateOptions extends ActorOption {
  readonly subject: string;
  readonly scope: Scope[];
  readonly expires: Date;
  readonly name?: string;
  readonly country?: string;
  readonly kyc?: KycStatus;
  readonly label?: string;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

const parseScopes = (text: string, earlier: Scope[] | undefined): Scope[] => {
  const scopes = text.split(',').map((scope) => scope.trim());
  const unknown = scopes.find((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (unknown !== undefined) throw new InvalidArgumentError(`"${unknown}" is none of ${SCOPES.join(', ')}.`);
  return [...new Set([...(earlier ?? []), ...(scopes as Scope[])])];
};

const parseName = (text: string): string => {
  const name = Text(1, 60).safeParse(text);
  if (!name.success || /\p{Cc}/u.test(text)) throw new InvalidArgumentError('Give 1 to 60 characters on one line.');
  return name.data;
};

const parseCountry = (text: string): string => {
  if (!/^[A-Z]{2}$/.test(text)) throw new InvalidArgumentError('Give an ISO 3166-1 alpha-2 code such as GB.');
  return text;
};

const addCreate = (token: Command, env: NodeJS.ProcessEnv): void => {
  token
    .command('create')
    .description('make a bearer token; it is shown this once')
    .requiredOption(
      '--subject <name>',
      'whose: the name your own systems have for the person; never published',
      parseSubject,
    )
    .requiredOption('--scope <scopes>', `what for: ${SCOPES.join(', ')}; repeat it or join by commas`, parseScopes)
    .addOption(createDefaultOption('--expires <when>', 'until when: 90d, 12h, or a day', parseExpiry, '90d'))
    .option('--name <name>', 'display name, shown with reviews', parseName)
    .option('--country <code>', 'country, shown with reviews', parseCountry)
    .addOption(createKycOption('--kyc <status>'))
    .option('--label <text>', 'your own note')
    .option('--quiet', 'print the token alone')
    .option('--json', 'print JSON')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText(
      'after',
      '\nExample:\n  broker-rating token create --subject alice --kyc verified --scope reviews:write --quiet',
    )
    .action(async (options: CreateOptions) => {
      const { subject, scope: scopes, expires: expiresAt, label, name: displayName, country } = options;
      const made = await withDatabase(env, options.actor, (context) =>
        createToken(context, {
          subject,
          scopes,
          expiresAt,
          label,
          displayName,
          country,
          kyc: options.kyc && { status: options.kyc },
          reason: 'operator_command',
        }),
      );
      if (options.quiet) print(made.token);
      else if (options.json) printJson({ ...made, subject, scopes, expiresAt });
      else print(`${made.token}\n\nKeep it: it is not shown again. Revoke it with: token revoke ${made.id}`);
    });
};

export const addTokenCommands = (token: Command, env: NodeJS.ProcessEnv): void => {
  addCreate(token, env);
  addRotateCommand(token, env);
  token
    .command('revoke')
    .description('end a token now')
    .argument('<id>', 'as token list shows it')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating token revoke 3f9c2d81a07b')
    .action(async (id: string, { actor }: ActorOption) => {
      const revoked = await withDatabase(env, actor, (context) => revokeToken(context, id, 'operator_command'));
      if (!revoked) throw new DomainError('not_found', `No live token has the id "${id}". See: token list`);
      print(`Token ${id} is revoked.`);
    });
  token
    .command('list')
    .description('list tokens, without anything secret')
    .option('--subject <name>', 'of one subject only')
    .addOption(
      new Option('--unused <span>', 'only good ones that nobody has used for this long: 90d')
        .argParser(parseSpan)
        .conflicts('subject'),
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating token list --unused 90d')
    .action(async ({ subject, unused, json }: { subject?: string; unused?: number; json?: boolean }) => {
      const tokens = await withDatabase(env, 'system', async ({ clock, db }) => {
        const now = clock();
        const since = (span: number) => new Date(now.getTime() - span);
        const found = await (unused === undefined ? listTokens(db, subject) : listUnusedTokens(db, since(unused), now));
        return found.map(({ _id, ...token }) => token);
      });
      printRows(
        tokens,
        {
          id: (row) => row.id,
          account: (row) => row.accountId,
          scopes: (row) => row.scopes.join(','),
          expires: (row) => row.expiresAt.toISOString(),
          revoked: (row) => row.revokedAt?.toISOString(),
          'last used': (row) => row.lastUsedAt?.toISOString(),
          label: (row) => row.label,
        },
        json === true,
      );
    });
};
