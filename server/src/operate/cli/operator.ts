import { readAddress } from '@broker-transparency/embedded-mongo/address-file';
import { InvalidArgumentError } from 'commander';
import { parseLinkSubject } from '../../features/accounts/link-subject.rule.ts';
import {
  claimName,
  endOperator,
  recoverAdmin,
  removeSignIn,
  renewToken,
  revokeOperatorToken,
  setRole,
} from '../../features/operators/actions.ts';
import {
  type GrantRequest,
  type ListedOperator,
  listOperatorsWithTokens,
  listRequests,
} from '../../features/operators/facts.ts';
import {
  addOperator,
  confirmGrant,
  declineGrant,
  issueToken,
  makeAdmin,
  setSignIn,
} from '../../features/operators/grants.ts';
import { findNameFault, listAllowed, ROLE_NAMES, ROLES } from '../../features/operators/policy.rule.ts';
import { type IssuedToken, newToken, type TokenDraft } from '../../features/operators/tokens.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { replaceFile } from '../../platform/replace-file.ts';
import { readConfig } from '../config.ts';
import { parseActor } from './actor.ts';
import { defineCommand } from './define-command.ts';
import { requireInvocation } from './invocation.ts';
import { parseExpiry } from './options.ts';
import { formatCodes, print, printJson, printRows } from './output.ts';
import { readTextFile } from './text-file.ts';

const parseName = (text: string): string => {
  const fault = findNameFault(text);
  if (fault !== undefined) throw new InvalidArgumentError(fault);
  return text;
};

const parseHash = (text: string): string => {
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new InvalidArgumentError('Give what admin operator new-token prints as its hash.');
  return text;
};

interface TokenOptions {
  readonly expires: Date;
  readonly hash?: string;
  readonly quiet?: boolean;
}

const toTokenDraft = ({ expires, hash }: TokenOptions): TokenDraft => ({ expiresAt: expires, hash });

/** The options of commands that issue a token. */
const ISSUE = {
  expires: { value: '<when>', what: 'until when: 90d, 12h, or a day', parse: parseExpiry, default: '90d' },
  hash: {
    value: '<sha256>',
    what: 'hash of a token that the operator made by admin operator new-token',
    parse: parseHash,
  },
  quiet: 'print the token alone',
} as const;

const formatWaiting = (name: string): string => `Another admin has to agree: operator confirm ${name}`;

const printIssued = (
  name: string,
  { token, id, expiresAt, isWaiting = false }: IssuedToken & { readonly isWaiting?: boolean },
  { quiet }: TokenOptions,
  json: boolean,
): void => {
  const until = expiresAt.toISOString();
  if (json) printJson({ name, id, expiresAt, isWaiting, ...(token === undefined ? {} : { token }) });
  else if (quiet && token !== undefined) print(token);
  else {
    if (isWaiting) print(formatWaiting(name));
    print(
      token === undefined
        ? `${name} ${isWaiting ? 'gets' : 'has'} the token ${id} until ${until}.`
        : `${token}\n\nFor ${name}, until ${until}. It is not shown again. Its id is ${id}.\n` +
            'The operator puts it into a file of their own, and runs: operator renew --token-file FILE',
    );
  }
};

const ROLE = { value: '<role>', what: 'what for', choices: ROLE_NAMES, required: true } as const;

/**
 * Replaces the token in a file. The one that was there does not work any more, so the new one is printed if that fails.
 */
const writeToken = (file: string, token: string): Promise<void> =>
  replaceFile(file, `${token}\n`).catch((error: Error) => {
    print(token);
    throw new DomainError(
      'failed',
      `${file} cannot be written: ${error.message}. Keep the token above: it works, and the old one does not.`,
    );
  });

/** Compares the address of the database with one that only its holder knows. @throws DomainError invalid_input */
const requireHolder = async (env: NodeJS.ProcessEnv, file: string): Promise<void> => {
  const { mongodbUrl, dataDir } = readConfig(env);
  const url = mongodbUrl ?? (await readAddress(dataDir))?.url;
  if (url === undefined || readTextFile(file).trim() !== url)
    throw new DomainError('invalid_input', `"${file}" does not have the address of this database, with its password.`);
};

const SUBJECT = /^\S(?:.{0,198}\S)?$/u;

const parseSubject = (text: string): string => {
  if (!SUBJECT.test(text) || /\p{Cc}/u.test(text))
    throw new InvalidArgumentError('Give the subject of their account, as account list shows it: 1 to 200 characters.');
  if (parseLinkSubject(text) !== undefined)
    throw new InvalidArgumentError(
      'A link by mail opens no desk: set OIDC_ISSUER, and give the subject at the identity provider.',
    );
  return text;
};

/** Says in words which access a request is about. */
const formatGrant = ({ grant }: GrantRequest): string =>
  grant.kind === 'token'
    ? `gets the token ${grant.token.id}`
    : grant.kind === 'add'
      ? `is added with the role ${grant.role}`
      : grant.kind === 'sign-in'
        ? `signs in to the desk with the subject ${JSON.stringify(grant.subject)}`
        : `gets the role ${grant.role}`;

