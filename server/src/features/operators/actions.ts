import { randomBytes } from 'node:crypto';
import { actorName } from '../../platform/audit/store.ts';
import { type Context, inTransaction, type TxContext } from '../../platform/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { hashToken, mintToken } from '../accounts/token.ts';
import { faultOfName, ROLES, type Role } from './policy.rule.ts';
import * as store from './store.ts';

/** What tokens of operators begin with. */
export const TOKEN_PREFIX = 'bro_';

const REASON = 'operator_command';

const subject = (id: string) => ({ kind: 'operator', id }) as const;
const conflict = (detail: string): DomainError => new DomainError('state_conflict', detail);

/** A token to be issued. */
export interface TokenDraft {
  readonly expiresAt: Date;
  /** SHA-256 of a token that its owner made and keeps. Without it, a token is made and shown to whoever issues it. */
  readonly hash?: string | undefined;
}

/** A token that was issued. */
export interface IssuedToken {
  readonly id: string;
  readonly expiresAt: Date;
  /** Shown this once; undefined if its owner has it. */
  readonly token?: string;
}

/** Makes a token that its owner keeps, and its hash, by which an admin issues it. Nothing is stored. */
export const newToken = (): { readonly token: string; readonly hash: string } => {
  const token = mintToken(TOKEN_PREFIX);
  return { token, hash: hashToken(token) };
};

const putToken = async (c: TxContext, operator: string, draft: TokenDraft, seenBy: string | undefined) => {
  const made = draft.hash === undefined ? newToken() : { hash: draft.hash };
  const { expiresAt } = draft;
  const id = randomBytes(6).toString('hex');
  if (await store.findToken(c.db, { _id: made.hash }, c.tx)) throw conflict('This token is issued already.');
  const seen = draft.hash === undefined && seenBy !== undefined && seenBy !== operator ? { seenBy } : {};
  await store.insertToken({ _id: made.hash, id, operator, ...seen, createdAt: c.now, expiresAt }, c.tx);
  const after = { token: id, expiresAt: expiresAt.toISOString(), ...seen };
  c.audit('operator.token_issued', subject(operator), { before: null, after, reason: REASON });
  return { id, expiresAt, ...('token' in made ? { token: made.token } : {}) };
};

/** @throws DomainError not_found */
const requireOperator = async (c: TxContext, name: string): Promise<store.OperatorDocument> => {
  const found = await store.findOperator(c.db, name, c.tx);
  if (found && !found.endedAt) return found;
  throw new DomainError(
    'not_found',
    found ? `${name} is no operator any more.` : `No operator is called "${name}". See: operator list`,
  );
};

/** Whoever belongs to another house makes their own token: else it would prove nothing. @throws DomainError */
const requireOwnToken = (name: string, role: Role, { hash }: TokenDraft): void => {
  if (role === 'outside' && hash === undefined)
    throw new DomainError(
      'invalid_input',
      `${name} is an outside decider and makes the token: operator new-token, and here --hash with what it prints.`,
    );
};

/** Somebody new. */
export interface NewOperator {
  readonly role: Role;
  readonly formerNames: readonly string[];
}

/**
 * Adds an operator with a first token. The first one has to be an admin: from then on, commands need tokens.
 * @throws DomainError invalid_input, state_conflict
 */
export const addOperator = (
  context: Context,
  name: string,
  { role, formerNames }: NewOperator,
  draft: TokenDraft,
): Promise<IssuedToken> =>
  inTransaction(context, async (c) => {
    const fault = faultOfName(name);
    if (fault !== undefined) throw new DomainError('invalid_input', `"${name}" cannot be a name: ${fault}`);
    const others = await store.listOperators(c.db, c.tx);
    if (others.some(({ _id }) => _id === name))
      throw conflict(`There is or was an operator "${name}": a name is never given twice.`);
    if (others.length === 0 && role !== 'admin')
      throw conflict('The first operator has to be an admin, who adds the others: --role admin');
    requireOwnToken(name, role, draft);
    await store.insertOperator({ _id: name, role, formerNames, addedAt: c.now }, c.tx);
    const after = { role, formerNames: JSON.stringify(formerNames) };
    c.audit('operator.added', subject(name), { before: null, after, reason: REASON });
    return putToken(c, name, draft, others.length === 0 ? undefined : actorName(c.actor));
  });

/** Issues another token. @throws DomainError not_found, invalid_input, state_conflict */
export const issueToken = (context: Context, name: string, draft: TokenDraft): Promise<IssuedToken> =>
  inTransaction(context, async (c) => {
    const { role } = await requireOperator(c, name);
    requireOwnToken(name, role, draft);
    return putToken(c, name, draft, actorName(c.actor));
  });

