import { type Actor, actorKey } from '../../ledger/audit/store.ts';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import type { Clock } from '../../platform/clock.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { hashToken, isTokenForm } from '../accounts/token.ts';
import { type EarlierDecision, type FourEyesRefusal, findFourEyesRefusal } from './four-eyes.rule.ts';
import { type CallDecision, type CommandCall, evaluateCall, type PresentedToken } from './judge.rule.ts';
import { NOBODY } from './policy.rule.ts';
import * as store from './store.ts';
import { TOKEN_PREFIX } from './tokens.ts';

/** Returns the context for entries about a call that changes nothing. */
const createGuardContext = (db: Db, clock: Clock): Context => ({
  actor: { type: 'system', name: 'operators' },
  clock,
  db,
});

const findPresentedToken = async (db: Db, secret: string): Promise<PresentedToken | null> => {
  if (!isTokenForm(secret, TOKEN_PREFIX)) return null;
  const token = await store.findToken(db, { _id: hashToken(secret) });
  const operator = token && (await store.findOperator(db, token.operator));
  if (!token || !operator) return null;
  const { id, expiresAt, revokedAt } = token;
  return { id, expiresAt, revokedAt, operator: { name: operator._id, role: operator.role, endedAt: operator.endedAt } };
};

/** Records a refusal, which has no transaction of its own. */
const recordRefusal = (
  db: Db,
  clock: Clock,
  name: string,
  after: { command: string; token: string | null },
  reason: string,
) =>
  inTransaction(createGuardContext(db, clock), async (c) => {
    c.audit('operator.refused', { kind: 'operator', id: name }, { before: null, after, reason });
  });

const recordUse = (
  db: Db,
  clock: Clock,
  actor: Actor,
  { command }: CommandCall,
  { id, operator }: PresentedToken,
): Promise<void> =>
  inTransaction({ actor, clock, db }, async (c) => {
    await store.changeToken(id, { lastUsedAt: c.now }, c.tx);
    const change = { before: null, after: { command, token: id }, reason: 'token_used' };
    c.audit('operator.acted', { kind: 'operator', id: operator.name }, change);
  });

/**
 * Returns the stated actor. While there are no operators, anybody may state any name. @throws DomainError invalid_token
 */
const toUnboundActor = ({ actor = NOBODY, rights }: CommandCall, secret: string | undefined): Actor => {
  if (secret !== undefined && !rights.unattended && !rights.open)
    throw new DomainError(
      'invalid_token',
      'There are no operators here, so this is nobody’s token. Leave it out, or begin with: operator add',
    );
  return { type: 'operator', name: actor };
};

const settleCall = async (
  db: Db,
  clock: Clock,
  call: CommandCall,
  token: PresentedToken | null | undefined,
  judgement: CallDecision,
) => {
  if (judgement.kind === 'unbound') return { type: 'operator', name: judgement.name } as const;
  if (judgement.kind === 'refused') {
    const { name = call.actor ?? 'unknown' } = token?.operator ?? {};
    await recordRefusal(db, clock, name, { command: call.command, token: token?.id ?? null }, judgement.code);
    throw new DomainError('invalid_token', judgement.detail);
  }
  const actor = { type: 'operator', name: judgement.token.operator.name, token: judgement.token.id } as const;
  await recordUse(db, clock, actor, call, judgement.token);
  return actor;
};

/**
 * Returns the actor of a command: the operator whose token it is, or the stated name while there are no operators.
 * @param secret the token, if there is one
 * @throws DomainError invalid_token; the audit trail has an entry then
 */
export const authorise = async (
  db: Db,
  clock: Clock,
  call: CommandCall,
  secret: string | undefined,
): Promise<Actor> => {
  if (!(await store.hasTokenHolders(db))) return toUnboundActor(call, secret);
  const token = secret === undefined ? undefined : await findPresentedToken(db, secret);
  return settleCall(db, clock, call, token, evaluateCall(call, token, clock()));
};

/** A sign-in of an operator at the identity provider. */
export interface OperatorSession {
  readonly name: string;
  readonly expiresAt: Date;
}

/** Stands in the audit trail where the id of a token would. */
const SIGN_IN = 'sign-in';

/**
 * Returns the actor of a call by an operator who signed in at the identity provider, judged as if they ran the command.
 * @throws DomainError invalid_token; the audit trail has an entry then
 */
export const authoriseSession = async (
  db: Db,
  clock: Clock,
  command: Omit<CommandCall, 'actor'>,
  { name, expiresAt }: OperatorSession,
): Promise<Actor> => {
  const operator = await store.findOperator(db, name);
  const token =
    operator && (operator.subject !== undefined || operator.endedAt)
      ? { id: SIGN_IN, expiresAt, operator: { name, role: operator.role, endedAt: operator.endedAt } }
      : null; // the sign-in was taken away
  const call = { ...command, actor: name };
  return settleCall(db, clock, call, token, evaluateCall(call, token, clock()));
};

/** A decision that needs another person than the earlier one. */
export class NeedsAnother extends DomainError {
  readonly refusal: FourEyesRefusal;

  constructor(refusal: FourEyesRefusal) {
    super('state_conflict', refusal.detail);
    this.refusal = refusal;
  }
}

/** Returns who besides the operator can use the access by which they call; undefined if nobody can. */
const findSeenBy = async (
  { actor, db, tx }: TxContext,
  operators: readonly store.OperatorDocument[],
): Promise<string | undefined> => {
  if (actor.type !== 'operator' || actor.token === undefined) return undefined;
  if (actor.token === SIGN_IN) return operators.find(({ _id }) => _id === actor.name)?.subjectSetBy;
  return (await store.findToken(db, { id: actor.token }, tx))?.seenBy;
};

/**
 * Requires that another person decides than before, who was already an operator then.
 * @param actors of the earlier decisions
 * @throws NeedsAnother
 */
export const requireAnotherPerson = async (
  c: TxContext,
  actors: readonly string[],
  earlier: Omit<EarlierDecision, 'known'>,
): Promise<void> => {
  const operators = await store.listOperators(c.db, c.tx);
  const known = operators.map(({ _id: name, role, formerNames, addedAt }) => ({ name, role, formerNames, addedAt }));
  const seenBy = await findSeenBy(c, operators);
  const refusal = findFourEyesRefusal({ key: actorKey(c.actor), seenBy }, actors, { ...earlier, known });
  if (refusal !== undefined) throw new NeedsAnother(refusal);
};

/**
 * Records that a decision was refused because it needs another person. Records nothing while there are no operators.
 */
export const recordNeedsAnother = async (
  { actor, clock, db }: Context,
  command: string,
  { code }: FourEyesRefusal,
): Promise<void> => {
  if (actor.type !== 'operator' || actor.token === undefined) return;
  await recordRefusal(db, clock, actor.name, { command, token: actor.token }, code);
};