const formatRequest = (request: GrantRequest): string =>
  `${request.requestedBy} requested at ${request.requestedAt.toISOString()}: ${request._id} ${formatGrant(request)}. ` +
  formatWaiting(request._id);

const FREE =
  'There are no operators: whoever runs a command may give any name by --actor, and nothing proves it.\n' +
  'The first admin ends that: broker-rating operator add NAME --role admin';

const formatToken = ({ id, works, expiresAt, revokedAt, lastUsedAt }: ListedOperator['tokens'][number]): string => {
  const state = works ? `until ${expiresAt.toISOString().slice(0, 10)}` : revokedAt ? 'revoked' : 'over';
  return `${id} ${state}, ${lastUsedAt ? `used ${lastUsedAt.toISOString()}` : 'never used'}`;
};

export const operatorCommands = [
  defineCommand({
    words: 'operator add',
    description:
      'add an operator with a first token; the first one is an admin, and from then on commands need a token',
    rights: { roles: ['admin'] },
    args: {
      name: { value: '<name>', what: 'name in the audit trail, which is never given twice: maria', parse: parseName },
    },
    options: {
      role: ROLE,
      formerly: {
        value: '<name>',
        what: 'a name they gave by --actor before; repeat it',
        parse: (text: string, earlier: string[] | undefined) => [...(earlier ?? []), parseActor(text)],
      },
      ...ISSUE,
    },
    json: true,
    help: formatCodes('Roles', ROLES),
    example: 'maria --role admin',
    run: async ({ database, json }, { name, ...options }) => {
      const made = await database((context) =>
        addOperator(context, name, { role: options.role, formerNames: options.formerly ?? [] }, toTokenDraft(options)),
      );
      printIssued(name, made, options, json);
    },
  }),
  defineCommand({
    words: 'operator confirm',
    description: 'give the access that another admin has requested: operator list shows what waits',
    rights: { roles: ['admin'] },
    args: { name: { value: '<name>', what: 'who gets it' } },
    example: 'ben',
    run: async ({ database }, { name }) => {
      const request = await database((context) => confirmGrant(context, name));
      return `${name} ${formatGrant(request)}, as ${request.requestedBy} requested.`;
    },
  }),
  defineCommand({
    words: 'operator decline',
    description: 'end a request without giving the access: that of another admin, or your own',
    rights: { roles: ['admin'] },
    args: { name: { value: '<name>', what: 'the operator whose request it is' } },
    example: 'ben',
    run: async ({ database }, { name }) => {
      await database((context) => declineGrant(context, name));
      return `The request for ${name} is declined.`;
    },
  }),
  defineCommand({
    words: 'operator list',
    description: 'list operators with their tokens, without anything secret',
    rights: { open: true, reads: true },
    options: { all: 'also show ended operators and tokens that no longer work' },
    example: '',
    run: async ({ json, database }, { all }) => {
      const [known, requests] = await database(async ({ clock, db }) => [
        await listOperatorsWithTokens(db, clock),
        await listRequests(db),
      ]);
      const rows = known
        .filter(({ endedAt }) => all || !endedAt)
        .map((row) => ({ ...row, tokens: row.tokens.filter(({ works }) => all || works) }));
      if (known.length === 0 && !json) print(FREE);
      else
        printRows(
          rows,
          [
            'name',
            'role',
            ['since', 'addedAt'],
            ['ended', 'endedAt'],
            ['tokens', (row) => row.tokens.map(formatToken).join('; ') || 'none that works'],
            ['desk', (row) => (row.signsIn ? 'signs in' : undefined)],
            ['formerly', (row) => row.formerNames.join(', ') || undefined],
            ['alone', (row) => row.aloneAt && `${row.aloneAt.toISOString()} by one person`],
          ],
          json,
        );
      if (!json) for (const request of requests) print(formatRequest(request));
    },
  }),
  defineCommand({
    words: 'operator roles',
    description: 'show what each role may do',
    rights: { open: true },
    example: '',
    run: async (tools) => {
      const policy = await tools.policy();
      return ROLE_NAMES.map((role) => ({ role, what: ROLES[role], commands: listAllowed(policy, role) }));
    },
    columns: ['role', 'what', ['commands', (row) => (row.role === 'admin' ? 'all' : row.commands.join(', '))]],
  }),
  defineCommand({
    words: 'operator issue-token',
    description: 'give an operator another token',
    rights: { roles: ['admin'] },
    args: { name: { value: '<name>', what: 'as operator list shows it' } },
    options: ISSUE,
    json: true,
    example: 'maria --expires 30d',
    run: async ({ database, json }, { name, ...options }) => {
      printIssued(name, await database((context) => issueToken(context, name, toTokenDraft(options))), options, json);
    },
  }),
  defineCommand({
    words: 'operator renew',
    description: 'replace your own token by one that nobody else has seen',
    rights: { roles: ['moderator', 'editor', 'complaints', 'outside'] },
    options: ISSUE,
    json: true,
    noDryRun: 'It replaces the token in your file.',
    example: '--token-file ~/.broker-rating-token',
    run: async ({ database, env, json }, options) => {
      const { name, token, ...made } = await database((context) => renewToken(context, toTokenDraft(options)));
      const { tokenFile } = requireInvocation(env);
      const isWritten = token !== undefined && tokenFile !== undefined;
      if (isWritten) await writeToken(tokenFile, token);
      printIssued(name, isWritten || token === undefined ? made : { ...made, token }, options, json);
    },
  }),
  defineCommand({
    words: 'operator revoke',
    description: 'end a token now',
    rights: { roles: ['admin'] },
    args: { id: { value: '<id>', what: 'as operator list shows it' } },
    example: '3f9c2d81a07b',
    run: async ({ database }, { id }) => {
      const { name } = await database((context) => revokeOperatorToken(context, id));
      return `Token ${id} of ${name} is revoked.`;
    },
  }),
  defineCommand({
    words: 'operator set-role',
    description: 'give an operator another role',
    rights: { roles: ['admin'] },
    args: { name: { value: '<name>', what: 'as operator list shows it' } },
    options: { role: ROLE },
    help: formatCodes('Roles', ROLES),
    example: 'maria --role moderator',
    run: async ({ database }, { name, role }) => {
      const isWaiting = await database(async (context) => {
        if (role === 'admin') return (await makeAdmin(context, name)).isWaiting;
        await setRole(context, name, role);
        return false;
      });
      return isWaiting ? formatWaiting(name) : `${name} has the role ${role}.`;
    },
  }),
  defineCommand({
    words: 'operator end',
    description: 'end an operator with every token; the name stays taken',
    rights: { roles: ['admin'] },
    args: { name: { value: '<name>', what: 'as operator list shows it' } },
    example: 'maria',
    run: async ({ database }, { name }) => {
      await database((context) => endOperator(context, name));
      return `${name} is no longer an operator.`;
    },
  }),
  defineCommand({
    words: 'operator sign-in',
    description: 'let an operator sign in to the desk by the identity provider, or end that at once',
    rights: { roles: ['admin'] },
    args: {
      name: { value: '<name>', what: 'as operator list shows it' },
      subject: {
        value: '[subject]',
        what: 'subject of their account at the identity provider, as account list shows it',
        parse: parseSubject,
      },
    },
    options: { remove: 'end it' },
    example: 'ben "https://id.example#8f14e45f"',
    run: async ({ refuse, database, env }, { name, subject: given, remove }) => {
      if ((given === undefined) !== (remove === true)) refuse('error: give either a subject or --remove');
      const isWaiting = await database(async (context) => {
        if (given !== undefined) return (await setSignIn(context, name, given)).isWaiting;
        await removeSignIn(context, name);
        return false;
      });
      if (isWaiting) print(formatWaiting(name));
      else print(`${name} can ${given === undefined ? 'no longer ' : ''}sign in to the desk.`);
      if (given !== undefined && env['OIDC_ISSUER'] === undefined)
        print('OIDC_ISSUER is not set here: the desk opens only where the service runs with it.');
    },
  }),
];

