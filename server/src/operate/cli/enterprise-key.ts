import { ENTERPRISE_SCOPES, type EnterpriseScope } from '@broker-transparency/contract/enterprise';
import { InvalidArgumentError } from 'commander';
import { issueKey, revokeKey, rotateKey } from '../../enterprise/organisations/actions.ts';
import { isNetwork } from '../../platform/outbound/addresses.ts';
import { defineCommand } from './define-command.ts';
import { parseExpiry, parseSpan, parseText } from './options.ts';
import { print } from './output.ts';

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

export const keyCommands = [
  defineCommand({
    words: 'enterprise issue-key',
    description: 'make a key of an organisation; it is shown this once',
    rights: { roles: ['admin'] },
    args: { organisation: { value: '<organisation>', what: 'its id' } },
    options: {
      name: { value: '<name>', what: 'what the organisation calls it', parse: parseText, default: 'first' },
      expires: { value: '<when>', what: 'until when: 365d, or a day', parse: parseExpiry, default: '365d' },
      scope: {
        value: '<scopes>',
        what: 'scopes, if not all of the plan; repeat it or join by commas',
        parse: parseScopes,
      },
      address: {
        value: '<networks>',
        what: 'addresses from which it may be used, such as 203.0.113.0/24; repeat it or join by commas',
        parse: parseNetworks,
      },
      sandbox: 'for a service that runs with --demo',
      quiet: 'print the key alone',
    },
    example: 'acme-news --address 203.0.113.0/24',
    run: async (
      { database },
      { organisation: id, name, expires: expiresAt, scope: scopes, address: addresses, sandbox, quiet },
    ) => {
      const draft = { name, expiresAt, scopes, addresses, environment: sandbox ? 'sandbox' : 'live' } as const;
      const made = await database((context) => issueKey(context, id, draft));
      if (quiet) print(made.secret);
      else print(`${made.secret}\n\nKeep it: it is not shown again. If it leaks: enterprise revoke-key ${made.id}`);
    },
  }),
  defineCommand({
    words: 'enterprise rotate-key',
    description: 'make a new key like an old one, which ends after the overlap; the new one is shown this once',
    rights: { roles: ['admin'] },
    args: { key: { value: '<key>', what: 'its id as enterprise show prints it, or the key itself' } },
    options: {
      overlap: {
        value: '<span>',
        what: 'how long both work: 24h, 7d; 0h ends the old one now',
        parse: parseSpan,
        default: '7d',
      },
      quiet: 'print the key alone',
    },
    example: 'ek_3f9c2d81a07b --overlap 7d',
    run: async ({ database }, { key: id, overlap, quiet }) => {
      const made = await database((context) => rotateKey(context, id, overlap));
      if (quiet) print(made.secret);
      else
        print(
          `${made.secret}\n\nKeep it: it is not shown again. Its id is ${made.id}, it expires ` +
            `${made.expiresAt.toISOString()}.\nKey ${made.oldId} ends ${made.oldEndsAt.toISOString()}.`,
        );
    },
  }),
  defineCommand({
    words: 'enterprise revoke-key',
    description: 'end a key now, such as one that leaked',
    rights: { roles: ['admin'] },
    args: { key: { value: '<key>', what: 'its id as enterprise show prints it, or the key itself' } },
    example: 'ek_3f9c2d81a07b',
    run: async ({ database }, { key: id }) => {
      const revoked = await database((context) => revokeKey(context, id));
      return `Key ${revoked} is revoked.`;
    },
  }),
];
