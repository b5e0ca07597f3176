import { readFileSync } from 'node:fs';
import { readAddress } from '@broker-transparency/embedded-mongo/address-file';
import { type Command, InvalidArgumentError, Option } from 'commander';
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
import { findNameFault, listCommands, ROLE_NAMES, ROLES, type Role } from '../../features/operators/policy.rule.ts';
import { type IssuedToken, newToken, type TokenDraft } from '../../features/operators/tokens.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { replaceFile } from '../../platform/replace-file.ts';
import { readConfig } from '../config.ts';
import { parseActor } from './actor.ts';
import { requireInvocation } from './invocation.ts';
import { createDefaultOption, parseExpiry } from './options.ts';
import { formatCodes, print, printJson, printRows } from './output.ts';
import { type ActorOption, withDatabase } from './session.ts';

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

interface TokenOptions extends ActorOption {
  readonly expires: Date;
  readonly hash?: string;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

const toTokenDraft = ({ expires, hash }: TokenOptions): TokenDraft => ({ expiresAt: expires, hash });

/** Adds the options of commands that issue a token. */
const addIssueOptions = (command: Command): Command =>
  command
    .addOption(createDefaultOption('--expires <when>', 'until when: 90d, 12h, or a day', parseExpiry, '90d'))
    .option('--hash <sha256>', 'hash of a token that the operator made by admin operator new-token', parseHash)
    .option('--quiet', 'print the token alone')
    .option('--json', 'print JSON')
    .option('--actor <name>', 'who acts, for the audit trail', 'system');

const formatWaiting = (name: string): string => `Another admin has to agree: operator confirm ${name}`;

const printIssued = (
  name: string,
  { token, id, expiresAt, isWaiting = false }: IssuedToken & { readonly isWaiting?: boolean },
  { quiet, json }: TokenOptions,
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

const createRoleOption = () => new Option('--role <role>', 'what for').choices(ROLE_NAMES).makeOptionMandatory();

const addAdd = (operator: Command, env: NodeJS.ProcessEnv): void => {
  addIssueOptions(
    operator
      .command('add')
      .description(
        'add an operator with a first token; the first one is an admin, and from then on commands need a token',
      )
      .argument('<name>', 'name in the audit trail, which is never given twice: maria', parseName)
      .addOption(createRoleOption())
      .option(
        '--formerly <name>',
        'a name they gave by --actor before; repeat it',
        (text: string, earlier: string[]) => [...earlier, parseActor(text)],
        [] as string[],
      ),
  )
    .addHelpText('after', formatCodes('Roles', ROLES))
    .addHelpText('after', '\nExample:\n  broker-rating operator add maria --role admin')
    .action(async (name: string, options: TokenOptions & { role: Role; formerly: string[] }) => {
      const made = await withDatabase(env, options.actor, (context) =>
        addOperator(context, name, { role: options.role, formerNames: options.formerly }, toTokenDraft(options)),
      );
      printIssued(name, made, options);
    });
};

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

/** Commands that issue a token to an operator who exists. */
const addTokens = (operator: Command, env: NodeJS.ProcessEnv): void => {
  addIssueOptions(
    operator
      .command('issue-token')
      .description('give an operator another token')
      .argument('<name>', 'as operator list shows it'),
  )
    .addHelpText('after', '\nExample:\n  broker-rating operator issue-token maria --expires 30d')
    .action(async (name: string, options: TokenOptions) => {
      printIssued(
        name,
        await withDatabase(env, options.actor, (context) => issueToken(context, name, toTokenDraft(options))),
        options,
      );
    });
  addIssueOptions(operator.command('renew').description('replace your own token by one that nobody else has seen'))
    .addHelpText('after', '\nExample:\n  broker-rating operator renew --token-file ~/.broker-rating-token')
    .action(async (options: TokenOptions) => {
      const { name, token, ...made } = await withDatabase(env, options.actor, (context) =>
        renewToken(context, toTokenDraft(options)),
      );
      const { tokenFile } = requireInvocation(env);
      const isWritten = token !== undefined && tokenFile !== undefined;
      if (isWritten) await writeToken(tokenFile, token);
      printIssued(name, isWritten || token === undefined ? made : { ...made, token }, options);
    });
  operator
    .command('revoke')
    .description('end a token now')
    .argument('<id>', 'as operator list shows it')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating operator revoke 3f9c2d81a07b')
    .action(async (id: string, { actor }: ActorOption) => {
      const { name } = await withDatabase(env, actor, (context) => revokeOperatorToken(context, id));
      print(`Token ${id} of ${name} is revoked.`);
    });
};

/** Compares the address of the database with one that only its holder knows. @throws DomainError invalid_input */
const requireHolder = async (env: NodeJS.ProcessEnv, file: string): Promise<void> => {
  const { mongodbUrl, dataDir } = readConfig(env);
  const url = mongodbUrl ?? (await readAddress(dataDir))?.url;
  if (url === undefined || readFileSync(file, 'utf8').trim() !== url)
    throw new DomainError('invalid_input', `"${file}" does not have the address of this database, with its password.`);
};

const addChanges = (operator: Command, env: NodeJS.ProcessEnv): void => {
  operator
    .command('set-role')
    .description('give an operator another role')
    .argument('<name>', 'as operator list shows it')
    .addOption(createRoleOption())
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', formatCodes('Roles', ROLES))
    .addHelpText('after', '\nExample:\n  broker-rating operator set-role maria --role moderator')
    .action(async (name: string, { actor, role }: ActorOption & { role: Role }) => {
      const isWaiting = await withDatabase(env, actor, async (context) => {
        if (role === 'admin') return (await makeAdmin(context, name)).isWaiting;
        await setRole(context, name, role);
        return false;
      });
      print(isWaiting ? formatWaiting(name) : `${name} has the role ${role}.`);
    });
  operator
    .command('end')
    .description('end an operator with every token; the name stays taken')
    .argument('<name>', 'as operator list shows it')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating operator end maria')
    .action(async (name: string, { actor }: ActorOption) => {
      await withDatabase(env, actor, (context) => endOperator(context, name));
      print(`${name} is no longer an operator.`);
    });
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

const addSignIn = (operator: Command, env: NodeJS.ProcessEnv): void => {
  operator
    .command('sign-in')
    .description('let an operator sign in to the desk by the identity provider, or end that at once')
    .argument('<name>', 'as operator list shows it')
    .argument('[subject]', 'subject of their account at the identity provider, as account list shows it', parseSubject)
    .option('--remove', 'end it')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating operator sign-in ben "https://id.example#8f14e45f"')
    .action(
      async (
        name: string,
        given: string | undefined,
        { actor, remove }: ActorOption & { remove?: boolean },
        command: Command,
      ) => {
        if ((given === undefined) !== (remove === true)) command.error('error: give either a subject or --remove');
        const isWaiting = await withDatabase(env, actor, async (context) => {
          if (given !== undefined) return (await setSignIn(context, name, given)).isWaiting;
          await removeSignIn(context, name);
          return false;
        });
        if (isWaiting) print(formatWaiting(name));
        else
          print(
            given === undefined ? `${name} can no longer sign in to the desk.` : `${name} can sign in to the desk.`,
          );
        if (given !== undefined && env['OIDC_ISSUER'] === undefined)
          print('OIDC_ISSUER is not set here: the desk opens only where the service runs with it.');
      },
    );
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

/** Commands of the second admin. */
const addConfirm = (operator: Command, env: NodeJS.ProcessEnv): void => {
  operator
    .command('confirm')
    .description('give the access that another admin has requested: operator list shows what waits')
    .argument('<name>', 'who gets it')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating operator confirm ben')
    .action(async (name: string, { actor }: ActorOption) => {
      const request = await withDatabase(env, actor, (context) => confirmGrant(context, name));
      print(`${name} ${formatGrant(request)}, as ${request.requestedBy} requested.`);
    });
  operator
    .command('decline')
    .description('end a request without giving the access: that of another admin, or your own')
    .argument('<name>', 'the operator whose request it is')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating operator decline ben')
    .action(async (name: string, { actor }: ActorOption) => {
      await withDatabase(env, actor, (context) => declineGrant(context, name));
      print(`The request for ${name} is declined.`);
    });
};

const FREE =
  'There are no operators: whoever runs a command may give any name by --actor, and nothing proves it.\n' +
  'The first admin ends that: broker-rating operator add NAME --role admin';

const formatToken = ({ id, works, expiresAt, revokedAt, lastUsedAt }: ListedOperator['tokens'][number]): string => {
  const state = works ? `until ${expiresAt.toISOString().slice(0, 10)}` : revokedAt ? 'revoked' : 'over';
  return `${id} ${state}, ${lastUsedAt ? `used ${lastUsedAt.toISOString()}` : 'never used'}`;
};

const addLists = (operator: Command, env: NodeJS.ProcessEnv): void => {
  operator
    .command('list')
    .description('list operators with their tokens, without anything secret')
    .option('--all', 'also show ended operators and tokens that no longer work')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating operator list')
    .action(async ({ all, json }: { all?: boolean; json?: boolean }) => {
      const [known, requests] = await withDatabase(env, 'system', async ({ clock, db }) => [
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
          {
            name: (row) => row.name,
            role: (row) => row.role,
            since: (row) => row.addedAt.toISOString(),
            ended: (row) => row.endedAt?.toISOString(),
            tokens: (row) => row.tokens.map(formatToken).join('; ') || 'none that works',
            desk: (row) => (row.signsIn ? 'signs in' : undefined),
            formerly: (row) => row.formerNames.join(', ') || undefined,
            alone: (row) => row.aloneAt && `${row.aloneAt.toISOString()} by one person`,
          },
          json === true,
        );
      if (!json) for (const request of requests) print(formatRequest(request));
    });
  operator
    .command('roles')
    .description('show what each role may do')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating operator roles')
    .action(({ json }: { json?: boolean }) => {
      const rows = ROLE_NAMES.map((role) => ({ role, what: ROLES[role], commands: listCommands(role) }));
      const formatCommands = (row: (typeof rows)[number]) => (row.role === 'admin' ? 'all' : row.commands.join(', '));
      printRows(rows, { role: (row) => row.role, what: (row) => row.what, commands: formatCommands }, json === true);
    });
};

export const addOperatorCommands = (operator: Command, env: NodeJS.ProcessEnv): void => {
  for (const add of [addAdd, addConfirm, addLists, addTokens, addChanges, addSignIn]) add(operator, env);
};

const addRecover = (operator: Command, env: NodeJS.ProcessEnv): void => {
  addIssueOptions(
    operator
      .command('recover')
      .description('give an admin who has lost their tokens another one, and end the lost ones')
      .argument('<name>', 'as operator list shows it')
      .requiredOption('--database-url <file>', 'a file with the address of the database, to prove that you hold it'),
  )
    .addHelpText('after', '\nExample:\n  broker-rating admin operator recover maria --database-url url.txt')
    .action(async (name: string, options: TokenOptions & { databaseUrl: string }) => {
      const made = await withDatabase(env, options.actor, async (context) => {
        await requireHolder(env, options.databaseUrl);
        return recoverAdmin(context, name, toTokenDraft(options));
      });
      printIssued(name, made, options);
    });
};

/** Adds the commands that make a token by itself, and repair who is who. */
export const addOperatorAdminCommands = (operator: Command, env: NodeJS.ProcessEnv): void => {
  operator
    .command('new-token')
    .description('make a token for yourself, and its hash for an admin; needs no database, and stores nothing')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating admin operator new-token')
    .action(({ json }: { json?: boolean }) => {
      const { token, hash } = newToken();
      if (json) printJson({ token, hash });
      else print(`Keep this, and show it to nobody:\n${token}\n\nGive this to an admin, for --hash:\n${hash}`);
    });
  operator
    .command('claim')
    .description('say that a name given by --actor before operators had tokens was theirs')
    .argument('<name>', 'as operator list shows it')
    .argument('<former>', 'as the audit trail has it', parseActor)
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating admin operator claim maria "Maria"')
    .action(async (name: string, former: string, { actor }: ActorOption) => {
      await withDatabase(env, actor, (context) => claimName(context, name, former));
      print(`What was done as "${former}" counts as done by ${name}.`);
    });
  addRecover(operator, env);
};