const revoke = async (c: TxContext, { id, operator }: store.OperatorToken): Promise<void> => {
  await store.changeToken(id, { revokedAt: c.now }, c.tx);
  const [before, after] = [
    { token: id, revoked: false },
    { token: id, revoked: true },
  ];
  c.audit('operator.token_revoked', subject(operator), { before, after, reason: REASON });
};

/**
 * Replaces the token in use by one that nobody else has seen.
 * @throws DomainError state_conflict if no token is in use
 */
export const renewToken = (context: Context, draft: TokenDraft): Promise<IssuedToken & { readonly name: string }> =>
  inTransaction(context, async (c) => {
    const id = c.actor.type === 'operator' ? c.actor.token : undefined;
    const current = id === undefined ? null : await store.findToken(c.db, { id }, c.tx);
    if (!current || current.revokedAt) throw conflict('Only whoever has a token can renew it: see operator list');
    await revoke(c, current);
    return { name: current.operator, ...(await putToken(c, current.operator, draft, undefined)) };
  });

/** Ends a token at once. @throws DomainError not_found */
export const revokeOperatorToken = (context: Context, id: string): Promise<{ readonly name: string }> =>
  inTransaction(context, async (c) => {
    const token = await store.findToken(c.db, { id }, c.tx);
    if (!token || token.revokedAt)
      throw new DomainError('not_found', `No live token of an operator has the id "${id}". See: operator list`);
    await revoke(c, token);
    return { name: token.operator };
  });

/** Somebody has to be able to say who the others are. @throws DomainError state_conflict */
const requireOtherAdmin = async (c: TxContext, { _id, role }: store.OperatorDocument): Promise<void> => {
  if (role === 'admin' && (await store.countAdmins(c.tx)) < 2)
    throw conflict(`${_id} is the only admin: add another one first.`);
};

/** Ends an operator with every token. The name stays taken. @throws DomainError not_found, state_conflict */
export const endOperator = (context: Context, name: string): Promise<void> =>
  inTransaction(context, async (c) => {
    const operator = await requireOperator(c, name);
    await requireOtherAdmin(c, operator);
    await store.changeOperator(name, { endedAt: c.now }, c.tx);
    const revoked = await store.revokeTokens(name, c.now, c.tx);
    const [before, after] = [
      { role: operator.role, ended: false },
      { role: operator.role, ended: true, revoked },
    ];
    c.audit('operator.ended', subject(name), { before, after, reason: REASON });
  });

/** Gives an operator another role. @throws DomainError not_found, state_conflict */
export const setRole = (context: Context, name: string, role: Role): Promise<void> =>
  inTransaction(context, async (c) => {
    const operator = await requireOperator(c, name);
    if (operator.role === role) throw conflict(`${name} has the role ${role} already.`);
    if ([operator.role, role].includes('outside'))
      throw conflict(`Who ${ROLES.outside.split(',', 1)[0]} stays outside: end this operator and add another one.`);
    await requireOtherAdmin(c, operator);
    await store.changeOperator(name, { role }, c.tx);
    c.audit('operator.role_set', subject(name), { before: { role: operator.role }, after: { role }, reason: REASON });
  });

/** Notes that an operator used another name before operators had tokens. @throws DomainError not_found, state_conflict */
export const claimName = (context: Context, name: string, former: string): Promise<void> =>
  inTransaction(context, async (c) => {
    const { formerNames } = await requireOperator(c, name);
    if (formerNames.includes(former)) throw conflict(`"${former}" is a former name of ${name} already.`);
    const names = [...formerNames, former];
    await store.changeOperator(name, { formerNames: names }, c.tx);
    const facts = (list: readonly string[]) => ({ formerNames: JSON.stringify(list) });
    c.audit('operator.claimed', subject(name), { before: facts(formerNames), after: facts(names), reason: REASON });
  });

/**
 * Gives an admin who has lost their tokens a new one, for whoever holds the database.
 * @throws DomainError not_found, state_conflict
 */
export const recoverAdmin = (context: Context, name: string, draft: TokenDraft): Promise<IssuedToken> =>
  inTransaction(context, async (c) => {
    const { role } = await requireOperator(c, name);
    if (role !== 'admin') throw conflict(`${name} has the role ${role}: only an admin can be recovered.`);
    const revoked = await store.revokeTokens(name, c.now, c.tx);
    const change = { before: { recovered: false }, after: { recovered: true, revoked }, reason: REASON };
    c.audit('operator.recovered', subject(name), change);
    return putToken(c, name, draft, undefined);
  });