/** The commands that make a token by itself, and repair who is who. */
export const operatorAdminCommands = [
  defineCommand({
    words: 'admin operator new-token',
    description: 'make a token for yourself, and its hash for an admin; needs no database, and stores nothing',
    rights: { open: true },
    json: true,
    example: '',
    run: () => newToken(),
    format: ({ token, hash }) =>
      `Keep this, and show it to nobody:\n${token}\n\nGive this to an admin, for --hash:\n${hash}`,
  }),
  defineCommand({
    words: 'admin operator claim',
    description: 'say that a name given by --actor before operators had tokens was theirs',
    rights: { roles: ['admin'] },
    args: {
      name: { value: '<name>', what: 'as operator list shows it' },
      former: { value: '<former>', what: 'as the audit trail has it', parse: parseActor },
    },
    example: 'maria "Maria"',
    run: async ({ database }, { name, former }) => {
      await database((context) => claimName(context, name, former));
      return `What was done as "${former}" counts as done by ${name}.`;
    },
  }),
  defineCommand({
    words: 'admin operator recover',
    description: 'give an admin who has lost their tokens another one, and end the lost ones',
    rights: { open: true, writes: true },
    args: { name: { value: '<name>', what: 'as operator list shows it' } },
    options: {
      databaseUrl: {
        value: '<file>',
        what: 'a file with the address of the database, to prove that you hold it',
        required: true,
      },
      ...ISSUE,
    },
    json: true,
    example: 'maria --database-url url.txt',
    run: async ({ database, env, json }, { name, ...options }) => {
      const made = await database(async (context) => {
        await requireHolder(env, options.databaseUrl);
        return recoverAdmin(context, name, toTokenDraft(options));
      });
      printIssued(name, made, options, json);
    },
  }),
];
