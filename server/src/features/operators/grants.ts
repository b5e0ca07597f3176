import { actorName } from '../../ledger/audit/store.ts';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { requireAnotherPerson } from './authorise.ts';
import { countWorkingAdmins, needsSecondAdmin } from './grants.rule.ts';
import { findNameFault, ROLES, type Role } from './policy.rule.ts';
import { conflict, REASON, requireOperator, subject } from './required.ts';
import * as store from './store.ts';
import { type IssuedToken, prepareToken, putToken, type TokenDraft } from './tokens.ts';

/**
 * Requires that an outside decider makes their own token, since otherwise it would prove nothing. @throws DomainError
 */
const requireOwnToken = (name: string, role: Role, { hash }: TokenDraft): void => {
  if (role === 'outside' && hash === undefined)
    throw new DomainError(
      'invalid_input',
      `${name} is an outside decider and makes the token: admin operator new-token, and here --hash with what it prints.`,
    );
};

/**
 * Requires that two admins bind the sign-in of an outside decider, as no one alone makes their token. @throws
 * DomainError
 */
const requireTwoForOutside = (name: string, role: Role): void => {
  if (role === 'outside')
    throw conflict(`${name} is an outside decider: one admin alone cannot give a sign-in. Add a second admin first.`);
};

/** Refuses a role that an existing operator cannot get. @throws DomainError not_found, state_conflict */
export const requireNewRole = async (c: TxContext, name: string, role: Role): Promise<store.OperatorDocument> => {
  const operator = await requireOperator(c, name);
  if (operator.role === role) throw conflict(`${name} has the role ${role} already.`);
  if ([operator.role, role].includes('outside'))
    throw conflict(`Who ${ROLES.outside.split(',', 1)[0]} stays outside: end this operator and add another one.`);
  return operator;
};

/** @throws DomainError invalid_input, state_conflict */
const requireNewName = (name: string, operators: readonly store.OperatorDocument[]): void => {
  const fault = findNameFault(name);
  if (fault !== undefined) throw new DomainError('invalid_input', `"${name}" cannot be a name: ${fault}`);
  if (operators.some(({ _id }) => _id === name))
    throw conflict(`There is or was an operator "${name}": a name is never given twice.`);
};

/** Returns the operator's mark for access given by one person alone; empty if two people gave it. */
const toAloneMark = (c: TxContext, isAlone: boolean) => (isAlone ? { aloneAt: c.now } : {});

/** @throws DomainError state_conflict if somebody else signs in with this subject */
const requireFreeSubject = async (c: TxContext, name: string, given: string): Promise<void> => {
  const owner = await store.findOperatorBySubject(c.db, given, c.tx);
  if (owner && owner._id !== name) throw conflict(`${owner._id} signs in with this subject already.`);
};

/** Makes a grant effective. @throws DomainError not_found, invalid_input, state_conflict */
const carryOutGrant = async (
  c: TxContext,
  name: string,
  grant: store.OperatorGrant,
  isAlone: boolean,
): Promise<void> => {
  const alone = toAloneMark(c, isAlone);
  if (grant.kind === 'add') {
    const { role, formerNames, token } = grant;
    requireNewName(name, await store.listOperators(c.db, c.tx));
    await store.insertOperator({ _id: name, role, formerNames, addedAt: c.now, ...alone }, c.tx);
    const after = { role, formerNames: JSON.stringify(formerNames), alone: isAlone };
    c.audit('operator.added', subject(name), { before: null, after, reason: REASON });
    return putToken(c, name, token);
  }
  if (grant.kind === 'token') {
    await requireOperator(c, name);
    await store.changeOperator(name, alone, c.tx);
    return putToken(c, name, grant.token);
  }
  if (grant.kind === 'sign-in') {
    const { role } = await requireOperator(c, name);
    await requireFreeSubject(c, name, grant.subject);
    if (isAlone) requireTwoForOutside(name, role);
    await store.setSubject(name, grant.subject, isAlone ? actorName(c.actor) : undefined, c.tx);
    await store.changeOperator(name, alone, c.tx);
    const change = { before: null, after: { signIn: true, alone: isAlone }, reason: REASON };
    return c.audit('operator.sign_in_set', subject(name), change);
  }
  const { role: before } = await requireNewRole(c, name, grant.role);
  await store.changeOperator(name, { role: grant.role, ...alone }, c.tx);
  const after = { role: grant.role, alone: isAlone };
  c.audit('operator.role_set', subject(name), { before: { role: before }, after, reason: REASON });
};

/** Returns the facts of a request for the audit trail. */
const describeRequest = ({ grant, requestedBy }: store.GrantRequest) => ({
  grant: grant.kind,
  requestedBy,
  ...('role' in grant ? { role: grant.role } : {}),
  ...('token' in grant ? { token: grant.token.id } : {}),
});

/** Access that was given, or that waits for a second admin. */
export interface GrantOutcome {
  readonly isWaiting: boolean;
}

/**
 * Gives access at once while there is only one admin; otherwise records a request. @throws DomainError state_conflict
 */
