import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { requireNewRole } from './grants.ts';
import type { Role } from './policy.rule.ts';
import { conflict, REASON, requireOperator, subject } from './required.ts';
import * as store from './store.ts';
import { type IssuedToken, prepareToken, putToken, type TokenDraft } from './tokens.ts';

const revoke = async (c: TxContext, { id, operator }: store.OperatorToken): Promise<void> => {
  await store.changeToken(id, { revokedAt: c.now }, c.tx);
  const [before, after] = [
    { token: id, revoked: false },
    { token: id, revoked: true },
  ];
  c.audit('operator.token_revoked', subject(operator), { before, after, reason: REASON });
};

/**
 * Replaces the token in use by a token that only its owner has seen.
 * @throws DomainError state_conflict if no token is in use
 */
export const renewToken = (context: Context, draft: TokenDraft): Promise<IssuedToken & { readonly name: string }> =>
  inTransaction(context, async (c) => {
    const id = c.actor.type === 'operator' ? c.actor.token : undefined;
    const current = id === undefined ? null : await store.findToken(c.db, { id }, c.tx);
    if (!current || current.revokedAt) throw conflict('Only whoever has a token can renew it: see operator list');
    await revoke(c, current);
    const { prepared, issued } = prepareToken(current.operator, draft, undefined);
    await putToken(c, current.operator, prepared);
    return { name: current.operator, ...issued };
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

/** Requires that another admin is left, to manage the operators. @throws DomainError state_conflict */
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
    await store.removeSubject(name, c.tx);
    const revoked = await store.revokeTokens(name, c.now, c.tx);
    const [before, after] = [
      { role: operator.role, ended: false },
      { role: operator.role, ended: true, revoked },
    ];
    c.audit('operator.ended', subject(name), { before, after, reason: REASON });
  });

/** Ends the sign-in of an operator at once. @throws DomainError not_found, state_conflict */
export const removeSignIn = (context: Context, name: string): Promise<void> =>
  inTransaction(context, async (c) => {
    const operator = await requireOperator(c, name);
    if (operator.subject === undefined) throw conflict(`${name} has no sign-in.`);
    await store.removeSubject(name, c.tx);
    const change = { before: { signIn: true }, after: { signIn: false }, reason: REASON };
    c.audit('operator.sign_in_removed', subject(name), change);
  });

/** Gives an operator another role than admin, at once. @throws DomainError not_found, state_conflict */
export const setRole = (context: Context, name: string, role: Exclude<Role, 'admin'>): Promise<void> =>
  inTransaction(context, async (c) => {
    const operator = await requireNewRole(c, name, role);
    await requireOtherAdmin(c, operator);
    await store.changeOperator(name, { role }, c.tx);
    c.audit('operator.role_set', subject(name), { before: { role: operator.role }, after: { role }, reason: REASON });
  });

/**
 * Notes that an operator used another name before operators had tokens.
 * @throws DomainError not_found, state_conflict
 */
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
 * Issues a new token for an admin who has lost theirs. The caller needs access to the database.
 * @throws DomainError not_found, state_conflict
 */
export const recoverAdmin = (context: Context, name: string, draft: TokenDraft): Promise<IssuedToken> =>
  inTransaction(context, async (c) => {
    const { role } = await requireOperator(c, name);
    if (role !== 'admin') throw conflict(`${name} has the role ${role}: only an admin can be recovered.`);
    const revoked = await store.revokeTokens(name, c.now, c.tx);
    const change = { before: { recovered: false }, after: { recovered: true, revoked }, reason: REASON };
    c.audit('operator.recovered', subject(name), change);
    await store.changeOperator(name, { aloneAt: c.now }, c.tx);
    const { prepared, issued } = prepareToken(name, draft, undefined);
    await putToken(c, name, prepared);
    return issued;
  });
