import { SCOPES, type Scope, Text } from '@broker-transparency/contract';
import { InvalidArgumentError } from 'commander';
import { createToken, listTokens, revokeToken } from '../../features/accounts/actions.ts';
import { KYC_STATUSES } from '../../features/accounts/kyc.rule.ts';
import { listUnusedTokens } from '../../features/accounts/rotation.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { parseSubject } from './account.ts';
import { defineCommand } from './define-command.ts';
import { parseExpiry, parseSpan } from './options.ts';
import { print, printJson } from './output.ts';
import { rotateCommand } from './rotate.ts';

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

export const tokenCommands = [
  defineCommand({
    words: 'token create',
    description: 'make a bearer token; it is shown this once',
    rights: { roles: ['admin'] },
    options: {
      subject: {
        value: '<name>',
        what: 'the name that your own systems use for the person; never published',
        parse: parseSubject,
        required: true,
      },
      scope: {
        value: '<scopes>',
        what: `what for: ${SCOPES.join(', ')}; repeat it or join by commas`,
        parse: parseScopes,
        required: true,
      },
      expires: { value: '<when>', what: 'until when: 90d, 12h, or a day', parse: parseExpiry, default: '90d' },
      name: { value: '<name>', what: 'display name, shown with reviews', parse: parseName },
      country: { value: '<code>', what: 'country, shown with reviews', parse: parseCountry },
      kyc: { value: '<status>', what: 'identity verification to set', choices: KYC_STATUSES },
      label: { value: '<text>', what: 'your own note' },
      quiet: 'print the token alone',
    },
    json: true,
    example: '--subject alice --kyc verified --scope reviews:write --quiet',
    run: async ({ database, json }, options) => {
      const { subject, scope: scopes, expires: expiresAt, label, name: displayName, country } = options;
      const made = await database((context) =>
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
      else if (json) printJson({ ...made, subject, scopes, expiresAt });
      else print(`${made.token}\n\nKeep it: it is not shown again. Revoke it with: token revoke ${made.id}`);
    },
  }),
  rotateCommand,
  defineCommand({
    words: 'token revoke',
    description: 'end a token now',
    rights: { roles: ['admin'] },
    args: { id: { value: '<id>', what: 'as token list shows it' } },
    example: '3f9c2d81a07b',
    run: async ({ database }, { id }) => {
      const revoked = await database((context) => revokeToken(context, id, 'operator_command'));
      if (!revoked) throw new DomainError('not_found', `No live token has the id "${id}". See: token list`);
      return `Token ${id} is revoked.`;
    },
  }),
  defineCommand({
    words: 'token list',
    description: 'list tokens, without anything secret',
    rights: { roles: ['admin'], reads: true },
    options: {
      subject: { value: '<name>', what: 'of one subject only' },
      unused: {
        value: '<span>',
        what: 'only good ones that nobody has used for this long: 90d',
        parse: parseSpan,
        conflicts: 'subject',
      },
    },
    example: '--unused 90d',
    run: async ({ database }, { subject, unused }) => {
      const tokens = await database(async ({ clock, db }) => {
        const now = clock();
        const since = (span: number) => new Date(now.getTime() - span);
        const found = await (unused === undefined ? listTokens(db, subject) : listUnusedTokens(db, since(unused), now));
        return found.map(({ _id, ...token }) => token);
      });
      return tokens;
    },
    columns: [
      'id',
      ['account', 'accountId'],
      ['scopes', (row) => row.scopes.join(',')],
      ['expires', 'expiresAt'],
      ['revoked', 'revokedAt'],
      ['last used', 'lastUsedAt'],
      'label',
    ],
  }),
];