const giveAccess = async (c: TxContext, name: string, grant: store.OperatorGrant): Promise<GrantOutcome> => {
  const [operators, tokens] = [await store.listOperators(c.db, c.tx), await store.listTokens(c.db, undefined, c.tx)];
  if (!needsSecondAdmin(countWorkingAdmins(operators, tokens, c.now))) {
    await carryOutGrant(c, name, grant, true);
    return { isWaiting: false };
  }
  if (await store.findRequest(c.db, name, c.tx))
    throw conflict(`A request for ${name} waits already: operator confirm ${name}, or operator decline ${name}`);
  const request = { _id: name, grant, requestedBy: actorName(c.actor), requestedAt: c.now };
  await store.insertRequest(request, c.tx);
  c.audit('operator.requested', subject(name), { before: null, after: describeRequest(request), reason: REASON });
  return { isWaiting: true };
};

/** A new operator. */
export interface NewOperator {
  readonly role: Role;
  readonly formerNames: readonly string[];
}

/**
 * Adds an operator with a first token. The first one has to be an admin: from then on, commands need tokens. If there
 * are two admins or more, another one has to confirm it.
 * @throws DomainError invalid_input, state_conflict
 */
export const addOperator = (
  context: Context,
  name: string,
  { role, formerNames }: NewOperator,
  draft: TokenDraft,
): Promise<IssuedToken & GrantOutcome> =>
  inTransaction(context, async (c) => {
    requireNewName(name, await store.listOperators(c.db, c.tx));
    const isFirst = !(await store.hasTokenHolders(c.db, c.tx));
    if (isFirst && role !== 'admin')
      throw conflict('The first operator has to be an admin, who adds the others: --role admin');
    requireOwnToken(name, role, draft);
    const { prepared, issued } = prepareToken(name, draft, isFirst ? undefined : actorName(c.actor));
    return { ...issued, ...(await giveAccess(c, name, { kind: 'add', role, formerNames, token: prepared })) };
  });

/**
 * Issues another token. If there are two admins or more, another admin has to confirm a token of somebody else.
 * @throws DomainError not_found, invalid_input, state_conflict
 */
export const issueToken = (context: Context, name: string, draft: TokenDraft): Promise<IssuedToken & GrantOutcome> =>
  inTransaction(context, async (c) => {
    const { role } = await requireOperator(c, name);
    requireOwnToken(name, role, draft);
    const by = actorName(c.actor);
    const { prepared, issued } = prepareToken(name, draft, by);
    if (by !== name) return { ...issued, ...(await giveAccess(c, name, { kind: 'token', token: prepared })) };
    await putToken(c, name, prepared);
    return { ...issued, isWaiting: false };
  });

/**
 * Lets an operator sign in to the desk with a subject of the identity provider. If there are two admins or more,
 * another one has to confirm it.
 * @throws DomainError not_found, state_conflict
 */
export const setSignIn = (context: Context, name: string, subject: string): Promise<GrantOutcome> =>
  inTransaction(context, async (c) => {
    await requireOperator(c, name);
    await requireFreeSubject(c, name, subject);
    return giveAccess(c, name, { kind: 'sign-in', subject });
  });

/** Makes somebody an admin. If there are two admins or more, another one has to confirm it. @throws DomainError */
export const makeAdmin = (context: Context, name: string): Promise<GrantOutcome> =>
  inTransaction(context, async (c) => {
    await requireNewRole(c, name, 'admin');
    return giveAccess(c, name, { kind: 'role', role: 'admin' });
  });

/** @throws DomainError not_found */
const requireRequest = async (c: TxContext, name: string): Promise<store.GrantRequest> => {
  const request = await store.findRequest(c.db, name, c.tx);
  if (request) return request;
  throw new DomainError('not_found', `No request for "${name}" waits. See: operator list`);
};

/**
 * Carries out another admin's request.
 * @throws NeedsAnother if the same person requested it
 * @throws DomainError not_found, state_conflict
 */
export const confirmGrant = (context: Context, name: string): Promise<store.GrantRequest> =>
  inTransaction(context, async (c) => {
    const request = await requireRequest(c, name);
    const { requestedBy, requestedAt, grant } = request;
    const what = `the request for ${name}`;
    await requireAnotherPerson(c, [`operator:${requestedBy}`], { at: requestedAt, what });
    const change = { before: describeRequest(request), after: { confirmed: true }, reason: REASON };
    c.audit('operator.confirmed', subject(name), change);
    await store.removeRequest(name, c.tx);
    await carryOutGrant(c, name, grant, false);
    return request;
  });

/** Ends a request without effect. @throws DomainError not_found */
export const declineGrant = (context: Context, name: string): Promise<void> =>
  inTransaction(context, async (c) => {
    const request = await requireRequest(c, name);
    const change = { before: describeRequest(request), after: { confirmed: false }, reason: REASON };
    c.audit('operator.declined', subject(name), change);
    await store.removeRequest(name, c.tx);
  });
